// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/tentative_prolongator.hpp>
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
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace heddle::test
{

namespace
{

using Dense = std::vector<std::vector<Wide>>; // by rows

// Row i is in the aggregate of its first entry, or in none.
Structure first_entries(Structure s)
{
  for (auto& row : s.columns)
    row.resize(std::min<std::size_t>(row.size(), 1));
  return s;
}

// In a larger View, so with a stride.
template <class C>
auto view_of(Dense const& dense, std::size_t columns)
{
  using Value = typename C::value;
  Kokkos::View<Value**, Kokkos::LayoutRight, typename C::space> const whole(
      "heddle::test::modes", dense.size(), columns + 2);
  auto const host = Kokkos::create_mirror_view(whole);
  for (std::size_t i = 0; i < dense.size(); ++i)
    for (std::size_t j = 0; j < columns; ++j)
      if constexpr (impl::is_complex_v<Value>)
        host(i, j + 1) = Value(dense[i][j].real(), dense[i][j].imag());
      else
        host(i, j + 1) = static_cast<Value>(dense[i][j].real());
  Kokkos::deep_copy(whole, host);
  return Kokkos::subview(whole, Kokkos::ALL, std::pair<std::size_t, std::size_t>(1, columns + 1));
}

template <class View>
Dense dense_of(View const& view)
{
  using Value = typename View::non_const_value_type;
  // Views with a stride are not copied from one memory space to another.
  Kokkos::View<Value**, Kokkos::LayoutRight, typename View::memory_space> const whole(
      "heddle::test::dense", view.extent(0), view.extent(1));
  Kokkos::deep_copy(whole, view);
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, whole);
  Dense dense(view.extent(0), std::vector<Wide>(view.extent(1)));
  for (std::size_t i = 0; i < dense.size(); ++i)
    for (std::size_t j = 0; j < dense[i].size(); ++j)
      dense[i][j] = wide(host(i, j));
  return dense;
}

template <class Value>
Dense random_modes(std::int64_t rows, std::int64_t columns, std::int64_t seed)
{
  Dense dense(static_cast<std::size_t>(rows), std::vector<Wide>(static_cast<std::size_t>(columns)));
  for (std::size_t i = 0; i < dense.size(); ++i)
    for (std::size_t j = 0; j < dense[i].size(); ++j)
      dense[i][j] =
          wide(value_at<Value>(static_cast<std::int64_t>(i), seed + static_cast<std::int64_t>(j)));
  return dense;
}

// What makes a QR factorization the one that it is: Q R = B, orthonormal columns or, for modes that
// depend on earlier ones, zeros, R upper triangular with a positive diagonal or 0.
template <class C>
void check_factors(Structure const& aggregates, Dense const& b, std::int64_t rows_of_node,
                   RowEntries const& q, Dense const& r, std::vector<std::int64_t> const& ranks)
{
  auto const modes = static_cast<std::int64_t>(r.empty() ? 0 : r.front().size());
  double const eps = std::numeric_limits<impl::real_t<typename C::value>>::epsilon();
  std::vector<std::vector<std::int64_t>> members(static_cast<std::size_t>(aggregates.cols));
  for (std::int64_t i = 0; i < aggregates.rows; ++i)
    for (std::int64_t const aggregate : aggregates.columns[i])
      for (std::int64_t c = 0; c < rows_of_node; ++c)
        members[aggregate].push_back(rows_of_node * i + c);
  std::int64_t wrong = 0;
  for (std::size_t g = 0; g < members.size(); ++g)
  {
    auto const first = static_cast<std::int64_t>(g) * modes;
    double const bound =
        4 * eps * static_cast<double>(modes) * static_cast<double>(members[g].size() + 4);
    std::int64_t rank = 0;
    for (std::int64_t j = 0; j < modes; ++j)
    {
      double largest = 0;
      for (std::int64_t const i : members[g])
        largest = std::max(largest, std::abs(b[i][j]));
      // B = Q R, where what is left of a dependent mode may be lost.
      double const lost = 2000 * eps * largest * std::sqrt(static_cast<double>(members[g].size()));
      for (std::int64_t const i : members[g])
      {
        Wide sum = 0;
        for (std::int64_t k = 0; k < modes; ++k)
          sum += q[i].at(first + k) * r[first + k][j];
        wrong += std::abs(sum - b[i][j]) <= lost + bound * largest ? 0 : 1;
      }
      Wide const diagonal = r[first + j][j];
      wrong += diagonal.imag() == 0 && diagonal.real() >= 0 ? 0 : 1;
      rank += diagonal.real() > 0 ? 1 : 0;
      for (std::int64_t k = 0; k < modes; ++k)
      {
        Wide dot = 0;
        for (std::int64_t const i : members[g])
          dot += std::conj(q[i].at(first + j)) * q[i].at(first + k);
        double const expected = k == j && diagonal.real() > 0 ? 1 : 0;
        wrong += std::abs(dot - expected) <= bound ? 0 : 1;
        wrong += k > j && r[first + k][j] != 0.0 ? 1 : 0;
      }
    }
    wrong += rank == ranks[g] ? 0 : 1;
  }
  CHECK(wrong == 0);
}

// The pattern: an entry per mode in each row of a node that is in an aggregate.
Structure expected_pattern(Structure const& aggregates, std::int64_t rows_of_node,
                           std::int64_t modes)
{
  Structure p{aggregates.name, aggregates.rows * rows_of_node, aggregates.cols * modes, {}};
  for (auto const& node : aggregates.columns)
    for (std::int64_t c = 0; c < rows_of_node; ++c)
    {
      p.columns.emplace_back();
      for (std::int64_t const aggregate : node)
        for (std::int64_t j = 0; j < modes; ++j)
          p.columns.back().push_back(aggregate * modes + j);
    }
  return p;
}

template <class C>
void check_tentative(typename C::exec const& exec, Structure const& s, std::int64_t rows_of_node,
                     std::int64_t modes)
{
  INFO(s.name << ", " << rows_of_node << " rows per node, " << modes << " modes");
  Structure const aggregates = first_entries(s);
  auto const a = make_csr<C>(aggregates);
  Dense const b = random_modes<typename C::value>(s.rows * rows_of_node, modes, 5);
  auto const view = view_of<C>(b, static_cast<std::size_t>(modes));
  auto const result = tentative_prolongator(exec, a, view);
  static_assert(std::is_same_v<decltype(result.p), CsrOf<C>>);
  auto const h = to_host(result.p),
             pattern = to_host(make_csr<C>(expected_pattern(aggregates, rows_of_node, modes)));
  CHECK(h.rows == pattern.rows);
  CHECK(h.cols == pattern.cols);
  CHECK(h.offsets == pattern.offsets);
  REQUIRE(h.columns == pattern.columns);
  REQUIRE(result.coarse.extent(0) == static_cast<std::size_t>(aggregates.cols * modes));
  REQUIRE(result.coarse.extent(1) == static_cast<std::size_t>(modes));
  CHECK(dense_of(view) == b);

  std::vector<std::int64_t> ranks(static_cast<std::size_t>(s.cols));
  for (auto const& row : aggregates.columns)
    for (std::int64_t const aggregate : row)
      ranks[aggregate] = std::min(modes, ranks[aggregate] + rows_of_node);
  check_factors<C>(aggregates, b, rows_of_node, row_entries(result.p), dense_of(result.coarse),
                   ranks);

  auto const again = tentative_prolongator(exec, a, view);
  CHECK(to_host(again.p) == h);
  CHECK(dense_of(again.coarse) == dense_of(result.coarse));
}

using C = DoubleCase<Device>;
#if defined(HEDDLE_TEST_FEW_TYPES)
using TentativeTypes = std::tuple<C>;
#else
// What the values are changes what is computed, so every kind is here.
using TentativeTypes =
    std::tuple<C, Case<Device, float, int, int>, Case<Device, Complex128, std::int64_t, int>>;
#endif

Structure all_in_one(std::int64_t nodes)
{
  return {"all in one", nodes, 1, std::vector<std::vector<std::int64_t>>(nodes, {0})};
}

} // namespace

} // namespace heddle::test

