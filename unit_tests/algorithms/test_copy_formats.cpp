// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// clone and copy_to of the formats beside CSR and COO: all arrays, none shared.

#include <heddle/copy.hpp>
#include <support/conversions.hpp>
#include <support/matrices.hpp>
#include <support/structures.hpp>
#include <support/types.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <cstddef>
#include <type_traits>

namespace heddle::test
{

namespace
{

// Calls compare for each array of two matrices of a format.
template <Csc A, Csc B, class Compare>
void for_arrays(A const& a, B const& b, Compare const& compare)
{
  compare(a.column_offsets(), b.column_offsets());
  compare(a.rows(), b.rows());
  compare(a.values(), b.values());
}
template <Dcsr A, Dcsr B, class Compare>
void for_arrays(A const& a, B const& b, Compare const& compare)
{
  compare(a.rows(), b.rows());
  compare(a.row_offsets(), b.row_offsets());
  compare(a.columns(), b.columns());
  compare(a.values(), b.values());
}
template <Bsr A, Bsr B, class Compare>
void for_arrays(A const& a, B const& b, Compare const& compare)
{
  CHECK(a.shape() == b.shape());
  compare(a.row_offsets(), b.row_offsets());
  compare(a.columns(), b.columns());
  compare(a.values(), b.values());
}
template <Ell A, Ell B, class Compare>
void for_arrays(A const& a, B const& b, Compare const& compare)
{
  CHECK(a.width() == b.width());
  CHECK(a.stride() == b.stride());
  compare(a.row_lengths(), b.row_lengths());
  compare(a.columns(), b.columns());
  compare(a.values(), b.values());
}
template <Sell A, Sell B, class Compare>
void for_arrays(A const& a, B const& b, Compare const& compare)
{
  CHECK(a.shape() == b.shape());
  compare(a.slice_offsets(), b.slice_offsets());
  compare(a.row_lengths(), b.row_lengths());
  compare(a.rows(), b.rows());
  compare(a.columns(), b.columns());
  compare(a.values(), b.values());
}
template <Coo A, Coo B, class Compare>
void for_arrays(A const& a, B const& b, Compare const& compare)
{
  compare(a.rows(), b.rows());
  compare(a.columns(), b.columns());
  compare(a.values(), b.values());
}
template <Hyb A, Hyb B, class Compare>
void for_arrays(A const& a, B const& b, Compare const& compare)
{
  for_arrays(a.ell(), b.ell(), compare);
  for_arrays(a.rest(), b.rest(), compare);
}

template <RowSegmented A, RowSegmented B, class Compare>
void for_arrays(A const& a, B const& b, Compare const& compare)
{
  CHECK(a.shape() == b.shape());
  CHECK(a.heavy_nnz() == b.heavy_nnz());
  compare(a.segments().panels, b.segments().panels);
  compare(a.segments().rows, b.segments().rows);
  compare(a.segments().offsets, b.segments().offsets);
  compare(a.light_row_offsets(), b.light_row_offsets());
  compare(a.columns(), b.columns());
  compare(a.values(), b.values());
  compare(a.rows().offsets, b.rows().offsets);
  compare(a.rows().columns, b.rows().columns);
  compare(a.rows().places, b.rows().places);
}

template <class A, class B>
void check_is_copy(A const& a, B const& b)
{
  CHECK(a.num_rows() == b.num_rows());
  CHECK(a.num_cols() == b.num_cols());
  CHECK(a.nnz() == b.nnz());
  for_arrays(a, b, [](auto const& x, auto const& y) {
    CHECK(to_vector(x) == to_vector(y));
    CHECK((x.extent(0) == 0 || static_cast<void const*>(x.data()) != y.data()));
  });
}

using C = Case<Device, double, int, std::size_t>;

} // namespace

} // namespace heddle::test

using namespace heddle::test;

TEMPLATE_TEST_CASE("clone and copy_to copy every format", "[copy]", AsCsc, AsDcsr, (AsBsr<2, 3>),
                   AsEll, (AsSell<8, 2, 32>), AsHyb<-1>, (AsRowSegmented<16, 2>))
{
  Device const exec{};
  for (char const* const name : {"0 x 0", "0 x 7", "7 x 0", "1 x 1", "power law", "unsorted"})
  {
    INFO(name);
    auto const a = TestType::make(exec, make_csr<C>(structure(name)));
    using Matrix = std::remove_const_t<decltype(a)>;
    auto const b = heddle::clone(exec, a);
    static_assert(std::is_same_v<decltype(b), Matrix const>);
    check_is_copy(a, b);
    auto const c = heddle::clone(exec, typename Matrix::const_type(a));
    static_assert(std::is_same_v<decltype(c), Matrix const>);
    check_is_copy(a, c);
    auto const h = heddle::copy_to(exec, Kokkos::HostSpace{}, a);
    static_assert(std::is_same_v<typename decltype(h)::memory_space, Kokkos::HostSpace>);
    check_is_copy(a, h);
    check_is_copy(h, heddle::copy_to(exec, typename Matrix::memory_space{}, h));
  }
}

TEMPLATE_TEST_CASE("clone takes default-constructed matrices of every format", "[copy]", AsCsc,
                   AsDcsr, (AsBsr<2, 3>), AsEll, (AsSell<8, 2, 32>), AsHyb<-1>,
                   (AsRowSegmented<16, 2>))
{
  using Matrix = decltype(TestType::make(Device{}, CsrOf<C>{}));
  auto const a = heddle::clone(Device{}, Matrix{});
  CHECK(a.num_rows() == 0);
  CHECK(a.nnz() == 0);
  check_is_copy(a, Matrix{});
}
