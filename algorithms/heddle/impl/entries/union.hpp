// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The union of two patterns, A's and B's, of the same sizes.
//
// Every entry finds its slot by itself, so that all backends run one code and long rows cost no
// balance. Let n(k) be the number of entries before entry k of B that A has not. With entries of
// both by row and column, entry k of B that A lacks goes to slot (entries of A before it) + n(k),
// and entry p of A to p + n(first entry of its row of B that is not left of it): both counts go on
// from row to row, so slots are those of the whole matrix. A binary search per entry, one scan over
// the entries of B, scratch of two offsets per entry of B and of an ordinal per entry of both. Rows
// that are not sorted are put in order in scratch memory (convert/ordered_entries.hpp). Hosts merge
// row by row instead, which takes fewer instructions where threads are few.

#include <heddle/impl/convert/new_arrays.hpp>
#include <heddle/impl/convert/ordered_entries.hpp>
#include <heddle/impl/entries/keep.hpp>
#include <heddle/impl/operands.hpp>
#include <heddle/impl/range.hpp>
#include <heddle/impl/scan.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/search.hpp>
#include <heddle/impl/tabulate.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace heddle::impl
{

// No entry: of a slot whose entry the other matrix has alone.
inline constexpr std::int64_t no_entry = -1;

// Where entry n of `of` is in `in`, and whether it is there. Both are OrderedEntries.
template <class Of, class In>
struct Counterpart
{
  std::int64_t position; // the first entry of the row that is not left of it
  bool is_there;

  KOKKOS_FUNCTION Counterpart(Of const& of, In const& in, std::int64_t n)
  {
    auto const row = of.rows(n);
    auto const begin = static_cast<std::int64_t>(in.row_offsets(row));
    auto const end = static_cast<std::int64_t>(in.row_offsets(row + 1));
    std::int64_t const column = of.column(n);
    position = lower_bound([&in](std::int64_t m) { return in.column(m); }, begin, end, column);
    is_there = position < end && in.column(position) == column;
  }
};

// 1 where A lacks entry k of B; notes how many entries A has before it.
template <class A, class B, class Preceding>
struct IsNew
{
  A a;
  B b;
  Preceding preceding;
  KOKKOS_FUNCTION int operator()(std::int64_t k) const
  {
    Counterpart<B, A> const found(b, a, k);
    preceding(k) = static_cast<typename Preceding::non_const_value_type>(found.position);
    return found.is_there ? 0 : 1;
  }
};

template <class RowOffsets, class Before, class BOffsets>
struct OffsetOfUnion
{
  BeginOfRow<RowOffsets> a;
  BeginOfRow<BOffsets> b;
  Before before;
  KOKKOS_FUNCTION std::int64_t operator()(std::int64_t i) const
  {
    return a(i) + static_cast<std::int64_t>(before(b(i)));
  }
};

// sink(slot, column, p, k): the slot of an entry of the union has entry p of A, entry k of B, or
// both, as they are numbered in the matrices' arrays.
template <class A, class B, class Before, class Sink>
struct PlaceFirst
{
  A a;
  B b;
  Before before;
  Sink sink;
  KOKKOS_FUNCTION void operator()(std::int64_t p) const
  {
    Counterpart<A, B> const found(a, b, p);
    sink(p + static_cast<std::int64_t>(before(found.position)), a.column(p), number(a, p),
         found.is_there ? number(b, found.position) : no_entry);
  }
  template <class Entries>
  KOKKOS_FUNCTION static std::int64_t number(Entries const& entries, std::int64_t n)
  {
    return static_cast<std::int64_t>(entries.order(n));
  }
};
template <class B, class Before, class Preceding, class Sink>
struct PlaceNew
{
  B b;
  Before before;
  Preceding preceding;
  Sink sink;
  KOKKOS_FUNCTION void operator()(std::int64_t k) const
  {
    auto const n = before(k);
    if (before(k + 1) != n)
      sink(static_cast<std::int64_t>(preceding(k)) + static_cast<std::int64_t>(n), b.column(k),
           no_entry, static_cast<std::int64_t>(b.order(k)));
  }
};

// On hosts a thread merges a row of A with that of B, which reads each entry once: hands
// sink(slot, column, p, k) all entries of row i, slots counting from 0, and returns how many there
// are.
struct NoSink
{
  KOKKOS_FUNCTION void operator()(std::int64_t, std::int64_t, std::int64_t, std::int64_t) const {}
};
template <class A, class B>
struct MergeRows
{
  static constexpr std::int64_t behind_all_columns = std::numeric_limits<std::int64_t>::max();
  A a;
  B b;
  template <class Sink>
  KOKKOS_FUNCTION std::int64_t merge(std::int64_t i, Sink const& sink) const
  {
    auto p = static_cast<std::int64_t>(a.row_offsets(i)),
         k = static_cast<std::int64_t>(b.row_offsets(i));
    auto const p_end = static_cast<std::int64_t>(a.row_offsets(i + 1)),
               k_end = static_cast<std::int64_t>(b.row_offsets(i + 1));
    std::int64_t slot = 0;
    for (; p < p_end || k < k_end; ++slot)
    {
      std::int64_t const left = p < p_end ? a.column(p) : behind_all_columns,
                         right = k < k_end ? b.column(k) : behind_all_columns;
      bool const has_left = left <= right, has_right = right <= left;
      sink(slot, has_left ? left : right,
           has_left ? static_cast<std::int64_t>(a.order(p)) : no_entry,
           has_right ? static_cast<std::int64_t>(b.order(k)) : no_entry);
      p += has_left ? 1 : 0;
      k += has_right ? 1 : 0;
    }
    return slot;
  }
  // Entries of row i.
  KOKKOS_FUNCTION std::int64_t operator()(std::int64_t i) const { return merge(i, NoSink{}); }
};
template <class Sink>
struct SinkOfRow
{
  Sink sink;
  std::int64_t begin;
  KOKKOS_FUNCTION void operator()(std::int64_t slot, std::int64_t column, std::int64_t p,
                                  std::int64_t k) const
  {
    sink(begin + slot, column, p, k);
  }
};
template <class A, class B, class Offsets, class Sink>
struct PlaceMergedRow
{
  MergeRows<A, B> rows;
  Offsets offsets;
  Sink sink;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const
  {
    rows.merge(i, SinkOfRow<Sink>{sink, static_cast<std::int64_t>(offsets(i))});
  }
};

// unite_ordered on hosts.
template <class Exec, class A, class B, class Offsets, class MakeSink>
void unite_by_rows(Exec const& exec, char const* function, A const& a, B const& b,
                   Offsets const& offsets, MakeSink const& make_sink)
{
  auto const rows = static_cast<std::int64_t>(offsets.extent(0)) - 1;
  Scratch<std::int64_t, Exec> const counts(exec, static_cast<std::size_t>(rows));
  MergeRows<A, B> const merge{a, b};
  tabulate(exec, "heddle::add::count", rows, merge, counts.view());
  std::int64_t const total = offsets_from_counts(exec, rows, counts.view(), offsets);
  require_entries_fit<typename Offsets::non_const_value_type>(function, total);
  auto const sink = make_sink(static_cast<std::size_t>(total));
  using Sink = std::remove_const_t<decltype(sink)>;
  Kokkos::parallel_for("heddle::add::place", range(exec, rows),
                       PlaceMergedRow<A, B, Offsets, Sink>{merge, offsets, sink});
  exec.fence("heddle::add");
}

// unite_ordered on devices.
template <class Exec, class A, class B, class Offsets, class MakeSink>
void unite_by_entries(Exec const& exec, char const* function, A const& a, B const& b,
                      Offsets const& offsets, MakeSink const& make_sink)
{
  using Offset = typename Offsets::non_const_value_type;
  using Counts = Scratch<Offset, Exec>;
  using View = typename Counts::view_type;
  Counts const preceding(exec, static_cast<std::size_t>(b.size())),
      before(exec, static_cast<std::size_t>(b.size()) + 1);
  auto const n = before.view();
  tabulate(exec, "heddle::add::find", b.size(), IsNew<A, B, View>{a, b, preceding.view()}, n);
  std::int64_t const total = a.size() + offsets_from_counts(exec, b.size(), n, n);
  require_entries_fit<Offset>(function, total);
  auto const sink = make_sink(static_cast<std::size_t>(total));
  using Sink = std::remove_const_t<decltype(sink)>;
  using RowOffsets = decltype(a.row_offsets);
  using BOffsets = decltype(b.row_offsets);
  tabulate(exec, "heddle::add::offsets", offsets.extent(0),
           OffsetOfUnion<RowOffsets, View, BOffsets>{{a.row_offsets}, {b.row_offsets}, n}, offsets);
  Kokkos::parallel_for("heddle::add::place_first", range(exec, a.size()),
                       PlaceFirst<A, B, View, Sink>{a, b, n, sink});
  Kokkos::parallel_for("heddle::add::place_new", range(exec, b.size()),
                       PlaceNew<B, View, View, Sink>{b, n, preceding.view(), sink});
  exec.fence("heddle::add");
}

// The union, of which make_sink(entries) makes what takes its slots. offsets has rows + 1 entries.
// Throws InvalidArgument where its type is too narrow. Waits for exec.
template <class Exec, class A, class B, class Offsets, class MakeSink>
void unite_ordered(Exec const& exec, char const* function, A const& a, B const& b,
                   Offsets const& offsets, MakeSink const& make_sink)
{
  if constexpr (is_host_v<Exec>)
    unite_by_rows(exec, function, a, b, offsets, make_sink);
  else
    unite_by_entries(exec, function, a, b, offsets, make_sink);
}

// The same of two matrices with rows in any order.
template <class Exec, class A, class B, class Offsets, class MakeSink>
void unite_patterns(Exec const& exec, char const* function, A const& a, B const& b,
                    Offsets const& offsets, MakeSink const& make_sink)
{
  with_ordered_entries(exec, a, [&](auto const& entries_a) {
    with_ordered_entries(exec, b, [&](auto const& entries_b) {
      unite_ordered(exec, function, entries_a, entries_b, offsets, make_sink);
    });
  });
}

} // namespace heddle::impl
