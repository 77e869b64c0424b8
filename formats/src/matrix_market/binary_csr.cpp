// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/binary_csr.hpp>
#include <heddle/error.hpp>
#include <heddle/impl/out_of_memory.hpp>
#include <heddle/impl/output_file.hpp>
#include <heddle/impl/range.hpp>
#include <heddle/impl/require.hpp>
#include <heddle/impl/views.hpp>
#include <heddle/validate_csr.hpp>
#include <matrix_market/file_bytes.hpp>
#include <matrix_market/parallel.hpp>
#include <matrix_market/to_text.hpp>

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

// A file is "CSRB1\n", rows, cols and nnz as int64, then row offsets and columns as int32 and
// values as float64, all little-endian. Nothing is aligned: arrays are copied as bytes.
namespace heddle::impl::binary_csr
{

static_assert(std::endian::native == std::endian::little, "CSRB1 files are little-endian");

namespace
{

using matrix_market::FileBytes;
using matrix_market::HostExec;

constexpr std::string_view magic = "CSRB1\n";
constexpr std::int64_t header_bytes = 30;
constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();

template <class T>
using HostArray = Kokkos::View<T*, Kokkos::HostSpace>;

// What is wrong with the row offsets, as a sentence; empty if all is well.
template <class Offset>
std::string defect(HostArray<Offset const> const& offsets, std::int64_t nnz)
{
  auto const found = offsets_defect(HostExec{}, csr_names, offsets, nnz, SameLine{});
  return found ? found->what : std::string();
}

// The first entry of a row whose column is out of range or not above the one before, or the end.
template <class Offset, class Ordinal>
Offset first_bad_column(HostArray<Offset const> const& offsets,
                        HostArray<Ordinal const> const& columns, Ordinal cols, std::int64_t row)
{
  Offset k = offsets(row);
  for (Ordinal before = -1; k < offsets(row + 1); before = columns(k++))
    if (columns(k) <= before || columns(k) >= cols)
      break;
  return k;
}

// The same for the columns, where the row offsets are good; validate does not want them to ascend.
template <class Offset, class Ordinal>
std::string defect(HostArray<Offset const> const& offsets, HostArray<Ordinal const> const& columns,
                   Ordinal cols)
{
  using std::to_string;
  auto const rows = static_cast<std::int64_t>(offsets.extent(0)) - 1;
  auto const is_bad = [=](std::int64_t row) {
    return first_bad_column(offsets, columns, cols, row) < offsets(row + 1);
  };
  std::int64_t bad = 0;
  Kokkos::parallel_reduce(
      "heddle::binary_csr::check_columns", range(HostExec{}, rows),
      [=](std::int64_t row, std::int64_t& sum) { sum += is_bad(row) ? 1 : 0; }, bad);
  if (bad == 0)
    return {};
  std::int64_t row = 0;
  while (!is_bad(row))
    ++row;
  Offset const k = first_bad_column(offsets, columns, cols, row);
  std::string const place = " at position " + to_string(k) + " of row " + to_string(row);
  if (columns(k) < 0 || columns(k) >= cols)
    return "column " + to_string(columns(k)) + place + " is not in 0 .. " + to_string(cols - 1);
  return "column " + to_string(columns(k)) + place + " follows column " +
         to_string(columns(k - 1)) + ", they must ascend";
}

// The header of a file, checked against its size, so that nothing absurd is allocated.
struct Sizes
{
  std::int64_t rows, cols, nnz;

