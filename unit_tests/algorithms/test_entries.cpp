// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What reads or changes the values of a matrix where they are: diagonal, scale_rows, scale_columns,
// row_norms; and remove_diagonal.

#include <heddle/diagonal.hpp>
#include <heddle/row_norms.hpp>
#include <heddle/scale.hpp>
#include <support/instances.hpp>
#include <support/matrices.hpp>
#include <support/messages.hpp>
#include <support/row_entries.hpp>
#include <support/structures.hpp>
#include <support/types.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

namespace heddle::test
{

namespace
{

template <class Value, class Space>
using VectorIn = Kokkos::View<Value*, Space>;

// n numbers that depend on the seed.
template <class Value, class Space>
VectorIn<Value, Space> numbers(std::int64_t n, std::int64_t seed)
{
  std::vector<Value> all(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < all.size(); ++i)
    all[i] = value_at<Value>(static_cast<std::int64_t>(i), seed);
  return to_view<Value, Space>(all);
}

template <class C>
void check_diagonal(typename C::exec const& exec, Structure const& s)
{
  using Value = typename C::value;
  auto const a = make_csr_with<C>(s, 1);
  auto const rows = row_entries(a);
  std::vector<Wide> expected(static_cast<std::size_t>(std::min(s.rows, s.cols)));
  for (std::size_t i = 0; i < expected.size(); ++i)
    if (auto const found = rows[i].find(static_cast<std::int64_t>(i)); found != rows[i].end())
      expected[i] = found->second;
  VectorIn<Value, typename C::space> const d("d", expected.size());
  Kokkos::deep_copy(d, Value(7));
  diagonal(exec, a, d);
  exec.fence();
  auto const found = to_vector(d);
  std::vector<Wide> result;
  for (Value const& value : found)
    result.push_back(wide(value));
  CHECK(result == expected);

  // Without its diagonal: the others in their order.
  HostCsr<Value> const h = to_host(a);
  HostCsr<Value> rest{h.rows, h.cols, {0}, {}, {}};
  for (std::int64_t i = 0; i < h.rows; ++i)
  {
    for (auto k = h.offsets[i]; k < h.offsets[i + 1]; ++k)
      if (h.columns[k] != i)
      {
        rest.columns.push_back(h.columns[k]);
        rest.values.push_back(h.values[k]);
      }
    rest.offsets.push_back(static_cast<std::int64_t>(rest.columns.size()));
  }
  CHECK(to_host(remove_diagonal(exec, a)) == rest);
  CHECK(to_host(a) == h);
}

// scale(a, d) makes a_ij the product with d(index(i, j)).
template <class C, class D, class Scale, class Index>
void check_scaling(typename C::exec const& exec, Structure const& s, std::int64_t size,
                   Scale const& scale, Index const& index)
{
  using Value = typename C::value;
  auto const a = make_csr_with<C>(s, 1);
  auto const d = numbers<D, typename C::space>(size, 2);
  auto const factors = to_vector(d);
  auto const before = to_host(a);
  scale(exec, a, d);
  exec.fence();
  auto const after = to_host(a);
  CHECK(after.columns == before.columns);
  double const eps = std::numeric_limits<impl::real_t<Value>>::epsilon();
  std::int64_t wrong = 0;
  for (std::int64_t i = 0; i < before.rows; ++i)
    for (auto k = before.offsets[i]; k < before.offsets[i + 1]; ++k)
    {
      Wide const expected = wide(before.values[k]) *
                            wide(factors[static_cast<std::size_t>(index(i, before.columns[k]))]);
      wrong += std::abs(wide(after.values[k]) - expected) <= 4 * eps * std::abs(expected) ? 0 : 1;
    }
  CHECK(wrong == 0);
}

template <class C, class D>
void check_scalings(typename C::exec const& exec, Structure const& s)
{
  check_scaling<C, D>(
      exec, s, s.rows, [](auto const& e, auto const& a, auto const& d) { scale_rows(e, d, a); },
      [](std::int64_t i, std::int64_t) { return i; });
  check_scaling<C, D>(
      exec, s, s.cols, [](auto const& e, auto const& a, auto const& d) { scale_columns(e, a, d); },
      [](std::int64_t, std::int64_t j) { return j; });
}

double norm_of(std::map<std::int64_t, Wide> const& row, Norm norm)
{
  double one = 0, squares = 0, largest = 0;
  for (auto const& [column, value] : row)
  {
    one += std::abs(value);
    squares += std::norm(value);
    largest = std::max(largest, std::abs(value));
  }
  return norm == Norm::one ? one : norm == Norm::two ? std::sqrt(squares) : largest;
}

template <class C>
void check_norms(typename C::exec const& exec, Structure const& s)
{
  using Real = impl::real_t<typename C::value>;
  auto const a = make_csr_with<C>(s, 1);
  auto const rows = row_entries(a);
  VectorIn<Real, typename C::space> const out("out", static_cast<std::size_t>(s.rows));
  for (Norm const norm : {Norm::one, Norm::two, Norm::infinity})
  {
    Kokkos::deep_copy(out, Real(-1));
    row_norms(exec, a, norm, out);
    exec.fence();
    auto const norms = to_vector(out);
    std::int64_t wrong = 0;
    for (std::size_t i = 0; i < norms.size(); ++i)
    {
      double const expected = norm_of(rows[i], norm);
      auto const terms = static_cast<std::int64_t>(rows[i].size());
      wrong += std::abs(norms[i] - expected) <= error_bound<Real>(terms, expected) ? 0 : 1;
    }
    INFO(to_string(norm));
    CHECK(wrong == 0);
  }
}

using C = DoubleCase<Device>;
using X = VectorIn<double, C::space>;

template <class Call>
std::string refusal(Call const& call)
{
  return message_of<InvalidArgument>(call);
}

CsrOf<C> example() { return make_csr<C>({"example", 2, 3, {{0, 2}, {1}}}); }

} // namespace

} // namespace heddle::test

