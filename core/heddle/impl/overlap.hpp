// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Whether two Views share memory, from their pointers, extents and strides alone.

#include <heddle/impl/require.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace heddle::impl
{

// `count` blocks of `width` bytes, which begin `stride` bytes apart.
struct MemoryBlocks
{
  std::int64_t begin, width, stride, count;

  std::int64_t end() const { return begin + (count - 1) * stride + width; }
};

// Where the elements of a View of rank 1 or 2 lie, which has some; nothing where they are neither
// contiguous nor equal blocks, because both strides leave gaps.
template <class View>
std::optional<MemoryBlocks> memory_blocks(View const& view)
{
  constexpr auto size = static_cast<std::int64_t>(sizeof(typename View::value_type));
  auto const begin = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(view.data()));
  MemoryBlocks blocks{begin, size, 0, 1};
  // The dimension of smaller stride first: it extends a block or repeats it.
  std::size_t first = 0;
  if constexpr (View::rank() == 2)
    first = view.extent(0) > 1 && (view.extent(1) <= 1 || view.stride(0) < view.stride(1)) ? 0 : 1;
  for (std::size_t n = 0; n < View::rank(); ++n)
  {
    std::size_t const dimension = n == 0 ? first : 1 - first;
    auto const extent = static_cast<std::int64_t>(view.extent(dimension));
    std::int64_t const stride = static_cast<std::int64_t>(view.stride(dimension)) * size;
    if (extent <= 1 || stride == 0) // stride 0: the same elements again
      continue;
    if (blocks.count > 1)
      return {};
    if (stride == blocks.width)
      blocks.width *= extent;
    else
    {
      blocks.stride = stride;
      blocks.count = extent;
    }
  }
  return blocks;
}

// Whether a block of one has a byte with a block of the other. Where both are several blocks with
// other strides than each other's this is not decided, and nothing is returned.
inline std::optional<bool> have_common_bytes(MemoryBlocks const& a, MemoryBlocks const& b)
{
  if (a.end() <= b.begin || b.end() <= a.begin)
    return false;
  if (a.count == 1 && b.count == 1)
    return true;
  if (a.count > 1 && b.count > 1 && a.stride != b.stride)
    return {};
  // A block of b, moved by n strides, meets the first block of a where
  // a.begin - b.width < b.begin + n * stride < a.begin + a.width.
  std::int64_t const stride = a.count > 1 ? a.stride : b.stride;
  std::int64_t const low = a.begin - b.width - b.begin, high = a.begin + a.width - b.begin;
  auto const floor_of = [stride](std::int64_t n) {
    return n >= 0 ? n / stride : -((-n + stride - 1) / stride);
  };
  std::int64_t const least = std::max(floor_of(low) + 1, 1 - a.count);
  std::int64_t const most = std::min(floor_of(high - 1), b.count - 1);
  return least <= most;
}

// Refuses an output that shares memory with another operand. Interleaved operands are told apart as
// long as they are blocks of one stride, as columns or blocks of columns of one matrix are; of
// others only a common beginning is noticed.
template <class In, class Out>
void require_disjoint(char const* function, char const* names, In const& in, Out const& out)
{
  if (in.size() == 0 || out.size() == 0)
    return;
  bool is_disjoint = static_cast<void const*>(in.data()) != static_cast<void const*>(out.data());
  auto const a = memory_blocks(in), b = memory_blocks(out);
  if (a && b)
    is_disjoint = is_disjoint && !have_common_bytes(*a, *b).value_or(false);
  require(is_disjoint, function, names, " share memory");
}

} // namespace heddle::impl
