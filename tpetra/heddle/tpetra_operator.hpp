// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/epilogues.hpp>
#include <heddle/impl/epilogue.hpp>
#include <heddle/impl/local_product.hpp>
#include <heddle/impl/operands.hpp>
#include <heddle/impl/overlapped_product.hpp>
#include <heddle/impl/own_numbers.hpp>
#include <heddle/impl/require.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/views.hpp>
#include <heddle/kokkos_sparse.hpp>
#include <heddle/op.hpp>
#include <heddle/row_epilogue.hpp>

#include <Kokkos_Core.hpp>

#include <cmath>
#include <concepts>
#include <cstddef>
#include <optional>
#include <string>
#include <Teuchos_CommHelpers.hpp>
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

// What apply may take in the place of a mode, or of an epilogue.
template <class T, class Scalar>
concept NoNumber = !std::convertible_to<T, Scalar>;

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
/// travel while it multiplies what its own columns have; in the transposed products, entries of Y
/// travel while it does. For that the operator holds copies of A's entries, those in the rank's own
/// columns and the others: after new values in A, call update_values. Vectors
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
  using magnitude_type = typename Teuchos::ScalarTraits<Scalar>::magnitudeType;

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
    {
      map_type const &columns = *m_a->getColMap(), &domain = *m_a->getDomainMap();
      auto const numbers = impl::own_numbers(m_exec, columns, domain);
      m_exec.fence(name);
      auto const remote = impl::number_remote_columns(columns, *importer, numbers);
      auto const count = Teuchos::OrdinalTraits<Tpetra::global_size_t>::invalid();
      m_remote_columns = importer->createRemoteOnlyImport(Teuchos::rcp(new map_type(
          count, Teuchos::arrayViewFromVector(remote), columns.getIndexBase(), columns.getComm())));
      m_parts.emplace(m_exec, local, numbers,
                      static_cast<LocalOrdinal>(domain.getLocalNumElements()),
                      static_cast<LocalOrdinal>(remote.size()));
    }
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

  /// y(i) <- epilogue(i, alpha (A x)(i) + beta y(i)) for every row i that this rank has of y, by
  /// its local number: the epilogue (row_epilogue.hpp, epilogues.hpp) is called once per row, when
  /// the row's sum over the columns of all ranks is complete, on the rank that owns the row.
  ///
  /// Rows that need no entries of other ranks pass through it while these travel, the others when
  /// they have arrived.
  /// Where A's rows are exported, or every rank has all of y, it is one more pass over y. Where it
  /// has a sum, finish is called once on each rank, with the total of that rank's rows: totals of
  /// ranks are the caller's to add up (where every rank has all of y they are equal). One vector;
  /// the epilogue may read x and other vectors at row i, but not y. alpha = 0, beta = 0 and x and y
  /// of the same memory as in apply, and so is what is refused. Collective. Asynchronous on
  /// devices.
  template <impl::NoNumber<Scalar> Epilogue>
  void apply(multi_vector_type const& x, multi_vector_type& y, Scalar alpha, Scalar beta,
             Epilogue const& epilogue) const
  {
    if constexpr (impl::require_epilogue<Epilogue, Value>())
    {
      check(Op::none, x, y);
      require_one("apply with an epilogue", y);
      if (alpha == zero())
      {
        scale(beta, y);
        pass(y, epilogue);
      }
      else if (!x.isConstantStride() || x.aliases(y))
        apply_with_epilogue(multi_vector_type(x, Teuchos::Copy), y, alpha, beta, epilogue);
      else
        apply_with_epilogue(x, y, alpha, beta, epilogue);
    }
  }

  /// R <- B - A X, what Tpetra::Details::residual does: of one vector in the passes that multiply,
  /// of several in one more. R may be the same memory as X or B. B has the Map of R, and as many
  /// vectors; else refused, as in apply. Collective.
  void residual(multi_vector_type const& b, multi_vector_type const& x, multi_vector_type& r) const
  {
    check(Op::none, x, r);
    check_rows("B", b, "R", r);
    if (r.getNumVectors() == 1 && !r.aliases(b))
      apply(x, r, -one(), zero(), epilogues::AddVector{Value(1), column(b)});
    else
      residual_in_passes(b, x, r);
  }
  /// The same of one vector; returns its 2-norm, the same on every rank, whose squares are added up
  /// in the passes that multiply. Collective; waits for the device.
  magnitude_type residual_norm(multi_vector_type const& b, multi_vector_type const& x,
                               multi_vector_type& r) const
  {
    require_one("residual_norm", r);
    check(Op::none, x, r);
    check_rows("B", b, "R", r);
    if (r.aliases(b))
    {
      residual_in_passes(b, x, r);
      return r.getVector(0)->norm2();
    }
    auto const square = result<magnitude_type>();
    using epilogues::AddVector, epilogues::SquaredNorm, epilogues::Then;
    apply(x, r, -one(), zero(), Then{AddVector{Value(1), column(b)}, SquaredNorm{square}});
    return std::sqrt(over_ranks<magnitude_type>(square, r));
  }
  /// Y <- A X for one vector; returns W^H Y, the same on every rank, which is added up in the
  /// passes that multiply. W has the Map of Y and is not of the same memory, but may be X: the step
  /// of conjugate gradients. Collective; waits for the device.
  Scalar apply_dot(multi_vector_type const& x, multi_vector_type& y,
                   multi_vector_type const& w) const
  {
    require_one("apply_dot", y);
    check(Op::none, x, y);
    check_rows("W", w, "Y", y);
    impl::require(!w.aliases(y), name, "apply_dot: W and Y share memory");
    auto const sum = result<Value>();
    apply(x, y, one(), zero(), epilogues::Dot{column(w), sum});
    return over_ranks<Scalar>(sum, y);
  }

