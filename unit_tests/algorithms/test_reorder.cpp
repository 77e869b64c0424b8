// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/analysis.hpp>
#include <heddle/permute.hpp>
#include <heddle/reorder.hpp>
#include <heddle/spmv.hpp>
#include <support/instances.hpp>
#include <support/matrices.hpp>
#include <support/messages.hpp>
#include <support/permutations.hpp>
#include <support/reference.hpp>
#include <support/structures.hpp>
#include <support/types.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace heddle::test
{

namespace
{

template <class Exec>
using CaseOf = Case<Exec, double, int, std::size_t>;
using C = CaseOf<Device>;

// Every order of a matrix, by name; Cuthill and McKee's of square ones.
template <class Exec>
std::vector<std::pair<std::string, Order>> orders(Exec const& exec, CsrOf<CaseOf<Exec>> const& a)
{
  std::vector<std::pair<std::string, Order>> all{
      {"longest first", order_of(order_by_degree(exec, a))},
      {"shortest first", order_of(order_by_degree(exec, a, DegreeOrder::shortest_first))},
      {"similarity", order_of(order_by_similarity(exec, a))}};
  if (a.num_rows() == a.num_cols())
    all.emplace_back("Cuthill-McKee", order_of(order_by_cuthill_mckee(exec, a)));
  return all;
}

// Neighbours in A + A^T.
std::vector<std::set<std::int64_t>> neighbours(Structure const& s)
{
  std::vector<std::set<std::int64_t>> result(static_cast<std::size_t>(s.rows));
  for (std::int64_t i = 0; i < s.rows; ++i)
    for (std::int64_t const j : s.columns[i])
      if (i != j)
      {
        result[i].insert(j);
        result[j].insert(i);
      }
  return result;
}

// "" or what is wrong with an order of Cuthill and McKee, not reversed: vertices come in the order
// in which the first of their neighbours does, those of one neighbour by degree and then by number.
std::string defect_of_cuthill_mckee(Structure const& s, Order const& order)
{
  auto const graph = neighbours(s);
  Order place(order.size());
  for (std::size_t at = 0; at < order.size(); ++at)
    place[order[at]] = static_cast<std::int64_t>(at);
  std::int64_t parent = -1;
  for (std::size_t at = 0; at < order.size(); ++at)
  {
    std::int64_t first = static_cast<std::int64_t>(at); // of a part that begins here
    for (std::int64_t const v : graph[order[at]])
      first = std::min(first, place[v]);
    if (first < parent)
      return "vertex at " + std::to_string(at) + " comes too late";
    auto const degree_at = [&](std::size_t n) {
      return std::pair(graph[order[n]].size(), order[n]);
    };
    bool const is_of_same = at > 0 && first == parent && first != static_cast<std::int64_t>(at);
    if (is_of_same && place[order[at - 1]] != first && degree_at(at) < degree_at(at - 1))
      return "vertices at " + std::to_string(at) + " and before are not by degree";
    parent = first;
  }
  return "";
}

// The bandwidth that Cuthill and McKee's order leaves.
std::int64_t bandwidth_after(Structure const& s)
{
  auto const a = make_csr<C>(s);
  auto const p = order_by_cuthill_mckee(Device{}, a);
  return pattern_figures(Device{}, permute(Device{}, a, p, p)).bandwidth;
}

// Vertices of a path, numbered at random; edges point forwards only, the last of each part nowhere.
Structure shuffled_paths(std::int64_t n, std::int64_t of_a_part)
{
  Order const number = random_order(n, 17);
  Structure s{"paths", n, n, std::vector<std::vector<std::int64_t>>(static_cast<std::size_t>(n))};
  for (std::int64_t v = 0; v + 1 < n; ++v)
    if ((v + 1) % of_a_part != 0)
      s.columns[number[v]].push_back(number[v + 1]);
  return s;
}

} // namespace

} // namespace heddle::test

using namespace heddle::test;

TEMPLATE_LIST_TEST_CASE("orders are permutations, the same on any number of threads", "[reorder]",
                        Spaces)
{
  for (Structure const& s : structures())
  {
    INFO(s.name);
    auto const first = orders(TestType{}, make_csr<CaseOf<TestType>>(s));
    CHECK(orders(instance_of_five<TestType>(), make_csr<CaseOf<TestType>>(s)) == first);
    CHECK(orders(Kokkos::Serial{}, make_csr<CaseOf<Kokkos::Serial>>(s)) == first);
    for (auto const& [name, order] : first)
    {
      INFO(name);
      CHECK(is_permutation_of(order, s.rows));
    }
  }
}

TEST_CASE("a reordered matrix multiplies to the same result", "[reorder]")
{
  using Vector = Kokkos::View<double*, Device::memory_space>;
  Device const exec{};
  for (Structure const& s : small_structures())
  {
    if (s.rows != s.cols)
      continue;
    auto const a = make_csr<C>(s);
    std::vector<double> x;
    for (std::int64_t j = 0; j < s.cols; ++j)
      x.push_back(value_at<double>(j + b_offset, 0));
    auto const input = to_view<double, Device::memory_space>(x);
    Expected const expected = reference_multiply<double, double>(s, heddle::Op::none, 1.0, 1, 0.0);
    for (auto const& [name, order] : orders(exec, a))
    {
      INFO(s.name << ", " << name);
      auto const p = permutation_view<C>(order);
      Vector const moved("x", x.size()), result("y", x.size()), back("z", x.size());
      heddle::permute_vector(exec, input, p, moved);
      heddle::spmv(exec, 1.0, heddle::permute(exec, a, p, p), moved, 0.0, result);
      heddle::permute_vector(exec, result, heddle::inverse_permutation(exec, p), back);
      exec.fence();
      auto const y = to_vector(back);
      CHECK(first_difference<double>(expected, [&](auto i, auto) { return y[i]; }) == "");
    }
  }
}

