// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The symbolic phase of C = A B in BSR: that of CSR on matrices with an entry for each block, by
// whichever of its kernels SpgemmPlan takes there. Its cost is that of CSR on r k (A's) and k c
// (B's) times fewer entries for r x k and k x c blocks.

#include <heddle/bsr_matrix.hpp>
#include <heddle/impl/memory.hpp>
#include <heddle/impl/product_fits.hpp>
#include <heddle/impl/require.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/spgemm/block_operand.hpp>
#include <heddle/impl/spgemm_pattern.hpp>
#include <heddle/impl/sum_of.hpp>
#include <heddle/impl/views.hpp>
#include <heddle/op.hpp>
#include <heddle/spgemm_options.hpp>
#include <heddle/validate_bsr.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <variant>

namespace heddle::impl
{

template <class Exec, class A, class B>
struct SpgemmInstance; // spgemm.hpp

// r x c blocks of C from r x k blocks of A and k x c blocks of B.
struct ProductShape
{
  std::int64_t height, inner, width;
  friend bool operator==(ProductShape const&, ProductShape const&) = default;
};
template <class A, class B>
ProductShape product_shape(A const& a, B const& b)
{
  return {a.shape().height, a.shape().width, b.shape().width};
}

// Scalar products in this number of block products, or the largest std::int64_t where they are
// more.
inline std::int64_t scalar_products(std::int64_t of_blocks, ProductShape const& shape)
{
  std::int64_t all = of_blocks;
  for (std::int64_t const factor : {shape.height, shape.inner, shape.width})
  {
    if (!product_fits(static_cast<std::size_t>(all), static_cast<std::size_t>(factor)))
      return std::numeric_limits<std::int64_t>::max();
    all *= factor;
  }
  return all;
}

// How plans begin to describe themselves.
template <class Result>
std::string describe_blocks(SpgemmPattern<Result> const& pattern)
{
  return std::to_string(pattern.num_blocks()) + " blocks of " +
         std::to_string(pattern.shape.height) + " x " + std::to_string(pattern.shape.width) +
         " in C; ";
}

// Columns that a symbolic phase found and did not keep, by its numeric phase, whose values are
// dropped. Throws OutOfMemory where these do not fit into max_bytes. Waits for exec.
template <class I, class Exec, class A, class B>
auto columns_of_blocks(Exec const& exec, typename I::State const& state, A const& a, B const& b,
                       std::size_t max_bytes)
{
  using Entries = SpgemmResult<A, B>;
  using Value = typename Entries::value_type;
  std::size_t const blocks = state.pattern.nnz;
  std::size_t const needed = blocks * (sizeof(Value) + sizeof(typename Entries::ordinal_type));
  if (needed > max_bytes)
    throw OutOfMemory("heddle::spgemm: finding the columns of " + std::to_string(blocks) +
                          " blocks of C takes " + std::to_string(needed) + " bytes, " +
                          std::to_string(max_bytes) + " are allowed or available",
                      needed, max_bytes);
  auto columns =
      uninitialized<typename Entries::columns_view>(exec, "heddle::spgemm::columns", blocks);
  Scratch<Value, Exec> const values(exec, blocks);
  Entries const c(a.num_rows(), b.num_cols(), state.pattern.row_offsets, columns,
                  typename Entries::values_view(values.data(), blocks));
  I::run(exec, state, a, b, c);
  exec.fence("heddle::spgemm::columns");
  return columns;
}

// Values of C's blocks inside C. Waits for exec.
template <class Result, class Exec, class A, class B>
std::size_t values_inside(Exec const& exec, A const& a, B const& b,
                          SpgemmPattern<Result> const& pattern)
{
  std::size_t const size = static_cast<std::size_t>(pattern.shape.height) *
                           static_cast<std::size_t>(pattern.shape.width);
  std::size_t const stored = pattern.num_blocks() * size;
  if (a.num_rows() % pattern.shape.height == 0 && b.num_cols() % pattern.shape.width == 0)
    return stored;
  Result const c(a.num_rows(), b.num_cols(), pattern.shape, pattern.row_offsets, pattern.columns,
                 typename Result::values_view(nullptr, stored));
  return static_cast<std::size_t>(
      sum_of(exec, "heddle::spgemm::values_inside", c.num_block_rows(), ValuesInside<Result>{c}));
}

// Row offsets and columns of C's blocks, kept whatever they take: OutOfMemory where
// max_workspace_bytes does not hold them. Waits for exec.
template <class Result, class Exec, class A, class B>
SpgemmPattern<Result> block_pattern(Exec const& exec, A const& a, B const& b,
                                    SpgemmOptions const& options)
{
  using Instance = SpgemmInstance<Exec, BlockEntries<A>, BlockEntries<B>>;
  auto const of_a = block_entries(a);
  auto const of_b = block_entries(b);
  ProductShape const shape = product_shape(a, b);
  SpgemmOptions const of_blocks{.backend = options.backend,
                                .expected_calls = 1,
                                .max_workspace_bytes = options.max_workspace_bytes};
  auto const chosen = Instance::analyze(exec, {{exec, of_a, Op::none}, {exec, of_b, Op::none}},
                                        of_a, of_b, of_blocks);
  return std::visit(
      [&]<class Of>(Of const& bound) {
        auto const& found = bound.state.pattern;
        std::size_t const value = sizeof(typename Result::value_type);
        auto const size = static_cast<std::size_t>(shape.height * shape.width);
        require(product_fits(size, value) && product_fits(found.nnz, size * value), "spgemm",
                "C has ", found.nnz, " blocks of ", shape.height, " x ", shape.width,
                ", more bytes than 64 bits count");
        SpgemmPattern<Result> pattern;
        pattern.row_offsets = found.row_offsets;
        pattern.products = scalar_products(found.products, shape);
        pattern.shape = {a.shape().height, b.shape().width};
        pattern.columns = found.keeps_columns
                              ? found.columns
                              : columns_of_blocks<typename Of::implementation>(
                                    exec, bound.state, of_a, of_b,
                                    std::min(options.max_workspace_bytes, available_bytes(exec)));
        pattern.nnz = values_inside(exec, a, b, pattern);
        return pattern;
      },
      chosen.choice);
}

} // namespace heddle::impl
