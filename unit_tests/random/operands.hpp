// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What problems are made of, in the memory of a device: sparse matrices whose arrays may begin
// anywhere, dense operands of any strides among values that nobody may touch.

#include <heddle/coo_matrix.hpp>
#include <heddle/csr_matrix.hpp>
#include <support/matrices.hpp>
#include <support/structures.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include <random/oracle.hpp>
#include <random/problem.hpp>

namespace heddle::test::random
{

// By how much the last number of what is read from a device is made wrong, relative to 1 and to
// itself: not 0 where tests see whether anybody notices.
inline double& planted_error()
{
  static double error = 0;
  return error;
}
inline Wide with_planted_error(Wide const& value)
{
  double const error = planted_error();
  return error == 0 ? value : value + error * (1 + magnitude(value));
}

// The array itself, or where is_shifted a part of a larger one from its second number on.
template <class T, class Space>
Kokkos::View<T*, Space> placed(std::vector<T> numbers, bool is_shifted)
{
  if (!is_shifted)
    return to_view<T, Space>(numbers);
  std::size_t const n = numbers.size();
  numbers.insert(numbers.begin(), T(1));
  numbers.push_back(T(1));
  Kokkos::View<T*, Space> const whole = to_view<T, Space>(numbers);
  return Kokkos::subview(whole, std::pair(std::size_t(1), n + 1));
}

// Entries by rows, each row in its order.
inline std::vector<Entry> by_rows(EntryList const& a)
{
  std::vector<Entry> sorted = a.entries;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](Entry const& x, Entry const& y) { return x.row < y.row; });
  return sorted;
}

template <class C>
CsrOf<C> make_csr(EntryList const& a, Problem const& problem)
{
  using Ordinal = typename C::ordinal;
  using Space = typename C::space;
  std::vector<typename C::offset> offsets(static_cast<std::size_t>(a.rows) + 1);
  std::vector<Ordinal> columns;
  std::vector<typename C::value> values;
  for (Entry const& entry : by_rows(a))
  {
    columns.push_back(static_cast<Ordinal>(entry.column));
    values.push_back(rounded<typename C::value>(entry.value));
    ++offsets[static_cast<std::size_t>(entry.row) + 1];
  }
  for (std::size_t i = 1; i < offsets.size(); ++i)
    offsets[i] += offsets[i - 1];
  if (a.rows == 0 && problem.no_offsets)
    offsets.clear();
  bool const shifted = problem.shifted_arrays;
  return CsrOf<C>(static_cast<Ordinal>(a.rows), static_cast<Ordinal>(a.cols),
                  placed<typename C::offset, Space>(offsets, shifted && !offsets.empty()),
                  placed<Ordinal, Space>(columns, shifted),
                  placed<typename C::value, Space>(values, shifted));
}

template <class C>
CooOf<C> make_coo(EntryList const& a, Problem const& problem)
{
  using Ordinal = typename C::ordinal;
  using Space = typename C::space;
  std::vector<Ordinal> rows, columns;
  std::vector<typename C::value> values;
  for (Entry const& entry : a.entries)
  {
    rows.push_back(static_cast<Ordinal>(entry.row));
    columns.push_back(static_cast<Ordinal>(entry.column));
    values.push_back(rounded<typename C::value>(entry.value));
  }
  bool const shifted = problem.shifted_arrays;
  return CooOf<C>(static_cast<Ordinal>(a.rows), static_cast<Ordinal>(a.cols),
                  placed<Ordinal, Space>(rows, shifted), placed<Ordinal, Space>(columns, shifted),
                  placed<typename C::value, Space>(values, shifted));
}

// Sorted, with the values of one place added in the order in which they stand, in their type.
template <class Value>
EntryList merged(EntryList const& a)
{
  std::vector<Entry> sorted = a.entries;
  std::stable_sort(sorted.begin(), sorted.end(), [](Entry const& x, Entry const& y) {
    return std::pair(x.row, x.column) < std::pair(y.row, y.column);
  });
  EntryList result{a.rows, a.cols};
  for (Entry const& entry : sorted)
  {
    auto& all = result.entries;
    if (!all.empty() && all.back().row == entry.row && all.back().column == entry.column)
      all.back().value = wide(rounded<Value>(all.back().value) + rounded<Value>(entry.value));
    else
      all.push_back({entry.row, entry.column, wide(rounded<Value>(entry.value))});
  }
  return result;
}

// Entries in the order of rows, as they are in memory.
template <class Csr>
EntryList read_csr(Csr const& a)
{
  auto const h = to_host(a);
  EntryList result{h.rows, h.cols};
  for (std::int64_t i = 0; i + 1 < static_cast<std::int64_t>(h.offsets.size()); ++i)
    for (std::int64_t k = h.offsets[i]; k < h.offsets[i + 1]; ++k)
      result.entries.push_back({i, h.columns[k], wide(h.values[k])});
  if (!result.entries.empty())
    result.entries.back().value = with_planted_error(result.entries.back().value);
  return result;
}

