// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Calls of Kokkos Kernels and the same calls of heddle::interop, side by side: both must be within
// the error bound of the oracle. The one test that compiles kernels of Kokkos Kernels, which is
// slow (25 s, and 70 with sanitizers, where it is left out): each in one type, vectors in a complex
// one, whose modes are four.

#include <catch2/catch_test_macros.hpp>

#if defined(HEDDLE_TEST_KOKKOSKERNELS) && !defined(HEDDLE_TEST_FEW_TYPES)

#include <heddle/interop.hpp>
#include <heddle/transpose.hpp>
#include <support/dense.hpp>
#include <support/matrices.hpp>
#include <support/messages.hpp>
#include <support/reference.hpp>
#include <support/structures.hpp>
#include <support/types.hpp>

#include <KokkosSparse_CrsMatrix.hpp>
#include <KokkosSparse_spadd.hpp>
#include <KokkosSparse_spgemm.hpp>
#include <KokkosSparse_spgemm_jacobi.hpp>
#include <KokkosSparse_spmv.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace heddle::test
{

namespace
{

template <class Value, class Offset>
using Theirs = KokkosSparse::CrsMatrix<Value, int, Device::device_type, void, Offset>;
template <class Value>
using Columns = Kokkos::View<Value**, Kokkos::LayoutLeft, Device::device_type>;
using Double = Case<Device, double, int, std::size_t>;
using Matrix = Theirs<double, std::size_t>;

template <class C>
auto their_matrix(Structure const& s)
{
  return kokkos_sparse_view<Theirs<typename C::value, typename C::offset>>(make_csr<C>(s));
}

std::vector<std::pair<char const*, Op>> const& modes()
{
  static std::vector<std::pair<char const*, Op>> const all = {
      {KokkosSparse::NoTranspose, Op::none},
      {KokkosSparse::Transpose, Op::transpose},
      {KokkosSparse::Conjugate, Op::conjugate},
      {KokkosSparse::ConjugateTranspose, Op::conjugate_transpose}};
  return all;
}

// multiply(mode, a, b, c) for every mode: C must be what the oracle says.
template <class C, class Multiply>
void check_modes(char const* caller, std::int64_t k, Multiply const& multiply)
{
  using Value = typename C::value;
  for (char const* const name : {"banded", "unsorted", "empty rows", "wide", "0 x 7"})
    for (auto const& [mode, op] : modes())
    {
      Structure const& s = structure(name);
      INFO(caller << ": " << name << ", mode " << mode);
      auto const a = their_matrix<C>(s);
      Columns<Value> const b("b", is_transposed(op) ? s.rows : s.cols, k);
      Columns<Value> const c("c", is_transposed(op) ? s.cols : s.rows, k);
      fill_input(b);
      fill_output(c, false);
      multiply(mode, a, b, c);
      Kokkos::fence();
      auto const expected = reference_multiply<Value, Value>(s, op, Value(1.5), k, Value(-0.5));
      CHECK(first_difference_in(expected, c) == "");
    }
}

template <class View>
auto column(View const& view)
{
  return Kokkos::View<typename View::value_type*, Device::device_type>(
      Kokkos::subview(view, Kokkos::ALL, 0));
}

using Entries = std::map<std::pair<std::int64_t, std::int64_t>, double>;

// Entries by row and column, of which there is at most one a place.
Entries entries_of(Matrix const& a)
{
  auto const host = to_host(csr_view(a));
  Entries entries;
  for (std::int64_t i = 0; i < host.rows; ++i)
    for (std::int64_t k = host.offsets[i]; k < host.offsets[i + 1]; ++k)
      entries.emplace(std::pair(i, host.columns[k]), host.values[k]);
  REQUIRE(entries.size() == host.values.size());
  return entries;
}

// Sums of the same products, of values up to 1, in whatever order.
void check_same_product(Matrix const& ours, Matrix const& theirs, std::int64_t terms)
{
  CHECK(ours.numRows() == theirs.numRows());
  CHECK(ours.numCols() == theirs.numCols());
  double const bound = 2 * error_bound<double>(terms, static_cast<double>(terms));
  bool const is_same = std::ranges::equal(
      entries_of(ours), entries_of(theirs), [&](auto const& one, auto const& other) {
        return one.first == other.first && std::abs(one.second - other.second) <= bound;
      });
  CHECK(is_same);
}

} // namespace

} // namespace heddle::test

using namespace heddle::test;

TEST_CASE("interop::spmv is called like KokkosSparse::spmv and gives the same", "[interop]")
{
  using C = Case<Device, Complex128, int, std::size_t>;
  Complex128 const alpha(1.5), beta(-0.5);
  check_modes<C>("KokkosSparse::spmv", 1, [&](auto mode, auto const& a, auto b, auto c) {
    KokkosSparse::spmv(Device{}, mode, alpha, a, column(b), beta, column(c));
  });
  check_modes<C>("interop::spmv", 1, [&](auto mode, auto const& a, auto b, auto c) {
    heddle::interop::spmv(Device{}, mode, alpha, a, column(b), beta, column(c));
  });
  check_modes<C>("interop::spmv on the default instance", 1,
                 [&](auto mode, auto const& a, auto b, auto c) {
                   heddle::interop::spmv(mode, alpha, a, column(b), beta, column(c));
                 });
}

