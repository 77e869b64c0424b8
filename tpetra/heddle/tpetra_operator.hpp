// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/impl/local_product.hpp>
#include <heddle/impl/overlapped_product.hpp>
#include <heddle/impl/range.hpp>
#include <heddle/impl/require.hpp>
#include <heddle/impl/views.hpp>
#include <heddle/kokkos_sparse.hpp>
#include <heddle/op.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <Teuchos_RCP.hpp>
#include <Tpetra_CrsMatrix.hpp>
#include <Tpetra_Export.hpp>
#include <Tpetra_Import.hpp>
#include <Tpetra_Map.hpp>
#include <Tpetra_MultiVector.hpp>
#include <Tpetra_Operator.hpp>
#include <utility>

namespace heddle
{

namespace impl
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

inline Op op_of_mode(Teuchos::ETransp mode)
{
  require(mode == Teuchos::NO_TRANS || mode == Teuchos::TRANS || mode == Teuchos::CONJ_TRANS,
          "tpetra::Operator", "mode is ", static_cast<int>(mode),
          ", expected NO_TRANS, TRANS or CONJ_TRANS");
  if (mode == Teuchos::NO_TRANS)
    return Op::none;
  return mode == Teuchos::TRANS ? Op::transpose : Op::conjugate_transpose;
}

} // namespace impl

/// heddle's kernels for the ranks of Tpetra's distributed matrices (target heddle::tpetra).
namespace tpetra
{

/// Y <- alpha op(A) X + beta Y with a distributed A, where op(A) is A, A^T or A^H: what
/// Tpetra::CrsMatrix::apply does, each rank's part by heddle's spmv (one vector) or spmm (several).
///
/// Plans are made once, by the constructor. Where a rank needs entries of X that others have, they
/// travel while it multiplies its interior rows, which need none of them; in the transposed
/// products, entries of Y travel while it does. For that the operator holds copies of A's entries,
/// those of the interior rows and of the others: after new values in A, call update_values. Vectors
/// have the Maps of A (as Tpetra::CrsMatrix takes them), any number of columns and any strides.
/// Every rank of A's communicator makes the same calls. Not for several host threads at once: the
/// vectors that receive are kept from call to call.
template <class Scalar, class LocalOrdinal, class GlobalOrdinal, class Node>
class Operator : public Tpetra::Operator<Scalar, LocalOrdinal, GlobalOrdinal, Node>
{
public:
  using crs_matrix_type = Tpetra::CrsMatrix<Scalar, LocalOrdinal, GlobalOrdinal, Node>;
  using map_type = Tpetra::Map<LocalOrdinal, GlobalOrdinal, Node>;
  using multi_vector_type = Tpetra::MultiVector<Scalar, LocalOrdinal, GlobalOrdinal, Node>;

  /// Shares A. Throws InvalidArgument unless A is fill complete. Collective; waits for the device.
  explicit Operator(Teuchos::RCP<crs_matrix_type const> a)
      : m_a(std::move(a))
  {
    impl::require(!m_a.is_null(), name, "the matrix is a null pointer");
    require_fill_complete();
    auto const importer = m_a->getGraph()->getImporter();
    Local const local = csr_view(m_a->getLocalMatrixDevice());
    if (importer.is_null())
      m_whole.emplace(m_exec, local);
    else
      m_parts.emplace(m_exec, local,
                      impl::own_numbers(m_exec, *m_a->getColMap(), *m_a->getDomainMap()),
                      static_cast<LocalOrdinal>(m_a->getDomainMap()->getLocalNumElements()));
    m_nnz = local.nnz();
  }

  /// The Map of X in A X.
  Teuchos::RCP<map_type const> getDomainMap() const override { return m_a->getDomainMap(); }
  /// The Map of Y in A X.
  Teuchos::RCP<map_type const> getRangeMap() const override { return m_a->getRangeMap(); }
  /// True.
  bool hasTransposeApply() const override { return true; }

  /// Takes over new values of A, whose pattern is as it was: else InvalidArgument where this rank's
  /// number of entries differs, wrong numbers otherwise. Asynchronous; no communication.
  void update_values()
  {
    require_fill_complete();
    Local const local = csr_view(m_a->getLocalMatrixDevice());
    require_same_entries(local.nnz());
    if (m_parts)
      m_parts->update_values(m_exec, local);
  }

