// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/gallery.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle::test
{

using Dense = std::vector<std::vector<double>>;
using Row = std::vector<std::int64_t>;

inline Row row_of(GalleryMatrix const& a, std::int64_t i)
{
  Row row;
  for (std::size_t k = a.row_offsets()(i); k < a.row_offsets()(i + 1); ++k)
    row.push_back(a.columns()(k));
  return row;
}

inline Dense dense(GalleryMatrix const& a)
{
  Dense d(static_cast<std::size_t>(a.num_rows()),
          std::vector<double>(static_cast<std::size_t>(a.num_cols())));
  for (std::int64_t i = 0; i < a.num_rows(); ++i)
    for (std::size_t k = a.row_offsets()(i); k < a.row_offsets()(i + 1); ++k)
      d[i][a.columns()(k)] = a.values()(k);
  return d;
}

// The place of point i of a grid.
inline std::array<std::int64_t, 3> point(std::int64_t i, std::int64_t nx, std::int64_t ny)
{
  return {i % nx, i / nx % ny, i / nx / ny};
}

inline bool are_equal(GalleryMatrix const& a, GalleryMatrix const& b)
{
  auto const same = [](auto const& x, auto const& y) {
    return std::equal(x.data(), x.data() + x.extent(0), y.data(), y.data() + y.extent(0));
  };
  return a.num_rows() == b.num_rows() && a.num_cols() == b.num_cols() &&
         same(a.row_offsets(), b.row_offsets()) && same(a.columns(), b.columns()) &&
         same(a.values(), b.values());
}

} // namespace heddle::test
