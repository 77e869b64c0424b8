// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/csr_matrix.hpp>
#include <heddle/impl/converted.hpp>
#include <heddle/impl/out_of_memory.hpp>

#include <Kokkos_Core.hpp>

#include <concepts>
#include <cstdint>
#include <string>
#include <type_traits>

namespace heddle
{

namespace impl::binary_csr
{

template <class Value, class Ordinal, class Offset>
using HostCsr = CsrMatrix<Value, Ordinal, Offset, Kokkos::HostSpace>;

// Compiled for float and double; written from std::int32_t and std::int64_t.
template <class Value>
HostCsr<Value, std::int32_t, std::int32_t> read(std::string const& path);
template <class Value, class Ordinal>
void write(std::string const& path, HostCsr<Value const, Ordinal, std::int64_t> const& a);

template <class Matrix>
constexpr void check_types()
{
  static_assert(std::same_as<typename Matrix::memory_space, Kokkos::HostSpace>,
                "heddle: CSRB1 files are read into and written from Kokkos::HostSpace; copy_to "
                "moves a matrix between memory spaces");
  static_assert(std::floating_point<typename Matrix::value_type> &&
                    sizeof(typename Matrix::value_type) <= sizeof(double),
                "heddle: the values of a CSRB1 file are float or double");
  static_assert(std::same_as<typename Matrix::ordinal_type, std::int32_t> ||
                    std::same_as<typename Matrix::ordinal_type, std::int64_t>,
                "heddle: the ordinals of a CSRB1 file are std::int32_t or std::int64_t");
  static_assert(sizeof(typename Matrix::offset_type) >= sizeof(std::int32_t),
                "heddle: the offsets of a CSRB1 file have at least 32 bits");
}

} // namespace impl::binary_csr

/// What the header of a CSRB1 file says.
struct BinaryCsrHeader
{
  std::int64_t rows = 0, cols = 0, entries = 0;

  bool operator==(BinaryCsrHeader const&) const = default;
};

/// Reads the header alone and checks it against the size of the file. Throws FileError and
/// ParseError as read_binary_csr.
BinaryCsrHeader read_binary_csr_header(std::string const& path);

/// Reads a CSRB1 file (docs/matrix_market.md) into a CSR matrix in HostSpace and checks all of it:
/// row offsets that start at 0, never fall and end at nnz, columns in range and ascending.
/// Blocking, on all threads of Kokkos::DefaultHostExecutionSpace. Throws FileError if the file
/// cannot be read, ParseError if it is malformed or a value too large for float.
template <Csr Matrix>
Matrix read_binary_csr(std::string const& path)
try
{
  impl::binary_csr::check_types<Matrix>();
  using Ordinal = typename Matrix::ordinal_type;
  using Offset = typename Matrix::offset_type;
  auto const a = impl::binary_csr::read<typename Matrix::value_type>(path);
  return typename Matrix::non_const_type(a.num_rows(), a.num_cols(),
                                         impl::converted<Offset const>(a.row_offsets()),
                                         impl::converted<Ordinal>(a.columns()), a.values());
}
catch (...)
{
  impl::rethrow_out_of_memory("read_binary_csr");
}

/// Writes a CSRB1 file. It is complete or not there: it is written under another name beside the
/// path, then renamed. Blocking. Throws FileError if it cannot be written, InvalidArgument if A has
/// more rows, columns or entries than 32 bits can count, or is none that read_binary_csr would take
/// (sort_rows sorts the columns).
template <Csr Matrix>
void write_binary_csr(std::string const& path, Matrix const& a)
try
{
  impl::binary_csr::check_types<Matrix>();
  using Value = typename Matrix::value_type;
  using Ordinal = typename Matrix::ordinal_type;
  auto offsets = impl::converted<std::int64_t const>(a.row_offsets());
  if (offsets.extent(0) == 0) // the default-constructed matrix
    offsets = Kokkos::View<std::int64_t*, Kokkos::HostSpace>("heddle::write_binary_csr", 1);
  impl::binary_csr::HostCsr<Value const, Ordinal, std::int64_t> const same(
      a.num_rows(), a.num_cols(), offsets, a.columns(), a.values());
  impl::binary_csr::write<Value, Ordinal>(path, same);
}
catch (...)
{
  impl::rethrow_out_of_memory("write_binary_csr");
}

} // namespace heddle
