// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>

#include <spgemm/factors.hpp>

namespace heddle::perf
{

namespace
{

template <class Value>
HostMatrix<Value> top_left(HostMatrix<Value> const& whole, int rows, int cols)
{
  auto const& from = whole.row_offsets();
  Kokkos::View<std::size_t*, Kokkos::HostSpace> const offsets("heddle::perf::row_offsets",
                                                              static_cast<std::size_t>(rows) + 1);
  for (int i = 0; i < rows; ++i)
  {
    offsets(i + 1) = offsets(i);
    for (std::size_t e = from(i); e < from(i + 1); ++e)
      offsets(i + 1) += whole.columns()(e) < cols ? 1 : 0;
  }
  Kokkos::View<int*, Kokkos::HostSpace> const columns("heddle::perf::columns", offsets(rows));
  Kokkos::View<Value*, Kokkos::HostSpace> const values("heddle::perf::values", offsets(rows));
  std::size_t to = 0;
  for (std::size_t e = 0; e < from(rows); ++e)
    if (whole.columns()(e) < cols)
    {
      columns(to) = whole.columns()(e);
      values(to) = whole.values()(e);
      ++to;
    }
  return HostMatrix<Value>(rows, cols, offsets, columns, values);
}

int rows_of(LoadedMatrix const& a)
{
  return std::visit([](auto const& matrix) { return matrix.num_rows(); }, a.matrix);
}
int cols_of(LoadedMatrix const& a)
{
  return std::visit([](auto const& matrix) { return matrix.num_cols(); }, a.matrix);
}
std::int64_t entries_of(LoadedMatrix const& a)
{
  return std::visit([](auto const& m) { return static_cast<std::int64_t>(m.nnz()); }, a.matrix);
}

} // namespace

LoadedMatrix top_left(LoadedMatrix const& whole, int n)
{
  int const rows = std::min(n, rows_of(whole)), cols = std::min(n, cols_of(whole));
  if (rows == rows_of(whole) && cols == cols_of(whole))
    return whole;
  LoadedMatrix corner{whole.name + "_top_" + std::to_string(n), {}};
  std::visit([&](auto const& matrix) { corner.matrix = top_left(matrix, rows, cols); },
             whole.matrix);
  return corner;
}

std::string why_left_out(SpgemmSettings const& settings, LoadedMatrix const& a)
{
  int const rows = rows_of(a), cols = cols_of(a);
  if (settings.is_square_only && rows != cols)
    return std::to_string(rows) + " x " + std::to_string(cols) + " is not square";
  EntryRange const range = settings.entries;
  std::int64_t const entries = entries_of(a);
  if (entries < range.least)
    return std::to_string(entries) + " entries are less than " + std::to_string(range.least);
  if (entries > range.most)
    return std::to_string(entries) + " entries are more than " + std::to_string(range.most);
  return {};
}

std::string why_no_product(LoadedMatrix const& a, LoadedMatrix const& b)
{
  if (cols_of(a) != rows_of(b))
    return a.name + " has " + std::to_string(cols_of(a)) + " columns but " + b.name + " has " +
           std::to_string(rows_of(b)) + " rows";
  if (a.matrix.index() != b.matrix.index())
    return "one of " + a.name + " and " + b.name + " is real, the other complex";
  return {};
}

} // namespace heddle::perf