  /// Y <- alpha op(A) X + beta Y. X and Y may be the same memory.
  ///
  /// beta = 0 overwrites Y without reading it, alpha = 0 reads neither A nor X. Throws
  /// InvalidArgument where A is no longer fill complete, X or Y has another Map than A, or they
  /// have different numbers of vectors. Collective. Products of a rank are repeatable where
  /// heddle's spmv and spmm are, sums over ranks where Tpetra's are.
  void apply(multi_vector_type const& x, multi_vector_type& y,
             Teuchos::ETransp mode = Teuchos::NO_TRANS,
             Scalar alpha = Teuchos::ScalarTraits<Scalar>::one(),
             Scalar beta = Teuchos::ScalarTraits<Scalar>::zero()) const override
  {
    Op const op = impl::op_of_mode(mode);
    check(op, x, y);
    // Views of chosen columns have no one stride.
    if (y.isConstantStride())
      return apply_to_views(op, x, y, alpha, beta);
    multi_vector_type own(y, Teuchos::Copy);
    apply_to_views(op, x, own, alpha, beta);
    Tpetra::deep_copy(y, own);
  }

private:
  using Exec = typename Node::execution_space;
  using Local = typename impl::CsrOfKokkosSparse<
      typename crs_matrix_type::local_matrix_device_type>::const_type;
  using Value = typename Local::value_type;
  static constexpr char const* name = "tpetra::Operator";

  static Scalar zero() { return Teuchos::ScalarTraits<Scalar>::zero(); }

  void require_fill_complete() const
  {
    impl::require(m_a->isFillComplete(), name, "A is not fill complete: it has ",
                  m_a->getGlobalNumRows(), " rows; call fillComplete first");
  }
  void require_same_entries(std::size_t nnz) const
  {
    impl::require(nnz == m_nnz, name, "A has ", nnz, " entries on rank ", m_a->getComm()->getRank(),
                  " but the operator was made for ", m_nnz);
  }
  // Maps are compared as objects first: isSameAs communicates.
  void require_map(char const* vectors, map_type const& map, char const* what,
                   map_type const& expected) const
  {
    impl::require(&map == &expected || map.isSameAs(expected), name, "the Map of ", vectors,
                  " has ", map.getGlobalNumElements(), " entries, ", map.getLocalNumElements(),
                  " of them on rank ", m_a->getComm()->getRank(), ", and is not the ", what,
                  " Map of A, which has ", expected.getGlobalNumElements(), " and ",
                  expected.getLocalNumElements());
  }
  void check(Op op, multi_vector_type const& x, multi_vector_type const& y) const
  {
    require_fill_complete();
    impl::require(x.getNumVectors() == y.getNumVectors(), name, "X has ", x.getNumVectors(),
                  " vectors but Y has ", y.getNumVectors());
    bool const is_none = op == Op::none;
    auto const domain = m_a->getDomainMap(), range = m_a->getRangeMap();
    require_map("X", *x.getMap(), is_none ? "domain" : "range", is_none ? *domain : *range);
    require_map("Y", *y.getMap(), is_none ? "range" : "domain", is_none ? *range : *domain);
  }

  static auto input(multi_vector_type const& x)
  {
    return x.getLocalViewDevice(Tpetra::Access::ReadOnly);
  }
  static auto output(multi_vector_type& y)
  {
    return y.getLocalViewDevice(Tpetra::Access::ReadWrite);
  }
  // scale(0) would keep a NaN.
  static void scale(Scalar beta, multi_vector_type& y)
  {
    if (beta == zero())
      y.putScalar(zero());
    else
      y.scale(beta);
  }
  // Vectors of this Map, kept for the next call.
  static multi_vector_type& kept(Teuchos::RCP<multi_vector_type>& vectors,
                                 Teuchos::RCP<map_type const> const& map, std::size_t k)
  {
    if (vectors.is_null() || vectors->getNumVectors() != k)
      vectors = Teuchos::rcp(new multi_vector_type(map, k));
    return *vectors;
  }
  Local local() const
  {
    Local a = csr_view(m_a->getLocalMatrixDevice());
    require_same_entries(a.nnz());
    return a;
  }

