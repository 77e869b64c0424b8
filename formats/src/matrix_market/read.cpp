// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/error.hpp>
#include <heddle/impl/out_of_memory.hpp>
#include <heddle/impl/range.hpp>
#include <heddle/impl/views.hpp>
#include <heddle/matrix_market.hpp>
#include <matrix_market/failure.hpp>
#include <matrix_market/header.hpp>
#include <matrix_market/mirror.hpp>
#include <matrix_market/parallel.hpp>
#include <matrix_market/parse.hpp>
#include <matrix_market/pieces.hpp>
#include <matrix_market/text_file.hpp>

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

namespace heddle::impl::matrix_market
{

namespace
{

template <class T>
using HostArray = Kokkos::View<T*, Kokkos::HostSpace>;

template <class T>
HostArray<T> make_array(char const* label, std::int64_t n)
{
  return uninitialized<HostArray<T>>(HostExec{}, label, static_cast<std::size_t>(n));
}

// A file whose values fit into matrices of Value, ready to be parsed.
template <class Value>
struct Source
{
  static constexpr int bits_of_value = 8 * sizeof(real_t<Value>);
  TextFile text;
  ParsedHeader parsed;
  MatrixMarketHeader const& header;
  MatrixMarketReadOptions const& options;

  Source(std::string const& path, MatrixMarketReadOptions const& asked)
      : text(path, asked.max_inflated_bytes, TextFile::Extent::all)
      , parsed(parse_header(text))
      , header(parsed.header)
      , options(asked)
  {
    if (!is_complex_v<Value> && header.field == MatrixMarketField::complex)
      text.fail(text.begin(), "the file is complex but the value type is real");
  }
  bool is_array() const { return header.format == MatrixMarketFormat::array; }

  // Calls parse with the field of the file as a constant; throws what it returns.
  template <class Parse>
  void parse_as_field(Parse const& parse) const
  {
    using Field = MatrixMarketField;
    Failure failure;
    if (header.field == Field::real)
      failure = parse(std::integral_constant<Field, Field::real>{});
    else if (header.field == Field::integer)
      failure = parse(std::integral_constant<Field, Field::integer>{});
    else if (header.field == Field::pattern)
      failure = parse(std::integral_constant<Field, Field::pattern>{});
    else if constexpr (is_complex_v<Value>)
      failure = parse(std::integral_constant<Field, Field::complex>{});
    if (failure.problem != Problem::none)
      report(text, header, failure, bits_of_value);
  }