using namespace heddle::test;
using heddle::InvalidArgument;
using heddle::tentative_prolongator;

TEMPLATE_LIST_TEST_CASE("tentative_prolongator factorizes the modes of every aggregate",
                        "[tentative_prolongator]", TentativeTypes)
{
  auto const exec = instance_of_five<typename TestType::exec>();
  for (Structure const& s : small_structures())
    for (auto const& [rows_of_node, modes] : {std::pair(1, 1), std::pair(3, 6), std::pair(2, 3)})
      check_tentative<TestType>(exec, s, rows_of_node, modes);
  check_tentative<TestType>(exec, random_structure("random", 3000, 200, 1, 6), 3, 6);
  check_tentative<TestType>(exec, all_in_one(5000), 1, 2);
}

TEST_CASE("tentative_prolongator of ones scales the columns of the aggregates",
          "[tentative_prolongator]")
{
  auto const aggregates = make_csr<C>({"", 5, 3, {{0}, {2}, {0}, {}, {0}}});
  auto const ones = view_of<C>(Dense(5, {1}), 1);
  auto const result = tentative_prolongator(Device{}, aggregates, ones);
  double const third = 1 / std::sqrt(3.0);
  CHECK(to_host(result.p) ==
        HostCsr<double>{5, 3, {0, 1, 2, 3, 3, 4}, {0, 2, 0, 0}, {third, 1, third, third}});
  CHECK(dense_of(result.coarse) == Dense{{std::sqrt(3.0)}, {0}, {1}});
}

