// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/impl/range.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <analyze/density.hpp>

namespace heddle::perf
{

namespace
{

// Pieces of the shorter side, at least one.
std::int64_t in_proportion(std::int64_t pieces, std::int64_t side, std::int64_t longest)
{
  return std::max<std::int64_t>(1, pieces * side / std::max<std::int64_t>(longest, 1));
}

// The first of size rows (columns) that lies in a piece.
std::int64_t first_of(std::int64_t piece, std::int64_t pieces, std::int64_t size)
{
  return (piece * size + pieces - 1) / pieces;
}

} // namespace

Density density_of(HostMatrix<double> const& a, std::int64_t pieces)
{
  std::int64_t const rows = a.num_rows(), cols = a.num_cols(), longest = std::max(rows, cols);
  std::int64_t const most = std::min(pieces, std::max<std::int64_t>(longest, 1));
  Density density{in_proportion(most, rows, longest), in_proportion(most, cols, longest), {}};
  density.entries.resize(static_cast<std::size_t>(density.height * density.width), 0);
  density.most =
      ((rows + density.height - 1) / density.height) * ((cols + density.width - 1) / density.width);
  auto* const entries = density.entries.data();
  std::int64_t const height = density.height, width = density.width;
  Kokkos::DefaultHostExecutionSpace const host;
  // A thread has lines of its own, so that counts need no atomics.
  Kokkos::parallel_for("heddle::analyze::density", impl::range(host, height), [=](std::int64_t y) {
    for (std::int64_t i = first_of(y, height, rows); i < first_of(y + 1, height, rows); ++i)
      for (auto k = a.row_offsets()(i); k < a.row_offsets()(i + 1); ++k)
        ++entries[y * width + a.columns()(k) * width / cols];
  });
  host.fence("heddle::analyze::density");
  return density;
}

} // namespace heddle::perf
