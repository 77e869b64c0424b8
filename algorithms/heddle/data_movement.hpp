// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

// Library heddle::data_movement. The partitioner comes from elsewhere, such as heddle::partition
// (zoltan_partitioner.hpp).

namespace heddle
{

/// Net n joins the vertices pins[net_offsets[n]] .. pins[net_offsets[n + 1] - 1].
struct Hypergraph
{
  std::int64_t vertices = 0;
  std::vector<std::int64_t> net_offsets{0}, pins;
  std::vector<std::int64_t> vertex_weights{}, net_weights{}; ///< empty: 1 each

  std::int64_t nets() const { return static_cast<std::int64_t>(net_offsets.size()) - 1; }
};

/// The pattern of a sparse matrix on the host, by rows.
struct HostPattern
{
  std::int64_t rows = 0, cols = 0;
  std::vector<std::int64_t> offsets{0}, columns;
};

/// All multiply-adds of C = A B, one a vertex, and all numbers that they use, one a net: those of
/// A, then of B, then of C (Kurt et al., 2017, section IV.B; after Ballard et al., TOPC 2016).
struct ProductHypergraph
{
  Hypergraph graph;
  std::int64_t nets_of_a = 0, nets_of_b = 0, nets_of_c = 0;
  /// That a number takes in memory: its value and, in a sparse matrix, its index.
  std::int64_t words_of_a = 2, words_of_b = 2, words_of_c = 2;
};

/// Vertices in the order of A's entries and, for each, of B's row. Throws InvalidArgument where
/// sizes do not fit or there are more products than most_products.
ProductHypergraph hypergraph_of_product(HostPattern const& a, HostPattern const& b,
                                        std::int64_t most_products);
/// Of y = A x, the product with a dense x for B and y for C: a vertex an entry of A, in their
/// order, and a net with that one pin; a net for each x(j), for each y(i) with entries by row, then
/// for the other y. An entry of A takes two words, a number of x or y one. Throws InvalidArgument
/// where A has more entries than most_products.
ProductHypergraph hypergraph_of_spmv(HostPattern const& a, std::int64_t most_products);

/// C = A B whose rows are computed whole (Gustavson, TOMS 1978): a row of C is a vertex, which
/// weighs the words of its rows of A and C, and a row of B is a net, which weighs its words, of the
/// rows of C that use it. It has as many pins as A has entries, where ProductHypergraph has three
/// for each product. Any partition of rows is one of products, so bounds are upper bounds all the
/// same; they are not below those of the best partition of products, which may also cut a row of C.
struct RowHypergraph
{
  Hypergraph graph;
};

/// Throws InvalidArgument where sizes do not fit. Time is that of all products.
RowHypergraph hypergraph_of_rows(HostPattern const& a, HostPattern const& b);
/// Of y = A x: a vertex is a row of A with its number of y, a net a number of x.
RowHypergraph hypergraph_of_spmv_rows(HostPattern const& a);

/// The part, 0 .. parts - 1, of each vertex.
using Parts = std::vector<int>;
/// Cuts a hypergraph into parts of about the same weight, as many as are asked for, with few nets
/// across: the sum over nets of their weight times the parts they touch, less one, is to be small.
using Partitioner = std::function<Parts(Hypergraph const&, int parts)>;

/// What products have to move when they run part by part, each with the fast memory to itself.
struct MovementBound
{
  /// Sum of 2 |A_p| + 2 |B_p| + 3 |C_p| over parts, less |C|; of y = A x, 2 |A_p| + |x_p| + 2
  /// |y_p|, less |y|. What takes part in no product is moved once.
  std::int64_t words = 0;
  std::int64_t largest = 0; ///< words that the largest part touches
};

/// Of a given partition. Throws InvalidArgument where it does not fit the hypergraph.
MovementBound movement_of(ProductHypergraph const& product, Parts const& parts);
/// The same with rows as vertices: 2 |A| + 2 |C| and, over parts, the words of the rows of B that
/// each uses. Rows of B that no row uses are moved once.
MovementBound movement_of(RowHypergraph const& product, Parts const& parts);

/// A bound and the partition that it comes from.
struct UpperBound
{
  MovementBound bound;
  Parts parts;
  int count = 1; ///< of parts
};

/// An upper bound of the words that C = A B moves through a fast memory of so many words: parts are
/// doubled from one until each fits (Algorithm 3; its factor of 2 is counted once), numbers of
/// parts that cannot fit, because all of them together hold less than the operands, left out. One
/// part gives the lower bound, 2 (nnz(A) + nnz(B) + nnz(C)) or, of y = A x, 2 nnz + rows + columns.
/// Before each cut, progress is told the number of parts; it may throw to end the search. Throws
/// InvalidArgument where more parts than products would be needed.
UpperBound movement_upper_bound(ProductHypergraph const& product, std::int64_t fast_words,
                                Partitioner const& partition,
                                std::function<void(int parts)> const& progress = {});
/// The same with rows as vertices. Throws InvalidArgument where a row does not fit by itself.
UpperBound movement_upper_bound(RowHypergraph const& product, std::int64_t fast_words,
                                Partitioner const& partition,
                                std::function<void(int parts)> const& progress = {});

/// Parts of the rows in this order, without a partitioner: a part ends where the next row would not
/// fit. movement_of these is what the order moves at most. Throws InvalidArgument where order is no
/// permutation of the rows, or a row does not fit by itself.
Parts parts_in_order(RowHypergraph const& product, std::vector<std::int64_t> const& order,
                     std::int64_t fast_words);

/// An order of the rows and columns of a square A, for permute: each goes to the part that has most
/// of its products in A A, parts one after another, and stands there in its old order (Algorithm
/// 4). Of equal votes the lowest part wins; what has no products goes to part 0. Throws
/// InvalidArgument where A is not square or parts are not those of A A's products.
std::vector<std::int64_t> order_by_majority(HostPattern const& a, Parts const& parts);
/// The same by the products of y = A x, which are A's entries: row i and column j have a vote of
/// entry (i, j) each. Throws InvalidArgument where A is not square or parts are not those of its
/// entries.
std::vector<std::int64_t> order_by_spmv_majority(HostPattern const& a, Parts const& parts);
/// order_by_majority where all products of a row are in the row's part, and parts are those of
/// rows. Takes no memory for each product. Throws InvalidArgument where A is not square or parts
/// are not those of its rows.
std::vector<std::int64_t> order_by_row_majority(HostPattern const& a, Parts const& parts);

} // namespace heddle
