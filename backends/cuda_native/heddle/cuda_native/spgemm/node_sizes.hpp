// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What is known of nodes of a matrix (spgemm/nodes.cuh) by its sizes alone.

#include <cstdint>

namespace heddle::cuda_native
{

// What a matrix of nodes is known by beforehand.
struct MatrixSizes
{
  std::int64_t rows, cols, entries;
};
// Whether these do not rule out nodes of a size.
constexpr bool may_have_nodes(MatrixSizes const& m, int size)
{
  return m.rows % size == 0 && m.cols % size == 0 &&
         m.entries % (static_cast<std::int64_t>(size) * size) == 0;
}

} // namespace heddle::cuda_native
