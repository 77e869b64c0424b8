// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/impl/range.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include <analyze/density.hpp>
#include <analyze/png.hpp>

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

std::string picture_of(Density const& density)
{
  Image image{density.width, density.height, {}};
  double const scale = std::log1p(static_cast<double>(density.most));
  for (std::int64_t const entries : density.entries)
  {
    if (entries == 0)
    {
      image.pixels.insert(image.pixels.end(), {255, 255, 255});
      continue;
    }
    // From a light blue, so that a single entry is seen, to a dark one.
    double const share = std::log1p(static_cast<double>(entries)) / scale;
    for (auto const& [light, dark] : {std::pair(150.0, 0.0), {190.0, 20.0}, {230.0, 70.0}})
      image.pixels.push_back(static_cast<unsigned char>(light + share * (dark - light)));
  }
  return data_uri(png_of(image));
}

} // namespace heddle::perf
