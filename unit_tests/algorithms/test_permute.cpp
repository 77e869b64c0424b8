// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/permute.hpp>
#include <support/instances.hpp>
#include <support/matrices.hpp>
#include <support/messages.hpp>
#include <support/permutations.hpp>
#include <support/structures.hpp>
#include <support/types.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace heddle::test
{

namespace
{

// Row i is row p[i] of make_csr(s), column j its column q[j].
template <class Value>
HostCsr<Value> reference_permute(Structure const& s, Order const& p, Order const& q,
                                 bool sorts_columns)
{
  HostCsr<Value> h{s.rows, s.cols, {0}, {}, {}};
  for (std::int64_t const from : p)
  {
    std::vector<std::pair<std::int64_t, Value>> row;
    for (std::int64_t const column : s.columns[from])
      row.emplace_back(std::find(q.begin(), q.end(), column) - q.begin(),
                       value_at<Value>(from, column));
    if (sorts_columns)
      std::sort(row.begin(), row.end(),
                [](auto const& a, auto const& b) { return a.first < b.first; });
    for (auto const& [column, value] : row)
    {
      h.columns.push_back(column);
      h.values.push_back(value);
    }
    h.offsets.push_back(static_cast<std::int64_t>(h.columns.size()));
  }
  return h;
}

template <class C>
void check_permute(typename C::exec const& exec, Structure const& s)
{
  INFO(s.name);
  using Value = typename C::value;
  Order const p = random_order(s.rows, 3), q = random_order(s.cols, 4);
  auto const rows = permutation_view<C>(p), columns = permutation_view<C>(q);
  auto const a = make_csr<C>(s);
  bool const is_sorted = s.name != "unsorted";
  auto const permuted = permute(exec, a, rows, columns);
  CHECK(to_host(permuted) == reference_permute<Value>(s, p, q, is_sorted));
  CHECK(to_host(permute_rows(exec, a, rows)) ==
        reference_permute<Value>(s, p, identity_order(s.cols), false));
  auto const back =
      permute(exec, permuted, inverse_permutation(exec, rows), inverse_permutation(exec, columns));
  CHECK(to_host(back) == to_host(a));
}

template <class Exec>
using Cases = std::pair<Case<Exec, Complex128, int, std::size_t>,
                        Case<Exec, float, std::int64_t, std::int32_t>>;
using C = Cases<Device>::first_type;

// What permute says of these orders for a matrix of 5 x 3.
std::string message(Order const& p, Order const& q)
{
  auto const a = make_csr<C>(random_structure("", 5, 3, 2, 1));
  return message_of<InvalidArgument>(
      [&] { permute(Device{}, a, permutation_view<C>(p), permutation_view<C>(q)); });
}

} // namespace

} // namespace heddle::test

using namespace heddle::test;

TEMPLATE_LIST_TEST_CASE("permute agrees with the oracle, and its inverse gives the matrix back",
                        "[permute]", Spaces)
{
  auto const exec = instance_of_five<TestType>();
  for (Structure const& s : small_structures())
  {
    check_permute<typename Cases<TestType>::first_type>(exec, s);
    check_permute<typename Cases<TestType>::second_type>(exec, s);
  }
}

TEST_CASE("permute leaves its input, and takes a read-only and an empty one", "[permute]")
{
  auto const a = make_csr<C>(structure("wide"));
  CsrOf<C>::const_type const read_only = a;
  auto const before = to_host(a);
  Order const p = random_order(31, 1), q = random_order(700, 2);
  auto const permuted =
      heddle::permute(Device{}, read_only, permutation_view<C>(p), permutation_view<C>(q));
  Kokkos::deep_copy(permuted.values(), 0.0);
  Kokkos::deep_copy(permuted.columns(), 0);
  CHECK(to_host(a) == before);
  auto const none = permutation_view<C>({});
  CHECK(to_host(heddle::permute(Device{}, CsrOf<C>{}, none, none)) ==
        HostCsr<Complex128>{0, 0, {0}, {}, {}});
}

TEST_CASE("a permuted vector is that of a serial loop", "[permute]")
{
  Order const p = random_order(100, 5);
  std::vector<double> x;
  for (std::int64_t i = 0; i < 100; ++i)
    x.push_back(value_at<double>(i, 0));
  auto const from = to_view<double, Device::memory_space>(x);
  auto const to = Kokkos::View<double*, Device::memory_space>("y", 100);
  heddle::permute_vector(Device{}, from, permutation_view<C>(p), to);
  Device{}.fence();
  auto const y = to_vector(to);
  for (std::size_t i = 0; i < 100; ++i)
    CHECK(y[i] == x[p[i]]);
  CHECK(message_of<heddle::InvalidArgument>([&] {
          heddle::permute_vector(Device{}, from, permutation_view<C>({0, 1}), to);
        }) == "heddle::permute_vector: p has 2 entries but x has 100 and y has 100");
  CHECK(message_of<heddle::InvalidArgument>([&] {
          heddle::permute_vector(Device{}, from, permutation_view<C>(p), from);
        }) == "heddle::permute_vector: x and y share memory");
}

TEST_CASE("permute names the first place that is wrong", "[permute]")
{
  CHECK(message({0, 1, 2}, {0, 1, 2}) == "heddle::permute: p has 3 entries but there are 5 rows");
  CHECK(message({4, 3, 2, 1, 0}, {0, 1}) ==
        "heddle::permute: q has 2 entries but there are 3 columns");
  CHECK(message({4, 3, 5, -1, 0}, {0, 1, 2}) == "heddle::permute: p(2) is 5, expected 0 to 4");
  CHECK(message({4, 3, 2, -1, 7}, {0, 1, 2}) == "heddle::permute: p(3) is -1, expected 0 to 4");
  CHECK(message({4, 3, 2, 3, 4}, {0, 1, 2}) == "heddle::permute: p(3) is 3 as p(1) is");
  CHECK(message({4, 3, 2, 1, 0}, {1, 0, 1}) == "heddle::permute: q(2) is 1 as q(0) is");
  CHECK(message_of<heddle::InvalidArgument>([] {
          heddle::inverse_permutation(Device{}, permutation_view<C>({1, 1}));
        }) == "heddle::inverse_permutation: p(1) is 1 as p(0) is");
}
