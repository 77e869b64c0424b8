// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/sort_rows.hpp>
#include <support/instances.hpp>
#include <support/matrices.hpp>
#include <support/structures.hpp>
#include <support/types.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace heddle::test
{

namespace
{

Structure sorted(Structure s)
{
  for (auto& row : s.columns)
    std::sort(row.begin(), row.end());
  return s;
}

// Values are a function of the place, so they tell whether they moved along.
template <class C>
void check_sort_rows(typename C::exec const& exec, Structure const& s)
{
  INFO(s.name);
  auto const a = make_csr<C>(s);
  auto const shallow = a;
  auto const* const columns = a.columns().data();
  sort_rows(exec, a);
  CHECK(has_sorted_rows(exec, a));
  CHECK(a.columns().data() == columns);
  CHECK(to_host(shallow) == to_host(make_csr<C>(sorted(s))));
}

template <class Exec>
using Cases = std::pair<Case<Exec, Complex128, int, std::size_t>,
                        Case<Exec, float, std::int64_t, std::int32_t>>;

} // namespace

} // namespace heddle::test

using namespace heddle::test;
using heddle::has_sorted_rows;
using heddle::sort_rows;

TEMPLATE_LIST_TEST_CASE("sort_rows sorts in place", "[sort_rows]", Spaces)
{
  auto const exec = instance_of_five<TestType>();
  for (Structure const& s : structures())
    check_sort_rows<typename Cases<TestType>::first_type>(exec, shuffled(s, 13));
  for (Structure const& s : small_structures())
    check_sort_rows<typename Cases<TestType>::second_type>(exec, shuffled(s, 14));
}

TEMPLATE_LIST_TEST_CASE("sort_rows leaves sorted rows", "[sort_rows]", Spaces)
{
  for (Structure const& s : small_structures())
    check_sort_rows<typename Cases<TestType>::first_type>(TestType{}, sorted(s));
}

TEMPLATE_LIST_TEST_CASE("sort_rows finds the one row that is not sorted", "[sort_rows]", Spaces)
{
  Structure s = structure("more than 2^16 rows");
  std::int64_t const last = s.rows - 2; // the last but one: the last is dense
  s.columns[last] = {9, 8, 60000, 7};
  CHECK_FALSE(has_sorted_rows(TestType{}, make_csr<typename Cases<TestType>::second_type>(s)));
  check_sort_rows<typename Cases<TestType>::second_type>(TestType{}, s);
}

TEMPLATE_LIST_TEST_CASE("has_sorted_rows does not change the matrix", "[sort_rows]", Spaces)
{
  using C = typename Cases<TestType>::first_type;
  Structure const& s = structure("unsorted");
  auto const a = make_csr<C>(s);
  typename CsrOf<C>::const_type const read_only = a;
  CHECK_FALSE(has_sorted_rows(TestType{}, a));
  CHECK_FALSE(has_sorted_rows(TestType{}, read_only));
  CHECK(to_host(a) == to_host(make_csr<C>(s)));
  CHECK(has_sorted_rows(TestType{}, make_csr<C>(structure("banded"))));
}

TEMPLATE_LIST_TEST_CASE("sort_rows takes a default-constructed matrix", "[sort_rows]", Spaces)
{
  CsrOf<typename Cases<TestType>::first_type> const a;
  sort_rows(TestType{}, a);
  CHECK(has_sorted_rows(TestType{}, a));
}