  void apply_to_views(Op op, multi_vector_type const& x, multi_vector_type& y, Scalar alpha,
                      Scalar beta) const
  {
    if (alpha == zero())
      return scale(beta, y);
    if (x.isConstantStride() && !x.aliases(y))
      return apply_to_distinct(op, x, y, alpha, beta);
    apply_to_distinct(op, multi_vector_type(x, Teuchos::Copy), y, alpha, beta);
  }
  void apply_to_distinct(Op op, multi_vector_type const& x, multi_vector_type& y, Scalar alpha,
                         Scalar beta) const
  {
    // Every rank adds to its copy of a replicated result, one of them beta Y as well.
    bool const is_replicated = !y.isDistributed() && m_a->getComm()->getSize() > 1;
    Scalar const own_beta = is_replicated && m_a->getComm()->getRank() > 0 ? zero() : beta;
    if (op == Op::none)
      multiply(x, y, alpha, own_beta);
    else
      multiply_transposed(op, x, y, alpha, own_beta);
    if (is_replicated)
      y.reduce();
  }

  void multiply(multi_vector_type const& x, multi_vector_type& y, Scalar alpha, Scalar beta) const
  {
    auto const exporter = m_a->getGraph()->getExporter();
    if (exporter.is_null())
      return multiply_rows(x, y, alpha, beta);
    multi_vector_type& rows = kept(m_rows, m_a->getRowMap(), y.getNumVectors());
    multiply_rows(x, rows, alpha, zero());
    scale(beta, y);
    y.doExport(rows, *exporter, Tpetra::ADD_ASSIGN);
  }
  void multiply_rows(multi_vector_type const& x, multi_vector_type& y, Scalar alpha,
                     Scalar beta) const
  {
    if (m_whole)
      return (*m_whole)(m_exec, Op::none, Value(alpha), local(), input(x), Value(beta), output(y));
    auto const importer = m_a->getGraph()->getImporter();
    multi_vector_type& columns = kept(m_columns, m_a->getColMap(), x.getNumVectors());
    columns.beginImport(x, *importer, Tpetra::INSERT);
    m_parts->interior(m_exec, Op::none, Value(alpha), input(x), Value(beta), output(y));
    columns.endImport(x, *importer, Tpetra::INSERT);
    m_parts->boundary(m_exec, Op::none, Value(alpha), input(columns), Value(1), output(y));
  }

  void multiply_transposed(Op op, multi_vector_type const& x, multi_vector_type& y, Scalar alpha,
                           Scalar beta) const
  {
    auto const exporter = m_a->getGraph()->getExporter();
    if (exporter.is_null())
      return multiply_columns(op, x, y, alpha, beta);
    multi_vector_type& rows = kept(m_rows, m_a->getRowMap(), x.getNumVectors());
    rows.doImport(x, *exporter, Tpetra::INSERT);
    multiply_columns(op, rows, y, alpha, beta);
  }
  void multiply_columns(Op op, multi_vector_type const& x, multi_vector_type& y, Scalar alpha,
                        Scalar beta) const
  {
    if (m_whole)
      return (*m_whole)(m_exec, op, Value(alpha), local(), input(x), Value(beta), output(y));
    auto const importer = m_a->getGraph()->getImporter();
    multi_vector_type& columns = kept(m_columns, m_a->getColMap(), x.getNumVectors());
    m_parts->boundary(m_exec, op, Value(alpha), input(x), Value(0), output(columns));
    scale(beta, y);
    y.beginExport(columns, *importer, Tpetra::ADD_ASSIGN);
    m_parts->interior(m_exec, op, Value(alpha), input(x), Value(1), output(y));
    y.endExport(columns, *importer, Tpetra::ADD_ASSIGN);
  }

  Teuchos::RCP<crs_matrix_type const> m_a;
  Exec m_exec; // the default instance, which Tpetra works on
  std::size_t m_nnz = 0;
  std::optional<impl::LocalProduct<Exec, Local>> m_whole; // where nothing is imported
  std::optional<impl::OverlappedProduct<Exec, Local>> m_parts;
  mutable Teuchos::RCP<multi_vector_type> m_columns, m_rows;
};

template <class Scalar, class LocalOrdinal, class GlobalOrdinal, class Node>
Operator(Teuchos::RCP<Tpetra::CrsMatrix<Scalar, LocalOrdinal, GlobalOrdinal, Node>>)
    -> Operator<Scalar, LocalOrdinal, GlobalOrdinal, Node>;
template <class Scalar, class LocalOrdinal, class GlobalOrdinal, class Node>
Operator(Teuchos::RCP<Tpetra::CrsMatrix<Scalar, LocalOrdinal, GlobalOrdinal, Node> const>)
    -> Operator<Scalar, LocalOrdinal, GlobalOrdinal, Node>;

} // namespace tpetra

} // namespace heddle
