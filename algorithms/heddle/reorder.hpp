// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/concepts.hpp>
#include <heddle/csr_matrix.hpp>
#include <heddle/impl/entry_order.hpp>
#include <heddle/impl/on_host.hpp>
#include <heddle/impl/order/cuthill_mckee.hpp>
#include <heddle/impl/order/min_hash.hpp>
#include <heddle/impl/out_of_memory.hpp>
#include <heddle/impl/require.hpp>
#include <heddle/impl/row_statistics.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/sort.hpp>
#include <heddle/impl/tabulate.hpp>
#include <heddle/impl/views.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

// Orders for permute: place i has row p(i). Each depends on the pattern alone, on any number of
// threads, and returns a new View in the matrix's memory space.

namespace heddle
{

/// An order of the rows (or columns) of a matrix.
template <SparseMatrix Matrix>
using PermutationOf = Kokkos::View<typename Matrix::ordinal_type*, typename Matrix::memory_space>;

/// Which rows order_by_degree has first.
enum class DegreeOrder
{
  longest_first, ///< rows that take longest start first
  shortest_first
};

namespace impl
{

// The length of row i, or what the longest one has more.
template <class Offsets>
struct LengthKey
{
  Offsets offsets;
  std::int64_t longest;
  bool is_falling;
  KOKKOS_FUNCTION std::int64_t operator()(std::int64_t i) const
  {
    auto const length = static_cast<std::int64_t>(offsets(i + 1) - offsets(i));
    return is_falling ? longest - length : length;
  }
};

// Asynchronous.
template <class Exec, class Offsets, class Keys>
void length_keys(Exec const& exec, Offsets const& offsets, std::int64_t longest, DegreeOrder order,
                 Keys const& keys)
{
  tabulate(exec, "heddle::reorder::lengths", keys.extent(0),
           LengthKey<Offsets>{offsets, longest, order == DegreeOrder::longest_first}, keys);
}

// Waits for exec.
template <class Exec, class View>
std::vector<std::int64_t> numbers_on_host(Exec const& exec, View const& view)
{
  auto const host = copied_to_host(exec, view);
  return std::vector<std::int64_t>(host.begin(), host.end());
}

} // namespace impl

/// Rows by their number of entries, equal ones in the order they stand in. A pass and a sort of
/// rows. Waits for exec.
template <ExecutionSpace Exec, Csr Matrix>
PermutationOf<Matrix> order_by_degree(Exec const& exec, Matrix const& a,
                                      DegreeOrder order = DegreeOrder::longest_first)
try
{
  auto const rows = static_cast<std::size_t>(a.num_rows());
  auto p = impl::uninitialized<PermutationOf<Matrix>>(exec, "heddle::permutation", rows);
  impl::Scratch<typename Matrix::ordinal_type, Exec> const keys(exec, rows);
  std::int64_t const longest =
      impl::row_statistics(exec, a.row_offsets(), a.num_rows(), a.nnz()).longest;
  impl::length_keys(exec, a.row_offsets(), longest, order, keys.view());
  impl::fill_with_positions(exec, p);
  impl::stable_sort_by_key(exec, keys.view(), longest + 1, p);
  exec.fence("heddle::order_by_degree");
  return p;
}
catch (...)
{
  impl::rethrow_out_of_memory("order_by_degree");
}

/// Rows whose columns are alike beside each other, so that bundles of neighbouring rows share loads
/// of B in SpMM: sorted by as many MinHash columns as asked for, the first of which counts most;
/// rows that agree in all stay in their order, empty ones come last. For permute_rows, or permute
/// where columns follow. Each hash is a pass over the entries and a sort of rows. Throws
/// InvalidArgument where hashes is not positive. Waits for exec.
template <ExecutionSpace Exec, Csr Matrix>
PermutationOf<Matrix> order_by_similarity(Exec const& exec, Matrix const& a, int hashes = 4)
try
{
  impl::require(hashes > 0, "order_by_similarity", "hashes is ", hashes);
  auto const rows = static_cast<std::size_t>(a.num_rows());
  auto p = impl::uninitialized<PermutationOf<Matrix>>(exec, "heddle::permutation", rows);
  impl::Scratch<typename Matrix::ordinal_type, Exec> const keys(exec, rows);
  impl::fill_with_positions(exec, p);
  for (int n = hashes; n > 0; --n) // the last sort decides first
  {
    impl::min_hash_columns(exec, a, static_cast<std::uint64_t>(n), keys.view());
    impl::stable_sort_by_key(exec, keys.view(), static_cast<std::int64_t>(a.num_cols()) + 1, p);
  }
  exec.fence("heddle::order_by_similarity");
  return p;
}
catch (...)
{
  impl::rethrow_out_of_memory("order_by_similarity");
}

/// Reverse Cuthill-McKee of a square matrix: permute(exec, a, p, p) has its entries near the
/// diagonal. Takes the pattern of A + A^T, each connected part by itself. Serial, on the host, with
/// up to five 64-bit numbers an entry. Throws InvalidArgument where a is not square. Waits for
/// exec. Library heddle::reorder.
template <ExecutionSpace Exec, Csr Matrix>
PermutationOf<Matrix> order_by_cuthill_mckee(Exec const& exec, Matrix const& a)
try
{
  impl::require(a.num_rows() == a.num_cols(), "order_by_cuthill_mckee", "A is ", a.num_rows(),
                " x ", a.num_cols(), ", expected a square matrix");
  auto const rows = static_cast<std::size_t>(a.num_rows());
  auto p = impl::uninitialized<PermutationOf<Matrix>>(exec, "heddle::permutation", rows);
  if (rows == 0)
    return p;
  auto const order = impl::reverse_cuthill_mckee(
      {impl::numbers_on_host(exec, a.row_offsets()), impl::numbers_on_host(exec, a.columns())});
  using Ordinal = typename Matrix::ordinal_type;
  std::vector<Ordinal> const numbers(order.begin(), order.end());
  Kokkos::deep_copy(exec, p,
                    Kokkos::View<Ordinal const*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(
                        numbers.data(), rows));
  exec.fence("heddle::order_by_cuthill_mckee");
  return p;
}
catch (...)
{
  impl::rethrow_out_of_memory("order_by_cuthill_mckee");
}

} // namespace heddle
