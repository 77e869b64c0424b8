// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// CSR to ELL and back. A thread takes a place, so that neighbours write neighbours.

#include <heddle/impl/range.hpp>
#include <heddle/impl/tabulate.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace heddle::impl
{

// Entries of row i, at most width.
template <class RowOffsets>
struct LengthUpTo
{
  RowOffsets offsets;
  std::int64_t width;
  KOKKOS_FUNCTION std::int64_t operator()(std::int64_t i) const
  {
    auto const length = static_cast<std::int64_t>(offsets(i + 1) - offsets(i));
    return length < width ? length : width;
  }
};
// What the functions below do with one place or row: functors, see scan.hpp.
template <class RowOffsets, class Lengths, class From, class To>
struct FillPlaceOfEll
{
  RowOffsets offsets;
  Lengths lengths;
  std::int64_t rows, stride;
  From from;
  To to;
  typename To::non_const_value_type padding;

  KOKKOS_FUNCTION void operator()(std::int64_t place) const
  {
    std::int64_t const i = place % stride, n = place / stride;
    bool const is_entry =
        i < rows && n < lengths(i) && n < static_cast<std::int64_t>(offsets(i + 1) - offsets(i));
    to(place) = is_entry ? from(offsets(i) + n) : padding;
  }
};
template <class Lengths, class From, class RowOffsets, class To>
struct ReadRowOfEll
{
  Lengths lengths;
  std::int64_t stride;
  From from;
  RowOffsets offsets;
  To to;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const
  {
    for (std::int64_t n = 0; n < lengths(i); ++n)
      to(offsets(i) + n) = from(i + n * stride);
  }
};

// lengths(i) = entries of row i, at most width. Asynchronous.
template <class Exec, class RowOffsets, class Lengths>
void row_lengths(Exec const& exec, RowOffsets const& offsets, std::int64_t width,
                 Lengths const& lengths)
{
  tabulate(exec, "heddle::row_lengths", lengths.extent(0), LengthUpTo<RowOffsets>{offsets, width},
           lengths);
}

// to(place) = from(entry), or padding behind a row's entries. Reads no entry of another row,
// whatever lengths says. Asynchronous.
template <class Exec, class RowOffsets, class Lengths, class From, class To>
void fill_ell(Exec const& exec, RowOffsets const& offsets, Lengths const& lengths,
              std::int64_t stride, From const& from, To const& to,
              typename To::non_const_value_type padding)
{
  auto const rows = static_cast<std::int64_t>(lengths.extent(0));
  Kokkos::parallel_for("heddle::to_ell", range(exec, to.extent(0)),
                       FillPlaceOfEll<RowOffsets, Lengths, From, To>{offsets, lengths, rows, stride,
                                                                     from, to, padding});
}

// to(offset of row i + n) = from(place of entry n of row i). Asynchronous.
template <class Exec, class Lengths, class From, class RowOffsets, class To>
void read_ell(Exec const& exec, Lengths const& lengths, std::int64_t stride, From const& from,
              RowOffsets const& offsets, To const& to)
{
  Kokkos::parallel_for(
      "heddle::to_csr::ell", range(exec, lengths.extent(0)),
      ReadRowOfEll<Lengths, From, RowOffsets, To>{lengths, stride, from, offsets, to});
}

} // namespace heddle::impl