TEST_CASE("rows by degree are those of a stable sort", "[reorder]")
{
  for (Structure const& s : small_structures())
  {
    INFO(s.name);
    auto const length = [&s](std::int64_t i) { return s.columns[i].size(); };
    Order longest = identity_order(s.rows), shortest = longest;
    std::stable_sort(longest.begin(), longest.end(),
                     [&](auto i, auto j) { return length(i) > length(j); });
    std::stable_sort(shortest.begin(), shortest.end(),
                     [&](auto i, auto j) { return length(i) < length(j); });
    auto const a = make_csr<C>(s);
    CHECK(order_of(heddle::order_by_degree(Device{}, a)) == longest);
    CHECK(order_of(heddle::order_by_degree(Device{}, a, heddle::DegreeOrder::shortest_first)) ==
          shortest);
  }
}

TEST_CASE("Cuthill and McKee's order is a search by levels and degrees", "[reorder]")
{
  for (Structure const& s : small_structures())
  {
    if (s.rows != s.cols)
      continue;
    INFO(s.name);
    Order order = order_of(heddle::order_by_cuthill_mckee(Device{}, make_csr<C>(s)));
    std::reverse(order.begin(), order.end());
    CHECK(defect_of_cuthill_mckee(s, order) == "");
  }
}

TEST_CASE("Cuthill and McKee's order finds paths again", "[reorder]")
{
  CHECK(bandwidth_after(shuffled_paths(100, 100)) == 1);
  CHECK(bandwidth_after(shuffled_paths(100, 10)) == 1);
  CHECK(bandwidth_after(shuffled_paths(90, 1)) == 0); // no edge at all
  // A band of two on each side, numbered at random.
  Structure const& band = structure("banded");
  auto const p = permutation_view<C>(random_order(band.rows, 9));
  auto const a = heddle::permute(Device{}, make_csr<C>(band), p, p);
  REQUIRE(heddle::pattern_figures(Device{}, a).bandwidth > 100);
  auto const q = heddle::order_by_cuthill_mckee(Device{}, a);
  CHECK(heddle::pattern_figures(Device{}, heddle::permute(Device{}, a, q, q)).bandwidth <= 4);
}

TEST_CASE("Cuthill and McKee's order begins at an end, wherever the search for it does",
          "[reorder]")
{
  // A ladder of 2 x 50 vertices with one more beside its middle: the least degree is there, the
  // ends are far from it.
  std::int64_t const length = 50;
  Structure ladder{"ladder", 2 * length + 1, 2 * length + 1, {}};
  ladder.columns.resize(static_cast<std::size_t>(ladder.rows));
  auto const join = [&](std::int64_t v, std::int64_t w) {
    ladder.columns[static_cast<std::size_t>(v)].push_back(w);
    ladder.columns[static_cast<std::size_t>(w)].push_back(v);
  };
  for (std::int64_t i = 0; i < length; ++i)
  {
    join(2 * i, 2 * i + 1);
    if (i + 1 < length)
    {
      join(2 * i, 2 * i + 2);
      join(2 * i + 1, 2 * i + 3);
    }
  }
  join(length, 2 * length);
  CHECK(bandwidth_after(ladder) <= 4);
}

TEST_CASE("similarity brings rows with the same columns together", "[reorder]")
{
  // 50 patterns of 8 rows each, in random order, and three empty rows.
  Structure const patterns = random_structure("", 50, 4000, 12, 31);
  Order const place = random_order(403, 32);
  Structure s{"", 403, 4000, std::vector<std::vector<std::int64_t>>(403)};
  for (std::int64_t n = 0; n < 400; ++n)
    s.columns[place[n]] = patterns.columns[n / 8];
  auto const a = make_csr<C>(s);
  auto const p = heddle::order_by_similarity(Device{}, a);
  Order const order = order_of(p);
  auto const figures = heddle::pattern_figures(Device{}, heddle::permute_rows(Device{}, a, p));
  CHECK(heddle::pattern_figures(Device{}, a).overlap[2] < 1.5);
  CHECK(figures.overlap[2] == 8);
  for (std::size_t n = 400; n < 403; ++n)
    CHECK(s.columns[order[n]].empty());
}

TEST_CASE("orders refuse what they cannot take", "[reorder]")
{
  auto const wide = make_csr<C>(structure("wide"));
  CHECK(message_of<heddle::InvalidArgument>([&] {
          heddle::order_by_cuthill_mckee(Device{}, wide);
        }) == "heddle::order_by_cuthill_mckee: A is 31 x 700, expected a square matrix");
  CHECK(message_of<heddle::InvalidArgument>([&] {
          heddle::order_by_similarity(Device{}, wide, 0);
        }) == "heddle::order_by_similarity: hashes is 0");
}
