// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/gallery.hpp>
#include <heddle/impl/gallery_hash.hpp>
#include <heddle/impl/range.hpp>
#include <heddle/impl/scan.hpp>
#include <heddle/impl/views.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace heddle::impl
{

using GalleryExec = Kokkos::DefaultHostExecutionSpace;
using GalleryOffsets = Kokkos::View<std::size_t*, Kokkos::HostSpace>;

// Calls f(i) for i = 0 .. n - 1, several at once.
template <class F>
void for_each_row(char const* label, std::int64_t n, F const& f)
{
  GalleryExec const exec;
  Kokkos::parallel_for(label, range(exec, n), [&f](std::int64_t i) { f(i); });
  exec.fence("heddle::gallery: all rows are done");
}

// The matrix whose row i has count(i) entries, written by fill(i, columns, values). Rows are made
// several at once and know nothing of each other, so the number of threads changes nothing.
template <class Count, class Fill>
GalleryMatrix build_matrix(std::int64_t rows, std::int64_t cols, Count const& count,
                           Fill const& fill)
{
  GalleryExec const exec;
  auto const offsets = uninitialized<GalleryOffsets>(exec, "heddle::gallery::row_offsets",
                                                     static_cast<std::size_t>(rows) + 1);
  for_each_row("heddle::gallery::count", rows,
               [&](std::int64_t i) { offsets(i) = static_cast<std::size_t>(count(i)); });
  auto const nnz = static_cast<std::size_t>(offsets_from_counts(exec, rows, offsets, offsets));
  auto const columns =
      uninitialized<GalleryMatrix::columns_view>(exec, "heddle::gallery::columns", nnz);
  auto const values =
      uninitialized<GalleryMatrix::values_view>(exec, "heddle::gallery::values", nnz);
  for_each_row("heddle::gallery::fill", rows, [&](std::int64_t i) {
    fill(i, columns.data() + offsets(i), values.data() + offsets(i));
  });
  return {static_cast<std::int32_t>(rows), static_cast<std::int32_t>(cols), offsets, columns,
          values};
}

// The same with values made from seed, row and column; fill(i, columns) returns the end of what it
// wrote.
template <class Count, class Fill>
GalleryMatrix build_pattern(std::int64_t rows, std::int64_t cols, std::uint64_t seed,
                            Count const& count, Fill const& fill)
{
  std::uint64_t const key = gallery_key(seed, GalleryStream::values);
  return build_matrix(rows, cols, count,
                      [&](std::int64_t i, std::int32_t* columns, double* values) {
                        std::int32_t const* const end = fill(i, columns);
                        for (; columns != end; ++columns, ++values)
                          *values = signed_unit(entry_hash(key, i, *columns));
                      });
}

} // namespace heddle::impl
