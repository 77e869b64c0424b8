// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/impl/entry_order.hpp>
#include <heddle/impl/require.hpp>
#include <heddle/impl/views.hpp>
#include <heddle/matrix_market.hpp>
#include <heddle/validate_csr.hpp>
#include <matrix_market/check_symmetry.hpp>
#include <matrix_market/header.hpp>
#include <matrix_market/parallel.hpp>
#include <matrix_market/text_output.hpp>

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace heddle::impl::matrix_market
{

namespace
{

constexpr char const* function = "write_matrix_market";

// The header that the options and the size of A make; the entries are yet to be counted.
template <class Value>
MatrixMarketHeader make_header(MatrixMarketFormat format, std::int64_t rows, std::int64_t cols,
                               MatrixMarketWriteOptions const& options)
{
  using Field = MatrixMarketField;
  MatrixMarketHeader const header{
      format,
      options.field.value_or(is_complex_v<Value> ? Field::complex : Field::real),
      options.symmetry,
      rows,
      cols,
      0};
  std::string const problem = conflict(format, header.field, header.symmetry);
  require(problem.empty(), function, problem);
  bool const drops_part =
      is_complex_v<Value> && (header.field == Field::real || header.field == Field::integer);
  require(!drops_part, function, "A is complex, the field cannot be ", name_of(header.field));
  require(header.symmetry == MatrixMarketSymmetry::general || rows == cols, function, "a ",
          name_of(header.symmetry), " matrix is square, A is ", rows, " x ", cols);
  return header;
}

template <class Value>
void check_value(MatrixMarketField field, std::int64_t row, std::int64_t column, Value const& value)
{
  if constexpr (!is_complex_v<Value>)
    if (field == MatrixMarketField::integer &&
        !(std::trunc(value) == value && std::isfinite(value)))
      require(false, function, "(", row, ", ", column, ") is ", to_text(value),
              ", the field cannot be integer");
}

bool is_stored(MatrixMarketSymmetry symmetry, std::int64_t row, std::int64_t column)
{
  return row >= first_stored_row(symmetry, column);
}

void put_header(TextOutput& output, MatrixMarketHeader const& header, std::string_view comment)
{
  std::string text = "%%MatrixMarket matrix ";
  text += name_of(header.format);
  text += ' ';
  text += name_of(header.field);
  text += ' ';
  text += name_of(header.symmetry);
  text += '\n';
  while (!comment.empty())
  {
    std::size_t const length = comment.find('\n');
    text += "% ";
    text += comment.substr(0, length);
    text += '\n';
    comment.remove_prefix(length == std::string_view::npos ? comment.size() : length + 1);
  }
  output.text(text);
  output.number(header.rows);
  output.character(' ');
  output.number(header.cols);
  if (header.format == MatrixMarketFormat::coordinate)
  {
    output.character(' ');
    output.number(header.entries);
  }
  output.character('\n');
}

// The value and the end of the line, separated from what stands before.
template <class Value>
void put_value(TextOutput& output, MatrixMarketField field, Value const& value)
{
  if constexpr (is_complex_v<Value>)
  {
    output.number(value.real());
    output.character(' ');
    output.number(value.imag());
  }
  else if (field == MatrixMarketField::integer)
    output.integer(value);
  else
    output.number(value);
  if (!is_complex_v<Value> && field == MatrixMarketField::complex)
    output.text(" 0");
}

} // namespace

template <class Value, class Ordinal>
void write_entries(std::string const& path, HostCoo<Value const, Ordinal> const& a,
                   MatrixMarketWriteOptions const& options)
{
  Kokkos::Profiling::ScopedRegion const region("heddle::write_matrix_market");
  MatrixMarketHeader header =
      make_header<Value>(MatrixMarketFormat::coordinate, a.num_rows(), a.num_cols(), options);
  bool const has_values = header.field != MatrixMarketField::pattern;
  for (std::size_t k = 0; k < a.nnz(); ++k)
  {
    std::int64_t const row = a.rows()(k), column = a.columns()(k);
    if (row < 0 || row >= header.rows || column < 0 || column >= header.cols) [[unlikely]]
      require(false, function, "entry ", k, " stands at (", row, ", ", column, ") but A is ",
              header.rows, " x ", header.cols);
    check_value(header.field, row, column, a.values()(k));
    header.entries += is_stored(header.symmetry, row, column) ? 1 : 0;
  }
  if (header.symmetry != MatrixMarketSymmetry::general)
    check_symmetry<Value, Ordinal>(a, header.symmetry, has_values);

  TextOutput output(path);
  put_header(output, header, options.comment);
  for (std::size_t k = 0; k < a.nnz(); ++k)
  {
    std::int64_t const row = a.rows()(k), column = a.columns()(k);
    if (!is_stored(header.symmetry, row, column))
      continue;
    output.number(row + 1);
    output.character(' ');
    output.number(column + 1);
    if (has_values)
    {
      output.character(' ');
      put_value(output, header.field, a.values()(k));
    }
    output.character('\n');
  }
  output.commit();
}

template <class Value, class Ordinal>
void write_rows(std::string const& path, HostCsr<Value const, Ordinal> const& a,
                MatrixMarketWriteOptions const& options)
{
  HostExec const exec{};
  if (auto const defect = validate(exec, a))
    require(false, function, "of A, ", defect->what);
  auto const rows = uninitialized<Kokkos::View<Ordinal*, Kokkos::HostSpace>>(
      exec, "heddle::write_matrix_market::rows", a.nnz());
  expand_rows(exec, a.row_offsets(), rows);
  exec.fence("heddle::write_matrix_market::rows");
  write_entries<Value, Ordinal>(path, {a.num_rows(), a.num_cols(), rows, a.columns(), a.values()},
                                options);
}

template <class Value>
void write_dense(std::string const& path, HostDense<Value const, Kokkos::LayoutStride> const& a,
                 MatrixMarketWriteOptions const& options)
{
  Kokkos::Profiling::ScopedRegion const region("heddle::write_matrix_market");
  auto const rows = static_cast<std::int64_t>(a.extent(0));
  auto const cols = static_cast<std::int64_t>(a.extent(1));
  MatrixMarketHeader const header =
      make_header<Value>(MatrixMarketFormat::array, rows, cols, options);
  std::int64_t const end = rows == 0 ? 0 : cols; // without rows there may be any number of columns
  for (std::int64_t j = 0; j < end; ++j)
    for (std::int64_t i = 0; i < rows; ++i)
      check_value(header.field, i, j, a(i, j));
  if (header.symmetry != MatrixMarketSymmetry::general)
    check_symmetry<Value>(a, header.symmetry);

  TextOutput output(path);
  put_header(output, header, options.comment);
  for (std::int64_t j = 0; j < end; ++j)
    for (std::int64_t i = first_stored_row(header.symmetry, j); i < rows; ++i)
    {
      put_value(output, header.field, a(i, j));
      output.character('\n');
    }
  output.commit();
}

using Complex64 = Kokkos::complex<float>;
using Complex128 = Kokkos::complex<double>;
using Path = std::string;
using Options = MatrixMarketWriteOptions;
using Int32 = std::int32_t;
using Int64 = std::int64_t;
template <class Value>
using Dense = HostDense<Value const, Kokkos::LayoutStride>;

template void write_entries(Path const&, HostCoo<float const, Int32> const&, Options const&);
template void write_entries(Path const&, HostCoo<float const, Int64> const&, Options const&);
template void write_entries(Path const&, HostCoo<double const, Int32> const&, Options const&);
template void write_entries(Path const&, HostCoo<double const, Int64> const&, Options const&);
template void write_entries(Path const&, HostCoo<Complex64 const, Int32> const&, Options const&);
template void write_entries(Path const&, HostCoo<Complex64 const, Int64> const&, Options const&);
template void write_entries(Path const&, HostCoo<Complex128 const, Int32> const&, Options const&);
template void write_entries(Path const&, HostCoo<Complex128 const, Int64> const&, Options const&);
template void write_rows(Path const&, HostCsr<float const, Int32> const&, Options const&);
template void write_rows(Path const&, HostCsr<float const, Int64> const&, Options const&);
template void write_rows(Path const&, HostCsr<double const, Int32> const&, Options const&);
template void write_rows(Path const&, HostCsr<double const, Int64> const&, Options const&);
template void write_rows(Path const&, HostCsr<Complex64 const, Int32> const&, Options const&);
template void write_rows(Path const&, HostCsr<Complex64 const, Int64> const&, Options const&);
template void write_rows(Path const&, HostCsr<Complex128 const, Int32> const&, Options const&);
template void write_rows(Path const&, HostCsr<Complex128 const, Int64> const&, Options const&);
template void write_dense<float>(Path const&, Dense<float> const&, Options const&);
template void write_dense<double>(Path const&, Dense<double> const&, Options const&);
template void write_dense<Complex64>(Path const&, Dense<Complex64> const&, Options const&);
template void write_dense<Complex128>(Path const&, Dense<Complex128> const&, Options const&);

} // namespace heddle::impl::matrix_market
