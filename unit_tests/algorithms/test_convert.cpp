// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/convert.hpp>
#include <support/entries.hpp>
#include <support/instances.hpp>
#include <support/matrices.hpp>
#include <support/messages.hpp>
#include <support/structures.hpp>
#include <support/types.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace heddle::test
{

namespace
{

// The orders in which the entries of a matrix may stand.
std::vector<Entries> orders_of(Structure const& s)
{
  Entries const plain = entries_of(s), twice = repeated(plain, 5);
  return {plain,
          reversed(plain),
          by_column(plain),
          by_column_only(reversed(plain)),
          in_random_order(plain, 1),
          twice,
          by_column(twice),
          by_column_only(in_random_order(twice, 2)),
          in_random_order(twice, 3)};
}

// Bit by bit: sums are taken in the order of the entries.
template <class C>
void check_to_csr(typename C::exec const& exec, Entries const& e)
{
  INFO(e.name);
  auto const a = make_coo<C>(e);
  auto const b = to_csr(exec, a);
  static_assert(std::is_same_v<decltype(b), CsrOf<C> const>);
  CHECK(to_host(b) == reference_csr<typename C::value>(e));
}

template <class C>
void check_to_coo(typename C::exec const& exec, Structure const& s)
{
  INFO(s.name);
  auto const a = make_csr<C>(s);
  auto const b = to_coo(exec, a);
  static_assert(std::is_same_v<decltype(b), CooOf<C> const>);
  Entries const expected = entries_of(s);
  CHECK(b.num_rows() == s.rows);
  CHECK(b.num_cols() == s.cols);
  REQUIRE(b.nnz() == expected.places.size());
  auto const rows = to_vector(b.rows()), columns = to_vector(b.columns());
  std::size_t wrong = 0;
  for (std::size_t k = 0; k < expected.places.size(); ++k)
    wrong += rows[k] != expected.places[k].first || columns[k] != expected.places[k].second;
  CHECK(wrong == 0);
  CHECK(to_vector(b.values()) == to_vector(a.values()));
}

template <class Exec, class Ordinal = int, class Offset = std::size_t>
auto coordinates(std::int64_t num_rows, std::int64_t num_cols, std::vector<Ordinal> const& rows,
                 std::vector<Ordinal> const& columns, std::vector<double> const& values)
{
  using Space = typename Exec::memory_space;
  return CooMatrix<double, Ordinal, Offset, Space>(
      static_cast<Ordinal>(num_rows), static_cast<Ordinal>(num_cols), to_view<Ordinal, Space>(rows),
      to_view<Ordinal, Space>(columns), to_view<double, Space>(values));
}

template <class Exec>
std::string message_of_indices(std::vector<int> const& rows, std::vector<int> const& columns)
{
  return message_of<InvalidArgument>([&] {
    to_csr(Exec{}, coordinates<Exec>(3, 4, rows, columns, std::vector<double>(rows.size(), 1.0)));
  });
}

} // namespace

} // namespace heddle::test

using namespace heddle::test;
using heddle::to_coo;
using heddle::to_csr;

TEMPLATE_LIST_TEST_CASE("to_csr sorts entries and adds duplicates in order", "[convert]", Types)
{
  for (Structure const& s : small_structures())
    for (Entries const& e : orders_of(s))
      check_to_csr<TestType>(typename TestType::exec{}, e);
}

TEMPLATE_LIST_TEST_CASE("to_csr cuts work for any number of threads", "[convert]", Spaces)
{
  for (char const* const name : {"power law", "dense column", "unsorted", "wide"})
    for (Entries const& e : orders_of(structure(name)))
      check_to_csr<DoubleCase<TestType>>(instance_of_five<TestType>(), e);
}

TEMPLATE_LIST_TEST_CASE("to_csr takes more than 2^16 rows", "[convert]", Spaces)
{
  Entries const e = entries_of(structure("more than 2^16 rows"));
  check_to_csr<DoubleCase<TestType>>(TestType{}, e);
  check_to_csr<DoubleCase<TestType>>(TestType{}, by_column(e));
  check_to_csr<DoubleCase<TestType>>(TestType{}, in_random_order(repeated(e, 6), 7));
}

TEMPLATE_LIST_TEST_CASE("to_csr takes many duplicates of few places", "[convert]", Spaces)
{
  Random random(11);
  Entries e{"many duplicates", 3, 2, {}};
  for (int k = 0; k < 5000; ++k)
    e.places.emplace_back(random.below(3), random.below(2));
  check_to_csr<DoubleCase<TestType>>(TestType{}, e);
  check_to_csr<DoubleCase<TestType>>(TestType{}, {"one place", 9, 9, {1000, {4, 5}}});
}

TEMPLATE_LIST_TEST_CASE("to_coo names every entry", "[convert]", Types)
{
  for (Structure const& s : structures())
    check_to_coo<TestType>(typename TestType::exec{}, s);
}

