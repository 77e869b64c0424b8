// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Any bytes as a Matrix Market file, read in pieces of 48 bytes and in one: it is refused with the
// same words, or gives the same matrix, which is valid, survives being written and read bit by bit,
// and agrees with its header, with other types and with its dense form.

#include <heddle/validate_coo.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <fuzz/matrix_market_support.hpp>

namespace heddle::fuzz
{

namespace
{

using Float = test::HostCooMatrix<float>;
using Value = Kokkos::complex<double>;
using Dense = Kokkos::View<Value**, Kokkos::LayoutLeft, Kokkos::HostSpace>;

bool is_equal(Value const& a, Value const& b)
{
  auto const is_equal_real = [](double x, double y) { return x == y || is_same_real(x, y); };
  return is_equal_real(a.real(), b.real()) && is_equal_real(a.imag(), b.imag());
}

bool is_same_dense(Dense const& a, Dense const& b, bool (*is_alike)(Value const&, Value const&))
{
  for (std::size_t i = 0; i < a.extent(0); ++i)
    for (std::size_t j = 0; j < a.extent(1); ++j)
      if (!is_alike(a(i, j), b(i, j)))
        return false;
  return a.extent(0) == b.extent(0) && a.extent(1) == b.extent(1);
}

void check_types(Outcome<Complex> const& complex, Outcome<Real> const& real,
                 Outcome<Float> const& single)
{
  if (real)
  {
    check(bool(complex), "what is a real matrix is a complex one");
    check(real.value->nnz() == complex.value->nnz(), "it has as many entries");
    for (std::size_t k = 0; k < real.value->nnz(); ++k)
    {
      auto const value = complex.value->values()(k); // a mirror image may have -0 i
      check(is_same(real.value->values()(k), value.real()) && value.imag() == 0,
            "its values are the real parts");
    }
  }
  else if (complex)
    check(real.problem.find("the value type is real") != std::string::npos ||
              real.problem.find("32-bit ordinal type") != std::string::npos,
          "a complex matrix that is no real one is complex, or too large");
  if (real && !single)
    check(single.problem.find("32-bit floating-point") != std::string::npos,
          "float takes what double does but for large values");
  check(!single || bool(real), "double takes what float does");
}

template <class Matrix>
void check_round_trip(Matrix const& a, MatrixMarketSymmetry symmetry)
{
  auto const path = files().folder.path("a.mtx");
  write_matrix_market(path, a, {.symmetry = symmetry});
  auto const b = read_sparse<Matrix>(path);
  check(b && is_same_matrix(a, *b), "what is written is read back bit by bit");
}

void check_dense(std::string const& path, Complex const& a, MatrixMarketSymmetry symmetry)
{
  auto const dense = read_dense_matrix_market<Dense>(path);
  check(static_cast<std::int64_t>(dense.extent(0)) == a.num_rows() &&
            static_cast<std::int64_t>(dense.extent(1)) == a.num_cols(),
        "the dense matrix has the size of the sparse one");
  Dense const sum("heddle::fuzz::sum", dense.extent(0), dense.extent(1));
  for (std::size_t k = 0; k < a.nnz(); ++k)
    sum(a.rows()(k), a.columns()(k)) += a.values()(k);
  check(is_same_dense(dense, sum, is_equal), "the dense matrix has the sums of the entries");
  auto const written = files().folder.path("dense.mtx");
  write_matrix_market(written, dense);
  check(is_same_dense(dense, read_dense_matrix_market<Dense>(written), is_same<Value>),
        "a dense matrix is read back bit by bit");
  write_matrix_market(written, dense, {.symmetry = symmetry});
  check(is_same_dense(dense, read_dense_matrix_market<Dense>(written), is_equal),
        "and but for signs of zeros where only its triangle was written");
}

bool is_small(MatrixMarketHeader const& header)
{
  constexpr std::int64_t most = 2048; // values, and rows where there are no columns
  return header.rows == 0 || (header.rows <= most && header.cols <= most / header.rows);
}

void test_text(std::string_view text)
{
  impl::matrix_market::piece_bytes = 48;
  auto const& path = files().input.hold(text);
  auto const header = read_header(path);
  auto const complex = read_sparse<Complex>(path);
  auto const real = read_sparse<Real>(path);
  check_header(header, complex);
  check_types(complex, real, read_sparse<Float>(path));
  impl::matrix_market::piece_bytes = 262144;
  check(is_same_outcome(complex, read_sparse<Complex>(path)), "pieces change nothing");
  if (!complex)
    return;
  auto const defect = validate(Kokkos::Serial{}, *complex);
  check(!defect, "the matrix is valid");
  check_round_trip(*complex, MatrixMarketSymmetry::general);
  check_round_trip(*complex, header.value->symmetry);
  if (real)
    check_round_trip(*real, MatrixMarketSymmetry::general);
  if (is_small(*header))
    check_dense(path, *complex, header.value->symmetry);
}

} // namespace

} // namespace heddle::fuzz

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size)
{
  heddle::fuzz::test_text({reinterpret_cast<char const*>(data), size});
  return 0;
}
