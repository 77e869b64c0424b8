// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/op.hpp>
#include <support/reference.hpp>
#include <support/structures.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <limits>
#include <string>

namespace heddle::test
{

// Writes entries(i, j) to each place. Strided Views of devices go through a contiguous one there:
// Kokkos copies between spaces only what is contiguous.
template <class View>
auto contiguous_like(View const& v)
{
  return Kokkos::View<typename View::non_const_value_type**, Kokkos::LayoutRight,
                      typename View::memory_space>("heddle::test::contiguous", v.extent(0),
                                                   v.extent(1));
}
template <class View, class Entries>
void put(View const& to, Entries const& entries)
{
  auto const contiguous = contiguous_like(to);
  auto const host = Kokkos::create_mirror_view(contiguous);
  for (std::size_t i = 0; i < to.extent(0); ++i)
    for (std::size_t j = 0; j < to.extent(1); ++j)
      host(i, j) = entries(static_cast<std::int64_t>(i), static_cast<std::int64_t>(j));
  Kokkos::deep_copy(contiguous, host);
  Kokkos::deep_copy(to, contiguous);
}

// Dense operands of a call: B (or x, as one column) as value_at of (row + b_offset, column); C as
// value_at of (row + c_offset, column), or NaN where beta = 0, which must not survive.
template <class View>
void fill_input(View const& b)
{
  using Value = typename View::non_const_value_type;
  put(b, [](std::int64_t i, std::int64_t j) { return value_at<Value>(i + b_offset, j); });
}
template <class View>
void fill_output(View const& c, bool is_overwritten)
{
  using Value = typename View::non_const_value_type;
  put(c, [=](std::int64_t i, std::int64_t j) {
    return is_overwritten ? Value(std::numeric_limits<float>::quiet_NaN())
                          : value_at<Value>(i + c_offset, j);
  });
}

// "" or the first entry of C outside its bound.
template <class View>
std::string first_difference_in(Expected const& expected, View const& c)
{
  using Value = typename View::non_const_value_type;
  auto const contiguous = contiguous_like(c);
  Kokkos::deep_copy(contiguous, c);
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, contiguous);
  return first_difference<Value>(expected, [&](auto i, auto j) { return host(i, j); });
}

} // namespace heddle::test
