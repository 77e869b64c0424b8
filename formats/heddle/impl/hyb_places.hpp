// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// HYB to CSR: of each row the entries of the ELL part, then those of the rest.

#include <heddle/impl/range.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace heddle::impl
{

// Entries of each row in both parts.
template <class Lengths, class Starts>
struct EntriesOfBoth
{
  Lengths lengths;
  Starts starts;
  KOKKOS_FUNCTION std::int64_t operator()(std::int64_t i) const
  {
    return static_cast<std::int64_t>(lengths(i)) + starts(i + 1) - starts(i);
  }
};

// What append_rest does with one row: a functor, see scan.hpp.
template <class Lengths, class Starts, class From, class RowOffsets, class To>
struct AppendRestOfRow
{
  Lengths lengths;
  Starts starts;
  From from;
  RowOffsets offsets;
  To to;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const
  {
    auto place = static_cast<std::int64_t>(offsets(i)) + lengths(i);
    for (auto r = starts(i); r < starts(i + 1); ++r, ++place)
      to(place) = from(r);
  }
};

// Entries of the rest behind those of the ELL part, in its row. Asynchronous.
template <class Exec, class Lengths, class Starts, class From, class RowOffsets, class To>
void append_rest(Exec const& exec, Lengths const& lengths, Starts const& starts, From const& from,
                 RowOffsets const& offsets, To const& to)
{
  Kokkos::parallel_for(
      "heddle::to_csr::rest", range(exec, lengths.extent(0)),
      AppendRestOfRow<Lengths, Starts, From, RowOffsets, To>{lengths, starts, from, offsets, to});
}

} // namespace heddle::impl
