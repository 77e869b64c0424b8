// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Problems whose numbers do not fit 32 bits: tens of gigabytes, made and checked on the device. An
// entry and its oracle are functions of the position, in whole numbers, whose sums are exact in any
// order.

#include <support/types.hpp>

#include <catch2/catch_test_macros.hpp>
#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

namespace heddle::test::large
{

using Exec = Device;
using Space = Exec::memory_space;
using Range = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>;

inline constexpr std::int64_t int_max = std::numeric_limits<std::int32_t>::max();

// -3, -2, ..., 3 and -2, ..., 2.
KOKKOS_INLINE_FUNCTION double value_at(std::int64_t n) { return static_cast<double>(n % 7 - 3); }
KOKKOS_INLINE_FUNCTION double input_at(std::int64_t n) { return static_cast<double>(n % 5 - 2); }

template <class View, class Function>
struct Fill
{
  View view;
  Function function;
  KOKKOS_FUNCTION void operator()(std::int64_t n) const { view.data()[n] = function(n); }
};
// view.data()[n] = function(n) for all entries of a contiguous View.
template <class View, class Function>
void fill(View const& view, Function const& function)
{
  Kokkos::parallel_for("heddle::test::fill", Range(0, static_cast<std::int64_t>(view.size())),
                       Fill<View, Function>{view, function});
}

template <class View, class Function>
struct CountWrong
{
  View view;
  Function expected;
  KOKKOS_FUNCTION void operator()(std::int64_t n, std::int64_t& wrong) const
  {
    wrong += view.data()[n] == expected(n) ? 0 : 1;
  }
};
// How many entries of a contiguous View are not what expected(n) says.
template <class View, class Function>
std::int64_t wrong_entries(View const& view, Function const& expected)
{
  std::int64_t wrong = 0;
  Kokkos::parallel_reduce("heddle::test::wrong_entries",
                          Range(0, static_cast<std::int64_t>(view.size())),
                          CountWrong<View, Function>{view, expected}, wrong);
  return wrong;
}

// A View that is not initialised: that would take as long as what is tested.
template <class View, class... Extents>
View uninitialised(std::string const& label, Extents... extents)
{
  return View(Kokkos::view_alloc(label, Kokkos::WithoutInitializing),
              static_cast<std::size_t>(extents)...);
}

// Ends the test case where the device has less memory than that.
inline void need_memory(double gigabytes)
{
#if defined(KOKKOS_ENABLE_CUDA)
  std::size_t there = 0, all = 0;
  REQUIRE(cudaMemGetInfo(&there, &all) == cudaSuccess);
  double const has = static_cast<double>(there) * 1e-9;
  if (has < gigabytes)
    SKIP("needs " << gigabytes << " GB of device memory, " << has << " GB are there");
#else
  SKIP("needs " << gigabytes << " GB on a device");
#endif
}

} // namespace heddle::test::large
