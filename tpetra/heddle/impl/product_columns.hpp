// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The columns of C = A B on a rank: those of its own rows of B and those of the rows that it has
// received, as Tpetra orders columns: this rank's in the order of the domain Map, then the others
// by rank and global number.

#include <heddle/impl/exchange_rows.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <Teuchos_Array.hpp>
#include <Teuchos_CommHelpers.hpp>
#include <Teuchos_OrdinalTraits.hpp>
#include <Teuchos_RCP.hpp>
#include <Tpetra_ConfigDefs.hpp>
#include <Tpetra_Import.hpp>
#include <Tpetra_Map.hpp>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace heddle::impl
{

template <class Graph>
struct ProductColumns
{
  using Local = typename Graph::local_ordinal_type;
  Teuchos::RCP<typename Graph::map_type const> map;
  Teuchos::RCP<typename Graph::import_type const> importer;
  std::vector<Local> of_b;        // B's columns in map
  std::vector<Local> of_received; // the columns that received rows name, in map
  bool b_is_renumbered = false;   // whether of_b(c) is not c everywhere
};

// The columns of both, each once; make() is collective, the others are not.
template <class Graph>
class ColumnUnion
{
  using Local = typename Graph::local_ordinal_type;
  using Global = typename Graph::global_ordinal_type;
  using Map = typename Graph::map_type;
  using Import = typename Graph::import_type;

public:
  explicit ColumnUnion(Graph const& b)
      : m_b(b)
      , m_count(b.getColMap()->getLocalNumElements())
  {}

  // The number of a column in this union: that of B, or the next one. owner: the rank that has it
  // where it is not this rank's.
  std::size_t number(Global global, int owner)
  {
    Local const of_b = m_b.getColMap()->getLocalElement(global);
    if (of_b != Teuchos::OrdinalTraits<Local>::invalid())
      return static_cast<std::size_t>(of_b);
    auto const [found, is_new] = m_new.try_emplace(global, m_count + m_global.size());
    if (is_new)
    {
      m_global.push_back(global);
      m_owner.push_back(owner);
    }
    return found->second;
  }
  bool is_of_b_alone() const { return m_global.empty(); }

  // places: where each number of the union is in the Map.
  std::pair<Teuchos::RCP<Map const>, Teuchos::RCP<Import const>>
  make(std::vector<Local>& places) const
  {
    auto const domain = m_b.getDomainMap(), columns = m_b.getColMap();
    std::vector<int> owners = ranks_of_targets(m_b.getImporter().get(), m_count, 0);
    owners.insert(owners.end(), m_owner.begin(), m_owner.end());
    std::size_t const own = domain->getLocalNumElements(), n = owners.size();
    constexpr auto none = static_cast<std::size_t>(-1);
    std::vector<std::size_t> of_domain(own, none); // which column is this element of the domain Map
    std::vector<std::tuple<int, Global, std::size_t>> remote; // rank, number, column
    for (std::size_t c = 0; c < n; ++c)
    {
      Global const global =
          c < m_count ? columns->getGlobalElement(static_cast<Local>(c)) : m_global[c - m_count];
      Local const mine = domain->getLocalElement(global);
      if (mine != Teuchos::OrdinalTraits<Local>::invalid())
        of_domain[static_cast<std::size_t>(mine)] = c;
      else
        remote.emplace_back(owners[c], global, c);
    }
    std::sort(remote.begin(), remote.end());
    places.assign(n, 0);
    std::vector<Global> ordered;
    ordered.reserve(n);
    auto const place = [&](std::size_t c, Global global) {
      places[c] = static_cast<Local>(ordered.size());
      ordered.push_back(global);
    };
    for (std::size_t i = 0; i < own; ++i)
      if (of_domain[i] != none)
        place(of_domain[i], domain->getGlobalElement(static_cast<Local>(i)));
    Teuchos::Array<int> ranks;
    for (auto const& [rank, global, c] : remote)
    {
      place(c, global);
      ranks.push_back(rank);
    }
    Teuchos::RCP<Map const> const map = Teuchos::rcp(
        new Map(Teuchos::OrdinalTraits<Tpetra::global_size_t>::invalid(), ordered.data(),
                static_cast<Local>(n), domain->getIndexBase(), domain->getComm()));
    return {map, Teuchos::rcp(new Import(domain, map, ranks))};
  }

private:
  Graph const& m_b;
  std::size_t m_count; // columns of B
  std::unordered_map<Global, std::size_t> m_new;
  std::vector<Global> m_global;
  std::vector<int> m_owner;
};

// Collective. B's own Map and Import where no rank receives a column that its rows of B lack.
template <class Graph, class Rows>
ProductColumns<Graph> product_columns(Graph const& b, Rows const& received)
{
  using Local = typename Graph::local_ordinal_type;
  ColumnUnion<Graph> both(b);
  std::vector<std::size_t> numbers(received.global.size());
  for (std::size_t k = 0; k < numbers.size(); ++k)
    numbers[k] = both.number(received.global[k], received.owner[k]);
  int const own = both.is_of_b_alone() ? 0 : 1;
  int any = 0;
  Teuchos::reduceAll(*b.getComm(), Teuchos::REDUCE_MAX, own, Teuchos::outArg(any));

  ProductColumns<Graph> columns{b.getColMap(), b.getImporter(), {}, {}, false};
  columns.of_received.resize(numbers.size());
  if (any == 0)
  {
    std::copy(numbers.begin(), numbers.end(), columns.of_received.begin());
    return columns;
  }
  std::vector<Local> places;
  std::tie(columns.map, columns.importer) = both.make(places);
  for (std::size_t k = 0; k < numbers.size(); ++k)
    columns.of_received[k] = places[numbers[k]];
  places.resize(b.getColMap()->getLocalNumElements());
  for (std::size_t c = 0; c < places.size(); ++c)
    columns.b_is_renumbered = columns.b_is_renumbered || places[c] != static_cast<Local>(c);
  columns.of_b = std::move(places);
  return columns;
}

} // namespace heddle::impl
