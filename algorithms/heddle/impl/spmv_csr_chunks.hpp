// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// CSR SpMV on host threads. Each thread takes a contiguous piece of the rows with its share of the
// entries (cut once per plan), so skewed matrices stay balanced and every y(i) has one owner: no
// atomics, bitwise repeatable for every op. A x reads each entry once. A^T x adds into windows
// (column_windows.hpp): one pass over A, two over the windows. Bytes: A once, x gathered, y once
// (transposed: the windows written, read and zeroed).

#include <heddle/backend.hpp>
#include <heddle/csr_matrix.hpp>
#include <heddle/impl/arithmetic.hpp>
#include <heddle/impl/column_windows.hpp>
#include <heddle/impl/csr_pointers.hpp>
#include <heddle/impl/operands.hpp>
#include <heddle/impl/row_chunks.hpp>
#include <heddle/impl/row_statistics.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/op.hpp>
#include <heddle/spmv_options.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace heddle::impl
{

// Rows from here on are summed in four chains: one would wait for the latency of each addition.
// Below, the start and end of the chains cost more than they bring (measured on AMD Zen 5 with rows
// of 1 to 200 entries, 2026-11).
inline constexpr std::int64_t long_row = 32;

// Compilers vectorise a loop that has this only if they must. Gathers in the order of a sum gain
// nothing from vectors, and setting them up costs short rows in single precision a third of their
// time (g++ 12, measured as above).
inline void stay_scalar()
{
#if defined(__GNUC__)
  asm("");
#endif
}

// Sum of values[k] * x(columns[k]) for k = begin .. end - 1.
template <bool has_chains, class Sum, class Matrix, class X>
Sum sparse_dot(CsrPointers<Matrix> const& a, std::int64_t begin, std::int64_t end, X const& x)
{
  auto const term = [&](std::int64_t k) { return Sum(a.values[k]) * Sum(x(a.columns[k])); };
  Sum s0{};
  if constexpr (has_chains) // else even the question is left out
    if (end - begin >= long_row)
    {
      Sum s1{}, s2{}, s3{};
      for (; begin + 4 <= end; begin += 4)
      {
        s0 += term(begin);
        s1 += term(begin + 1);
        s2 += term(begin + 2);
        s3 += term(begin + 3);
        stay_scalar();
      }
      s0 = (s0 + s1) + (s2 + s3);
    }
  for (; begin < end; ++begin)
  {
    s0 += term(begin);
    stay_scalar();
  }
  return s0;
}

template <class Exec, class Matrix>
struct SpmvCsrChunks
{
  static constexpr Backend backend = Backend::portable;
  static constexpr char const* name = "portable::csr_chunks";
  static constexpr bool is_supported = is_csr_matrix_v<Matrix> && is_host_v<Exec>;
  struct State
  {
    std::vector<std::int64_t> rows; // chunk c has the rows rows[c] .. rows[c + 1] - 1
    ColumnWindows windows;
    bool has_chains = false;

    std::size_t bytes() const { return rows.size() * sizeof(std::int64_t) + windows.bytes(); }
    static bool is_repeatable(Op) { return true; }
    std::string describe() const
    {
      return std::to_string(rows.size() - 1) + " chunks of rows with equal entries; transposed " +
             std::to_string(windows.chunks()) + " chunks in windows of " +
             std::to_string(windows.width()) + " columns together";
    }
  };
  template <class X, class Y>
  static constexpr bool takes = true;

  static bool can_run(Exec const&, Matrix const&, RowStatistics const&, SpmvOptions const&)
  {
    return true;
  }
  static State analyze(Exec const& exec, Matrix const& a, RowStatistics const& statistics,
                       SpmvOptions const&)
  {
    std::int64_t const chunks = exec.concurrency();
    return {split_by_nonzeros(a.row_offsets(), a.num_rows(), chunks),
            column_windows(exec, a, chunks), has_long_rows(statistics)};
  }

  static bool has_long_rows(RowStatistics const& rows)
  {
    return rows.mean() >= static_cast<double>(long_row) || rows.longest >= 4 * long_row;
  }

  template <class Scalar, class X, class Y>
  static void run(Exec const& exec, State const& state, Op op, Scalar alpha, Matrix const& a,
                  X const& x, Scalar beta, Y const& y)
  {
    if (op == Op::none && state.has_chains)
      multiply<true>(exec, state, alpha, a, x, beta, y);
    else if (op == Op::none)
      multiply<false>(exec, state, alpha, a, x, beta, y);
    else if (op == Op::transpose)
      multiply_transposed<false>(exec, state, alpha, a, x, beta, y);
    else
      multiply_transposed<true>(exec, state, alpha, a, x, beta, y);
  }

  template <bool has_chains, class Scalar, class X, class Y>
  static void multiply(Exec const& exec, State const& state, Scalar alpha, Matrix const& a,
                       X const& x, Scalar beta, Y const& y)
  {
    CsrPointers<Matrix> const pointers(a);
    auto const* const rows = state.rows.data();
    for_each_chunk(exec, "heddle::spmv::csr_chunks",
                   static_cast<std::int64_t>(state.rows.size()) - 1, [=](std::int64_t c) {
                     multiply_rows<has_chains>(rows[c], rows[c + 1], alpha, pointers, x, beta, y);
                   });
  }

  // All by value: what a closure holds would be loaded again after every store to y.
  template <bool has_chains, class Scalar, class X, class Y>
  static void multiply_rows(std::int64_t first, std::int64_t last, Scalar alpha,
                            CsrPointers<Matrix> a, X x, Scalar beta, Y y)
  {
    using Sum = accumulator_t<typename Matrix::value_type, typename X::value_type, Scalar>;
    if (first == last)
      return; // a default-constructed matrix has no offsets at all
    auto begin = static_cast<std::int64_t>(a.offsets[first]);
    for (std::int64_t i = first; i < last; ++i)
    {
      auto const end = static_cast<std::int64_t>(a.offsets[i + 1]);
      store(y(i), alpha, sparse_dot<has_chains, Sum>(a, begin, end, x), beta);
      begin = end;
    }
  }

  template <bool is_conjugate, class Scalar, class X, class Y>
  static void multiply_transposed(Exec const& exec, State const& state, Scalar alpha,
                                  Matrix const& a, X const& x, Scalar beta, Y const& y)
  {
    using Sum = accumulator_t<typename Matrix::value_type, typename X::value_type, Scalar>;
    ColumnWindows const& windows = state.windows;
    Scratch<Sum, Exec> const sums(exec, static_cast<std::size_t>(windows.width()));
    auto const* const offsets = a.row_offsets().data();
    auto const* const columns = a.columns().data();
    auto const* const values = a.values().data();
    auto const* const rows = windows.rows.data();
    auto const* const first = windows.first.data();
    auto const* const start = windows.start.data();
    Sum* const all = sums.data();
    for_each_chunk(exec, "heddle::spmv::csr_chunks::windows", windows.chunks(),
                   [=](std::int64_t c) {
                     std::fill(all + start[c], all + start[c + 1], Sum{});
                     Sum* const mine = all + start[c] - first[c];
                     for (std::int64_t i = rows[c]; i < rows[c + 1]; ++i)
                     {
                       Sum const xi = Sum(x(i));
                       for (auto k = offsets[i]; k < offsets[i + 1]; ++k)
                         mine[columns[k]] += Sum(conjugated<is_conjugate>(values[k])) * xi;
                     }
                   });
    add_windows(exec, windows, all, alpha, beta, y);
  }

  template <class Sum, class Scalar, class Y>
  static void add_windows(Exec const& exec, ColumnWindows const& windows, Sum const* all,
                          Scalar alpha, Scalar beta, Y const& y)
  {
    constexpr std::int64_t block = 512; // sums that stay in the L1 cache
    std::int64_t const n = y.size, chunks = windows.chunks();
    auto const* const first = windows.first.data();
    auto const* const last = windows.last.data();
    auto const* const start = windows.start.data();
    Kokkos::parallel_for("heddle::spmv::csr_chunks::add_windows",
                         range(exec, (n + block - 1) / block), [=](std::int64_t b) {
                           std::array<Sum, block> sum{};
                           std::int64_t const low = b * block, high = std::min(n, low + block);
                           for (std::int64_t c = 0; c < chunks; ++c)
                             for (std::int64_t j = std::max(low, first[c]);
                                  j < std::min(high, last[c]); ++j)
                               sum[j - low] += all[start[c] + j - first[c]];
                           for (std::int64_t j = low; j < high; ++j)
                             store(y(j), alpha, sum[j - low], beta);
                         });
  }
};

} // namespace heddle::impl
