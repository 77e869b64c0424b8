// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// CSR to ELL and back. A thread takes a place, so that neighbours write neighbours.

#include <heddle/impl/range.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace heddle::impl
{

// lengths(i) = entries of row i, at most width. Asynchronous.
template <class Exec, class RowOffsets, class Lengths>
void row_lengths(Exec const& exec, RowOffsets const& offsets, std::int64_t width,
                 Lengths const& lengths)
{
  using Length = typename Lengths::non_const_value_type;
  Kokkos::parallel_for(
      "heddle::row_lengths", range(exec, lengths.extent(0)), KOKKOS_LAMBDA(std::int64_t i) {
        auto const length = static_cast<std::int64_t>(offsets(i + 1) - offsets(i));
        lengths(i) = static_cast<Length>(length < width ? length : width);
      });
}

// to(place) = from(entry), or padding behind a row's entries. Reads no entry of another row,
// whatever lengths says. Asynchronous.
template <class Exec, class RowOffsets, class Lengths, class From, class To>
void fill_ell(Exec const& exec, RowOffsets const& offsets, Lengths const& lengths,
              std::int64_t stride, From const& from, To const& to,
              typename To::non_const_value_type padding)
{
  auto const rows = static_cast<std::int64_t>(lengths.extent(0));
  Kokkos::parallel_for(
      "heddle::to_ell", range(exec, to.extent(0)), KOKKOS_LAMBDA(std::int64_t place) {
        std::int64_t const i = place % stride, n = place / stride;
        bool const is_entry = i < rows && n < lengths(i) &&
                              n < static_cast<std::int64_t>(offsets(i + 1) - offsets(i));
        to(place) = is_entry ? from(offsets(i) + n) : padding;
      });
}

// to(offset of row i + n) = from(place of entry n of row i). Asynchronous.
template <class Exec, class Lengths, class From, class RowOffsets, class To>
void read_ell(Exec const& exec, Lengths const& lengths, std::int64_t stride, From const& from,
              RowOffsets const& offsets, To const& to)
{
  Kokkos::parallel_for(
      "heddle::to_csr::ell", range(exec, lengths.extent(0)), KOKKOS_LAMBDA(std::int64_t i) {
        for (std::int64_t n = 0; n < lengths(i); ++n)
          to(offsets(i) + n) = from(i + n * stride);
      });
}

} // namespace heddle::impl
