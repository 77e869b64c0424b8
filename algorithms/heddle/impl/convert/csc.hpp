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

// What update_csc_values does with one row: a functor, see scan.hpp.
template <class Csc, class Csr>
struct UpdateRowOfCsc
{
  Csc to;
  Csr from;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const
  {
    for (auto k = from.row_offsets()(i); k < from.row_offsets()(i + 1); ++k)
    {
      auto const j = from.columns()(k);
      auto const end = to.column_offsets()(j + 1);
      auto const place = find_ascending(to.rows(), to.column_offsets()(j), end,
                                        static_cast<typename Csc::ordinal_type>(i));
      if (place < end) // else another pattern: nothing outside is touched
        to.values()(place) = from.values()(k);
    }
  }
};

// Asynchronous.
template <class Exec, class Csc, class Csr>
void update_csc_values(Exec const& exec, Csc const& to, Csr const& from)
{
  Kokkos::parallel_for("heddle::update_values::csc", range(exec, from.num_rows()),
                       UpdateRowOfCsc<Csc, Csr>{to, from});
}

} // namespace heddle::impl
