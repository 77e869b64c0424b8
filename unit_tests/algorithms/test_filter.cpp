// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/filter.hpp>
#include <heddle/symmetrize_pattern.hpp>
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
#include <type_traits>
#include <vector>

namespace heddle::test
{

namespace
{

// With the diagonal that lumping and the default criterion want.
Structure with_diagonal(Structure s)
{
  s.name += ", with diagonal";
  for (std::int64_t i = 0; i < s.rows; ++i)
  {
    auto& row = s.columns[i];
    if (std::find(row.begin(), row.end(), i) == row.end())
      row.insert(row.begin() + static_cast<std::ptrdiff_t>(row.size() / 2), i);
  }
  return s;
}

double root_of_diagonal(RowEntries const& rows, std::int64_t i)
{
  auto const found = rows[static_cast<std::size_t>(i)].find(i);
  return found == rows[static_cast<std::size_t>(i)].end() ? 0 : std::sqrt(std::abs(found->second));
}

double limit_of(RowEntries const& rows, std::int64_t i, std::int64_t j, double tolerance,
                FilterOptions const& options)
{
  if (options.criterion == FilterCriterion::absolute)
    return tolerance;
  if (options.criterion == FilterCriterion::diagonal)
    return tolerance * root_of_diagonal(rows, i) * root_of_diagonal(rows, j);
  double one = 0, squares = 0, largest = 0;
  for (auto const& [column, value] : rows[static_cast<std::size_t>(i)])
  {
    one += std::abs(value);
    squares += std::norm(value);
    largest = std::max(largest, std::abs(value));
  }
  return tolerance * (options.norm == Norm::one   ? one
                      : options.norm == Norm::two ? std::sqrt(squares)
                                                  : largest);
}

// A plain loop over a matrix on the host: entries that stay, and for each row what was lost.
template <class Value>
struct Filtered
{
  HostCsr<Value> kept;
  std::vector<Entry> losses;
  std::int64_t borderline = 0; // so near their limit that rounding decides
};

template <class Value>
Filtered<Value> reference_filter(HostCsr<Value> const& h, RowEntries const& rows, double tolerance,
                                 FilterOptions const& options)
{
  Filtered<Value> result{{h.rows, h.cols, {0}, {}, {}}, {}, 0};
  result.losses.resize(static_cast<std::size_t>(h.rows));
  double const eps = std::numeric_limits<impl::real_t<Value>>::epsilon();
  for (std::int64_t i = 0; i < h.rows; ++i)
  {
    Entry& loss = result.losses[static_cast<std::size_t>(i)];
    for (auto k = h.offsets[i]; k < h.offsets[i + 1]; ++k)
    {
      Wide const value = wide(h.values[k]);
      double const limit = limit_of(rows, i, h.columns[k], tolerance, options);
      bool const is_off_diagonal = h.columns[k] != i;
      result.borderline +=
          is_off_diagonal && limit > 0 && std::abs(std::abs(value) - limit) <= 1000 * eps * limit
              ? 1
              : 0;
      bool const is_small = options.criterion == FilterCriterion::diagonal
                                ? std::abs(value) <= limit
                                : std::abs(value) < limit;
      if (is_off_diagonal && is_small)
      {
        loss.value += value;
        loss.magnitude += std::abs(value);
        ++loss.terms;
        continue;
      }
      result.kept.columns.push_back(h.columns[k]);
      result.kept.values.push_back(h.values[k]);
    }
    result.kept.offsets.push_back(static_cast<std::int64_t>(result.kept.columns.size()));
  }
  return result;
}

// "" or the first diagonal entry that is not what it was and what its row lost, within the bound of
// such a sum; all others are as they were.
template <class Value>
std::string lumping_difference(Filtered<Value> const& expected, HostCsr<Value> const& lumped)
{
  auto const& kept = expected.kept;
  if (lumped.offsets != kept.offsets || lumped.columns != kept.columns)
    return "another pattern";
  for (std::int64_t i = 0; i < kept.rows; ++i)
    for (auto k = kept.offsets[i]; k < kept.offsets[i + 1]; ++k)
    {
      Entry const& loss = expected.losses[static_cast<std::size_t>(i)];
      Wide const before = wide(kept.values[k]), after = wide(lumped.values[k]);
      if (kept.columns[k] != i && after != before)
        return "row " + std::to_string(i) + ": an entry off the diagonal changed";
      double const bound = error_bound<Value>(loss.terms + 1, loss.magnitude + std::abs(before));
      if (kept.columns[k] == i && !(std::abs(after - before - loss.value) <= bound))
        return "row " + std::to_string(i) + ": the diagonal is wrong";
    }
  return "";
}

std::vector<FilterOptions> all_options()
{
  return {{FilterCriterion::diagonal},
          {FilterCriterion::row_norm, Norm::one},
          {FilterCriterion::row_norm, Norm::two},
          {FilterCriterion::row_norm, Norm::infinity},
          {FilterCriterion::absolute}};
}

// Every criterion, with and without row sums; counts what is dropped.
template <class C>
void check_filter(typename C::exec const& exec, Structure const& s, std::int64_t& dropped)
{
  using Value = typename C::value;
  INFO(s.name);
  auto const a = make_csr_with<C>(s, 2);
  auto const h = to_host(a);
  auto const rows = row_entries(a);
  for (FilterOptions const& options : all_options())
    for (double const tolerance : {0.0, 0.125, 0.5})
    {
      INFO(static_cast<int>(options.criterion)
           << " " << to_string(options.norm) << " " << tolerance);
      auto const real = static_cast<impl::real_t<Value>>(tolerance);
      auto const expected = reference_filter(h, rows, tolerance, options);
      if (expected.borderline > 0)
        continue;
      CHECK(to_host(filter(exec, a, real, options)) == expected.kept);
      FilterOptions lumped = options;
      lumped.keeps_row_sums = true;
      CHECK(lumping_difference(expected, to_host(filter(exec, a, real, lumped))) == "");
      dropped += static_cast<std::int64_t>(h.columns.size() - expected.kept.columns.size());
    }
  CHECK(to_host(a) == h);
}

template <class C>
void check_symmetrized(typename C::exec const& exec, Structure const& s)
{
  INFO(s.name);
  using Value = typename C::value;
  auto const a = make_csr_with<C>(s, 1);
  auto expected = row_entries(a);
  for (std::int64_t i = 0; i < s.rows; ++i)
    for (std::int64_t const j : s.columns[i])
      expected[static_cast<std::size_t>(j)].emplace(i, 0.0); // where it is not there yet
  auto const result = symmetrize_pattern(exec, a);
  static_assert(std::is_same_v<typename decltype(result)::value_type, Value>);
  auto const h = to_host(result);
  CHECK(row_entries(result) == expected);
  for (std::int64_t i = 0; i < h.rows; ++i)
    if (!std::is_sorted(h.columns.begin() + h.offsets[i], h.columns.begin() + h.offsets[i + 1]))
      FAIL("row " << i << " is not sorted");
}

using C = DoubleCase<Device>;

template <class Call>
std::string refusal(Call const& call)
{
  return message_of<InvalidArgument>(call);
}

// A 3 x 3 matrix with these values, all entries there.
CsrOf<C> dense(std::vector<double> const& values)
{
  auto const a = make_csr<C>({"dense", 3, 3, {{0, 1, 2}, {0, 1, 2}, {0, 1, 2}}});
  Kokkos::deep_copy(a.values(), to_view<double, C::space>(values));
  return a;
}

} // namespace

} // namespace heddle::test

