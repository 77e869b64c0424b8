// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gallery/limits.hpp>
#include <heddle/error.hpp>
#include <heddle/impl/require.hpp>
#include <heddle/impl/text_stream.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#if defined(__unix__)
#include <unistd.h>
#endif

namespace heddle::impl
{

namespace
{

// All the memory of the machine, not what is free: that changes. The largest number where the
// system does not tell.
std::size_t host_memory_bytes()
{
#if defined(_SC_PHYS_PAGES) && defined(_SC_PAGESIZE)
  auto const pages = static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES));
  auto const page_bytes = static_cast<std::int64_t>(sysconf(_SC_PAGESIZE));
  if (pages > 0 && page_bytes > 0)
    return static_cast<std::size_t>(pages) * static_cast<std::size_t>(page_bytes);
#endif
  return std::numeric_limits<std::size_t>::max();
}

} // namespace

void require_between(char const* function, char const* what, std::int64_t value, std::int64_t low,
                     std::int64_t high)
{
  require(value >= low && value <= high, function, what, " is ", value, ", expected ", low, " to ",
          high);
}

std::int64_t require_product(char const* function, char const* what,
                             std::initializer_list<std::int64_t> factors, std::int64_t limit)
{
  std::int64_t product = 1;
  for (std::int64_t const factor : factors)
  {
    require(factor == 0 || product <= limit / factor, function, what, " are more than ", limit);
    product *= factor;
  }
  return product;
}

void require_size(char const* function, GallerySize const& size)
{
  require(size.rows <= max_gallery_size && size.cols <= max_gallery_size, function, "a matrix of ",
          size.rows, " x ", size.cols, " has more than ", max_gallery_size, " rows or columns");
  require(size.entries <= max_gallery_entries, function, "a matrix of ", size.rows, " x ",
          size.cols, " with ", size.entries, " entries has more than ", max_gallery_entries);
  constexpr std::int64_t entry_bytes = sizeof(std::int32_t) + sizeof(double);
  constexpr std::int64_t row_bytes = sizeof(std::size_t);
  auto const needed = static_cast<std::size_t>(size.entries * entry_bytes +
                                               (size.rows + 1) * row_bytes + size.scratch_bytes);
  std::size_t const available = host_memory_bytes();
  if (needed <= available)
    return;
  TextStream message;
  message << "heddle::" << function << ": a matrix of " << size.rows << " x " << size.cols
          << " with " << size.entries << " entries takes " << needed
          << " bytes to make, the machine has " << available;
  throw OutOfMemory(message.str(), needed, available);
}

} // namespace heddle::impl