private:
  using import_type = Tpetra::Import<LocalOrdinal, GlobalOrdinal, Node>;
  using Exec = typename Node::execution_space;
  using Local = typename impl::CsrOfKokkosSparse<
      typename crs_matrix_type::local_matrix_device_type>::const_type;
  using Value = typename Local::value_type;
  static constexpr char const* name = "tpetra::Operator";

  static Scalar zero() { return Teuchos::ScalarTraits<Scalar>::zero(); }
  static Scalar one() { return Teuchos::ScalarTraits<Scalar>::one(); }

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
  static void require_as_many(char const* name_x, multi_vector_type const& x, char const* name_y,
                              multi_vector_type const& y)
  {
    impl::require(x.getNumVectors() == y.getNumVectors(), name, name_x, " has ", x.getNumVectors(),
                  " vectors but ", name_y, " has ", y.getNumVectors());
  }
  static void require_one(char const* caller, multi_vector_type const& y)
  {
    impl::require(y.getNumVectors() == 1, name, caller, " takes one vector, but there are ",
                  y.getNumVectors());
  }
  void check(Op op, multi_vector_type const& x, multi_vector_type const& y) const
  {
    require_fill_complete();
    require_as_many("X", x, "Y", y);
    bool const is_none = op == Op::none;
    auto const domain = m_a->getDomainMap(), range = m_a->getRangeMap();
    require_map("X", *x.getMap(), is_none ? "domain" : "range", is_none ? *domain : *range);
    require_map("Y", *y.getMap(), is_none ? "range" : "domain", is_none ? *range : *domain);
  }

  // Another vector that has an entry for each row of A.
  void check_rows(char const* name_x, multi_vector_type const& x, char const* name_y,
                  multi_vector_type const& y) const
  {
    require_as_many(name_x, x, name_y, y);
    require_map(name_x, *x.getMap(), "range", *m_a->getRangeMap());
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
  // The one column of a vector.
  static auto column(multi_vector_type const& x)
  {
    return Kokkos::subview(input(x), Kokkos::ALL, 0);
  }
  template <class Epilogue>
  void pass(multi_vector_type& y, Epilogue const& epilogue) const
  {
    auto const all =
        impl::vector_operand<Kokkos::LayoutRight>(Kokkos::subview(output(y), Kokkos::ALL, 0));
    impl::apply_epilogue(m_exec, impl::FusedVector<decltype(all), Epilogue>{all, epilogue});
  }
  // A number that epilogues write, and its sum over the ranks that have parts of y.
  template <class Number>
  auto result() const
  {
    using Result = Kokkos::View<Number, typename Exec::memory_space>;
    std::string const label = "heddle::tpetra::Operator::result";
    return impl::allocated<Result>(Kokkos::view_alloc(m_exec, Kokkos::WithoutInitializing, label),
                                   label);
  }
  template <class Sum, class Result>
  Sum over_ranks(Result const& result, multi_vector_type const& y) const
  {
    typename Result::non_const_value_type number;
    Kokkos::deep_copy(m_exec, number, result);
    m_exec.fence(name);
    Sum const own(number);
    Sum all = own;
    if (y.isDistributed())
      Teuchos::reduceAll(*m_a->getComm(), Teuchos::REDUCE_SUM, own, Teuchos::outArg(all));
    return all;
  }
  // Vectors of this Map, kept for the next call.
  static multi_vector_type& kept(Teuchos::RCP<multi_vector_type>& vectors,
                                 Teuchos::RCP<map_type const> const& map, std::size_t k)
  {
    if (vectors.is_null() || vectors->getNumVectors() != k)
      vectors = Teuchos::rcp(new multi_vector_type(map, k));
    return *vectors;
  }
  // Of the columns that other ranks have.
  multi_vector_type& received_vectors(std::size_t k) const
  {
    return kept(m_received, m_remote_columns->getTargetMap(), k);
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
  bool is_replicated(multi_vector_type const& y) const
  {
    return !y.isDistributed() && m_a->getComm()->getSize() > 1;
  }
  void apply_to_distinct(Op op, multi_vector_type const& x, multi_vector_type& y, Scalar alpha,
                         Scalar beta) const
  {
    // Every rank adds to its copy of a replicated result, one of them beta Y as well.
    bool const is_replicated = this->is_replicated(y);
    Scalar const own_beta = is_replicated && m_a->getComm()->getRank() > 0 ? zero() : beta;
    if (op == Op::none)
      multiply(x, y, alpha, own_beta);
    else
      multiply_transposed(op, x, y, alpha, own_beta);
    if (is_replicated)
      y.reduce();
  }

  // In passes of their own: as several vectors need it, and one where R is B.
  void residual_in_passes(multi_vector_type const& b, multi_vector_type const& x,
                          multi_vector_type& r) const
  {
    multi_vector_type const factor = x.aliases(r) ? multi_vector_type(x, Teuchos::Copy) : x;
    Tpetra::deep_copy(r, r.aliases(b) ? multi_vector_type(b, Teuchos::Copy) : b);
    apply(factor, r, Teuchos::NO_TRANS, -one(), one());
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
    multi_vector_type& received = received_vectors(x.getNumVectors());
    received.beginImport(x, *m_remote_columns, Tpetra::INSERT);
    m_parts->own(m_exec, Op::none, Value(alpha), input(x), Value(beta), output(y));
    received.endImport(x, *m_remote_columns, Tpetra::INSERT);
    m_parts->remote(m_exec, Value(alpha), input(x), input(received), output(y));
  }

  template <class Epilogue>
  void apply_with_epilogue(multi_vector_type const& x, multi_vector_type& y, Scalar alpha,
                           Scalar beta, Epilogue const& epilogue) const
  {
    // Sums of several ranks: they are complete when all have come.
    if (is_replicated(y) || !m_a->getGraph()->getExporter().is_null())
    {
      apply_to_distinct(Op::none, x, y, alpha, beta);
      return pass(y, epilogue);
    }
    if (m_whole)
      return (*m_whole)(m_exec, Value(alpha), local(), input(x), Value(beta), output(y), epilogue);
    multi_vector_type& received = received_vectors(1);
    impl::Scratch<impl::sum_of_epilogue_t<Epilogue>, Exec> const sum(m_exec, 1);
    received.beginImport(x, *m_remote_columns, Tpetra::INSERT);
    m_parts->own_with_epilogue(m_exec, Value(alpha), input(x), Value(beta), output(y), epilogue,
                               sum.data());
    received.endImport(x, *m_remote_columns, Tpetra::INSERT);
    m_parts->remote_with_epilogue(m_exec, Value(alpha), input(x), input(received), output(y),
                                  epilogue, sum.data());
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
    multi_vector_type& sent = received_vectors(x.getNumVectors());
    scale(beta, y);
    m_parts->remote_transposed(m_exec, op, Value(alpha), input(x),
                               sent.getLocalViewDevice(Tpetra::Access::OverwriteAll), output(y));
    y.beginExport(sent, *m_remote_columns, Tpetra::ADD_ASSIGN);
    m_parts->own(m_exec, op, Value(alpha), input(x), Value(1), output(y));
    y.endExport(sent, *m_remote_columns, Tpetra::ADD_ASSIGN);
  }

  Teuchos::RCP<crs_matrix_type const> m_a;
  Exec m_exec; // the default instance, which Tpetra works on
  std::size_t m_nnz = 0;
  std::optional<impl::LocalProduct<Exec, Local>> m_whole; // where nothing is imported
  std::optional<impl::OverlappedProduct<Exec, Local, impl::OwnNumbers<map_type>>> m_parts;
  // What other ranks have of x, alone: the rank's own part is multiplied where it is. Tpetra's
  // vector by all columns of A would go to the host and back as a whole where messages do.
  Teuchos::RCP<import_type const> m_remote_columns;
  mutable Teuchos::RCP<multi_vector_type> m_received, m_rows;
};

template <class Scalar, class LocalOrdinal, class GlobalOrdinal, class Node>
Operator(Teuchos::RCP<Tpetra::CrsMatrix<Scalar, LocalOrdinal, GlobalOrdinal, Node>>)
    -> Operator<Scalar, LocalOrdinal, GlobalOrdinal, Node>;
template <class Scalar, class LocalOrdinal, class GlobalOrdinal, class Node>
Operator(Teuchos::RCP<Tpetra::CrsMatrix<Scalar, LocalOrdinal, GlobalOrdinal, Node> const>)
    -> Operator<Scalar, LocalOrdinal, GlobalOrdinal, Node>;

} // namespace tpetra

} // namespace heddle