  std::int64_t columns_at() const { return header_bytes + 4 * (rows + 1); }
  std::int64_t values_at() const { return columns_at() + 4 * nnz; }
  std::int64_t bytes() const { return values_at() + 8 * nnz; }
};

Sizes parse_header(FileBytes const& file, std::string const& path)
{
  using std::to_string;
  auto const check = [&](bool ok, std::string const& problem) {
    if (!ok)
      throw ParseError(path, 0, problem);
  };
  auto const size = static_cast<std::int64_t>(file.size());
  check(std::string_view(file.begin(), file.size()).starts_with(magic),
        "the file does not begin with CSRB1 and a line end");
  check(size >= header_bytes,
        "the file has " + to_string(size) + " bytes, its header takes " + to_string(header_bytes));
  Sizes sizes{};
  std::memcpy(&sizes, file.begin() + magic.size(), sizeof sizes);
  for (auto const& [n, what] : {std::pair{sizes.rows, "rows"}, std::pair{sizes.cols, "columns"},
                                std::pair{sizes.nnz, "entries"}})
    check(n >= 0 && n <= most, "the number of " + std::string(what) + " is " + to_string(n) +
                                   ", not in 0 .. " + to_string(most));
  check(size == sizes.bytes(), "the file has " + to_string(size) + " bytes, a matrix of " +
                                   to_string(sizes.rows) + " x " + to_string(sizes.cols) +
                                   " with " + to_string(sizes.nnz) + " entries takes " +
                                   to_string(sizes.bytes()));
  return sizes;
}

// Numbers first .. last - 1, which stand in a file as From.
template <class From, class To>
void copy_numbers(char const* from, std::int64_t first, std::int64_t last, To* to)
{
  for (std::int64_t k = first; k < last; ++k)
  {
    From number;
    std::memcpy(&number, from + k * static_cast<std::int64_t>(sizeof number), sizeof number);
    to[k] = static_cast<To>(number);
  }
}

template <class From, class To>
HostArray<To> load(char const* label, char const* from, std::int64_t n)
{
  constexpr std::int64_t step = 65536;
  auto array = uninitialized<HostArray<To>>(HostExec{}, label, static_cast<std::size_t>(n));
  To* const to = array.data();
  matrix_market::for_each_piece(label, (n + step - 1) / step, [=](std::int64_t piece) {
    copy_numbers<From>(from, piece * step, std::min(n, (piece + 1) * step), to);
  });
  return array;
}

// A finite value of the file must not have become infinite.
void check_values(std::string const& path, HostArray<float> const& values, char const* from)
{
  for (std::size_t k = 0; k < values.extent(0); ++k)
  {
    if (!std::isinf(values(k))) [[likely]]
      continue;
    double value = 0;
    std::memcpy(&value, from + k * sizeof value, sizeof value);
    if (!std::isinf(value))
      throw ParseError(path, 0,
                       "the value " + matrix_market::to_text(value) + " at position " +
                           std::to_string(k) + " does not fit into a 32-bit floating-point number");
  }
}

// Writes an array as numbers of another type, a block at a time.
template <class To, class View>
void store(OutputFile& file, View const& values)
{
  constexpr std::size_t step = 65536;
  std::vector<To> block;
  for (std::size_t first = 0; first < values.extent(0); first += step)
  {
    std::size_t const count = std::min(step, values.extent(0) - first);
    block.assign(values.data() + first, values.data() + first + count);
    file.write({reinterpret_cast<char const*>(block.data()), count * sizeof(To)});
  }
}

} // namespace

template <class Value>
HostCsr<Value, std::int32_t, std::int32_t> read(std::string const& path)
{
  Kokkos::Profiling::ScopedRegion const region("heddle::read_binary_csr");
  FileBytes const file(path);
  Sizes const sizes = parse_header(file, path);
  auto const fail_if = [&](std::string const& problem) {
    if (!problem.empty())
      throw ParseError(path, 0, problem);
  };
  HostArray<std::int32_t const> const offsets = load<std::int32_t, std::int32_t>(
      "heddle::read_binary_csr::row_offsets", file.begin() + header_bytes, sizes.rows + 1);
  fail_if(defect(offsets, sizes.nnz));
  auto const columns = load<std::int32_t, std::int32_t>(
      "heddle::read_binary_csr::columns", file.begin() + sizes.columns_at(), sizes.nnz);
  fail_if(defect<std::int32_t, std::int32_t>(offsets, columns, static_cast<int>(sizes.cols)));
  auto const values = load<double, Value>("heddle::read_binary_csr::values",
                                          file.begin() + sizes.values_at(), sizes.nnz);
  if constexpr (std::is_same_v<Value, float>)
    check_values(path, values, file.begin() + sizes.values_at());
  return {static_cast<std::int32_t>(sizes.rows), static_cast<std::int32_t>(sizes.cols), offsets,
          columns, values};
}

template <class Value, class Ordinal>
void write(std::string const& path, HostCsr<Value const, Ordinal, std::int64_t> const& a)
{
  Kokkos::Profiling::ScopedRegion const region("heddle::write_binary_csr");
  Sizes const sizes{a.num_rows(), a.num_cols(), static_cast<std::int64_t>(a.nnz())};
  require(std::max({sizes.rows, sizes.cols, sizes.nnz}) <= most, "write_binary_csr", "A is ",
          sizes.rows, " x ", sizes.cols, " with ", sizes.nnz,
          " entries, a CSRB1 file can count to ", most);
  std::string problem = defect(a.row_offsets(), sizes.nnz);
  if (problem.empty())
    problem = defect<std::int64_t, Ordinal>(a.row_offsets(), a.columns(), a.num_cols());
  require(problem.empty(), "write_binary_csr", "of A, ", problem);

  OutputFile file(path);
  file.write(magic);
  file.write({reinterpret_cast<char const*>(&sizes), sizeof sizes});
  store<std::int32_t>(file, a.row_offsets());
  store<std::int32_t>(file, a.columns());
  store<double>(file, a.values());
  file.commit();
}

template HostCsr<float, std::int32_t, std::int32_t> read(std::string const&);
template HostCsr<double, std::int32_t, std::int32_t> read(std::string const&);
template void write(std::string const&, HostCsr<float const, std::int32_t, std::int64_t> const&);
template void write(std::string const&, HostCsr<float const, std::int64_t, std::int64_t> const&);
template void write(std::string const&, HostCsr<double const, std::int32_t, std::int64_t> const&);
template void write(std::string const&, HostCsr<double const, std::int64_t, std::int64_t> const&);

} // namespace heddle::impl::binary_csr

namespace heddle
{

BinaryCsrHeader read_binary_csr_header(std::string const& path)
try
{
  impl::matrix_market::FileBytes const file(path);
  auto const sizes = impl::binary_csr::parse_header(file, path);
  return {sizes.rows, sizes.cols, sizes.nnz};
}
catch (...)
{
  impl::rethrow_out_of_memory("read_binary_csr_header");
}

} // namespace heddle
