// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// C = R A P in pieces, so that A P is never there as a whole: rows of A P are made, multiplied with
// their columns of R, and given up again before the next ones. Each row of A P is computed once;
// what a piece adds to C is added to what is there.

#include <heddle/add.hpp>
#include <heddle/error.hpp>
#include <heddle/impl/convert/new_arrays.hpp>
#include <heddle/impl/on_host.hpp>
#include <heddle/impl/range.hpp>
#include <heddle/impl/scan.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/search.hpp>
#include <heddle/impl/spgemm/batches.hpp>
#include <heddle/impl/spgemm/operand.hpp>
#include <heddle/impl/spgemm/triple.hpp>
#include <heddle/impl/spgemm_pattern.hpp>
#include <heddle/impl/tabulate.hpp>
#include <heddle/op.hpp>
#include <heddle/spgemm.hpp>
#include <heddle/spgemm_options.hpp>
#include <heddle/transpose.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

namespace heddle::impl
{

// What a row of A B can have at most, from its products.
template <class Products>
struct MostEntries
{
  Products products;
  std::int64_t cols;
  KOKKOS_FUNCTION std::int64_t operator()(std::int64_t i) const
  {
    return products(i) < cols ? products(i) : cols;
  }
};

// Ends each batch before the row with which it would have more than `most` entries, but not before
// it has a row: cuts and sizes of Batches. starts: entries before each row, and all.
template <class Starts, class Numbers>
struct CutBatches
{
  Starts starts;
  std::int64_t rows, most;
  Numbers cuts, sizes;

