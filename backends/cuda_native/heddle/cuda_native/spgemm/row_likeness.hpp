// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Numbers of spgemm/row_likeness.cuh, and what its sample tells the host.

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace heddle::cuda_native
{

struct RowLikeness
{
  // Neighbouring rows are of one node where so much of the union of their columns is common.
  int common_part, of_parts;
};
// Rows that each lack a tenth of the entries at random have 9 of 11 in common, those of
// neighbouring nodes of a grid of 27 neighbours 1 of 2; with 3 of 4, 7 % of the rows that lack a
// tenth of 75 entries were not linked (perf_tests/results/h200/spgemm_gaps.txt).
inline constexpr RowLikeness row_likeness{.common_part = 2, .of_parts = 3};

// A window of neighbouring rows: bit n of `linked` says that row n is nearly equal to row n + 1;
// `alike`, how much of the columns of such rows is common, in parts of each two.
struct SampledWindow
{
  static constexpr int rows = 32, parts = 1024;
  std::uint32_t linked, alike;

  KOKKOS_INLINE_FUNCTION constexpr unsigned long long word() const
  {
    return linked | static_cast<unsigned long long>(alike) << 32;
  }
  static constexpr SampledWindow of(unsigned long long word)
  {
    return {static_cast<std::uint32_t>(word), static_cast<std::uint32_t>(word >> 32)};
  }
};

} // namespace heddle::cuda_native