TEST_CASE("tentative_prolongator makes zeros of modes that depend on others",
          "[tentative_prolongator]")
{
  Dense b = random_modes<double>(12, 4, 3);
  for (auto& row : b)
  {
    row[1] = 2.0 * row[0];
    row[3] = row[0] - 3.0 * row[2];
  }
  Structure const s = all_in_one(4);
  auto const result = tentative_prolongator(Device{}, make_csr<C>(s), view_of<C>(b, 4));
  check_factors<C>(s, b, 3, row_entries(result.p), dense_of(result.coarse), {2});
  auto const r = dense_of(result.coarse);
  CHECK(std::abs(r[0][1] - 2.0 * r[0][0]) <= 1e-14 * std::abs(r[0][1]));
  CHECK(r[1] == std::vector<Wide>(4));
  CHECK(r[3] == std::vector<Wide>(4));

  // Not far from dependent: as the tolerance says.
  for (auto& row : b)
    row[1] += 1e-6 * row[2];
  auto const rank = [&](double tolerance) {
    auto const coarse = dense_of(
        tentative_prolongator(Device{}, make_csr<C>(s), view_of<C>(b, 2), tolerance).coarse);
    return coarse[1][1] == 0.0 ? 1 : 2;
  };
  CHECK(rank(0) == 2);
  CHECK(rank(1e-9) == 2);
  CHECK(rank(1e-4) == 1);
}

TEST_CASE("tentative_prolongator keeps columns orthonormal where modes are nearly dependent",
          "[tentative_prolongator]")
{
  // Rotations about an origin that is far away are nearly translations.
  Dense b(40, std::vector<Wide>(3));
  for (std::size_t i = 0; i < b.size(); ++i)
    b[i] = {1.0, 1e6 + static_cast<double>(i), 1e12 + 2e6 * static_cast<double>(i)};
  Structure const s = all_in_one(40);
  auto const result = tentative_prolongator(Device{}, make_csr<C>(s), view_of<C>(b, 2));
  Dense two(b.size(), std::vector<Wide>(2));
  for (std::size_t i = 0; i < b.size(); ++i)
    two[i] = {b[i][0], b[i][1]};
  check_factors<C>(s, two, 1, row_entries(result.p), dense_of(result.coarse), {2});
}

TEST_CASE("tentative_prolongator takes nothing for an answer", "[tentative_prolongator]")
{
  auto const none = tentative_prolongator(Device{}, CsrOf<C>{}, view_of<C>({}, 2));
  CHECK(to_host(none.p) == HostCsr<double>{0, 0, {0}, {}, {}});
  CHECK(none.coarse.extent(0) == 0);
  auto const apart = make_csr<C>({"no aggregates", 2, 0, {{}, {}}});
  CHECK(to_host(tentative_prolongator(Device{}, apart, view_of<C>(Dense(4, {1}), 1)).p) ==
        HostCsr<double>{4, 0, {0, 0, 0, 0, 0}, {}, {}});
  auto const unused = make_csr<C>({"no rows", 0, 2, {}});
  CHECK(dense_of(tentative_prolongator(Device{}, unused, view_of<C>({}, 1)).coarse) ==
        Dense{{0}, {0}});
}

TEST_CASE("tentative_prolongator refuses what does not fit", "[tentative_prolongator]")
{
  auto const message = [](auto const& aggregates, std::size_t rows, std::size_t modes) {
    return message_of<InvalidArgument>([&] {
      tentative_prolongator(Device{}, aggregates,
                            view_of<C>(Dense(rows, std::vector<Wide>(modes, 1)), modes));
    });
  };
  auto const three = make_csr<C>({"three", 3, 2, {{0}, {1}, {1}}});
  CHECK(message(three, 3, 0) == "heddle::tentative_prolongator: the near-nullspace has no columns");
  std::string const expected = " rows, expected a multiple of the 3 rows of the aggregates";
  CHECK(message(three, 4, 1) ==
        "heddle::tentative_prolongator: the near-nullspace has 4" + expected);
  CHECK(message(three, 0, 1) ==
        "heddle::tentative_prolongator: the near-nullspace has 0" + expected);
  CHECK(message(CsrOf<C>{}, 2, 1) ==
        "heddle::tentative_prolongator: the near-nullspace has 2 rows, expected a multiple of the "
        "0 rows of the aggregates");
  CHECK(message(make_csr<C>({"two", 2, 2, {{0, 1}, {1}}}), 2, 1) ==
        "heddle::tentative_prolongator: a row of the aggregates has 2 entries, expected one at "
        "most");
  using Short = Case<Device, double, std::int16_t, int>;
  using ShortOffsets = Case<Device, double, int, std::int16_t>;
  Structure const many = all_in_one(20000);
  CHECK(message(make_csr<Short>(many), 40000, 1) ==
        "heddle::tentative_prolongator: the result is 40000 x 1, which does not fit its ordinal "
        "type (largest value 32767)");
  CHECK(message(make_csr<ShortOffsets>(many), 20000, 2) ==
        "heddle::tentative_prolongator: the result has 40000 entries, which do not fit its offset "
        "type (largest value 32767); use wider offsets");
}
