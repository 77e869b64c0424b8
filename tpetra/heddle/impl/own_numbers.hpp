// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/impl/range.hpp>
#include <heddle/impl/views.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

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

} // namespace heddle::impl
