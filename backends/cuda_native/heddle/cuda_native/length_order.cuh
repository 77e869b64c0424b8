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

// Of a list of rows; rows with more entries get less.
template <class Offset, class List>
struct ClassFromLongest
{
  static constexpr int last = length_classes - 1;
  Offset const* offsets;
  List list;
  KOKKOS_FUNCTION int operator()(std::int64_t i) const
  {
    auto const row = list(i);
    return last - length_class(static_cast<std::int64_t>(offsets[row + 1] - offsets[row]));
  }
};

template <class Entries, class List>
auto class_from_longest(Entries const& a, List const& list)
{
  return ClassFromLongest<typename Entries::offset_type, List>{a.offsets, list};
}

// By classes; rows of a class stay in their order. Asynchronous.
template <class Exec, class Entries, class List>
void sort_by_length(Exec const& exec, Entries const& a, List const& list)
{
  using Ordinal = typename List::non_const_value_type;
  auto const class_of = class_from_longest(a, list);
  impl::Scratch<Ordinal, Exec> const key_memory(exec, list.extent(0));
  auto const keys = key_memory.view();
  impl::tabulate(exec, "heddle::length_order::keys", static_cast<std::int64_t>(list.extent(0)),
                 class_of, keys);
  impl::stable_sort_by_key(exec, keys, length_classes, list);
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
