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

// Dense operands of a call: B (or x, as one column) as value_at of (row + b_offset, column); C as
// value_at of (row + c_offset, column), or NaN where beta = 0, which must not survive.
template <class View>
void fill_input(View const& b)
{
  using Value = typename View::non_const_value_type;
  auto const host = Kokkos::create_mirror(b);
  for (std::size_t i = 0; i < b.extent(0); ++i)
    for (std::size_t j = 0; j < b.extent(1); ++j)
      host(i, j) =
          value_at<Value>(static_cast<std::int64_t>(i) + b_offset, static_cast<std::int64_t>(j));
  Kokkos::deep_copy(b, host);
}
template <class View>
void fill_output(View const& c, bool is_overwritten)
{
  using Value = typename View::non_const_value_type;
  auto const host = Kokkos::create_mirror(c);
  for (std::size_t i = 0; i < c.extent(0); ++i)
    for (std::size_t j = 0; j < c.extent(1); ++j)
      host(i, j) = is_overwritten ? Value(std::numeric_limits<float>::quiet_NaN())
                                  : value_at<Value>(static_cast<std::int64_t>(i) + c_offset,
                                                    static_cast<std::int64_t>(j));
  Kokkos::deep_copy(c, host);
}

// "" or the first entry of C outside its bound.
template <class View>
std::string first_difference_in(Expected const& expected, View const& c)
{
  using Value = typename View::non_const_value_type;
  auto const mirror = Kokkos::create_mirror(c);
  Kokkos::deep_copy(mirror, c);
  return first_difference<Value>(expected, [&](auto i, auto j) { return mirror(i, j); });
}

} // namespace heddle::test