TEST_CASE("interop::spmv and spmm take several columns", "[interop]")
{
  check_modes<Double>("KokkosSparse::spmv", 5, [](auto mode, auto const& a, auto b, auto c) {
    KokkosSparse::spmv(mode, 1.5, a, b, -0.5, c);
  });
  check_modes<Double>("interop::spmv", 5, [](auto mode, auto const& a, auto b, auto c) {
    heddle::interop::spmv(mode, 1.5, a, b, -0.5, c);
  });
  check_modes<Double>("interop::spmm", 5, [](auto mode, auto const& a, auto b, auto c) {
    heddle::interop::spmm(mode, 1.5, a, b, -0.5, c);
  });
}

TEST_CASE("interop: a plan stands where the handle stood", "[interop]")
{
  check_modes<Double>("a vector", 1, [](auto mode, auto const& a, auto b, auto c) {
    heddle::SpmvPlan const plan(Device{}, heddle::csr_view(a));
    heddle::interop::spmv(Device{}, plan, mode, 1.5, a, column(b), -0.5, column(c));
  });
  check_modes<Double>("columns", 5, [](auto mode, auto const& a, auto b, auto c) {
    heddle::SpmmPlan const plan(Device{}, heddle::csr_view(a));
    heddle::interop::spmv(Device{}, plan, mode, 1.5, a, b, -0.5, c);
  });
  check_modes<Double>("spmm", 5, [](auto mode, auto const& a, auto b, auto c) {
    heddle::SpmmPlan const plan(Device{}, heddle::csr_view(a));
    heddle::interop::spmm(Device{}, plan, mode, 1.5, a, b, -0.5, c);
  });
}

TEST_CASE("interop::spgemm gives what KokkosSparse::spgemm gives", "[interop]")
{
  for (char const* const name : {"banded", "tall", "0 x 7", "unsorted"})
  {
    INFO(name);
    Structure const& s = structure(name);
    auto const a = their_matrix<Double>(s);
    auto const b = their_matrix<Double>(name == std::string("banded") ? s : transposed(s));
    auto const theirs = KokkosSparse::spgemm<Matrix>(a, false, b, false);
    check_same_product(heddle::interop::spgemm<Matrix>(a, false, b, false), theirs, s.cols);

    // What Kokkos Kernels refuses.
    auto const b_transposed =
        heddle::kokkos_sparse_view<Matrix>(heddle::transpose(Device{}, heddle::csr_view(b)));
    check_same_product(heddle::interop::spgemm<Matrix>(b, true, b, false),
                       KokkosSparse::spgemm<Matrix>(b_transposed, false, b, false), b.numRows());

    // Symbolic and numeric phases apart, the second with new values.
    heddle::SpgemmPlan const plan(Device{}, heddle::csr_view(a), heddle::csr_view(b));
    auto const c = heddle::interop::spgemm_symbolic<Matrix>(Device{}, plan);
    heddle::interop::spgemm_numeric(Device{}, plan, a, false, b, false, c);
    check_same_product(c, theirs, s.cols);
    Kokkos::deep_copy(a.values, 1.0);
    Kokkos::deep_copy(b.values, 1.0);
    heddle::interop::spgemm_numeric(Device{}, plan, a, false, b, false, c);
    check_same_product(c, KokkosSparse::spgemm<Matrix>(a, false, b, false), s.cols);
  }
}

// Kokkos Kernels' own, for matrices with sorted rows.
Matrix their_jacobi(Matrix const& a, Matrix const& b, double omega, Columns<double> const& dinv)
{
  using Handle =
      KokkosKernels::Experimental::KokkosKernelsHandle<std::size_t, int, double, Device,
                                                       Device::memory_space, Device::memory_space>;
  Handle handle;
  handle.create_spgemm_handle(KokkosSparse::SPGEMM_KK);
  Kokkos::View<std::size_t*, Device::device_type> const row_map("row_map", a.numRows() + 1);
  KokkosSparse::spgemm_symbolic(&handle, a.numRows(), a.numCols(), b.numCols(), a.graph.row_map,
                                a.graph.entries, false, b.graph.row_map, b.graph.entries, false,
                                row_map);
  std::size_t const nnz = handle.get_spgemm_handle()->get_c_nnz();
  Matrix::index_type entries("entries", nnz);
  Matrix::values_type values("values", nnz);
  KokkosSparse::Experimental::spgemm_jacobi(&handle, a.numRows(), a.numCols(), b.numCols(),
                                            a.graph.row_map, a.graph.entries, a.values, false,
                                            b.graph.row_map, b.graph.entries, b.values, false,
                                            row_map, entries, values, omega, dinv);
  handle.destroy_spgemm_handle();
  return Matrix("C", a.numRows(), b.numCols(), nnz, values, row_map, entries);
}

