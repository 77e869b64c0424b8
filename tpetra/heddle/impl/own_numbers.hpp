// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/impl/range.hpp>
#include <heddle/impl/views.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle::impl
{

template <class Map>
using OwnNumbers =
    Kokkos::View<typename Map::local_ordinal_type*, typename Map::device_type::memory_space>;

// A functor, as CONTRIBUTING.md asks of what several translation units may instantiate.
template <class Own, class LocalMap>
struct NumberOfOwn
{
  Own own;
  LocalMap from, to;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const
  {
    using Ordinal = typename Own::non_const_value_type;
    own(i) = to.getLocalElement(from.getGlobalElement(static_cast<Ordinal>(i)));
  }
};

// This rank's number of each column of A in the domain Map, negative where another rank has it.
template <class Map, class Exec>
OwnNumbers<Map> own_numbers(Exec const& exec, Map const& columns, Map const& domain)
{
  using Own = OwnNumbers<Map>;
  auto const own =
      uninitialized<Own>(exec, "heddle::tpetra::own_numbers", columns.getLocalNumElements());
  Kokkos::parallel_for("heddle::tpetra::own_numbers", range(exec, own.extent(0)),
                       NumberOfOwn<Own, typename Map::local_map_type>{own, columns.getLocalMap(),
                                                                      domain.getLocalMap()});
  return own;
}

// The columns of A that other ranks have, by their global numbers in the order in which importer
// receives them. In own, which own_numbers made, the r-th of them becomes -1 - r.
template <class Map, class Importer>
std::vector<typename Map::global_ordinal_type>
number_remote_columns(Map const& columns, Importer const& importer, OwnNumbers<Map> const& own)
{
  using Ordinal = typename Map::local_ordinal_type;
  auto const on_host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, own);
  std::vector<typename Map::global_ordinal_type> remote;
  for (Ordinal const column : importer.getRemoteLIDs())
  {
    on_host(static_cast<std::size_t>(column)) = -1 - static_cast<Ordinal>(remote.size());
    remote.push_back(columns.getGlobalElement(column));
  }
  Kokkos::deep_copy(own, on_host);
  return remote;
}

} // namespace heddle::impl
