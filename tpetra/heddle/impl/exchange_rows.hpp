// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The rows of a distributed B that a rank needs and others have. Tpetra's own products import them
// as a matrix (import_and_extract_views of TpetraExt_MatrixMatrix_def.hpp), for which the global
// number and the rank of each entry's column travel, and are looked up. Here each column is named
// once per pair of ranks (row_messages.hpp).
//
// Two messages per pair of ranks: sizes of rows, then rows. The host writes and reads them; the
// rows that are sent are copied to it. Limit: as everywhere in Tpetra, what one rank sends another
// in a call is less than 2^31 bytes.

#include <heddle/csr_matrix.hpp>
#include <heddle/impl/convert/new_arrays.hpp>
#include <heddle/impl/range.hpp>
#include <heddle/impl/row_messages.hpp>
#include <heddle/impl/scan.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <Teuchos_ArrayView.hpp>
#include <Tpetra_Distributor.hpp>
#include <vector>

namespace heddle::impl
{

// Length and entries of the rows numbers(0), numbers(1), ... of a.
template <class Matrix, class Numbers>
struct LengthOfChosen
{
  Matrix a;
  Numbers numbers;
  KOKKOS_FUNCTION std::int64_t operator()(std::int64_t k) const
  {
    auto const i = numbers(k);
    return static_cast<std::int64_t>(a.row_offsets()(i + 1) - a.row_offsets()(i));
  }
};
template <class Matrix, class Numbers, class Result>
struct CopyChosen
{
  Matrix a;
  Numbers numbers;
  Result result;
  KOKKOS_FUNCTION void operator()(std::int64_t k) const
  {
    auto from = a.row_offsets()(numbers(k));
    for (auto to = result.row_offsets()(k); to < result.row_offsets()(k + 1); ++to, ++from)
    {
      result.columns()(to) = a.columns()(from);
      result.values()(to) = a.values()(from);
    }
  }
};
// These rows one after another. Waits for exec.
template <class Exec, class Matrix, class Numbers>
typename Matrix::non_const_type chosen_rows(Exec const& exec, Matrix const& a,
                                            Numbers const& numbers)
{
  using Result = typename Matrix::non_const_type;
  auto const n = static_cast<std::int64_t>(numbers.extent(0));
  auto const offsets = new_row_offsets<Result>(exec, n);
  auto const nnz = static_cast<std::size_t>(
      offsets_from_counts(exec, n, LengthOfChosen<Matrix, Numbers>{a, numbers}, offsets));
  auto const [columns, values] = new_entries<Result>(exec, nnz);
  Result const result(static_cast<typename Matrix::ordinal_type>(n), a.num_cols(), offsets, columns,
                      values);
  Kokkos::parallel_for("heddle::tpetra::chosen_rows", range(exec, n),
                       CopyChosen<Matrix, Numbers, Result>{a, numbers, result});
  exec.fence("heddle::tpetra::chosen_rows");
  return result;
}

// The rank that has each column of a Map, as the Import to it knows; this one's own for the others.
template <class Importer>
std::vector<int> ranks_of_targets(Importer const* importer, std::size_t targets, int own)
{
  std::vector<int> ranks(targets, own);
  if (importer == nullptr)
    return ranks;
  auto const remote = importer->getRemoteLIDs();
  auto const& distributor = importer->getDistributor();
  auto const procs = distributor.getProcsFrom();
  auto const lengths = distributor.getLengthsFrom();
  std::size_t k = 0;
  for (int p = 0; p < procs.size(); ++p)
    for (std::size_t end = k + lengths[p]; k < end; ++k)
      ranks[remote[k]] = procs[p];
  return ranks;
}

// As Tpetra's Distributor takes them: it makes Views of this type itself.
template <class T>
Kokkos::View<T*, Kokkos::HostSpace> host_view(std::vector<T>& data)
{
  return Kokkos::View<T*, Kokkos::HostSpace>(data.data(), data.size());
}
// The rows of B that this rank's columns of A name and others have. rows_of_b: A's importer, from
// the rows of B to the columns of A. Collective; waits for exec.
template <class Exec, class Matrix, class Import, class Graph>
auto rows_of_others(Exec const& exec, Import const& rows_of_b, Matrix const& b,
                    Graph const& graph_of_b)
{
  using Value = typename Matrix::non_const_type::value_type;
  using Local = typename Matrix::ordinal_type;
  using Global = typename Graph::global_ordinal_type;
  auto const sent = chosen_rows(exec, b, rows_of_b.getExportLIDs_dv().view_device());
  Kokkos::HostSpace const host;
  auto const offsets = Kokkos::create_mirror_view_and_copy(host, sent.row_offsets());
  auto const columns = Kokkos::create_mirror_view_and_copy(host, sent.columns());
  auto const values = Kokkos::create_mirror_view_and_copy(host, sent.values());
  auto const& map = *graph_of_b.getColMap();
  std::vector<int> const ranks = ranks_of_targets(
      graph_of_b.getImporter().get(), map.getLocalNumElements(), map.getComm()->getRank());
  auto const to = rows_of_b.getExportPIDs();
  auto const n = static_cast<std::size_t>(to.size());
  RowPacker<Local, Global> packer(ranks, n);
  for (std::size_t k = 0; k < n; ++k)
    packer.add(to[k], columns.data() + offsets(k), values.data() + offsets(k),
               offsets(k + 1) - offsets(k), map);

  auto& distributor = rows_of_b.getDistributor();
  std::vector<std::size_t> sizes(2 * rows_of_b.getNumRemoteIDs());
  distributor.doPostsAndWaits(host_view(packer.sizes()), 2, host_view(sizes));
  auto const sent_bytes = bytes_of_rows<Value, Local, Global>(packer.sizes());
  auto const received_bytes = bytes_of_rows<Value, Local, Global>(sizes);
  std::size_t total = 0;
  for (std::size_t const count : received_bytes)
    total += count;
  std::vector<char> bytes(total);
  distributor.doPostsAndWaits(
      host_view(packer.bytes()),
      Teuchos::ArrayView<std::size_t const>(sent_bytes.data(), sent_bytes.size()), host_view(bytes),
      Teuchos::ArrayView<std::size_t const>(received_bytes.data(), received_bytes.size()));
  return unpacked_rows<Value, Local, Global>(sizes, bytes, distributor.getLengthsFrom());
}

} // namespace heddle::impl
