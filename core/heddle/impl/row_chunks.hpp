// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// On hosts a thread takes a contiguous piece of the rows, cut so that every piece has about as many
// entries: rows of very different lengths cost no balance and a plan can know each piece in
// advance.

#include <heddle/impl/search.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace heddle::impl
{

// Runs body(chunk) for chunk = 0 .. chunks - 1 on the threads of exec, a host space. Neighbouring
// chunks go to the same thread, and to the same one at every call (static schedule), unless
// is_dynamic.
template <bool is_dynamic = false, class Exec, class Body>
void for_each_chunk(Exec const& exec, std::string const& label, std::int64_t chunks,
                    Body const& body)
{
  using Schedule = std::conditional_t<is_dynamic, Kokkos::Schedule<Kokkos::Dynamic>,
                                      Kokkos::Schedule<Kokkos::Static>>;
  using Policy = Kokkos::RangePolicy<Exec, Schedule, Kokkos::IndexType<std::int64_t>>;
  Kokkos::parallel_for(label, Policy(exec, 0, chunks, Kokkos::ChunkSize(1)), body);
}

// Where the unit of row views (row_views.hpp) begins that view i is in; the end for the end.
template <class RowViews>
std::int64_t begin_of_unit(RowViews const& views, std::int64_t i)
{
  return i == views.count ? i : i - i % views.unit;
}

// chunks + 1 rows, the first 0 and the last rows, between which work(i) - work(j) is about the
// same. work(i), the work of all rows before i, must not fall.
template <class Work>
std::vector<std::int64_t> split_rows(std::int64_t rows, std::int64_t chunks, Work const& work)
{
  std::vector<std::int64_t> first(static_cast<std::size_t>(chunks) + 1, 0);
  double const total = rows == 0 ? 0.0 : static_cast<double>(work(rows));
  for (std::int64_t c = 1; c < chunks; ++c)
  {
    double const target = total * static_cast<double>(c) / static_cast<double>(chunks);
    first[c] = partition_point(first[c - 1], rows, [&](std::int64_t row) {
      return static_cast<double>(work(row)) < target;
    });
  }
  first.back() = rows;
  return first;
}

} // namespace heddle::impl
