// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/concepts.hpp>
#include <heddle/coo_matrix.hpp>
#include <heddle/csr_matrix.hpp>
#include <heddle/impl/converted.hpp>
#include <heddle/impl/out_of_memory.hpp>

#include <Kokkos_Core.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>

namespace heddle
{

/// What a file lists: entries with their places, or all values column by column.
enum class MatrixMarketFormat
{
  coordinate,
  array
};

/// What a file says of values; of a pattern it has none, and they are read as 1.
enum class MatrixMarketField
{
  real,
  complex,
  integer,
  pattern
};

/// Of all but general only the lower triangle is in the file.
enum class MatrixMarketSymmetry
{
  general,
  symmetric,
  skew_symmetric,
  hermitian
};

/// What the first lines of a Matrix Market file say.
struct MatrixMarketHeader
{
  MatrixMarketFormat format = MatrixMarketFormat::coordinate;
  MatrixMarketField field = MatrixMarketField::real;
  MatrixMarketSymmetry symmetry = MatrixMarketSymmetry::general;
  std::int64_t rows = 0, cols = 0;
  /// As stored in the file: a symmetric one has the lower triangle only. Of an array, the number of
  /// values that follow from its size and symmetry.
  std::int64_t entries = 0;

  bool operator==(MatrixMarketHeader const&) const = default;
};

/// Choices of the readers; the defaults are what most callers want.
struct MatrixMarketReadOptions
{
  /// A compressed file is refused where its text has more bytes than this: a few megabytes can
  /// stand for gigabytes of blanks. Where nothing is asked for, 256 MiB or 100 times the size of
  /// the file, whichever is more: only text that repeats itself has more.
  std::optional<std::size_t> max_inflated_bytes = {};
  /// Take entries that the format forbids, as they stand: on the diagonal of a skew-symmetric file,
  /// and those on the diagonal of a hermitian file that are not real.
  bool any_diagonal = false;
};

/// Choices of write_matrix_market; the defaults are what most callers want.
struct MatrixMarketWriteOptions
{
  /// Real or complex, as the values are, where nothing is asked for. `integer` wants whole numbers,
  /// `pattern` drops the values.
  std::optional<MatrixMarketField> field = {};
  /// Other than general: only the lower triangle is written, after a check that the rest mirrors
  /// it.
  MatrixMarketSymmetry symmetry = MatrixMarketSymmetry::general;
  /// Lines that follow the first, without the percent sign.
  std::string comment = {};
};

namespace impl::matrix_market
{

// What the compiled reader and writer are instantiated for.
template <class T>
concept FileValue = std::same_as<T, float> || std::same_as<T, double> ||
    std::same_as<T, Kokkos::complex<float>> || std::same_as<T, Kokkos::complex<double>>;
template <class T>
concept FileOrdinal = std::same_as<T, std::int32_t> || std::same_as<T, std::int64_t>;
template <class T>
concept FileLayout = std::same_as<T, Kokkos::LayoutLeft> || std::same_as<T, Kokkos::LayoutRight>;

template <class Value, class Ordinal>
using HostCoo = CooMatrix<Value, Ordinal, std::size_t, Kokkos::HostSpace>;

template <class Value, class Ordinal>
using HostCsr = CsrMatrix<Value, Ordinal, std::int64_t, Kokkos::HostSpace>;

template <class Value, class Layout>
using HostDense = Kokkos::View<Value**, Layout, Kokkos::HostSpace>;

template <class Value, class Ordinal>
HostCoo<Value, Ordinal> read_entries(std::string const& path,
                                     MatrixMarketReadOptions const& options);
template <class Value, class Layout>
HostDense<Value, Layout> read_dense(std::string const& path,
                                    MatrixMarketReadOptions const& options);
template <class Value, class Ordinal>
void write_entries(std::string const& path, HostCoo<Value const, Ordinal> const& a,
                   MatrixMarketWriteOptions const& options);
template <class Value, class Ordinal>
void write_rows(std::string const& path, HostCsr<Value const, Ordinal> const& a,
                MatrixMarketWriteOptions const& options);
template <class Value>
void write_dense(std::string const& path, HostDense<Value const, Kokkos::LayoutStride> const& a,
                 MatrixMarketWriteOptions const& options);

template <class T>
constexpr void check_types()
{
  static_assert(std::same_as<typename T::memory_space, Kokkos::HostSpace>,
                "heddle: Matrix Market files are read into and written from Kokkos::HostSpace; "
                "copy_to moves a matrix between memory spaces");
  static_assert(FileValue<std::remove_const_t<typename T::value_type>>,
                "heddle: the values of a Matrix Market file are float, double or Kokkos::complex "
                "of these");
}

template <class Matrix>
constexpr void check_sparse_types()
{
  check_types<Matrix>();
  static_assert(FileOrdinal<typename Matrix::ordinal_type>,
                "heddle: the ordinals of a Matrix Market file are std::int32_t or std::int64_t");
}

} // namespace impl::matrix_market

/// Reads the first lines only, whatever follows them, and inflates no more than about twice what
/// they take or 64 KiB. Throws like read_matrix_market.
MatrixMarketHeader read_matrix_market_header(std::string const& path,
                                             MatrixMarketReadOptions const& options = {});

/// Reads a file, plain or gzip, into a COO matrix in HostSpace.
///
/// Entries stand as in the file; then, if it is symmetric, skew-symmetric or hermitian, the mirror
/// images of those off the diagonal in the same order. Entries of a pattern are 1, zeros of an
/// array are left out, those of a coordinate file and duplicates are kept. Blocking, on all threads
/// of Kokkos::DefaultHostExecutionSpace; the result does not depend on their number. Throws
/// FileError if the file cannot be read, ParseError with the line if it is malformed, complex for a
/// real matrix, has a number too large for the ordinal or value type, or is more than the options
/// allow.
template <Coo Matrix>
Matrix read_matrix_market(std::string const& path, MatrixMarketReadOptions const& options = {})
try
{
  impl::matrix_market::check_sparse_types<Matrix>();
  using Value = typename Matrix::value_type;
  using Ordinal = typename Matrix::ordinal_type;
  auto const a = impl::matrix_market::read_entries<Value, Ordinal>(path, options);
  return typename Matrix::non_const_type(a.num_rows(), a.num_cols(), a.rows(), a.columns(),
                                         a.values());
}
catch (...)
{
  impl::rethrow_out_of_memory("read_matrix_market");
}

/// The same into a dense matrix: a View of LayoutLeft or LayoutRight in HostSpace. Duplicates of a
/// coordinate file are added. Throws OutOfMemory too.
template <DenseMatrix Matrix>
Matrix read_dense_matrix_market(std::string const& path,
                                MatrixMarketReadOptions const& options = {})
try
{
  impl::matrix_market::check_types<Matrix>();
  using Layout = typename Matrix::array_layout;
  static_assert(impl::matrix_market::FileLayout<Layout>,
                "heddle::read_dense_matrix_market: the layout is LayoutLeft or LayoutRight");
  return impl::matrix_market::read_dense<typename Matrix::non_const_value_type, Layout>(path,
                                                                                        options);
}
catch (...)
{
  impl::rethrow_out_of_memory("read_dense_matrix_market");
}

/// Writes a coordinate file, compressed if the path ends in ".gz". Numbers are the shortest that
/// read back as the same value.
///
/// The file is complete or not there: it is written under another name beside the path, then
/// renamed. Blocking. Throws FileError if it cannot be written, InvalidArgument if the options do
/// not fit together or to A: an entry outside A, values that `integer` cannot hold, a mirror image
/// that is missing or differs (duplicates are added before they are compared). Of a skew-symmetric
/// matrix the diagonal, which is zero, is not written.
template <Coo Matrix>
void write_matrix_market(std::string const& path, Matrix const& a,
                         MatrixMarketWriteOptions const& options = {})
try
{
  impl::matrix_market::check_sparse_types<Matrix>();
  using Value = typename Matrix::value_type;
  using Ordinal = typename Matrix::ordinal_type;
  impl::matrix_market::HostCoo<Value const, Ordinal> const entries(
      a.num_rows(), a.num_cols(), a.rows(), a.columns(), a.values());
  impl::matrix_market::write_entries<Value, Ordinal>(path, entries, options);
}
catch (...)
{
  impl::rethrow_out_of_memory("write_matrix_market");
}

/// The same for a CSR matrix, row after row. Throws InvalidArgument too where validate finds a
/// defect in A.
template <Csr Matrix>
void write_matrix_market(std::string const& path, Matrix const& a,
                         MatrixMarketWriteOptions const& options = {})
try
{
  impl::matrix_market::check_sparse_types<Matrix>();
  using Value = typename Matrix::value_type;
  using Ordinal = typename Matrix::ordinal_type;
  impl::matrix_market::HostCsr<Value const, Ordinal> const same(
      a.num_rows(), a.num_cols(), impl::converted<std::int64_t const>(a.row_offsets()), a.columns(),
      a.values());
  impl::matrix_market::write_rows<Value, Ordinal>(path, same, options);
}
catch (...)
{
  impl::rethrow_out_of_memory("write_matrix_market");
}

/// Writes a View of rank 2 and any layout in HostSpace as an array file; otherwise the same.
template <DenseMatrix Matrix>
void write_matrix_market(std::string const& path, Matrix const& a,
                         MatrixMarketWriteOptions const& options = {})
try
{
  impl::matrix_market::check_types<Matrix>();
  impl::matrix_market::write_dense<typename Matrix::non_const_value_type>(path, a, options);
}
catch (...)
{
  impl::rethrow_out_of_memory("write_matrix_market");
}

} // namespace heddle
