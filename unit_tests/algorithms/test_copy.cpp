// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/copy.hpp>
#include <support/entries.hpp>
#include <support/matrices.hpp>
#include <support/structures.hpp>
#include <support/types.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace heddle::test
{

namespace
{

template <class Exec>
using CsrCase = Case<Exec, Complex64, int, std::size_t>;
template <class Exec>
using CooCase = Case<Exec, double, std::int64_t, int>;

template <class C>
using HostCase = Case<Kokkos::DefaultHostExecutionSpace, typename C::value, typename C::ordinal,
                      typename C::offset>;

template <class A, class B>
bool are_equal(A const& a, B const& b)
{
  return a.num_rows() == b.num_rows() && a.num_cols() == b.num_cols() &&
         to_vector(a.rows()) == to_vector(b.rows()) &&
         to_vector(a.columns()) == to_vector(b.columns()) &&
         to_vector(a.values()) == to_vector(b.values());
}

} // namespace

} // namespace heddle::test

using namespace heddle::test;
using heddle::clone;
using heddle::copy_to;

TEMPLATE_LIST_TEST_CASE("clone makes a deep copy of a CsrMatrix", "[copy]", Spaces)
{
  using C = CsrCase<TestType>;
  for (Structure const& s : structures())
  {
    INFO(s.name);
    auto const a = make_csr<C>(s);
    auto const before = to_host(a);
    auto const b = clone(TestType{}, a);
    static_assert(std::is_same_v<decltype(b), CsrOf<C> const>);
    Kokkos::deep_copy(a.values(), Complex64(7));
    Kokkos::deep_copy(a.columns(), 0);
    CHECK(to_host(b) == before);
    CHECK(b.row_offsets().data() != a.row_offsets().data());
  }
}

TEMPLATE_LIST_TEST_CASE("clone makes a deep copy of a CooMatrix", "[copy]", Spaces)
{
  using C = CooCase<TestType>;
  auto const e = in_random_order(repeated(entries_of(structure("wide")), 3), 4);
  auto const a = make_coo<C>(e);
  auto const b = clone(TestType{}, a);
  static_assert(std::is_same_v<decltype(b), CooOf<C> const>);
  CHECK(are_equal(a, b));
  Kokkos::deep_copy(a.values(), 7.0);
  Kokkos::deep_copy(a.columns(), 0);
  Kokkos::deep_copy(a.rows(), 0);
  CHECK(are_equal(b, make_coo<C>(e)));
}

TEMPLATE_LIST_TEST_CASE("clone of a read-only matrix is writable", "[copy]", Spaces)
{
  using C = CsrCase<TestType>;
  auto const a = make_csr<C>(structure("banded"));
  typename CsrOf<C>::const_type const read_only = a;
  auto const b = clone(TestType{}, read_only);
  static_assert(std::is_same_v<decltype(b), CsrOf<C> const>);
  Kokkos::deep_copy(b.values(), Complex64(7));
  CHECK(to_host(a) == to_host(make_csr<C>(structure("banded"))));
  typename CooOf<CooCase<TestType>>::const_type const read_only_coo =
      make_coo<CooCase<TestType>>(entries_of(structure("banded")));
  static_assert(
      std::is_same_v<decltype(clone(TestType{}, read_only_coo)), CooOf<CooCase<TestType>>>);
}

TEMPLATE_LIST_TEST_CASE("copy_to goes to the host and back", "[copy]", Spaces)
{
  TestType const exec{};
  using C = CsrCase<TestType>;
  auto const a = make_csr<C>(structure("unsorted"));
  auto const h = copy_to(exec, Kokkos::HostSpace{}, a);
  static_assert(std::is_same_v<decltype(h), CsrOf<HostCase<C>> const>);
  CHECK(to_host(h) == to_host(a));
  CHECK(static_cast<void const*>(h.values().data()) != a.values().data());
  auto const back = copy_to(exec, typename C::space{}, h);
  static_assert(std::is_same_v<decltype(back), CsrOf<C> const>);
  CHECK(to_host(back) == to_host(a));

  using Coo = CooCase<TestType>;
  auto const b = make_coo<Coo>(entries_of(structure("unsorted")));
  auto const host_b = copy_to(exec, Kokkos::HostSpace{}, b);
  static_assert(std::is_same_v<decltype(host_b), CooOf<HostCase<Coo>> const>);
  CHECK(are_equal(host_b, b));
  CHECK(are_equal(copy_to(exec, typename Coo::space{}, host_b), b));
}

TEMPLATE_LIST_TEST_CASE("clone and copy_to take default-constructed matrices", "[copy]", Spaces)
{
  auto const a = clone(TestType{}, CsrOf<CsrCase<TestType>>{});
  CHECK(a.num_rows() == 0);
  CHECK(a.num_cols() == 0);
  CHECK(a.nnz() == 0);
  auto const h = copy_to(TestType{}, Kokkos::HostSpace{}, CsrOf<CsrCase<TestType>>{});
  CHECK(h.nnz() == 0);
  auto const b = clone(TestType{}, CooOf<CooCase<TestType>>{});
  CHECK(b.num_rows() == 0);
  CHECK(b.nnz() == 0);
}
