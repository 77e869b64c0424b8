// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gallery/build.hpp>
#include <gallery/limits.hpp>
#include <gallery/row_random.hpp>
#include <heddle/gallery.hpp>
#include <heddle/impl/out_of_memory.hpp>
#include <heddle/impl/require.hpp>

#include <algorithm>
#include <cstdint>

namespace heddle
{

namespace
{

void require_blocks(char const* function, std::int64_t block_rows, std::int64_t size,
                    std::int64_t per_row)
{
  impl::require_between(function, "block_rows", block_rows, 1);
  impl::require_between(function, "size", size, 1);
  impl::require_between(function, "per_row", per_row, 0);
  std::int64_t const rows = block_rows * size;
  impl::require(rows <= impl::max_gallery_size, function, block_rows, " blocks of ", size,
                " rows have more than ", impl::max_gallery_size, " rows");
  std::int64_t const length = std::min(per_row, block_rows) * size;
  impl::require_size(function, {rows, rows, rows * length, 0});
}

// Writes the columns of one dense block; returns their end.
std::int32_t* write_block(std::int64_t block_column, std::int64_t size, std::int32_t* columns)
{
  for (std::int64_t j = 0; j < size; ++j)
    *columns++ = static_cast<std::int32_t>(block_column * size + j);
  return columns;
}

} // namespace

namespace generate
{

GalleryMatrix blocks(std::int64_t block_rows, std::int64_t size, std::int64_t per_row,
                     std::uint64_t seed)
try
{
  require_blocks("generate::blocks", block_rows, size, per_row);
  std::int64_t const count = std::min(per_row, block_rows);
  return impl::build_pattern(
      block_rows * size, block_rows * size, seed, [=](std::int64_t) { return count * size; },
      [=](std::int64_t i, std::int32_t* columns) {
        // The rows of a block row all draw the same. From the last block on, the place of block
        // k, which lies in columns[k], is replaced by its columns, which come to lie there or
        // behind.
        impl::RowRandom random(seed, impl::GalleryStream::columns, i / size);
        impl::draw_columns(random, block_rows, count, columns);
        for (std::int64_t k = count - 1; k >= 0; --k)
          write_block(columns[k], size, columns + k * size);
        return columns + count * size;
      });
}
catch (...)
{
  impl::rethrow_out_of_memory("blocks");
}

GalleryMatrix block_diagonal(std::int64_t block_rows, std::int64_t size)
try
{
  require_blocks("generate::block_diagonal", block_rows, size, 1);
  return impl::build_pattern(
      block_rows * size, block_rows * size, 0, [=](std::int64_t) { return size; },
      [=](std::int64_t i, std::int32_t* columns) { return write_block(i / size, size, columns); });
}
catch (...)
{
  impl::rethrow_out_of_memory("block_diagonal");
}

} // namespace generate

} // namespace heddle
