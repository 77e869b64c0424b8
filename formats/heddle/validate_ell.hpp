// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/concepts.hpp>
#include <heddle/defect.hpp>
#include <heddle/ell_matrix.hpp>
#include <heddle/impl/out_of_memory.hpp>
#include <heddle/impl/sell_places.hpp>
#include <heddle/impl/validate_padded.hpp>

#include <cstdint>
#include <optional>

namespace heddle
{

/// Checks that row lengths lie in 0 .. width and add up to nnz, that columns of entries lie in
/// 0 .. cols - 1 and none stands twice in a row, and that all other places have column -1 and value
/// 0. Costs scratch for the columns of all entries, unsorted rows a sort and 3 arrays of nnz more.
/// Waits for exec.
template <ExecutionSpace Exec, Ell Matrix>
std::optional<Defect> validate(Exec const& exec, Matrix const& a)
try
{
  using Lengths = typename Matrix::row_lengths_view;
  auto const places = static_cast<std::int64_t>(a.columns().extent(0));
  auto const stride = static_cast<std::int64_t>(a.stride());
  std::int64_t const slices = places == 0 ? 0 : 1; // stride may be anything where width is 0
  return impl::padded_defect(exec,
                             impl::SellPattern<impl::OneSlice, Lengths, Lengths>{
                                 stride, slices, {places}, a.row_lengths(), {}},
                             a);
}
catch (...)
{
  impl::rethrow_out_of_memory("validate");
}

} // namespace heddle