using namespace heddle::test;
using heddle::filter;
using heddle::FilterCriterion;
using heddle::FilterOptions;
using heddle::Norm;
using heddle::symmetrize_pattern;

TEMPLATE_LIST_TEST_CASE("filter agrees with the oracle", "[filter]", Types)
{
  auto const exec = instance_of_five<typename TestType::exec>();
  std::int64_t dropped = 0;
  for (Structure const& s : small_structures())
    if (s.rows == s.cols)
    {
      check_filter<TestType>(exec, with_diagonal(s), dropped);
      check_filter<TestType>(exec, shuffled(with_diagonal(s), 4), dropped);
    }
  CHECK(dropped > 1000);
}

TEST_CASE("filter compares as MueLu and hypre do, also where both sides are equal", "[filter]")
{
  // sqrt(|a_ii|) = 2, 1, 3.
  auto const a = dense({-4, 1, 3, 0.5, 1, 1.5, 3.5, -1.5, 9});
  auto const by_diagonal = to_host(filter(Device{}, a, 0.5));
  CHECK(by_diagonal == HostCsr<double>{3, 3, {0, 1, 2, 4}, {0, 1, 0, 2}, {-4, 1, 3.5, 9}});
  // Largest absolute values: 4, 1.5, 9. What equals its limit stays.
  auto const by_norm = to_host(filter(Device{}, a, 0.25, {FilterCriterion::row_norm}));
  CHECK(by_norm ==
        HostCsr<double>{
            3, 3, {0, 3, 6, 8}, {0, 1, 2, 0, 1, 2, 0, 2}, {-4, 1, 3, 0.5, 1, 1.5, 3.5, 9}});
  auto const absolute = to_host(filter(Device{}, a, 1.5, {FilterCriterion::absolute}));
  CHECK(absolute ==
        HostCsr<double>{3, 3, {0, 2, 4, 7}, {0, 2, 1, 2, 0, 1, 2}, {-4, 3, 1, 1.5, 3.5, -1.5, 9}});
  // Row sums stay: -4 + 1 + 3 = 0, 0.5 + 1 + 1.5 = 3, 9 - 1.5 beside 3.5.
  auto const lumped = to_host(filter(Device{}, a, 0.5, {.keeps_row_sums = true}));
  CHECK(lumped == HostCsr<double>{3, 3, {0, 1, 2, 4}, {0, 1, 0, 2}, {0, 3, 3.5, 7.5}});
}