  KOKKOS_FUNCTION void operator()(std::int64_t, std::int64_t& count) const
  {
    cuts(0) = 0;
    for (std::int64_t row = 0; row < rows; ++count)
    {
      std::int64_t const begin = starts(row);
      row = partition_point(row + 1, rows,
                            [&](std::int64_t i) { return starts(i + 1) - begin <= most; });
      sizes(count) = starts(row) - begin;
      cuts(count + 1) = row;
    }
  }
};

// Rows of A in batches whose rows of A B take at most max_bytes, if no row alone takes more. Sizes
// are in entries: upper bounds by products. Waits for exec.
template <class Exec, class A, class B>
Batches batches_of_product(Exec const& exec, A const& a, B const& b, std::size_t bytes_each,
                           std::size_t max_bytes)
{
  auto const rows = static_cast<std::int64_t>(a.num_rows());
  using Numbers = Scratch<std::int64_t, Exec>;
  Numbers const scratch(exec, static_cast<std::size_t>(rows) + 1);
  auto const starts = scratch.view();
  products_of_rows(exec, a, b, starts);
  std::int64_t const entries =
      offsets_from_counts(exec, rows, MostEntries<decltype(starts)>{starts, b.num_cols()}, starts);
  auto const most = static_cast<std::int64_t>(
      std::min<std::size_t>(max_bytes / bytes_each, std::numeric_limits<std::int64_t>::max() / 2));
  // Two batches that follow each other have more than `most`.
  auto const room = static_cast<std::size_t>(std::min(rows, 2 * (entries / (most + 1)) + 1));
  Numbers const cuts(exec, room + 1), sizes(exec, room);
  std::int64_t count = 0;
  Kokkos::parallel_reduce(
      "heddle::cut_batches", range(exec, 1),
      CutBatches<decltype(starts), decltype(starts)>{starts, rows, most, cuts.view(), sizes.view()},
      count);
  auto const first = [&](Numbers const& numbers, std::int64_t n) {
    return copied_to_host(exec,
                          Kokkos::subview(numbers.view(), Kokkos::make_pair(std::int64_t(0), n)));
  };
  return {first(cuts, count + 1), first(sizes, count)};
}

// Row offsets that count from row first.
template <class Offsets>
struct OffsetsFrom
{
  Offsets offsets;
  std::int64_t first;
  KOKKOS_FUNCTION auto operator()(std::int64_t i) const
  {
    return offsets(first + i) - offsets(first);
  }
};

// Rows first .. last - 1 of m, which share its columns and values. Waits for exec.
template <class Exec, class Matrix>
typename Matrix::const_type rows_between(Exec const& exec, Matrix const& m, std::int64_t first,
                                         std::int64_t last)
{
  using Offsets = typename Matrix::row_offsets_view;
  Offsets const& offsets = m.row_offsets();
  auto const offset = [&](std::int64_t i) {
    return copied_to_host(exec, Kokkos::subview(offsets, Kokkos::make_pair(i, i + 1))).front();
  };
  auto const entries = Kokkos::make_pair(offset(first), offset(last));
  auto const from_first = new_row_offsets<Matrix>(exec, last - first);
  tabulate(exec, "heddle::rows_between", last - first + 1, OffsetsFrom<Offsets>{offsets, first},
           from_first);
  return {static_cast<typename Matrix::ordinal_type>(last - first), m.num_cols(), from_first,
          Kokkos::subview(m.columns(), entries), Kokkos::subview(m.values(), entries)};
}

// R A P with A P as a whole. Waits for exec.
template <class Exec, class R, class A, class P>
auto triple_at_once(Exec const& exec, R const& r, A const& a, P const& p,
                    SpgemmOptions const& options)
{
  auto const product = spgemm(exec, a, p, inner_options(options));
  return spgemm(exec, r, product, outer_options(options));
}

// The sum over pieces of op_r(rows of r) (rows of A P), where op_r transposes and P is p or its
// conjugate. Waits for exec.
template <class Exec, class R, class A, class P>
auto triple_by_pieces(Exec const& exec, Batches const& pieces, R const& r, A const& a, P const& p,
                      SpgemmOptions const& options)
{
  auto const part = [&](std::size_t n) {
    std::int64_t const first = pieces.cuts[n], last = pieces.cuts[n + 1];
    auto const product =
        spgemm(exec, rows_between(exec, a, first, last), p, inner_options(options));
    return spgemm(exec, rows_between(exec, r, first, last), product, outer_options(options));
  };
  auto sum = part(0);
  for (std::size_t n = 1; n < pieces.count(); ++n)
    sum = add(exec, 1, sum, 1, part(n));
  return sum;
}

// R A P where transposed factors, rows of A P and what a product takes are max_workspace_bytes
// together: A P has half of what transposed factors leave. Waits for exec.
template <class Exec, class R, class A, class P>
auto triple_within_bytes(Exec const& exec, R const& r, A const& a, P const& p,
                         SpgemmOptions options)
{
  using Product = typename SpgemmResult<A, P>::const_type;
  constexpr std::size_t bytes_each =
      sizeof(typename Product::ordinal_type) + sizeof(typename Product::value_type);
  std::size_t& room = options.max_workspace_bytes;
  auto const take = [&](std::size_t bytes, char const* what) {
    if (bytes > room)
      throw OutOfMemory("heddle::triple_product: " + std::string(what) + " takes " +
                            std::to_string(bytes) + " bytes, " + std::to_string(room) +
                            " are left of max_workspace_bytes",
                        bytes, room);
    room -= bytes;
  };
  auto const transposed = [&](auto const& matrix, Op op, char const* what) {
    take(bytes_of_operand(matrix, op), what);
    return transpose(exec, matrix, op);
  };

  typename P::const_type right = p;
  if (is_transposed(options.op_b))
  {
    right = transposed(p, options.op_b, "P as the transpose of its argument");
    options.op_b = Op::none;
  }
  auto const cut = [&] { return batches_of_product(exec, a, right, bytes_each, room / 2); };
  Batches pieces = cut();
  bool const is_whole = pieces.count() <= 1; // 0 where A has no rows
  typename R::const_type left = r;
  if (!is_whole && !is_transposed(options.op_a))
  {
    left = transposed(r, Op::transpose, "R by columns");
    options.op_a = is_conjugated(options.op_a) ? Op::conjugate_transpose : Op::transpose;
    pieces = cut(); // of what is left now
  }
  take(static_cast<std::size_t>(pieces.largest()) * bytes_each,
       is_whole ? "A P" : "the longest piece of A P");
  return is_whole ? triple_at_once(exec, left, a, right, options)
                  : triple_by_pieces(exec, pieces, left, a, right, options);
}

} // namespace heddle::impl
