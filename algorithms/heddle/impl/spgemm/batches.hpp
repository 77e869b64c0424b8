// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/impl/require.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace heddle::impl
{

// Rows in batches of consecutive ones: batch n has the rows cuts[n] .. cuts[n + 1] - 1.
struct Batches
{
  std::vector<std::int64_t> cuts;
  std::vector<std::int64_t> sizes; // what the rows of each batch have

  std::size_t count() const { return sizes.size(); }
  std::int64_t largest() const { return sizes.empty() ? 0 : *std::ranges::max_element(sizes); }
  std::size_t bytes() const { return (cuts.size() + sizes.size()) * sizeof(std::int64_t); }
};

// What batches may take: row i has starts[i + 1] - starts[i], of so many bytes each.
struct BatchLimits
{
  std::size_t bytes_each;
  std::size_t max_bytes;   // of any row: OutOfMemory, which names row_of(i) and what it needs
  std::size_t usual_bytes; // of a batch of several rows
};
template <class RowOf>
Batches cut_batches(std::vector<std::int64_t> const& starts, BatchLimits const& limits,
                    std::string const& what, RowOf const& row_of)
{
  auto const rows = static_cast<std::int64_t>(starts.size()) - 1;
  auto const between = [&](std::int64_t first, std::int64_t last) {
    return starts[static_cast<std::size_t>(last)] - starts[static_cast<std::size_t>(first)];
  };
  auto const bytes_of = [&](std::int64_t n) {
    return static_cast<std::size_t>(n) * limits.bytes_each;
  };
  std::size_t const usual = std::min(limits.max_bytes, limits.usual_bytes);
  Batches batches{{0}, {}};
  auto const end_batch = [&](std::int64_t last) {
    batches.sizes.push_back(between(batches.cuts.back(), last));
    batches.cuts.push_back(last);
  };
  for (std::int64_t i = 0; i < rows; ++i)
  {
    if (std::size_t const bytes = bytes_of(between(i, i + 1)); bytes > limits.max_bytes)
      throw OutOfMemory("heddle::spgemm: row " + std::to_string(row_of(i)) + " of C needs " + what +
                            " of " + std::to_string(bytes) + " bytes, " +
                            std::to_string(limits.max_bytes) + " are allowed",
                        bytes, limits.max_bytes);
    if (bytes_of(between(batches.cuts.back(), i + 1)) > usual && i > batches.cuts.back())
      end_batch(i);
  }
  end_batch(rows);
  return batches;
}

} // namespace heddle::impl
