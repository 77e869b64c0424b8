// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/csr_matrix.hpp>
#include <heddle/impl/exchange_rows.hpp>
#include <heddle/impl/own_numbers.hpp>
#include <heddle/impl/product_columns.hpp>
#include <heddle/impl/require.hpp>
#include <heddle/impl/rows_by_columns.hpp>
#include <heddle/kokkos_sparse.hpp>
#include <heddle/spgemm.hpp>

#include <cstddef>
#include <Teuchos_RCP.hpp>
#include <Tpetra_CrsMatrix.hpp>
#include <Tpetra_Import.hpp>

namespace heddle::impl
{

// What a rank multiplies its rows of A by, and the columns of the product.
template <class Matrix, class Graph>
struct SecondFactor
{
  Matrix rows; // one per column of A
  ProductColumns<Graph> columns;
};

// Rows of B from other ranks, and this rank's own in their places. Collective.
template <class Exec, class Crs, class Matrix>
auto second_factor(Exec const& exec, Crs const& a, Crs const& b, Matrix const& own)
{
  using Graph = typename Crs::crs_graph_type;
  using Factor = SecondFactor<typename Matrix::const_type, Graph>;
  using Numbers = OwnNumbers<typename Crs::map_type>;
  auto const importer = a.getGraph()->getImporter();
  Graph const& graph = *b.getCrsGraph();
  if (importer.is_null())
    return Factor{own, {graph.getColMap(), graph.getImporter(), {}, {}, false}};

  auto received = rows_of_others(exec, *importer, own, graph);
  Factor factor{own, product_columns(graph, received)};
  auto const num_cols =
      static_cast<typename Matrix::ordinal_type>(factor.columns.map->getLocalNumElements());
  std::size_t const rows = b.getLocalNumRows();
  if (received.offsets.size() == 1 && importer->getNumSameIDs() == rows &&
      a.getColMap()->getLocalNumElements() == rows && !factor.columns.b_is_renumbered)
    return factor; // where they are
  for (auto& column : received.columns)
    column = factor.columns.of_received[static_cast<std::size_t>(column)];
  using Result = typename Matrix::non_const_type;
  Result const others(
      static_cast<typename Matrix::ordinal_type>(received.offsets.size() - 1), num_cols,
      copied<Kokkos::View<typename Result::offset_type*, typename Result::memory_space>>(
          exec, "heddle::tpetra::received_offsets", received.offsets),
      copied<typename Result::columns_view>(exec, "heddle::tpetra::received_columns",
                                            received.columns),
      copied<typename Result::values_view>(exec, "heddle::tpetra::received_values",
                                           received.values));
  auto const renumbered =
      factor.columns.b_is_renumbered
          ? copied<Numbers>(exec, "heddle::tpetra::columns_of_b", factor.columns.of_b)
          : Numbers();
  factor.rows =
      rows_by_columns(exec, own, others, own_numbers(exec, *a.getColMap(), *a.getDomainMap()),
                      importer->getRemoteLIDs_dv().view_device(), renumbered, num_cols);
  return factor;
}

} // namespace heddle::impl

namespace heddle::tpetra
{

/// A B as a new distributed matrix, fill complete: rows as A has them, domain Map of B, range Map
/// of A. Each rank's product is one heddle::spgemm.
///
/// Rows of B that a rank needs and others have travel in two messages per pair of ranks; its own
/// are used in place, or copied together with those that it receives. Throws InvalidArgument unless
/// both are fill complete and the rows of B are distributed as the domain Map of A; else what
/// heddle::spgemm throws. Collective; waits for the device. Bitwise repeatable.
template <class Scalar, class LocalOrdinal, class GlobalOrdinal, class Node>
Teuchos::RCP<Tpetra::CrsMatrix<Scalar, LocalOrdinal, GlobalOrdinal, Node>>
multiply(Tpetra::CrsMatrix<Scalar, LocalOrdinal, GlobalOrdinal, Node> const& a,
         Tpetra::CrsMatrix<Scalar, LocalOrdinal, GlobalOrdinal, Node> const& b)
{
  using Crs = Tpetra::CrsMatrix<Scalar, LocalOrdinal, GlobalOrdinal, Node>;
  constexpr char const* name = "tpetra::multiply";
  impl::require(a.isFillComplete(), name, "A is not fill complete");
  impl::require(b.isFillComplete(), name, "B is not fill complete");
  impl::require(
      b.getRowMap()->isSameAs(*a.getDomainMap()), name, "the row Map of B has ",
      b.getRowMap()->getGlobalNumElements(), " rows, ", b.getRowMap()->getLocalNumElements(),
      " of them on rank ", a.getComm()->getRank(), ", and is not the domain Map of A, which has ",
      a.getDomainMap()->getGlobalNumElements(), " and ", a.getDomainMap()->getLocalNumElements());
  typename Node::execution_space const exec;
  auto const factor = impl::second_factor(exec, a, b, csr_view(b.getLocalMatrixDevice()));
  auto const c = spgemm(exec, csr_view(a.getLocalMatrixDevice()), factor.rows);
  using Local = typename Crs::local_matrix_device_type;
  return Teuchos::rcp(new Crs(kokkos_sparse_view<Local>(c), a.getRowMap(), factor.columns.map,
                              b.getDomainMap(), a.getRangeMap(), factor.columns.importer,
                              a.getGraph()->getExporter()));
}

} // namespace heddle::tpetra
