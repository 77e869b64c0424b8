// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <harness/check.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace heddle::perf
{

// Rows of a product, brought to the host.
template <class Value>
struct ProductSample
{
  std::int64_t rows = 0, nnz = 0; // of the whole product
  HostMatrix<Value> sample;       // row n is row sampled[n] of it
};

// What the functions below do with one row: functors, see impl/scan.hpp.
template <class Matrix, class Offsets, class Rows>
struct CountSampled
{
  Matrix c;
  Rows rows;
  Offsets offsets;

  KOKKOS_FUNCTION void operator()(std::int64_t n, std::int64_t& sum, bool is_final) const
  {
    sum += static_cast<std::int64_t>(c.row_offsets()(rows(n) + 1) - c.row_offsets()(rows(n)));
    if (is_final)
      offsets(n + 1) = static_cast<std::size_t>(sum);
  }
};
template <class Matrix, class Rows, class Sample>
struct CopySampled
{
  Matrix c;
  Rows rows;
  Sample sample;

  KOKKOS_FUNCTION void operator()(std::int64_t n) const
  {
    auto to = sample.row_offsets()(n);
    for (auto e = c.row_offsets()(rows(n)); e < c.row_offsets()(rows(n) + 1); ++e, ++to)
    {
      sample.columns()(to) = c.columns()(e);
      sample.values()(to) = c.values()(e);
    }
  }
};

template <class Matrix, class Offsets, class Rows>
void count_sampled(Matrix const& c, Rows const& rows, Offsets const& offsets)
{
  Kokkos::parallel_scan("heddle::perf::count_sampled",
                        Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(
                            0, static_cast<std::int64_t>(rows.extent(0))),
                        CountSampled<Matrix, Offsets, Rows>{c, rows, offsets});
}

template <class Matrix, class Rows, class Sample>
void copy_sampled(Matrix const& c, Rows const& rows, Sample const& sample)
{
  Kokkos::parallel_for("heddle::perf::copy_sampled",
                       Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(
                           0, static_cast<std::int64_t>(rows.extent(0))),
                       CopySampled<Matrix, Rows, Sample>{c, rows, sample});
}

template <class Matrix>
ProductSample<typename Matrix::value_type> sample_of(Matrix const& c,
                                                     std::vector<std::int64_t> const& sampled)
{
  using Value = typename Matrix::value_type;
  auto const rows = on_device(sampled);
  Kokkos::View<std::size_t*, Space> const offsets("heddle::perf::offsets", sampled.size() + 1);
  count_sampled(c, rows, offsets);
  std::size_t nnz = 0;
  Kokkos::deep_copy(nnz, Kokkos::subview(offsets, sampled.size()));
  CsrMatrix<Value, int, std::size_t, Space> const sample(
      static_cast<int>(sampled.size()), c.num_cols(), offsets,
      Kokkos::View<int*, Space>("heddle::perf::columns", nnz),
      Kokkos::View<Value*, Space>("heddle::perf::values", nnz));
  copy_sampled(c, rows, sample);
  return {c.num_rows(), static_cast<std::int64_t>(c.nnz()), on_host(sample)};
}

// C of C = A B at sampled rows: which columns, and each value with its bound (check.hpp).
template <class Value>
class SparseReference
{
public:
  SparseReference(HostMatrix<Value> const& a, HostMatrix<Value> const& b)
      : m_size(a.num_rows())
  {
    double products = 0;
    for (std::size_t e = 0; e < a.nnz(); ++e)
      products += static_cast<double>(length(b, a.columns()(e)));
    constexpr double cost = 20; // of a product in a map, in dense products
    m_rows = sample_rows(a.num_rows(), cost * products);
    m_entries.resize(m_rows.size());
    on_host_threads(m_rows.size(), [&](std::size_t n) { add_row(a, b, n); });
  }

  // Which rows of C are checked, ascending.
  std::vector<std::int64_t> const& rows() const { return m_rows; }

  // Rows of c may be in any order; each column once.
  Verdict check(ProductSample<Value> const& c) const
  {
    if (c.rows != m_size)
      return {0, "wrong result: " + std::to_string(c.rows) + " rows"};
    std::vector<Verdict> verdicts(m_rows.size());
    on_host_threads(m_rows.size(), [&](std::size_t n) {
      check_row(verdicts[n], c.sample, n, m_rows[n], m_entries[n]);
    });
    return together(verdicts);
  }

private:
  using Row = std::map<int, ReferenceEntry<Value>>;

  static std::size_t length(HostMatrix<Value> const& b, int row)
  {
    return b.row_offsets()(row + 1) - b.row_offsets()(row);
  }
  void add_row(HostMatrix<Value> const& a, HostMatrix<Value> const& b, std::size_t n)
  {
    std::int64_t const i = m_rows[n];
    for (std::size_t e = a.row_offsets()(i); e < a.row_offsets()(i + 1); ++e)
      for (std::size_t f = b.row_offsets()(a.columns()(e)); f < b.row_offsets()(a.columns()(e) + 1);
           ++f)
        m_entries[n][b.columns()(f)].add(exact(a.values()(e)) * exact(b.values()(f)));
  }
  // Row n of c is row i of the product.
  static void check_row(Verdict& verdict, HostMatrix<Value> const& c, std::size_t n, std::int64_t i,
                        Row const& row)
  {
    std::size_t const first = c.row_offsets()(n), last = c.row_offsets()(n + 1);
    if (last - first != row.size())
    {
      verdict.wrong = "wrong result: row " + std::to_string(i) + " has " +
                      std::to_string(last - first) + " entries, expected " +
                      std::to_string(row.size());
      return;
    }
    std::map<int, Value> found;
    for (std::size_t e = first; e < last; ++e)
      found.emplace(c.columns()(e), c.values()(e));
    for (auto const& [column, expected] : row)
    {
      auto const at = found.find(column);
      if (at == found.end())
        verdict.wrong =
            "wrong result: row " + std::to_string(i) + " has no column " + std::to_string(column);
      else
        judge(verdict, expected, at->second, i, column);
    }
  }

  std::int64_t m_size;
  std::vector<std::int64_t> m_rows;
  std::vector<Row> m_entries;
};

} // namespace heddle::perf
