// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Any bytes as a CSRB1 file: it is refused with the same words for all types, or gives a valid
// matrix that is written as the same bytes. Bytes that begin with '@' are the numbers of a file
// whose size is right, since few others would get past the header.

#include <heddle/binary_csr.hpp>
#include <heddle/error.hpp>
#include <heddle/validate_csr.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <fuzz/support.hpp>

namespace heddle::fuzz
{

namespace
{

template <class Value, class Ordinal, class Offset>
using Matrix = CsrMatrix<Value, Ordinal, Offset, Kokkos::HostSpace>;

// Takes numbers off the front of the input; zeros behind its end.
class Numbers
{
public:
  explicit Numbers(std::string_view bytes)
      : m_bytes(bytes)
  {}
  std::int64_t below(std::int64_t n) { return static_cast<std::uint8_t>(next()) % n; }
  std::int32_t small() { return static_cast<signed char>(next()); }
  std::string eight_bytes()
  {
    std::string bytes(8, '\0');
    for (char& byte : bytes)
      byte = next();
    return bytes;
  }

private:
  char next()
  {
    if (m_bytes.empty())
      return 0;
    char const byte = m_bytes.front();
    m_bytes.remove_prefix(1);
    return byte;
  }
  std::string_view m_bytes;
};

template <class T>
void append(std::string& bytes, T number)
{
  bytes.append(reinterpret_cast<char const*>(&number), sizeof number);
}

std::string file_of_right_size(Numbers numbers)
{
  std::int64_t const rows = numbers.below(17), cols = numbers.below(17), nnz = numbers.below(33);
  std::string bytes = "CSRB1\n";
  for (std::int64_t const size : {rows, cols, nnz})
    append(bytes, size);
  for (std::int64_t i = 0; i < rows + 1 + nnz; ++i) // row offsets, then columns
    append(bytes, numbers.small());
  for (std::int64_t k = 0; k < nnz; ++k)
    bytes += numbers.eight_bytes();
  return bytes;
}

// The words of the ParseError, if there is one.
template <class Csr>
std::string read(std::string const& path, std::optional<Csr>& a)
{
  try
  {
    a = read_binary_csr<Csr>(path);
  }
  catch (ParseError const& error)
  {
    return error.what();
  }
  check(!validate(Kokkos::Serial{}, *a), "the matrix is valid");
  return {};
}

void check_float(std::string const& path, std::string const& problem)
{
  std::optional<Matrix<float, int, std::int64_t>> a, b;
  std::string const float_problem = read(path, a);
  if (!a)
  {
    check(float_problem == problem ||
              (problem.empty() && float_problem.find("32-bit floating") != std::string::npos),
          "float takes what double does but for large values");
    return;
  }
  check(problem.empty(), "double takes what float does");
  auto const written = files().folder.path("float.bin");
  write_binary_csr(written, *a);
  read(written, b);
  check(b && a->nnz() == b->nnz(), "what is written is read back");
  for (std::size_t k = 0; k < a->nnz(); ++k)
    check(is_same(a->values()(k), b->values()(k)), "floats are read back bit by bit");
}

void test_file(std::string_view bytes)
{
  auto const& path = files().input.hold(bytes);
  std::optional<Matrix<double, int, int>> a;
  std::optional<Matrix<double, std::int64_t, std::size_t>> wide;
  std::string const problem = read(path, a);
  check(read(path, wide) == problem, "index types change nothing");
  check_float(path, problem);
  if (!a)
    return;
  auto const written = files().folder.path("a.bin");
  write_binary_csr(written, *a);
  check(test::bytes_of(written) == bytes, "what is written is what was read");
  write_binary_csr(written, *wide);
  check(test::bytes_of(written) == bytes, "and with wide indices");
}

} // namespace

} // namespace heddle::fuzz

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size)
{
  using namespace heddle::fuzz;
  std::string_view const bytes(reinterpret_cast<char const*>(data), size);
  if (bytes.starts_with('@'))
    test_file(file_of_right_size(Numbers(bytes.substr(1))));
  else
    test_file(bytes);
  return 0;
}
