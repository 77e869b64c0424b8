// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// Coordinates to every format, by way of CSR: entries that name the same place are added in their
/// order, the result is bitwise repeatable, and what to_csr of coordinates and the conversion from
/// CSR say of errors and cost holds here; the CSR matrix lives until the call returns. All wait for
/// exec.

#include <heddle/bsr_matrix.hpp>
#include <heddle/concepts.hpp>
#include <heddle/convert_bsr.hpp>
#include <heddle/convert_coo.hpp>
#include <heddle/convert_csc.hpp>
#include <heddle/convert_dcsr.hpp>
#include <heddle/convert_ell.hpp>
#include <heddle/convert_hyb.hpp>
#include <heddle/convert_sell.hpp>
#include <heddle/coo_matrix.hpp>
#include <heddle/fill_limit.hpp>
#include <heddle/sell_matrix.hpp>

#include <cstdint>
#include <optional>

namespace heddle
{

template <ExecutionSpace Exec, Coo Matrix>
auto to_csc(Exec const& exec, Matrix const& a)
{
  return to_csc(exec, to_csr(exec, a));
}

template <ExecutionSpace Exec, Coo Matrix>
auto to_dcsr(Exec const& exec, Matrix const& a)
{
  return to_dcsr(exec, to_csr(exec, a));
}

template <ExecutionSpace Exec, Coo Matrix>
auto to_bsr(Exec const& exec, Matrix const& a, BlockShape const& shape, FillLimit const& limit = {})
{
  return to_bsr(exec, to_csr(exec, a), shape, limit);
}

template <ExecutionSpace Exec, Coo Matrix>
auto to_ell(Exec const& exec, Matrix const& a, FillLimit const& limit = {})
{
  return to_ell(exec, to_csr(exec, a), limit);
}

template <ExecutionSpace Exec, Coo Matrix>
auto to_sell(Exec const& exec, Matrix const& a, SellShape const& shape = {},
             FillLimit const& limit = {})
{
  return to_sell(exec, to_csr(exec, a), shape, limit);
}

template <ExecutionSpace Exec, Coo Matrix>
auto to_hyb(Exec const& exec, Matrix const& a, std::optional<std::int64_t> width = {},
            FillLimit const& limit = {})
{
  return to_hyb(exec, to_csr(exec, a), width, limit);
}

} // namespace heddle
