// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/impl/require.hpp>
#include <heddle/kokkos_sparse.hpp>
#include <heddle/spgemm.hpp>

#include <Teuchos_RCP.hpp>
#include <Tpetra_CrsMatrix.hpp>
#include <Tpetra_Import.hpp>

namespace heddle::tpetra
{

/// A B as a new distributed matrix, fill complete: rows as A has them, domain Map of B, range Map
/// of A. Each rank's product is one heddle::spgemm.
///
/// The rows of B that a rank needs are imported in the order of A's columns (which copies those
/// that it has, if it needs any others). Throws InvalidArgument unless both are fill complete and
/// the rows of B are distributed as the domain Map of A; else what heddle::spgemm throws.
/// Collective; waits for the device. Bitwise repeatable.
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
  auto const importer = a.getGraph()->getImporter();
  auto rows = Teuchos::rcpFromRef(b);
  if (!importer.is_null())
    rows = Tpetra::importAndFillCompleteCrsMatrix<Crs>(rows, *importer, b.getDomainMap(),
                                                       b.getRangeMap());
  auto const c = spgemm(typename Node::execution_space{}, csr_view(a.getLocalMatrixDevice()),
                        csr_view(rows->getLocalMatrixDevice()));
  using Local = typename Crs::local_matrix_device_type;
  return Teuchos::rcp(new Crs(kokkos_sparse_view<Local>(c), a.getRowMap(), rows->getColMap(),
                              b.getDomainMap(), a.getRangeMap(), rows->getGraph()->getImporter(),
                              a.getGraph()->getExporter()));
}

} // namespace heddle::tpetra