  // Throws unless there are as many lines as the header says; after parsing, so that a bad line
  // before the end is found first.
  void check_count(Pieces const& pieces) const
  {
    std::string const what = is_array() ? " values" : " entries";
    std::string const expected = std::to_string(header.entries) + what;
    if (pieces.lines() > header.entries)
      text.fail(pieces.line(header.entries), "the header says " + expected + ", here is another");
    if (pieces.lines() < header.entries)
      text.fail(text.last_line(),
                "the file ends after " + std::to_string(pieces.lines()) + " of " + expected);
  }
};

template <class Ordinal, class Value>
void check_ordinal(Source<Value> const& source)
{
  auto const check = [&](std::int64_t n, char const* what) {
    if (n > std::int64_t{std::numeric_limits<Ordinal>::max()})
      source.text.fail(source.parsed.size_line, std::to_string(n) + what + " do not fit into the " +
                                                    std::to_string(8 * sizeof(Ordinal)) +
                                                    "-bit ordinal type of the matrix");
  };
  check(source.header.rows, " rows");
  check(source.header.cols, " columns");
}

// The entries that stand in a coordinate file.
template <class Value, class Ordinal>
HostCoo<Value, Ordinal> stored_entries(Source<Value> const& source)
{
  MatrixMarketHeader const& header = source.header;
  Pieces const pieces(source.parsed.body, source.text.end());
  std::int64_t const n = std::min(pieces.lines(), header.entries);
  auto const rows = make_array<Ordinal>("heddle::read_matrix_market::rows", n);
  auto const columns = make_array<Ordinal>("heddle::read_matrix_market::columns", n);
  auto const values = make_array<Value>("heddle::read_matrix_market::values", n);
  source.parse_as_field([&](auto field) {
    using Line = CoordinateLine<decltype(field)::value, Value, Ordinal>;
    return parse_pieces(
        pieces, n,
        Line{header, source.options.any_diagonal, rows.data(), columns.data(), values.data()});
  });
  source.check_count(pieces);
  return {static_cast<Ordinal>(header.rows), static_cast<Ordinal>(header.cols), rows, columns,
          values};
}

// The values that stand in an array file, column after column.
template <class Value>
HostArray<Value> stored_values(Source<Value> const& source)
{
  Pieces const pieces(source.parsed.body, source.text.end());
  std::int64_t const n = std::min(pieces.lines(), source.header.entries);
  auto values = make_array<Value>("heddle::read_matrix_market::values", n);
  source.parse_as_field([&](auto field) {
    using Line = ArrayLine<decltype(field)::value, Value>;
    return parse_pieces(pieces, n, Line{source.header, source.options.any_diagonal, values.data()});
  });
  source.check_count(pieces);
  return values;
}

// Calls f(row, column, value) for each value of an array file, in its order.
template <class Value, class Function>
void for_each_stored(MatrixMarketHeader const& header, HostArray<Value> const& values,
                     Function const& f)
{
  std::size_t k = 0;
  for (std::int64_t j = 0; k < values.extent(0); ++j) // a file may have any number of empty columns
    for (std::int64_t i = first_stored_row(header.symmetry, j); i < header.rows; ++i)
      f(i, j, values(k++));
}

// The values of an array file that are not zero.
template <class Value, class Ordinal>
HostCoo<Value, Ordinal> stored_nonzeros(Source<Value> const& source)
{
  MatrixMarketHeader const& header = source.header;
  auto const all = stored_values(source);
  auto const n = static_cast<std::int64_t>(all.extent(0)) -
                 std::count(all.data(), all.data() + all.extent(0), Value(0));
  auto const rows = make_array<Ordinal>("heddle::read_matrix_market::rows", n);
  auto const columns = make_array<Ordinal>("heddle::read_matrix_market::columns", n);
  auto const values = make_array<Value>("heddle::read_matrix_market::values", n);
  std::size_t k = 0;
  for_each_stored(header, all, [&](std::int64_t i, std::int64_t j, Value const& value) {
    if (value == Value(0))
      return;
    rows(k) = static_cast<Ordinal>(i);
    columns(k) = static_cast<Ordinal>(j);
    values(k++) = value;
  });
  return {static_cast<Ordinal>(header.rows), static_cast<Ordinal>(header.cols), rows, columns,
          values};
}

// The stored entries, then the mirror images of those off the diagonal, in the same order.
template <class Value, class Ordinal>
HostCoo<Value, Ordinal> with_mirror_images(HostCoo<Value, Ordinal> const& stored,
                                           MatrixMarketSymmetry symmetry)
{
  HostExec const exec{};
  auto const n = static_cast<std::int64_t>(stored.nnz());
  auto const& from_rows = stored.rows();
  auto const& from_columns = stored.columns();
  auto const& from_values = stored.values();
  std::int64_t images = 0;
  Kokkos::parallel_reduce(
      "heddle::read_matrix_market::count_images", range(exec, n),
      [=](std::int64_t k, std::int64_t& sum) { sum += from_rows(k) != from_columns(k) ? 1 : 0; },
      images);
  auto const rows = make_array<Ordinal>("heddle::read_matrix_market::rows", n + images);
  auto const columns = make_array<Ordinal>("heddle::read_matrix_market::columns", n + images);
  auto const values = make_array<Value>("heddle::read_matrix_market::values", n + images);
  Kokkos::parallel_scan("heddle::read_matrix_market::mirror", range(exec, n),
                        [=](std::int64_t k, std::int64_t& image, bool is_final) {
                          Ordinal const row = from_rows(k), column = from_columns(k);
                          if (is_final)
                          {
                            rows(k) = row;
                            columns(k) = column;
                            values(k) = from_values(k);
                            if (row != column)
                            {
                              rows(n + image) = column;
                              columns(n + image) = row;
                              values(n + image) = mirrored(symmetry, from_values(k));
                            }
                          }
                          image += row != column ? 1 : 0;
                        });
  exec.fence("heddle::read_matrix_market::mirror");
  return {stored.num_rows(), stored.num_cols(), rows, columns, values};
}

template <class Value, class Ordinal>
HostCoo<Value, Ordinal> all_entries(Source<Value> const& source)
{
  auto const stored = source.is_array() ? stored_nonzeros<Value, Ordinal>(source)
                                        : stored_entries<Value, Ordinal>(source);
  MatrixMarketSymmetry const symmetry = source.header.symmetry;
  return symmetry == MatrixMarketSymmetry::general ? stored : with_mirror_images(stored, symmetry);
}

template <class Value, class Layout>
HostDense<Value, Layout> make_dense(MatrixMarketHeader const& header)
{
  constexpr std::int64_t most = std::numeric_limits<std::ptrdiff_t>::max() / sizeof(Value);
  if (header.rows != 0 && header.cols > most / header.rows)
    throw OutOfMemory(
        "heddle::read_dense_matrix_market: a dense matrix of " + std::to_string(header.rows) +
            " x " + std::to_string(header.cols) + " needs more bytes than 64 bits can count",
        std::numeric_limits<std::size_t>::max(), std::numeric_limits<std::ptrdiff_t>::max());
  std::string const label = "heddle::read_dense_matrix_market";
  return allocated<HostDense<Value, Layout>>(Kokkos::view_alloc(HostExec{}, label), label,
                                             static_cast<std::size_t>(header.rows),
                                             static_cast<std::size_t>(header.cols));
}

} // namespace

template <class Value, class Ordinal>
HostCoo<Value, Ordinal> read_entries(std::string const& path,
                                     MatrixMarketReadOptions const& options)
{
  Kokkos::Profiling::ScopedRegion const region("heddle::read_matrix_market");
  Source<Value> const source(path, options);
  check_ordinal<Ordinal>(source);
  return all_entries<Value, Ordinal>(source);
}

template <class Value, class Layout>
HostDense<Value, Layout> read_dense(std::string const& path, MatrixMarketReadOptions const& options)
{
  Kokkos::Profiling::ScopedRegion const region("heddle::read_dense_matrix_market");
  Source<Value> const source(path, options);
  MatrixMarketHeader const& header = source.header;
  if (source.is_array())
  {
    auto const values = stored_values(source);
    auto dense = make_dense<Value, Layout>(header);
    bool const is_general = header.symmetry == MatrixMarketSymmetry::general;
    for_each_stored(header, values, [&](std::int64_t i, std::int64_t j, Value const& value) {
      dense(i, j) = value;
      if (!is_general && i != j)
        dense(j, i) = mirrored(header.symmetry, value);
    });
    return dense;
  }
  auto const entries = all_entries<Value, std::int64_t>(source);
  auto dense = make_dense<Value, Layout>(header);
  for (std::size_t k = 0; k < entries.nnz(); ++k)
    dense(entries.rows()(k), entries.columns()(k)) += entries.values()(k);
  return dense;
}

using Complex64 = Kokkos::complex<float>;
using Complex128 = Kokkos::complex<double>;
using Left = Kokkos::LayoutLeft;
using Right = Kokkos::LayoutRight;
using Path = std::string;
using Options = MatrixMarketReadOptions;
using Int32 = std::int32_t;
using Int64 = std::int64_t;

template HostCoo<float, Int32> read_entries(Path const&, Options const&);
template HostCoo<float, Int64> read_entries(Path const&, Options const&);
template HostCoo<double, Int32> read_entries(Path const&, Options const&);
template HostCoo<double, Int64> read_entries(Path const&, Options const&);
template HostCoo<Complex64, Int32> read_entries(Path const&, Options const&);
template HostCoo<Complex64, Int64> read_entries(Path const&, Options const&);
template HostCoo<Complex128, Int32> read_entries(Path const&, Options const&);
template HostCoo<Complex128, Int64> read_entries(Path const&, Options const&);
template HostDense<float, Left> read_dense(Path const&, Options const&);
template HostDense<float, Right> read_dense(Path const&, Options const&);
template HostDense<double, Left> read_dense(Path const&, Options const&);
template HostDense<double, Right> read_dense(Path const&, Options const&);
template HostDense<Complex64, Left> read_dense(Path const&, Options const&);
template HostDense<Complex64, Right> read_dense(Path const&, Options const&);
template HostDense<Complex128, Left> read_dense(Path const&, Options const&);
template HostDense<Complex128, Right> read_dense(Path const&, Options const&);

} // namespace heddle::impl::matrix_market

namespace heddle
{

MatrixMarketHeader read_matrix_market_header(std::string const& path,
                                             MatrixMarketReadOptions const& options)
try
{
  using namespace impl::matrix_market;
  TextFile text(path, options.max_inflated_bytes, TextFile::Extent::first_lines);
  for (;;)
  {
    try
    {
      return parse_header(text).header;
    }
    catch (ParseError const&)
    {
      if (!text.inflate_more())
        throw;
    }
  }
}
catch (...)
{
  impl::rethrow_out_of_memory("read_matrix_market_header");
}

} // namespace heddle