TEST_CASE("interop::spgemm_jacobi gives what KokkosSparse::Experimental::spgemm_jacobi gives",
          "[interop]")
{
  auto const a = their_matrix<Double>(structure("banded"));
  auto const b = their_matrix<Double>(random_structure("prolongator", 257, 60, 2, 3));
  Columns<double> const dinv("dinv", 257, 1), two("dinv", 257, 2);
  fill_input(dinv);
  double const omega = 0.66;
  heddle::JacobiPlan const plan(Device{}, heddle::csr_view(a), heddle::csr_view(b));
  auto const c = heddle::interop::spgemm_symbolic<Matrix>(Device{}, plan);
  heddle::interop::spgemm_jacobi(Device{}, plan, a, false, b, false, c, omega, dinv);
  Kokkos::fence();
  check_same_product(c, their_jacobi(a, b, omega, dinv), 4 * 6);
  Kokkos::deep_copy(c.values, 0.0);
  heddle::interop::spgemm_jacobi(Device{}, plan, a, false, b, false, c, omega, column(dinv));
  Kokkos::fence();
  check_same_product(c, their_jacobi(a, b, omega, dinv), 4 * 6);

  auto const refusal = [&](bool is_a, bool is_b, auto const& d) {
    return message_of<heddle::InvalidArgument>(
        [&] { heddle::interop::spgemm_jacobi(Device{}, plan, a, is_a, b, is_b, c, omega, d); });
  };
  CHECK(refusal(true, false, dinv) ==
        "heddle::interop::spgemm_jacobi: A is to be transposed, which is not done");
  CHECK(refusal(false, true, dinv) ==
        "heddle::interop::spgemm_jacobi: B is to be transposed, which is not done");
  CHECK(refusal(false, false, two) ==
        "heddle::interop::spgemm_jacobi: dinv has 2 columns, expected 1");
}

TEST_CASE("add gives what KokkosSparse::spadd gives", "[interop]")
{
  using Handle =
      KokkosKernels::Experimental::KokkosKernelsHandle<std::size_t, int, double, Device,
                                                       Device::memory_space, Device::memory_space>;
  auto const a = their_matrix<Double>(structure("power law"));
  auto const b = their_matrix<Double>(random_structure("b", 300, 300, 5, 3));
  Handle handle;
  handle.create_spadd_handle(true); // sorted
  Matrix theirs;
  KokkosSparse::spadd_symbolic(&handle, a, b, theirs);
  KokkosSparse::spadd_numeric(&handle, 1.5, a, -0.5, b, theirs);
  handle.destroy_spadd_handle();

  heddle::AddPlan const plan(Device{}, heddle::csr_view(a), heddle::csr_view(b));
  auto const ours = heddle::kokkos_sparse_view<Matrix>(plan.make_result(Device{}));
  heddle::add(Device{}, plan, 1.5, heddle::csr_view(a), -0.5, heddle::csr_view(b),
              heddle::csr_view(ours));
  Kokkos::fence();
  check_same_product(ours, theirs, 2);
}

TEST_CASE("interop refuses what it does not know", "[interop]")
{
  auto const a = their_matrix<Double>(structure("1 x 1"));
  Kokkos::View<double*, Device::device_type> const x("x", 1), y("y", 1), z("z", 2);
  Columns<double> const b("b", 1, 2), c("c", 1, 2);
  std::string const expected = "heddle::interop: mode is \"X\", expected N, T, C or H";
  CHECK(message_of<heddle::InvalidArgument>([&] { heddle::interop::spmv("X", 1, a, x, 0, y); }) ==
        expected);
  CHECK(message_of<heddle::InvalidArgument>([&] { heddle::interop::spmm("X", 1, a, b, 0, c); }) ==
        expected);
  for (char const* const mode : {"", "n", "NT"})
    CHECK(message_of<heddle::InvalidArgument>([&] { heddle::interop::op_of_mode(mode); }) ==
          std::string("heddle::interop: mode is \"") + mode + "\", expected N, T, C or H");
  // Sizes are refused as ever.
  CHECK(message_of<heddle::InvalidArgument>([&] { heddle::interop::spmv("N", 1, a, z, 0, y); }) ==
        "heddle::spmv: x has 2 entries but A has 1 columns");
  heddle::SpgemmPlan const plan(Device{}, heddle::csr_view(a), heddle::csr_view(a),
                                {.op_b = heddle::Op::transpose});
  auto const product = heddle::interop::spgemm_symbolic<Matrix>(Device{}, plan);
  auto const numeric = [&](bool is_a, bool is_b) {
    return message_of<heddle::InvalidArgument>(
        [&] { heddle::interop::spgemm_numeric(Device{}, plan, a, is_a, a, is_b, product); });
  };
  CHECK(numeric(true, true) == "heddle::interop::spgemm_numeric: A is to be transposed, but the "
                               "plan has it as none");
  CHECK(numeric(false, false) == "heddle::interop::spgemm_numeric: B is not to be transposed, but "
                                 "the plan has it as transpose");
}

#else

TEST_CASE("interop", "[interop]") { SKIP("built without Kokkos Kernels, or with few types"); }

#endif