TEMPLATE_LIST_TEST_CASE("to_csr undoes to_coo", "[convert]", Spaces)
{
  for (Structure const& s : small_structures())
    if (s.name != "unsorted")
    {
      INFO(s.name);
      auto const a = make_csr<DoubleCase<TestType>>(s);
      CHECK(to_host(to_csr(TestType{}, to_coo(TestType{}, a))) == to_host(a));
    }
}

TEMPLATE_LIST_TEST_CASE("to_csr and to_coo take what has no entries", "[convert]", Spaces)
{
  TestType const exec{};
  auto const none = to_csr(exec, CooOf<DoubleCase<TestType>>{});
  CHECK(to_host(none) == HostCsr<double>{0, 0, {0}, {}, {}});
  auto const empty = to_csr(exec, coordinates<TestType>(4, 0, {}, {}, {}));
  CHECK(to_host(empty) == HostCsr<double>{4, 0, {0, 0, 0, 0, 0}, {}, {}});
  auto const back = to_coo(exec, CsrOf<DoubleCase<TestType>>{});
  CHECK(back.num_rows() == 0);
  CHECK(back.num_cols() == 0);
  CHECK(back.nnz() == 0);
}

TEMPLATE_LIST_TEST_CASE("to_csr takes columns above 2^31", "[convert]", Spaces)
{
  using Columns = std::vector<std::int64_t>;
  auto const a = coordinates<TestType, std::int64_t, std::int64_t>(
      3, 5000000000, Columns{2, 0, 2, 0}, Columns{4999999999, 4000000000, 3000000000, 4000000000},
      {1, 2, 3, 4});
  CHECK(to_host(to_csr(TestType{}, a)) ==
        HostCsr<double>{
            3, 5000000000, {0, 1, 1, 3}, {4000000000, 3000000000, 4999999999}, {6, 3, 1}});
}

// -0 + 0 would be 0.
TEMPLATE_LIST_TEST_CASE("to_csr keeps the sign of a zero", "[convert]", Spaces)
{
  for (std::vector<int> const& columns : {std::vector<int>{0, 1, 2}, {2, 1, 0}})
  {
    auto const values = to_vector(
        to_csr(TestType{}, coordinates<TestType>(1, 3, {0, 0, 0}, columns, {-0.0, 1.0, -0.0}))
            .values());
    REQUIRE(values.size() == 3);
    CHECK(std::signbit(values[0]));
    CHECK(std::signbit(values[2]));
  }
}

TEMPLATE_LIST_TEST_CASE("to_csr takes read-only matrices and shares nothing", "[convert]", Spaces)
{
  using C = DoubleCase<TestType>;
  Entries const e = entries_of(structure("banded")); // sorted: the path that copies
  auto const a = make_coo<C>(e);
  typename CooOf<C>::const_type const read_only = a;
  auto const b = to_csr(TestType{}, read_only);
  static_assert(std::is_same_v<decltype(b), CsrOf<C> const>);
  Kokkos::deep_copy(a.values(), 0.0);
  Kokkos::deep_copy(a.columns(), 0);
  CHECK(to_host(b) == reference_csr<double>(e));
  typename CsrOf<C>::const_type const read_only_csr = b;
  auto const back = to_coo(TestType{}, read_only_csr);
  static_assert(std::is_same_v<decltype(back), CooOf<C> const>);
  CHECK(back.values().data() != b.values().data());
  CHECK(back.columns().data() != b.columns().data());
}

TEMPLATE_LIST_TEST_CASE("to_csr refuses indices out of range", "[convert]", Spaces)
{
  CHECK(message_of_indices<TestType>({2, 0, 1}, {3, 0, 0}) == "no error");
  CHECK(message_of_indices<TestType>({2, 3, 1}, {3, 0, 0}) ==
        "heddle::to_csr: 1 of 3 entries lie outside the 3 x 4 matrix (heddle::validate names the "
        "first)");
  CHECK(message_of_indices<TestType>({2, -1, 1, 0}, {4, 0, -1, 0}) ==
        "heddle::to_csr: 3 of 4 entries lie outside the 3 x 4 matrix (heddle::validate names the "
        "first)");
  CHECK(message_of_indices<TestType>({3}, {4}) ==
        "heddle::to_csr: 1 of 1 entries lie outside the 3 x 4 matrix (heddle::validate names the "
        "first)");
}

TEST_CASE("to_csr refuses more entries than the offset type holds", "[convert]")
{
  std::vector<int> const indices(32768, 0);
  auto const a = coordinates<Kokkos::Serial, int, std::int16_t>(
      1, 1, indices, indices, std::vector<double>(indices.size(), 1.0));
  CHECK(message_of<heddle::InvalidArgument>([&] { to_csr(Kokkos::Serial{}, a); }) ==
        "heddle::to_csr: 32768 entries do not fit the offset type (largest value 32767)");
}
