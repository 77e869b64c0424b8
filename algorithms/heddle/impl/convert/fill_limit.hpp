// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/error.hpp>
#include <heddle/fill_limit.hpp>

#include <cstddef>
#include <string>

namespace heddle::impl
{

// Throws OutOfMemory where places of entry_bytes each are more than limit allows for nnz entries.
inline void require_fill(char const* function, std::string const& shape, double places,
                         std::size_t nnz, std::size_t entry_bytes, FillLimit const& limit)
{
  double const needed = places * static_cast<double>(entry_bytes);
  double const entries = static_cast<double>(nnz) * static_cast<double>(entry_bytes);
  double const allowed = limit.factor * entries;
  if (needed <= allowed)
    return;
  auto const bytes = [](double number) {
    return number < 1.8e19 ? static_cast<std::size_t>(number) : ~std::size_t(0);
  };
  throw OutOfMemory("heddle::" + std::string(function) + ": " + shape + " takes " +
                        std::to_string(bytes(needed)) + " bytes, the entries themselves " +
                        std::to_string(bytes(entries)) + "; FillLimit allows " +
                        std::to_string(bytes(allowed)),
                    bytes(needed), bytes(allowed));
}

} // namespace heddle::impl
