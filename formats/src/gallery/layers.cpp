// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gallery/limits.hpp>
#include <gallery/row_lists.hpp>
#include <gallery/row_random.hpp>
#include <gallery/sizes.hpp>
#include <heddle/gallery.hpp>
#include <heddle/impl/out_of_memory.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

// Layers of neural networks, and matrices of combinatorics: rectangular, or with rows that are all
// of one length.

namespace heddle
{

namespace
{

using impl::add;
using impl::Columns;
using impl::GallerySize;
using impl::GalleryStream;
using impl::RowRandom;

constexpr std::int64_t most_vertices = 4096, most_elements = 8;

// Of a row, or of a column behind all rows: 100 on average.
std::int64_t importance(std::uint64_t seed, std::int64_t channel)
{
  return RowRandom(seed, GalleryStream::groups, channel).between(25, 175);
}

// n over k. Throws InvalidArgument where it is more than a gallery matrix has rows.
std::int64_t binomial(char const* function, std::int64_t n, std::int64_t k)
{
  std::int64_t value = 1;
  for (std::int64_t i = 1; i <= k; ++i)
    value = impl::require_product(function, "subsets", {value, n - k + i},
                                  most_vertices * impl::max_gallery_size) /
            i;
  return impl::require_product(function, "subsets", {value});
}

// The subsets of k of 0 .. n - 1 in colexicographic order: the number of {c_1 < c_2 < ...} is the
// sum of (c_i over i) (the combinatorial number system).
class Subsets
{
public:
  Subsets(std::int64_t n, std::int64_t most)
  {
    for (std::int64_t i = 0; i <= n; ++i)
    {
      m_choose.emplace_back();
      m_choose.back()[0] = 1;
      for (std::int64_t k = 1; k <= std::min(i, most); ++k)
        at(i, k) = at(i - 1, k - 1) + (k < i ? at(i - 1, k) : 0);
    }
  }
  std::array<std::int64_t, most_elements> subset(std::int64_t number, std::int64_t k) const
  {
    std::array<std::int64_t, most_elements> elements{};
    auto element = static_cast<std::int64_t>(m_choose.size()) - 1;
    for (; k > 0; --k)
    {
      while (m_choose[static_cast<std::size_t>(element)][static_cast<std::size_t>(k)] > number)
        --element;
      elements[static_cast<std::size_t>(k - 1)] = element;
      number -= m_choose[static_cast<std::size_t>(element)][static_cast<std::size_t>(k)];
    }
    return elements;
  }
  // Of the subset without its element number left_out.
  std::int64_t face(std::array<std::int64_t, most_elements> const& elements, std::int64_t k,
                    std::int64_t left_out) const
  {
    std::int64_t number = 0;
    for (std::int64_t i = 0, of_face = 1; i < k; ++i)
      if (i != left_out)
        number += m_choose[static_cast<std::size_t>(elements[static_cast<std::size_t>(i)])]
                          [static_cast<std::size_t>(of_face++)];
    return number;
  }

private:
  std::int64_t& at(std::int64_t i, std::int64_t k)
  {
    return m_choose[static_cast<std::size_t>(i)][static_cast<std::size_t>(k)];
  }

  std::vector<std::array<std::int64_t, most_elements + 1>> m_choose; // 0 where k > i
};

} // namespace

GallerySize impl::channels_size(std::int64_t rows, std::int64_t cols, std::int64_t percent,
                                std::uint64_t seed)
{
  constexpr char const* function = "generate::channels";
  require_between(function, "rows", rows, 1);
  require_between(function, "cols", cols, 1);
  require_between(function, "percent", percent, 0, 32);
  require_product(function, "entries of the dense matrix", {rows, cols}, max_gallery_entries);
  std::int64_t of_rows = 0, of_cols = 0;
  for (std::int64_t i = 0; i < rows; ++i)
    of_rows += importance(seed, i);
  for (std::int64_t j = 0; j < cols; ++j)
    of_cols += importance(seed, rows + j);
  std::int64_t const entries = of_rows * percent / 100 * of_cols / 10000;
  return {rows, cols, entries, drawn_bytes(entries)};
}

GallerySize impl::radix_size(std::int64_t n, std::int64_t per_row, std::int64_t stride)
{
  constexpr char const* function = "generate::radix";
  require_between(function, "n", n, 1);
  require_between(function, "per_row", per_row, 1, n);
  require_between(function, "stride", stride, 1, n / per_row);
  return {n, n, n * per_row, drawn_bytes(n * per_row), true};
}

GallerySize impl::simplices_size(std::int64_t vertices, std::int64_t elements)
{
  constexpr char const* function = "generate::simplices";
  require_between(function, "vertices", vertices, 2, most_vertices);
  require_between(function, "elements", elements, 2, std::min(most_elements, vertices));
  std::int64_t const rows = binomial(function, vertices, elements);
  std::int64_t const cols = binomial(function, vertices, elements - 1);
  return {rows, cols, rows * elements, drawn_bytes(rows * elements), true};
}

namespace generate
{

GalleryMatrix channels(std::int64_t rows, std::int64_t cols, std::int64_t percent,
                       std::uint64_t seed)
try
{
  impl::require_size("generate::channels", impl::channels_size(rows, cols, percent, seed));
  std::vector<std::int64_t> of_column;
  of_column.reserve(static_cast<std::size_t>(cols));
  for (std::int64_t j = 0; j < cols; ++j)
    of_column.push_back(importance(seed, rows + j));
  auto const lists = impl::draw_rows(rows, cols, [&](std::int64_t i, Columns& columns) {
    RowRandom random(seed, GalleryStream::columns, i);
    std::int64_t const of_row = percent * importance(seed, i);
    for (std::int64_t j = 0; j < cols; ++j)
      if (random.below(1000000) < of_row * of_column[static_cast<std::size_t>(j)])
        add(columns, j);
  });
  return impl::with_values(lists, seed);
}
catch (...)
{
  impl::rethrow_out_of_memory("channels");
}

GalleryMatrix radix(std::int64_t n, std::int64_t per_row, std::int64_t stride)
try
{
  impl::require_size("generate::radix", impl::radix_size(n, per_row, stride));
  auto const lists = impl::draw_rows(n, n, [=](std::int64_t i, Columns& columns) {
    for (std::int64_t k = 0; k < per_row; ++k)
      add(columns, (i + k * stride) % n);
  });
  return impl::with_values(lists, 0);
}
catch (...)
{
  impl::rethrow_out_of_memory("radix");
}

GalleryMatrix simplices(std::int64_t vertices, std::int64_t elements)
try
{
  GallerySize const size = impl::simplices_size(vertices, elements);
  impl::require_size("generate::simplices", size);
  Subsets const subsets(vertices, elements);
  auto const lists = impl::draw_rows(size.rows, size.cols, [&](std::int64_t i, Columns& columns) {
    auto const simplex = subsets.subset(i, elements);
    for (std::int64_t k = 0; k < elements; ++k)
      add(columns, subsets.face(simplex, elements, k));
  });
  return impl::with_values(lists, 0);
}
catch (...)
{
  impl::rethrow_out_of_memory("simplices");
}

} // namespace generate

} // namespace heddle
