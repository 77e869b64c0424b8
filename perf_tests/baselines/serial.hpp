// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The plain serial loops that everyone would write first, on the host.

#include <harness/measure.hpp>
#include <harness/operands.hpp>
#include <heddle/op.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace heddle::perf::serial
{

// C = op(A) B on host operands, row-major.
template <class Value>
void multiply(HostMatrix<Value> const& a, Op op, std::int64_t k, Value const* b, Value* c)
{
  std::int64_t const outputs = op == Op::none ? a.num_rows() : a.num_cols();
  std::fill(c, c + outputs * k, Value(0));
  for (std::int64_t i = 0; i < a.num_rows(); ++i)
    for (std::size_t e = a.row_offsets()(i); e < a.row_offsets()(i + 1); ++e)
    {
      std::int64_t const j = a.columns()(e);
      Value const value = a.values()(e);
      Value const* const from = b + (op == Op::none ? j : i) * k;
      Value* const to = c + (op == Op::none ? i : j) * k;
      for (std::int64_t n = 0; n < k; ++n)
        to[n] += value * from[n];
    }
}

// C = op(A) B as a candidate: on host copies of the operands, the result brought to c.
template <class Value, class B, class C>
Candidate dense_candidate(HostMatrix<Value> const& a, Op op, B const& b, C const& c)
{
  using Host = Kokkos::View<Value**, Kokkos::LayoutRight, Kokkos::HostSpace>;
  Host const host_b("heddle::perf::serial::b", b.extent(0), b.extent(1));
  Host const host_c("heddle::perf::serial::c", c.extent(0), c.extent(1));
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(b.extent(0)); ++i)
    for (std::int64_t j = 0; j < static_cast<std::int64_t>(b.extent(1)); ++j)
      host_b(i, j) = dense_value<Value>(i, j);
  auto const k = static_cast<std::int64_t>(b.extent(1));
  return {"serial::csr",
          "int32,size_t",
          {},
          [=] { multiply(a, op, k, host_b.data(), host_c.data()); },
          [=] {
            auto const mirror = Kokkos::create_mirror(c);
            for (std::size_t i = 0; i < c.extent(0); ++i)
              for (std::size_t j = 0; j < c.extent(1); ++j)
                mirror(i, j) = host_c(i, j);
            Kokkos::deep_copy(c, mirror);
          }};
}

// C = A B with a dense row of sums and a sort of its columns.
template <class Value>
HostMatrix<Value> multiply(HostMatrix<Value> const& a, HostMatrix<Value> const& b)
{
  std::vector<Value> sums(static_cast<std::size_t>(b.num_cols()), Value(0));
  std::vector<int> last_row(sums.size(), -1), columns, row;
  std::vector<Value> values;
  Kokkos::View<std::size_t*, Kokkos::HostSpace> const offsets("heddle::perf::serial::offsets",
                                                              a.num_rows() + 1);
  for (int i = 0; i < a.num_rows(); ++i)
  {
    row.clear();
    for (std::size_t e = a.row_offsets()(i); e < a.row_offsets()(i + 1); ++e)
      for (std::size_t f = b.row_offsets()(a.columns()(e)); f < b.row_offsets()(a.columns()(e) + 1);
           ++f)
      {
        int const j = b.columns()(f);
        if (last_row[j] != i)
        {
          last_row[j] = i;
          sums[j] = Value(0);
          row.push_back(j);
        }
        sums[j] += a.values()(e) * b.values()(f);
      }
    std::sort(row.begin(), row.end());
    for (int const j : row)
    {
      columns.push_back(j);
      values.push_back(sums[j]);
    }
    offsets(i + 1) = columns.size();
  }
  Kokkos::View<int*, Kokkos::HostSpace> const c_columns("heddle::perf::serial::columns",
                                                        columns.size());
  Kokkos::View<Value*, Kokkos::HostSpace> const c_values("heddle::perf::serial::values",
                                                         values.size());
  std::copy(columns.begin(), columns.end(), c_columns.data());
  std::copy(values.begin(), values.end(), c_values.data());
  return HostMatrix<Value>(a.num_rows(), b.num_cols(), offsets, c_columns, c_values);
}

} // namespace heddle::perf::serial
