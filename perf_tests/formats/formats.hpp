// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The formats that the command runs: how each is made of CSR, and how many values it holds.

#include <formats/settings.hpp>
#include <harness/types.hpp>
#include <heddle/convert.hpp>
#include <heddle/convert_bsr.hpp>
#include <heddle/convert_csc.hpp>
#include <heddle/convert_dcsr.hpp>
#include <heddle/convert_ell.hpp>
#include <heddle/convert_hyb.hpp>
#include <heddle/convert_row_segmented.hpp>
#include <heddle/convert_sell.hpp>
#include <heddle/impl/convert/row_segment_choice.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace heddle::perf
{

// In panels as wide as go with CF_V; the model chooses where there are zeros.
template <class Matrix>
auto in_segments(Matrix const& a, Configuration const& asked)
{
  std::int64_t const width =
      asked.vertical == 0
          ? 0
          : impl::panel_width_of(asked.vertical, sizeof(typename Matrix::value_type));
  return to_row_segmented(Exec{}, a, {width, asked.threshold});
}

// body(name, parameters, convert) for each format asked for and each of its parameters; convert
// makes the format of a CSR matrix on the device.
template <class Body>
void for_each_format(FormatsSettings const& settings, Body const& body)
{
  FillLimit const limit = settings.fill_limit;
  if (settings.wants_format("csr"))
    body("csr", "", [](auto const& a) { return a; });
  if (settings.wants_format("coo"))
    body("coo", "", [](auto const& a) { return to_coo(Exec{}, a); });
  if (settings.wants_format("csc"))
    body("csc", "", [](auto const& a) { return to_csc(Exec{}, a); });
  if (settings.wants_format("dcsr"))
    body("dcsr", "", [](auto const& a) { return to_dcsr(Exec{}, a); });
  if (settings.wants_format("bsr"))
    for (BlockShape const& shape : settings.blocks)
      body("bsr", to_text(shape), [=](auto const& a) { return to_bsr(Exec{}, a, shape, limit); });
  if (settings.wants_format("ell"))
    body("ell", "", [=](auto const& a) { return to_ell(Exec{}, a, limit); });
  if (settings.wants_format("sell"))
    for (SellShape const& shape : settings.slices)
      body("sell", to_text(shape), [=](auto const& a) { return to_sell(Exec{}, a, shape, limit); });
  if (settings.wants_format("hyb"))
    body("hyb", "", [=](auto const& a) { return to_hyb(Exec{}, a, {}, limit); });
  if (settings.wants_format("row_segmented"))
    for (Configuration const& asked : settings.segments)
      body("row_segmented", asked.vertical == 0 ? "" : to_text(asked),
           [=](auto const& a) { return in_segments(a, asked); });
}

// Values stored, padding and zeros that fill blocks included.
template <SparseMatrix Matrix>
std::size_t stored_values(Matrix const& a)
{
  if constexpr (is_hyb_matrix_v<Matrix>)
    return a.ell().values().extent(0) + a.rest().nnz();
  else
    return a.values().extent(0);
}

} // namespace heddle::perf