// Number (i, j) of a dense operand: an eighth, or 1 for seed 0, or a NaN or infinity now and then.
inline Wide dense_value(std::uint64_t seed, std::int64_t i, std::int64_t j, bool has_specials,
                        bool is_complex)
{
  if (seed == 0)
    return 1;
  Random random(seed ^ static_cast<std::uint64_t>(i * 1000003 + j));
  std::int64_t const kind = random.below(40);
  if (has_specials && kind < 3)
    return kind == 0 ? std::numeric_limits<double>::quiet_NaN()
                     : (kind == 1 ? 1 : -1) * std::numeric_limits<double>::infinity();
  double const real = static_cast<double>(random.below(200) - 100) / 8;
  double const imaginary = static_cast<double>(random.below(200) - 100) / 8;
  return {real, is_complex ? imaginary : 0.0};
}

template <class C>
class DenseOperand
{
public:
  using Value = typename C::value;
  using Space = typename C::space;
  using View = Kokkos::View<Value**, Kokkos::LayoutStride, Space>;
  using Vector = Kokkos::View<Value*, Kokkos::LayoutStride, Space>;

  DenseOperand(std::int64_t rows, std::int64_t cols, Placement placement)
      : m_rows(rows)
      , m_cols(cols)
  {
    constexpr std::int64_t gap = 3;
    bool const by_column =
        placement == Placement::column_major || placement == Placement::padded_columns;
    bool const is_padded =
        placement == Placement::padded_rows || placement == Placement::padded_columns;
    bool const is_strided = placement == Placement::strided;
    m_first = is_padded || is_strided ? gap : placement == Placement::shifted ? 1 : 0;
    std::int64_t const inner = is_strided ? 2 : 1;
    std::int64_t const outer =
        std::max<std::int64_t>(1, inner * (by_column ? rows : cols) + (is_padded ? gap : 0));
    m_row_stride = by_column ? inner : outer;
    m_column_stride = by_column ? outer : inner;
    std::int64_t const lines = by_column ? cols : rows;
    m_host.assign(static_cast<std::size_t>(m_first + lines * outer + gap), untouched());
    m_device = to_view<Value, Space>(m_host);
  }

  // value(i, j) everywhere, untouched values around them.
  template <class Get>
  void fill(Get const& value)
  {
    std::fill(m_host.begin(), m_host.end(), untouched());
    for (std::int64_t i = 0; i < m_rows; ++i)
      for (std::int64_t j = 0; j < m_cols; ++j)
        m_host[place(i, j)] = value(i, j);
    send();
  }
  void fill(Value value)
  {
    fill([=](std::int64_t, std::int64_t) { return value; });
  }
  // As it was filled.
  void send() const
  {
    Kokkos::View<Value const*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>> const
        host(m_host.data(), m_host.size());
    Kokkos::deep_copy(m_device, host);
  }
  // What is in memory now, of all places.
  std::vector<Value> read() const
  {
    auto now = to_vector(m_device);
    if (m_rows > 0 && m_cols > 0)
    {
      Value& last = now[place(m_rows - 1, m_cols - 1)];
      last = rounded<Value>(with_planted_error(wide(last)));
    }
    return now;
  }
  // What it was filled with.
  Value filled(std::int64_t i, std::int64_t j) const { return m_host[place(i, j)]; }
  std::size_t place(std::int64_t i, std::int64_t j) const
  {
    return static_cast<std::size_t>(m_first + i * m_row_stride + j * m_column_stride);
  }
  // Whether nothing but the operand has changed.
  bool is_untouched_around(std::vector<Value> now) const
  {
    for (std::int64_t i = 0; i < m_rows; ++i)
      for (std::int64_t j = 0; j < m_cols; ++j)
        now[place(i, j)] = m_host[place(i, j)];
    return are_same(now, m_host);
  }

  View view() const
  {
    return View(m_device.data() + m_first,
                Kokkos::LayoutStride(
                    static_cast<std::size_t>(m_rows), static_cast<std::size_t>(m_row_stride),
                    static_cast<std::size_t>(m_cols), static_cast<std::size_t>(m_column_stride)));
  }
  // Its first column.
  Vector vector() const
  {
    return Vector(m_device.data() + m_first,
                  Kokkos::LayoutStride(static_cast<std::size_t>(m_rows),
                                       static_cast<std::size_t>(m_row_stride)));
  }
  std::int64_t rows() const { return m_rows; }
  std::int64_t cols() const { return m_cols; }

private:
  static Value untouched() { return Value(7777); }

  std::int64_t m_rows, m_cols, m_first, m_row_stride, m_column_stride;
  std::vector<Value> m_host;
  Kokkos::View<Value*, Space> m_device;
};

} // namespace heddle::test::random
