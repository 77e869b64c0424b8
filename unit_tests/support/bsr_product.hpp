// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// C = A B in BSR against the oracle: which blocks there are, what every value of them is, and
// nothing of what hangs over the edges of A and B in it.

#include <heddle/bsr_matrix.hpp>
#include <heddle/convert_bsr.hpp>
#include <heddle/spgemm.hpp>
#include <heddle/validate.hpp>
#include <support/conversions.hpp>
#include <support/defects.hpp>
#include <support/matrices.hpp>
#include <support/reference.hpp>
#include <support/sparse_product.hpp>
#include <support/structures.hpp>

#include <catch2/catch_test_macros.hpp>
#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <vector>

namespace heddle::test
{

template <class C>
using BsrOf =
    BsrMatrix<typename C::value, typename C::ordinal, typename C::offset, typename C::space>;

// r x c blocks of C from r x k and k x c blocks.
struct ProductBlocks
{
  int height, inner, width;
};

// Whether the native kernel takes an m x k matrix times a k x n one in such blocks.
inline bool are_native_blocks(ProductBlocks const& shape, std::int64_t m, std::int64_t k,
                              std::int64_t n)
{
  int const size = shape.height;
  bool const is_square = shape.inner == size && shape.width == size;
  return is_square && (size == 2 || size == 3 || size == 4 || size == 6) && m % size == 0 &&
         k % size == 0 && n % size == 0;
}

// Names of everything that multiplies such matrices.
template <class C>
std::vector<char const*> bsr_product_names(ProductBlocks const& shape, std::int64_t m,
                                           std::int64_t k, std::int64_t n)
{
  using Matrix = typename BsrOf<C>::const_type;
  auto names = impl::names_of(SpgemmImplementations<typename C::exec, Matrix, Matrix>{});
  if (!are_native_blocks(shape, m, k, n))
    std::erase_if(names, [](std::string const& name) { return name.starts_with("cuda_native"); });
  return names;
}

// A structure in blocks, which lie in descending order in each row; what hangs over the edges is
// NaN.
template <class C>
BsrOf<C> make_bsr(Structure const& s, BlockShape const& shape)
{
  using Value = typename C::value;
  using Space = typename C::space;
  auto const ascending = to_bsr(typename C::exec{}, make_csr<C>(s), shape, no_limit);
  auto const offsets = to_vector(ascending.row_offsets());
  auto const from_columns = to_vector(ascending.columns());
  auto const from = to_vector(ascending.values());
  auto columns = from_columns;
  std::vector<Value> values;
  std::int64_t const height = shape.height, width = shape.width;
  for (std::size_t r = 0; r + 1 < offsets.size(); ++r)
  {
    auto const begin = static_cast<std::size_t>(offsets[r]),
               end = static_cast<std::size_t>(offsets[r + 1]);
    for (std::size_t n = begin; n < end; ++n)
    {
      std::size_t const block = end - 1 - (n - begin);
      columns[n] = from_columns[block];
      for (std::int64_t y = 0; y < height; ++y)
        for (std::int64_t x = 0; x < width; ++x)
        {
          bool const is_inside =
              static_cast<std::int64_t>(r) * height + y < s.rows && columns[n] * width + x < s.cols;
          values.push_back(is_inside ? from[(block * height + y) * width + x]
                                     : Value(std::numeric_limits<float>::quiet_NaN()));
        }
    }
  }
  return BsrOf<C>(ascending.num_rows(), ascending.num_cols(), shape, ascending.row_offsets(),
                  to_view<typename C::ordinal, Space>(columns), to_view<Value, Space>(values),
                  ascending.nnz());
}

// Block columns of each block row of a structure, or of op of it.
using BlockSets = std::vector<std::set<std::int64_t>>;
inline BlockSets block_sets(Structure const& s, BlockShape const& shape)
{
  BlockSets sets(static_cast<std::size_t>(impl::divided_up(s.rows, shape.height)));
  for (std::int64_t i = 0; i < s.rows; ++i)
    for (std::int64_t const j : s.columns[i])
      sets[i / shape.height].insert(j / shape.width);
  return sets;
}
inline BlockSets product_of_sets(BlockSets const& a, BlockSets const& b)
{
  BlockSets c(a.size());
  for (std::size_t r = 0; r < a.size(); ++r)
    for (std::int64_t const k : a[r])
      c[r].insert(b[k].begin(), b[k].end());
  return c;
}

// "" or where C differs: blocks and their order exactly, values within their bounds, those that no
// product of entries reaches and those behind the edges exactly 0.
template <class Matrix>
std::string difference_in_blocks(SparseRows const& expected, BlockSets const& blocks,
                                 Matrix const& c)
{
  using Value = typename Matrix::value_type;
  auto const offsets = to_vector(c.row_offsets());
  auto const columns = to_vector(c.columns());
  auto const values = to_vector(c.values());
  std::int64_t const height = c.shape().height, width = c.shape().width;
  for (std::size_t r = 0; r < blocks.size(); ++r)
  {
    std::vector<std::int64_t> const found(columns.begin() + static_cast<std::int64_t>(offsets[r]),
                                          columns.begin() +
                                              static_cast<std::int64_t>(offsets[r + 1]));
    if (found != std::vector<std::int64_t>(blocks[r].begin(), blocks[r].end()))
      return "block row " + std::to_string(r) + " has other block columns";
    for (std::size_t n = 0; n < found.size(); ++n)
      for (std::int64_t y = 0; y < height; ++y)
        for (std::int64_t x = 0; x < width; ++x)
        {
          std::int64_t const i = static_cast<std::int64_t>(r) * height + y;
          std::int64_t const j = found[n] * width + x;
          auto const block = static_cast<std::int64_t>(offsets[r] + n);
          Wide const value = wide(values[(block * height + y) * width + x]);
          Entry entry;
          if (i < c.num_rows())
            if (auto const at = expected[i].find(j); at != expected[i].end())
              entry = at->second;
          if (!(std::abs(value - entry.value) <= error_bound<Value>(entry.terms, entry.magnitude)))
            return "(" + std::to_string(i) + ", " + std::to_string(j) + ") is wrong";
        }
  }
  return "";
}

// op(A) op(B) by every implementation: a plan and its call, the same with new values, one call.
template <class C>
void check_bsr_products(typename C::exec const& exec, Structure const& a_structure,
                        Structure const& b_structure, ProductBlocks const& shape,
                        SpgemmOptions options = {})
{
  using Value = typename C::value;
  INFO(a_structure.name << " times " << b_structure.name << ", blocks of " << shape.height << " x "
                        << shape.inner << " and " << shape.inner << " x " << shape.width);
  auto const in_blocks = [](Structure const& s, Op op, int height, int width) {
    return make_bsr<C>(s,
                       is_transposed(op) ? BlockShape{width, height} : BlockShape{height, width});
  };
  auto const a = in_blocks(a_structure, options.op_a, shape.height, shape.inner);
  auto const b = in_blocks(b_structure, options.op_b, shape.inner, shape.width);
  Structure const op_a = is_transposed(options.op_a) ? transposed(a_structure) : a_structure;
  Structure const op_b = is_transposed(options.op_b) ? transposed(b_structure) : b_structure;
  BlockSets const blocks = product_of_sets(block_sets(op_a, {shape.height, shape.inner}),
                                           block_sets(op_b, {shape.inner, shape.width}));
  auto const expected = [&](double scale) {
    return reference_product<Value>(a_structure, b_structure, scale, options.op_a, options.op_b);
  };
  auto const once = expected(1), twice = expected(2);
  auto const doubled = to_vector(a.values());
  for (char const* const name : bsr_product_names<C>(shape, op_a.rows, op_a.cols, op_b.cols))
  {
    INFO(name);
    options.implementation = name;
    SpgemmPlan const plan(exec, a, b, options);
    REQUIRE(std::string(plan.implementation_name()) == name);
    auto const c = plan.make_result(exec);
    Kokkos::deep_copy(exec, c.values(), Value(std::numeric_limits<float>::quiet_NaN()));
    spgemm(exec, plan, a, b, c);
    exec.fence();
    CHECK(c.num_rows() == op_a.rows);
    CHECK(c.num_cols() == op_b.cols);
    CHECK(c.shape() == BlockShape{shape.height, shape.width});
    CHECK(c.nnz() == plan.nnz());
    CHECK(text_of(validate(exec, c)) == "");
    CHECK(difference_in_blocks(once, blocks, c) == "");

    auto values = doubled;
    for (Value& value : values)
      value *= Value(2);
    BsrOf<C> const other(a.num_rows(), a.num_cols(), a.shape(), a.row_offsets(), a.columns(),
                         to_view<Value, typename C::space>(values), a.nnz());
    spgemm(exec, plan, other, b, c);
    exec.fence();
    CHECK(difference_in_blocks(twice, blocks, c) == "");

    CHECK(difference_in_blocks(once, blocks, spgemm(exec, a, b, options)) == "");
  }
}

} // namespace heddle::test