TEST_CASE("filter with row sums keeps A times the vector of ones", "[filter]")
{
  Device const exec;
  auto const a = make_csr_with<C>(with_diagonal(structure("power law")), 2);
  auto const strong = filter(exec, a, 0.25, {.keeps_row_sums = true});
  CHECK(strong.nnz() < a.nnz());
  auto const before = row_entries(a), after = row_entries(strong);
  for (std::size_t i = 0; i < before.size(); ++i)
  {
    Wide sum = 0;
    double magnitude = 0;
    for (auto const& [column, value] : before[i])
    {
      sum += value;
      magnitude += std::abs(value);
    }
    for (auto const& [column, value] : after[i])
      sum -= value;
    CHECK(std::abs(sum) <=
          2 * error_bound<double>(static_cast<std::int64_t>(before[i].size()), magnitude));
  }
}

TEST_CASE("filter takes rectangular and default-constructed matrices", "[filter]")
{
  CHECK(to_host(filter(Device{}, CsrOf<C>{}, 1.0)) == HostCsr<double>{0, 0, {0}, {}, {}});
  for (char const* const name : {"wide", "tall", "0 x 7", "7 x 0", "unsorted"})
  {
    INFO(name);
    auto const a = make_csr_with<C>(structure(name), 2);
    for (FilterOptions const& options : all_options())
      if (options.criterion != FilterCriterion::diagonal)
        CHECK(to_host(filter(Device{}, a, 0.5, options)) ==
              reference_filter(to_host(a), row_entries(a), 0.5, options).kept);
  }
}

TEST_CASE("filter keeps entries that are no number", "[filter]")
{
  double const nan = std::numeric_limits<double>::quiet_NaN();
  auto const a = dense({4, nan, 0.5, nan, 4, 0.5, 0.5, 0.5, 4});
  CHECK(to_host(filter(Device{}, a, 0.5)).columns == std::vector<std::int64_t>{0, 1, 0, 1, 2});
}

TEST_CASE("filter names what it refuses", "[filter]")
{
  auto const a = make_csr<C>(structure("wide"));
  auto const square = make_csr<C>({"square", 3, 3, {{0, 1}, {1}, {0, 1}}});
  Kokkos::deep_copy(square.values(), 0.25);
  CHECK(refusal([&] { filter(Device{}, square, -0.5); }) ==
        "heddle::filter: the tolerance is -0.5, expected 0 or more");
  CHECK(refusal([&] { filter(Device{}, square, std::numeric_limits<double>::quiet_NaN()); }) ==
        "heddle::filter: the tolerance is nan, expected 0 or more");
  CHECK(refusal([&] { filter(Device{}, a, 0.5); }) ==
        "heddle::filter: A is 31 x 700 but entries are compared with the diagonal of a square "
        "matrix");
  FilterOptions const lumped{.criterion = FilterCriterion::absolute, .keeps_row_sums = true};
  CHECK(refusal([&] { filter(Device{}, square, 0.5, lumped); }) ==
        "heddle::filter: row 2 has no diagonal entry to which what it loses could be added");
  CHECK(refusal([&] { filter(Device{}, square, 0.125, lumped); }) == "no error");
}

TEMPLATE_LIST_TEST_CASE("symmetrize_pattern agrees with the oracle", "[symmetrize_pattern]", Types)
{
  auto const exec = instance_of_five<typename TestType::exec>();
  for (Structure const& s : small_structures())
    if (s.rows == s.cols)
    {
      check_symmetrized<TestType>(exec, s);
      check_symmetrized<TestType>(exec, shuffled(s, 5));
    }
  check_symmetrized<TestType>(exec, random_structure("random", 300, 300, 2, 6));
}

TEST_CASE("symmetrize_pattern refuses what is not square or too large", "[symmetrize_pattern]")
{
  CHECK(refusal([] { symmetrize_pattern(Device{}, make_csr<C>(structure("wide"))); }) ==
        "heddle::symmetrize_pattern: A is 31 x 700, expected a square matrix");
  CHECK(to_host(symmetrize_pattern(Device{}, CsrOf<C>{})) == HostCsr<double>{0, 0, {0}, {}, {}});
  using Short = Case<Device, double, int, std::int16_t>;
  Structure upper{"upper triangle", 200, 200, {}};
  for (std::int64_t i = 0; i < 200; ++i)
  {
    upper.columns.emplace_back();
    for (std::int64_t j = i; j < 200; ++j)
      upper.columns.back().push_back(j);
  }
  CHECK(refusal([&] { symmetrize_pattern(Device{}, make_csr<Short>(upper)); }) ==
        "heddle::symmetrize_pattern: the result has 40000 entries, which do not fit its offset "
        "type (largest value 32767); use wider offsets");
}