using namespace heddle::test;
using heddle::Norm;

TEMPLATE_LIST_TEST_CASE("diagonal and remove_diagonal agree with the oracle", "[entries]", Types)
{
  auto const exec = instance_of_five<typename TestType::exec>();
  for (Structure const& s : structures())
  {
    INFO(s.name);
    check_diagonal<TestType>(exec, s);
    check_diagonal<TestType>(exec, shuffled(s, 3));
  }
}

TEMPLATE_LIST_TEST_CASE("scaling agrees with the oracle", "[entries]", Types)
{
  auto const exec = instance_of_five<typename TestType::exec>();
  for (Structure const& s : structures())
  {
    INFO(s.name);
    check_scalings<TestType, typename TestType::value>(exec, s);
    check_scalings<TestType, float>(exec, s);
  }
}

TEMPLATE_LIST_TEST_CASE("norms of rows agree with the oracle", "[entries]", Types)
{
  auto const exec = instance_of_five<typename TestType::exec>();
  for (Structure const& s : structures())
  {
    INFO(s.name);
    check_norms<TestType>(exec, s);
  }
}

TEST_CASE("a row with a NaN has no norm, wherever it stands", "[entries]")
{
  double const nan = std::numeric_limits<double>::quiet_NaN();
  auto const a = make_csr<C>({"rows", 3, 3, {{0, 1, 2}, {0, 1, 2}, {0, 1, 2}}});
  Kokkos::deep_copy(a.values(), to_view<double, C::space>({nan, 1, -5, 2, nan, 4, -3, 2, 1}));
  X const out("out", 3);
  for (Norm const norm : {Norm::one, Norm::two, Norm::infinity})
  {
    heddle::row_norms(Device{}, a, norm, out);
    Device{}.fence();
    auto const norms = to_vector(out);
    CHECK(std::isnan(norms[0]));
    CHECK(std::isnan(norms[1]));
    CHECK(std::abs(norms[2] - (norm == Norm::one   ? 6.0
                               : norm == Norm::two ? std::sqrt(14.0)
                                                   : 3.0)) < 1e-15);
  }
}

TEST_CASE("operations on entries take default-constructed matrices and strided vectors",
          "[entries]")
{
  CsrOf<C> const none;
  X const nothing("nothing", 0);
  heddle::diagonal(Device{}, none, nothing);
  heddle::row_norms(Device{}, none, Norm::two, nothing);
  heddle::scale_rows(Device{}, nothing, none);
  heddle::scale_columns(Device{}, none, nothing);
  CHECK(to_host(heddle::remove_diagonal(Device{}, none)) == HostCsr<double>{0, 0, {0}, {}, {}});
  auto const a = example();
  Kokkos::View<double**, Kokkos::LayoutRight, C::space> const columns("columns", 2, 3);
  auto const d = Kokkos::subview(columns, Kokkos::ALL, 1);
  heddle::diagonal(Device{}, a, d);
  heddle::scale_rows(Device{}, d, a);
  Device{}.fence();
  X const copy("copy", 2);
  Kokkos::deep_copy(copy, d);
  double const first = value_at<double>(0, 0), second = value_at<double>(1, 1);
  CHECK(to_vector(copy) == std::vector<double>{first, second});
  CHECK(to_host(a).values ==
        std::vector<double>{first * first, first * value_at<double>(0, 2), second * second});
}

TEST_CASE("operations on entries refuse vectors of other sizes", "[entries]")
{
  auto const a = example();
  X const two("two", 2), three("three", 3);
  CHECK(refusal([&] { heddle::diagonal(Device{}, a, three); }) ==
        "heddle::diagonal: d has 3 entries but A is 2 x 3, which has 2 on its diagonal");
  CHECK(refusal([&] { heddle::scale_rows(Device{}, three, a); }) ==
        "heddle::scale_rows: d has 3 entries but A has 2 rows");
  CHECK(refusal([&] { heddle::scale_columns(Device{}, a, two); }) ==
        "heddle::scale_columns: d has 2 entries but A has 3 columns");
  CHECK(refusal([&] { heddle::row_norms(Device{}, a, Norm::one, three); }) ==
        "heddle::row_norms: out has 3 entries but A has 2 rows");
}

TEST_CASE("operations on entries refuse vectors in the memory of the matrix", "[entries]")
{
  auto const a = example();
  auto const two = Kokkos::subview(a.values(), Kokkos::pair<int, int>(1, 3));
  CHECK(refusal([&] { heddle::diagonal(Device{}, a, two); }) ==
        "heddle::diagonal: A and d share memory");
  CHECK(refusal([&] { heddle::scale_rows(Device{}, two, a); }) ==
        "heddle::scale_rows: d and A share memory");
  CHECK(refusal([&] { heddle::scale_columns(Device{}, a, a.values()); }) ==
        "heddle::scale_columns: d and A share memory");
  CHECK(refusal([&] { heddle::row_norms(Device{}, a, Norm::one, two); }) ==
        "heddle::row_norms: A and out share memory");
}
