// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Lists of rows by length, those with most entries first.

#include <heddle/impl/range.hpp>
#include <heddle/impl/row_statistics.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/sort.hpp>
#include <heddle/impl/tabulate.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace heddle::cuda_native
{

// Rows of 2^n entries and more are of class n + 1, empty ones of class 0.
inline constexpr int length_classes = 64;
KOKKOS_INLINE_FUNCTION int length_class(std::int64_t length)
{
  int result = 0;
  for (; length > 0; length /= 2)
    ++result;
  return result;
}

// Longer rows get smaller keys, so they sort first.
template <class Offset>
struct RowClassFromLongest
{
  static constexpr int last = length_classes - 1;
  Offset const* offsets;
  KOKKOS_FUNCTION int operator()(std::int64_t row) const
  {
    return last - length_class(static_cast<std::int64_t>(offsets[row + 1] - offsets[row]));
  }
};
// Of the rows of a list.
template <class Offset, class List>
struct ClassFromLongest
{
  static constexpr int last = RowClassFromLongest<Offset>::last;
  RowClassFromLongest<Offset> class_of;
  List list;
  KOKKOS_FUNCTION int operator()(std::int64_t i) const { return class_of(list(i)); }
};

template <class Entries, class List>
auto class_from_longest(Entries const& a, List const& list)
{
  return ClassFromLongest<typename Entries::offset_type, List>{{a.offsets}, list};
}

// Some rows of a, by classes; those of a class stay in their order. Asynchronous.
template <class Exec, class Entries, class List>
void sort_by_length(Exec const& exec, Entries const& a, List const& list)
{
  using Ordinal = typename List::non_const_value_type;
  impl::Scratch<Ordinal, Exec> const keys(exec, static_cast<std::size_t>(a.rows)); // of all rows
  impl::tabulate(exec, "heddle::length_order::keys", a.rows,
                 RowClassFromLongest<typename Entries::offset_type>{a.offsets}, keys.view());
  impl::stable_sort_by_key(exec, keys.view(), length_classes, list);
}

// What impl::row_statistics does with one row, of the rows of a list.
template <class Offset, class List>
struct LengthsOfList
{
  Offset const* offsets;
  List list;
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& entries,
                                  std::int64_t& longest) const
  {
    auto const length = static_cast<std::int64_t>(offsets[list(i) + 1] - offsets[list(i)]);
    entries += length;
    longest = length > longest ? length : longest;
  }
};
// Waits for exec.
template <class Exec, class Entries, class List>
impl::RowStatistics statistics_of_list(Exec const& exec, Entries const& a, List const& list)
{
  impl::RowStatistics result{.rows = static_cast<std::int64_t>(list.extent(0))};
  if (result.rows == 0)
    return result;
  Kokkos::parallel_reduce("heddle::length_order::statistics", impl::range(exec, result.rows),
                          LengthsOfList<typename Entries::offset_type, List>{a.offsets, list},
                          Kokkos::Sum<std::int64_t>(result.nonzeros),
                          Kokkos::Max<std::int64_t>(result.longest));
  return result;
}

} // namespace heddle::cuda_native
