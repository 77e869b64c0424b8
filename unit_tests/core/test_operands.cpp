// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/impl/operands.hpp>
#include <support/messages.hpp>

#include <catch2/catch_test_macros.hpp>

#include <string>
#include <type_traits>

namespace heddle::test
{

namespace
{

using Right = Kokkos::LayoutRight;
using Left = Kokkos::LayoutLeft;
using Stride = Kokkos::LayoutStride;
template <class Layout>
using HostVector = Kokkos::View<double*, Layout, Kokkos::HostSpace>;
template <class Layout>
using HostDense = Kokkos::View<double**, Layout, Kokkos::HostSpace>;

template <class Layout>
std::string name_of()
{
  if constexpr (std::is_same_v<Layout, Right>)
    return "right";
  else if constexpr (std::is_same_v<Layout, Left>)
    return "left";
  else
    return "strided";
}

// The layout under which kernels see these.
template <class X, class Y>
std::string layout_of_vectors(X const& x, Y const& y)
{
  std::string name;
  impl::with_vector_operands(x, y, [&]<class In, class Out>(In const& in, Out const& out) {
    static_assert(std::is_same_v<typename In::layout, typename Out::layout>);
    static_assert(std::is_const_v<std::remove_pointer_t<decltype(in.data)>>);
    CHECK(in.data == x.data());
    CHECK(out.data == y.data());
    CHECK(in.size == static_cast<std::int64_t>(x.extent(0)));
    name = name_of<typename In::layout>();
    for (std::size_t i = 0; i < x.extent(0); ++i)
      CHECK(&in(static_cast<std::int64_t>(i)) == &x(i));
    for (std::size_t i = 0; i < y.extent(0); ++i)
      CHECK(&out(static_cast<std::int64_t>(i)) == &y(i));
  });
  return name;
}

template <class In, class View>
void check_elements(In const& in, View const& b)
{
  REQUIRE(in.rows == static_cast<std::int64_t>(b.extent(0)));
  REQUIRE(in.cols == static_cast<std::int64_t>(b.extent(1)));
  for (std::int64_t i = 0; i < in.rows; ++i)
    for (std::int64_t j = 0; j < in.cols; ++j)
      CHECK(&in(i, j) == &b(i, j));
}

template <class B, class C>
std::string layout_of_matrices(B const& b, C const& c)
{
  std::string name;
  impl::with_matrix_operands(b, c, [&]<class In, class Out>(In const& in, Out const& out) {
    static_assert(std::is_same_v<typename In::layout, typename Out::layout>);
    check_elements(in, b);
    check_elements(out, c);
    name = name_of<typename In::layout>();
  });
  return name;
}

// Rows x cols with these strides, on memory that the caller keeps.
HostDense<Stride> strided_matrix(HostVector<Right> const& memory, std::size_t rows,
                                 std::size_t cols, std::size_t row_stride,
                                 std::size_t column_stride)
{
  return HostDense<Stride>(memory.data(), Stride(rows, row_stride, cols, column_stride));
}
HostVector<Stride> strided_vector(HostVector<Right> const& memory, std::size_t n,
                                  std::size_t stride)
{
  return HostVector<Stride>(memory.data(), Stride(n, stride));
}

} // namespace

} // namespace heddle::test

using namespace heddle::test;

TEST_CASE("vectors are contiguous or strided", "[operands]")
{
  HostVector<Right> const memory("heddle::test::memory", 64), x("heddle::test::x", 5);
  HostVector<Left> const y("heddle::test::y", 7);
  CHECK(layout_of_vectors(x, y) == "right");
  CHECK(layout_of_vectors(x, strided_vector(memory, 7, 1)) == "right");
  CHECK(layout_of_vectors(strided_vector(memory, 7, 1), x) == "right");
  CHECK(layout_of_vectors(strided_vector(memory, 7, 2), x) == "strided");
  CHECK(layout_of_vectors(x, strided_vector(memory, 7, 3)) == "strided");
  CHECK(layout_of_vectors(strided_vector(memory, 7, 2), strided_vector(memory, 9, 1)) == "strided");
  // One number has no stride; none has neither.
  CHECK(layout_of_vectors(strided_vector(memory, 1, 9), strided_vector(memory, 0, 9)) == "right");
  CHECK(layout_of_vectors(strided_vector(memory, 0, 0), y) == "right");
  CHECK(layout_of_vectors(strided_vector(memory, 3, 0), y) == "strided"); // the same number 3 times
}

TEST_CASE("vectors of const are inputs", "[operands]")
{
  HostVector<Right> const x("heddle::test::x", 5), y("heddle::test::y", 5);
  Kokkos::View<double const*, Right, Kokkos::HostSpace> const read_only = x;
  Kokkos::View<double const*, Right, Kokkos::HostSpace,
               Kokkos::MemoryTraits<Kokkos::Unmanaged | Kokkos::RandomAccess>> const random = x;
  CHECK(layout_of_vectors(read_only, y) == "right");
  CHECK(layout_of_vectors(random, y) == "right");
}

