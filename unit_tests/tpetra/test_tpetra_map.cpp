// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/balanced_rows.hpp>
#include <heddle/csr_matrix.hpp>
#include <heddle/tpetra_operator.hpp>

#include <catch2/catch_test_macros.hpp>
#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <Teuchos_CommHelpers.hpp>

#include <tpetra/distributed.hpp>

using namespace heddle::test;
using heddle::tpetra::Operator;

namespace
{

// Long rows first: row i has n / (i + 1) entries and one more.
Row skewed_row(Global n, Global i)
{
  Row row;
  for (Global k = 0; k <= n / (i + 1); ++k)
    row[(i + 7 * k) % n] += static_cast<double>((i + k) % 9 - 4);
  return row;
}

using Whole = heddle::CsrMatrix<double, int, std::size_t, Kokkos::HostSpace>;

Whole whole_matrix(Global n, Rows const& rows)
{
  Kokkos::View<std::size_t*, Kokkos::HostSpace> const offsets("offsets",
                                                              static_cast<std::size_t>(n) + 1);
  for (Global i = 0; i < n; ++i)
    offsets(static_cast<std::size_t>(i) + 1) =
        offsets(static_cast<std::size_t>(i)) + rows(i).size();
  std::size_t const nnz = offsets(static_cast<std::size_t>(n));
  return Whole(static_cast<int>(n), static_cast<int>(n), offsets,
               Kokkos::View<int*, Kokkos::HostSpace>("columns", nnz),
               Kokkos::View<double*, Kokkos::HostSpace>("values", nnz));
}

std::size_t most_entries(Crs const& a)
{
  std::size_t const mine = a.getLocalNumEntries();
  std::size_t most = 0;
  Teuchos::reduceAll(*communicator(), Teuchos::REDUCE_MAX, mine, Teuchos::outArg(most));
  return most;
}

} // namespace

TEST_CASE("balanced_rows makes a Map", "[tpetra]")
{
  Global const n = 400;
  Rows const rows = [](Global i) { return skewed_row(n, i); };
  auto const whole = whole_matrix(n, rows);
  auto const comm = communicator();
  Kokkos::DefaultHostExecutionSpace const exec{};

  auto const cuts = heddle::balanced_rows(exec, whole, comm->getSize()); // the same on every rank
  auto const rank = static_cast<std::size_t>(comm->getRank());
  auto const own = static_cast<std::size_t>(cuts[rank + 1] - cuts[rank]);
  MapPointer const map = Teuchos::rcp(new Map(n, own, 0, comm));

  auto const a = make_matrix(map, map, map, rows);
  CHECK(a->getGlobalNumEntries() == whole.nnz());
  std::size_t const longest = rows(0).size();
  std::size_t const ranks = static_cast<std::size_t>(num_ranks());
  CHECK(most_entries(*a) <= whole.nnz() / ranks + longest);
  if (ranks > 1)
  {
    auto const pieces = in_pieces(n);
    CHECK(4 * most_entries(*a) < 3 * most_entries(*make_matrix(pieces, pieces, pieces, rows)));
  }

  Operator const op(a);
  Vectors x(map, 2), y(map, 2), expected(map, 2);
  fill(x, 3);
  a->apply(x, expected);
  op.apply(x, y);
  CHECK(differences(y, expected) == 0);
}
