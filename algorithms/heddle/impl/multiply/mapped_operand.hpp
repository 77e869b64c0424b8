// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/impl/operands.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace heddle::impl
{

// Rows of a vector or dense matrix by a list: row i is row map[i] of what is below.
template <class Operand, class Ordinal>
struct MappedOperand : Operand
{
  Ordinal const* map;
  std::int64_t size, rows; // of the list; the operand below keeps its own

  KOKKOS_FUNCTION decltype(auto) operator()(std::int64_t i) const
  {
    return Operand::operator()(static_cast<std::int64_t>(map[i]));
  }
  KOKKOS_FUNCTION decltype(auto) operator()(std::int64_t i, std::int64_t j) const
  {
    return Operand::operator()(static_cast<std::int64_t>(map[i]), j);
  }
};

// Its n rows.
template <class Operand, class Ordinal>
MappedOperand<Operand, Ordinal> mapped(Operand const& operand, Ordinal const* map, std::int64_t n)
{
  return {operand, map, n, n};
}

} // namespace heddle::impl
