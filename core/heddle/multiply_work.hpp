// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/machine_description.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace heddle
{

/// How large the numbers of a matrix are, in bytes.
struct NumberSizes
{
  std::size_t value = 0, ordinal = 0, offset = 0;
  bool is_complex = false;
};

/// What one multiply computes, and what it moves at least between memory and a cache that is large
/// enough for all reuse. Bytes are those of CSR operands, each read or written once; words count
/// values and indices alike and leave out row offsets, as paper 003 does (Kurt et al., 2017,
/// section IV.A).
struct MultiplyWork
{
  double products = 0; ///< multiply-adds of scalars
  double flops = 0;    ///< 2 a product, 8 of complex numbers
  double bytes = 0;
  double words = 0;
  std::size_t value_bytes = 0;

  /// 0 where nothing is moved.
  double flops_per_byte() const { return bytes > 0 ? flops / bytes : 0; }
  double flops_per_word() const { return words > 0 ? flops / words : 0; }
  /// What a call takes at least on this machine.
  double seconds(MachineDescription const& machine, bool is_double) const
  {
    return std::max(bytes / machine.gbytes_per_s, flops / machine.gflops(is_double)) * 1e-9;
  }
  /// Memory, rather than arithmetic, sets that time.
  bool is_memory_bound(MachineDescription const& machine, bool is_double) const
  {
    return bytes / machine.gbytes_per_s >= flops / machine.gflops(is_double);
  }
  /// The bound of dense products, 1.72 N / sqrt(C) words for N products and a cache of C words
  /// (Dongarra et al., PPoPP 2008, in paper 003, section VIII.A): far below words for sparse ones.
  double dense_bound_words(std::int64_t cache_bytes) const
  {
    double const cache_words = static_cast<double>(cache_bytes) / static_cast<double>(value_bytes);
    return 1.72 * products / std::sqrt(cache_words);
  }
};

namespace impl
{

inline double csr_bytes(double rows, double nnz, NumberSizes const& sizes)
{
  return nnz * static_cast<double>(sizes.value + sizes.ordinal) +
         (rows + 1) * static_cast<double>(sizes.offset);
}
inline double flops_of(double products, NumberSizes const& sizes)
{
  return (sizes.is_complex ? 8 : 2) * products;
}

} // namespace impl

/// C = A B with dense B and C of k columns; SpMV is k = 1. C is written and not read (beta = 0).
inline MultiplyWork spmm_work(std::int64_t rows, std::int64_t cols, std::int64_t nnz,
                              std::int64_t k, NumberSizes const& sizes)
{
  auto const entries = static_cast<double>(nnz), width = static_cast<double>(k);
  double const dense = width * (static_cast<double>(rows) + static_cast<double>(cols));
  double const products = entries * width;
  return {.products = products,
          .flops = impl::flops_of(products, sizes),
          .bytes = impl::csr_bytes(static_cast<double>(rows), entries, sizes) +
                   dense * static_cast<double>(sizes.value),
          .words = 2 * entries + dense,
          .value_bytes = sizes.value};
}

/// A sparse operand or result by its sizes.
struct SparseSize
{
  std::int64_t rows = 0, nnz = 0;
};

/// C = A B, all sparse, of so many products.
inline MultiplyWork spgemm_work(SparseSize const& a, SparseSize const& b, SparseSize const& c,
                                std::int64_t products, NumberSizes const& sizes)
{
  MultiplyWork work{.products = static_cast<double>(products),
                    .flops = impl::flops_of(static_cast<double>(products), sizes),
                    .value_bytes = sizes.value};
  for (SparseSize const& size : {a, b, c})
  {
    auto const nnz = static_cast<double>(size.nnz);
    work.bytes += impl::csr_bytes(static_cast<double>(size.rows), nnz, sizes);
    work.words += 2 * nnz;
  }
  return work;
}

} // namespace heddle