TEST_CASE("vectors are columns and rows of matrices", "[operands]")
{
  HostDense<Right> const rows("heddle::test::rows", 6, 4);
  HostDense<Left> const columns("heddle::test::columns", 6, 4);
  auto const all = Kokkos::ALL;
  CHECK(layout_of_vectors(Kokkos::subview(rows, 2, all), Kokkos::subview(columns, all, 1)) ==
        "right");
  CHECK(layout_of_vectors(Kokkos::subview(rows, all, 2), Kokkos::subview(columns, all, 1)) ==
        "strided");
  CHECK(layout_of_vectors(Kokkos::subview(rows, 2, all), Kokkos::subview(columns, 1, all)) ==
        "strided");
}

TEST_CASE("matrices are row-major, column-major or strided", "[operands]")
{
  HostDense<Right> const right("heddle::test::right", 5, 3);
  HostDense<Left> const left("heddle::test::left", 5, 3);
  HostVector<Right> const memory("heddle::test::memory", 1000);
  CHECK(layout_of_matrices(right, right) == "right");
  CHECK(layout_of_matrices(left, left) == "left");
  CHECK(layout_of_matrices(right, left) == "strided");
  CHECK(layout_of_matrices(left, right) == "strided");
  CHECK(layout_of_matrices(strided_matrix(memory, 5, 3, 20, 1), right) == "right");
  CHECK(layout_of_matrices(right, strided_matrix(memory, 5, 3, 20, 1)) == "right");
  CHECK(layout_of_matrices(strided_matrix(memory, 5, 3, 1, 20), left) == "left");
  CHECK(layout_of_matrices(strided_matrix(memory, 5, 3, 1, 20),
                           strided_matrix(memory, 4, 3, 1, 9)) == "left");
  CHECK(layout_of_matrices(strided_matrix(memory, 5, 3, 1, 20), right) == "strided");
  CHECK(layout_of_matrices(strided_matrix(memory, 5, 3, 2, 20), left) == "strided");
  CHECK(layout_of_matrices(strided_matrix(memory, 5, 3, 20, 2), right) == "strided");
}

TEST_CASE("matrices of one row or one column have the layout of their partner", "[operands]")
{
  HostDense<Right> const right("heddle::test::right", 5, 1), one_row("heddle::test::row", 1, 3);
  HostDense<Left> const left("heddle::test::left", 5, 1), flat("heddle::test::flat", 1, 3);
  HostVector<Right> const memory("heddle::test::memory", 1000);
  CHECK(layout_of_matrices(right, left) == "right"); // a single column is contiguous in rows of one
  CHECK(layout_of_matrices(left, right) == "right");
  CHECK(layout_of_matrices(strided_matrix(memory, 5, 1, 7, 33), left) == "right");
  CHECK(layout_of_matrices(strided_matrix(memory, 1, 3, 7, 33), left) == "left");
  CHECK(layout_of_matrices(strided_matrix(memory, 1, 1, 7, 33), left) == "right");
  CHECK(layout_of_matrices(one_row, HostDense<Left>("heddle::test::c", 4, 3)) == "left");
  CHECK(layout_of_matrices(flat, HostDense<Right>("heddle::test::c", 4, 3)) == "right");
  CHECK(layout_of_matrices(one_row, HostDense<Stride>(strided_matrix(memory, 4, 3, 20, 2))) ==
        "strided");
}

TEST_CASE("matrices without entries are operands", "[operands]")
{
  HostDense<Right> const no_rows("heddle::test::b", 0, 3), no_columns("heddle::test::c", 5, 0);
  HostDense<Left> const left("heddle::test::left", 0, 3), none;
  CHECK(layout_of_matrices(no_rows, no_columns) == "right");
  CHECK(layout_of_matrices(left, none) == "left");
  CHECK(layout_of_matrices(HostDense<Right>(), none) == "right");
}

TEST_CASE("matrices may be pieces of larger ones", "[operands]")
{
  HostDense<Right> const right("heddle::test::right", 8, 9);
  HostDense<Left> const left("heddle::test::left", 8, 9);
  auto const rows = Kokkos::pair(2, 6), columns = Kokkos::pair(3, 8);
  CHECK(layout_of_matrices(Kokkos::subview(right, rows, columns),
                           Kokkos::subview(right, rows, columns)) == "right");
  CHECK(layout_of_matrices(Kokkos::subview(left, rows, columns),
                           Kokkos::subview(left, rows, columns)) == "left");
  CHECK(layout_of_matrices(Kokkos::subview(right, rows, columns),
                           Kokkos::subview(left, rows, columns)) == "strided");
}
