// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// New values for CSC: an entry of the CSR finds its place by a search among the rows of its column.

#include <heddle/impl/range.hpp>
#include <heddle/impl/search.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace heddle::impl
{

// Asynchronous.
template <class Exec, class Csc, class Csr>
void update_csc_values(Exec const& exec, Csc const& to, Csr const& from)
{
  auto const& offsets = from.row_offsets();
  auto const& columns = from.columns();
  auto const& values = from.values();
  auto const& column_offsets = to.column_offsets();
  auto const& rows = to.rows();
  auto const& new_values = to.values();
  using Ordinal = typename Csc::ordinal_type;
  Kokkos::parallel_for(
      "heddle::update_values::csc", range(exec, from.num_rows()), KOKKOS_LAMBDA(std::int64_t i) {
        for (auto k = offsets(i); k < offsets(i + 1); ++k)
        {
          auto const end = column_offsets(columns(k) + 1);
          auto const place =
              find_ascending(rows, column_offsets(columns(k)), end, static_cast<Ordinal>(i));
          if (place < end) // else another pattern: nothing outside is touched
            new_values(place) = values(k);
        }
      });
}

} // namespace heddle::impl
