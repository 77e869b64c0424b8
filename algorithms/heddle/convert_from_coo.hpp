// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// Coordinates to every format, by way of a CSR matrix in scratch memory: entries that name the
/// same place are added in their order, the result is bitwise repeatable, and what to_csr of
/// coordinates and the conversion from CSR say of errors and cost holds here. All wait for exec.

#include <heddle/bsr_matrix.hpp>
#include <heddle/concepts.hpp>
#include <heddle/convert_bsr.hpp>
#include <heddle/convert_csc.hpp>
#include <heddle/convert_dcsr.hpp>
#include <heddle/convert_ell.hpp>
#include <heddle/convert_hyb.hpp>
#include <heddle/convert_row_segmented.hpp>
#include <heddle/convert_sell.hpp>
#include <heddle/coo_matrix.hpp>
#include <heddle/fill_limit.hpp>
#include <heddle/impl/convert/coo_csr.hpp>
#include <heddle/row_segmented_matrix.hpp>
#include <heddle/sell_matrix.hpp>

#include <cstdint>
#include <optional>

namespace heddle
{

/// Of coordinates, by way of to_csr: entries of one place are added, else the same. Waits for exec.
template <ExecutionSpace Exec, Coo Matrix>
auto to_csc(Exec const& exec, Matrix const& a)
{
  return to_csc(exec, impl::CsrStep<Exec, Matrix>(exec, a).csr());
}

/// Of coordinates, by way of to_csr: entries of one place are added, else the same. Waits for exec.
template <ExecutionSpace Exec, Coo Matrix>
auto to_dcsr(Exec const& exec, Matrix const& a)
{
  return to_dcsr(exec, impl::CsrStep<Exec, Matrix>(exec, a).csr());
}

/// Of coordinates, by way of to_csr: entries of one place are added, else the same. Waits for exec.
template <ExecutionSpace Exec, Coo Matrix>
auto to_bsr(Exec const& exec, Matrix const& a, BlockShape const& shape, FillLimit const& limit = {})
{
  return to_bsr(exec, impl::CsrStep<Exec, Matrix>(exec, a).csr(), shape, limit);
}

/// Of coordinates, by way of to_csr: entries of one place are added, else the same. Waits for exec.
template <ExecutionSpace Exec, Coo Matrix>
auto to_ell(Exec const& exec, Matrix const& a, FillLimit const& limit = {})
{
  return to_ell(exec, impl::CsrStep<Exec, Matrix>(exec, a).csr(), limit);
}

/// Of coordinates, by way of to_csr: entries of one place are added, else the same. Waits for exec.
template <ExecutionSpace Exec, Coo Matrix>
auto to_sell(Exec const& exec, Matrix const& a, SellShape const& shape = {},
             FillLimit const& limit = {})
{
  return to_sell(exec, impl::CsrStep<Exec, Matrix>(exec, a).csr(), shape, limit);
}

/// Of coordinates, by way of to_csr: entries of one place are added, else the same. Waits for exec.
template <ExecutionSpace Exec, Coo Matrix>
auto to_hyb(Exec const& exec, Matrix const& a, std::optional<std::int64_t> width = {},
            FillLimit const& limit = {})
{
  return to_hyb(exec, impl::CsrStep<Exec, Matrix>(exec, a).csr(), width, limit);
}

/// Of coordinates, by way of to_csr: entries of one place are added, else the same. Waits for exec.
template <ExecutionSpace Exec, Coo Matrix>
auto to_row_segmented(Exec const& exec, Matrix const& a, RowSegmentShape const& shape = {})
{
  return to_row_segmented(exec, impl::CsrStep<Exec, Matrix>(exec, a).csr(), shape);
}

} // namespace heddle
