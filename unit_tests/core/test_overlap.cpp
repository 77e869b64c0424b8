// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/error.hpp>
#include <heddle/impl/overlap.hpp>
#include <support/messages.hpp>

#include <catch2/catch_test_macros.hpp>
#include <Kokkos_Core.hpp>

#include <cstddef>
#include <optional>
#include <random>
#include <set>
#include <string>

using namespace heddle::test;
using heddle::impl::have_common_bytes;
using heddle::impl::memory_blocks;

namespace
{

using Vector = Kokkos::View<float*, Kokkos::LayoutStride, Kokkos::HostSpace>;
using Matrix = Kokkos::View<float**, Kokkos::LayoutStride, Kokkos::HostSpace>;
using RowMajor = Kokkos::View<float**, Kokkos::LayoutRight, Kokkos::HostSpace>;
using ColumnMajor = Kokkos::View<float**, Kokkos::LayoutLeft, Kokkos::HostSpace>;

std::set<float const*> elements(Vector const& x)
{
  std::set<float const*> all;
  for (std::size_t i = 0; i < x.extent(0); ++i)
    all.insert(&x(i));
  return all;
}
std::set<float const*> elements(Matrix const& x)
{
  std::set<float const*> all;
  for (std::size_t i = 0; i < x.extent(0); ++i)
    for (std::size_t j = 0; j < x.extent(1); ++j)
      all.insert(&x(i, j));
  return all;
}

template <class A, class B>
bool has_common_elements(A const& a, B const& b)
{
  auto const of_b = elements(b);
  for (float const* const element : elements(a))
    if (of_b.count(element) > 0)
      return true;
  return false;
}

template <class A, class B>
std::optional<bool> decided(A const& a, B const& b)
{
  auto const of_a = memory_blocks(a), of_b = memory_blocks(b);
  return of_a && of_b ? have_common_bytes(*of_a, *of_b) : std::nullopt;
}

// Views of a small pool, drawn.
class Draw
{
public:
  Vector vector() { return Vector(from(), Kokkos::LayoutStride(number(1, 6), number(0, 7))); }
  // Rows or columns contiguous, at any distance; rarely neither.
  Matrix matrix()
  {
    std::size_t const rows = number(1, 5), cols = number(1, 5);
    std::size_t const inner = number(0, 9) == 0 ? 2 : 1;
    if (number(0, 1) == 0)
      return Matrix(from(), Kokkos::LayoutStride(rows, inner * (cols + number(0, 5)), cols, inner));
    return Matrix(from(), Kokkos::LayoutStride(rows, inner, cols, inner * (rows + number(0, 5))));
  }

private:
  std::size_t number(std::size_t first, std::size_t last)
  {
    return std::uniform_int_distribution<std::size_t>(first, last)(m_random);
  }
  float* from() { return m_pool.data() + number(0, 40); }

  std::mt19937 m_random{20261123};
  Kokkos::View<float*, Kokkos::HostSpace> m_pool{"heddle::test::pool", 200};
};

// Whatever is decided is right; returns whether anything was.
template <class A, class B>
bool is_decided(A const& a, B const& b)
{
  auto const overlap = decided(a, b);
  if (overlap)
    CHECK(*overlap == has_common_elements(a, b));
  return overlap.has_value();
}

template <class In, class Out>
std::string refusal(In const& in, Out const& out)
{
  return message_of<heddle::InvalidArgument>(
      [&] { heddle::impl::require_disjoint("spmv", "x and y", in, out); });
}

} // namespace

TEST_CASE("shared memory of drawn vectors and matrices is found", "[overlap]")
{
  Draw draw;
  int decided_vectors = 0, decided_matrices = 0;
  for (int n = 0; n < 3000; ++n)
  {
    INFO(n);
    decided_vectors += is_decided(draw.vector(), draw.vector()) ? 1 : 0;
    decided_matrices += is_decided(draw.matrix(), draw.matrix()) ? 1 : 0;
    is_decided(draw.vector(), draw.matrix());
  }
  // Vectors of two strides are undecided, unless their ranges are apart.
  CHECK(decided_vectors > 1500);
  CHECK(decided_matrices > 1000);
}

TEST_CASE("an output that shares memory with an input is refused", "[overlap]")
{
  Kokkos::View<double*, Kokkos::HostSpace> const x("heddle::test::x", 9);
  Kokkos::View<float*, Kokkos::HostSpace> const other_type(reinterpret_cast<float*>(x.data()), 5);
  auto const part = [&](int first, int last) {
    return Kokkos::subview(x, Kokkos::pair(first, last));
  };
  std::string const text = "heddle::spmv: x and y share memory";
  CHECK(refusal(x, x) == text);
  CHECK(refusal(x, other_type) == text);
  CHECK(refusal(part(0, 5), part(4, 9)) == text);
  CHECK(refusal(part(4, 9), part(0, 5)) == text);
  CHECK(refusal(x, part(3, 4)) == text);
  CHECK(refusal(part(0, 4), part(4, 9)) == "no error");
  CHECK(refusal(x, part(0, 0)) == "no error");
  CHECK(refusal(x, Kokkos::View<double*, Kokkos::HostSpace>("heddle::test::y", 9)) == "no error");
}

TEST_CASE("columns of one matrix are disjoint", "[overlap]")
{
  RowMajor const by_rows("heddle::test::by_rows", 6, 8);
  ColumnMajor const by_columns("heddle::test::by_columns", 6, 8);
  auto const columns = [](auto const& of, int first, int last) {
    return Kokkos::subview(of, Kokkos::ALL, Kokkos::pair(first, last));
  };
  auto const check = [&](auto const& of) {
    CHECK(refusal(columns(of, 0, 4), columns(of, 4, 8)) == "no error");
    CHECK(refusal(columns(of, 5, 8), columns(of, 0, 5)) == "no error");
    CHECK(refusal(columns(of, 0, 5), columns(of, 4, 8)) == "heddle::spmv: x and y share memory");
    CHECK(refusal(Kokkos::subview(of, Kokkos::ALL, 2), Kokkos::subview(of, Kokkos::ALL, 3)) ==
          "no error");
    CHECK(refusal(Kokkos::subview(of, Kokkos::ALL, 2), columns(of, 1, 4)) ==
          "heddle::spmv: x and y share memory");
    CHECK(refusal(Kokkos::subview(of, Kokkos::ALL, 4), columns(of, 1, 4)) == "no error");
  };
  check(by_rows);
  check(by_columns);
}
