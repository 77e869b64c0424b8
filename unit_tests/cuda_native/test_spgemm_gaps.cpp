// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Both phases of SpGEMM by nodes with gaps, without what decides about them: C's pattern and values
// against the oracle, for nodes of every size that lack rows, columns and entries, for rows of the
// identity among them, and for every other structure; what is refused; values that are not finite;
// and the sample that comes before.

#include <heddle/cuda_native/rows/csr_view.cuh>
#include <heddle/cuda_native/spgemm/launches.cuh>
#include <heddle/cuda_native/spgemm/node_graphs.cuh>
#include <heddle/cuda_native/spgemm/nodes_with_gaps.cuh>
#include <heddle/cuda_native/spgemm/symbolic.cuh>
#include <heddle/impl/mismatch_flag.hpp>
#include <heddle/impl/views.hpp>
#include <support/matrices.hpp>
#include <support/sparse_product.hpp>
#include <support/structures.hpp>
#include <support/types.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace heddle::test
{

namespace
{

using GapTypes = std::tuple<Case<Device, double, int, std::size_t>, Case<Device, float, int, int>,
                            Case<Device, double, std::int64_t, std::int64_t>,
                            Case<Device, Kokkos::complex<double>, int, int>>;
using C = Case<Device, double, int, std::size_t>;
constexpr std::size_t any_room = std::numeric_limits<std::size_t>::max();
constexpr int sizes_of_nodes[] = {2, 3, 4, 6};

template <class C>
struct ByNodesWithGaps
{
  using Matrix = typename CsrOf<C>::const_type;
  using Result = impl::SpgemmResult<Matrix, Matrix>;
  using Factor = decltype(cuda_native::csr_view(std::declval<Matrix>()));
  using Product = cuda_native::ProductWithGaps<Factor, Factor, Result>;
  using Target =
      cuda_native::SpgemmTarget<typename Result::value_type, typename Result::ordinal_type,
                                typename Result::offset_type>;
  using Call = cuda_native::SpgemmCall<Factor, Factor, Target>;

  Device exec = {};

  // Whatever is padded: nodes of no rows need nothing.
  std::optional<Product> find(Matrix const& a, Matrix const& b, int size, bool is_one_matrix,
                              std::size_t room = any_room) const
  {
    cuda_native::GapsQuestion const question{.entries_a = static_cast<double>(a.nnz()),
                                             .entries_b = static_cast<double>(b.nnz()),
                                             .rows = 0.0,
                                             .products = 1.0,
                                             .bytes_of_value = sizeof(typename C::value),
                                             .calls = 1,
                                             .are_asked_for = true};
    auto const of_a = cuda_native::csr_view(a), of_b = cuda_native::csr_view(b);
    cuda_native::NodesWithGapsPhase<Factor, Factor, Result> const phase(exec, of_a, of_b, question,
                                                                        room, false);
    std::optional<Product> product;
    cuda_native::with_one_of<2, 3, 4, 6>(size, [&]<class Size>(Size) {
      product = phase.template multiply<Size::value>(
          is_one_matrix, [&](auto const& graph_a, auto const& graph_b, auto const& sizes,
                             int of_node, std::size_t left) {
            return cuda_native::multiply_node_graphs<Result, Call>(
                exec, graph_a, graph_b, sizes, of_node, left,
                [](Call const& call, auto const& of_graphs, std::size_t room_of_graphs) {
                  return cuda_native::symbolic_phase<Result>(call, {.sizes = of_graphs,
                                                                    .room = room_of_graphs,
                                                                    .is_whole = false,
                                                                    .may_have_one_pass = false})
                      .pattern;
                });
          });
    });
    return product;
  }
  Result values(Matrix const& a, Matrix const& b, Product const& product,
                impl::MismatchReport report = {}) const
  {
    auto const& pattern = product.pattern;
    Result const c(
        a.num_rows(), b.num_cols(), pattern.row_offsets, pattern.columns,
        impl::uninitialized<typename Result::values_view>(exec, "heddle::test", pattern.nnz));
    Target const target{c.row_offsets().data(), c.columns().data(), c.values().data(), report};
    cuda_native::sum_nodes_with_gaps(exec, cuda_native::csr_view(a), cuda_native::csr_view(b),
                                     target, product.nodes);
    exec.fence();
    return c;
  }
};

// Both with one pattern, or each with its own.
template <class C>
void check(Structure const& a_structure, Structure const& b_structure, int size)
{
  INFO(a_structure.name << " times " << b_structure.name << " by nodes of " << size);
  auto const expected =
      reference_product<typename C::value>(a_structure, b_structure, 1.0, Op::none, Op::none);
  auto const a = make_csr<C>(a_structure), b = make_csr<C>(b_structure);
  ByNodesWithGaps<C> const by_nodes;
  auto const product = by_nodes.find(a, b, size, false);
  REQUIRE(product.has_value());
  CHECK(product->pattern.products == number_of_products(a_structure, b_structure));
  CHECK(difference(expected, by_nodes.values(a, b, *product)) == "");
  if (&a_structure != &b_structure)
    return;
  auto const of_one = by_nodes.find(a, a, size, true);
  REQUIRE(of_one.has_value());
  CHECK(difference(expected, by_nodes.values(a, a, *of_one)) == "");
  CHECK(difference(expected, by_nodes.values(a, b, *of_one)) == ""); // of other values
}

// Nodes of which each has 1 to `size` rows, with as many neighbours, and without some of their
// entries.
Structure with_gaps(std::int64_t nodes, int size, std::int64_t neighbours, double holes,
                    std::uint64_t seed)
{
  Random random(seed);
  std::vector<std::int64_t> firsts{0};
  for (std::int64_t n = 0; n < nodes; ++n)
    firsts.push_back(firsts.back() + (random.below(3) == 0 ? 1 + random.below(size) : size));
  Structure const graph = random_structure("graph", nodes, nodes, neighbours, seed + 1);
  Structure s{"nodes with gaps", firsts.back(), firsts.back(), {}};
  for (std::int64_t n = 0; n < nodes; ++n)
    for (std::int64_t r = firsts[n]; r < firsts[n + 1]; ++r)
    {
      s.columns.emplace_back();
      for (std::int64_t const m : graph.columns[n])
        for (std::int64_t c = firsts[m]; c < firsts[m + 1]; ++c)
          if (random.uniform() >= 2.0 * holes - 1.0)
            s.columns.back().push_back(c);
    }
  return s;
}
Structure with_identity_rows(Structure s, std::uint64_t seed)
{
  Random random(seed);
  for (std::int64_t i = 0; i < s.rows; ++i)
    if (random.below(20) == 0)
      s.columns[i] = {i};
  s.name += " and of the identity";
  return s;
}

// Rows that are strictly ascending and not too long.
bool is_taken(Structure const& s)
{
  for (auto const& row : s.columns)
    if (std::adjacent_find(row.begin(), row.end(), std::greater_equal<>()) != row.end() ||
        row.size() > static_cast<std::size_t>(cuda_native::spgemm_gaps_policy.most_entries_of_row))
      return false;
  return true;
}

// First rows of nodes.
std::vector<int> partition_of(Structure const& s, int size)
{
  Device const exec;
  auto const a = make_csr<C>(s);
  auto const view = cuda_native::csr_view(a);
  Kokkos::View<int*, Kokkos::CudaSpace> const firsts("heddle::test", s.rows + 1);
  cuda_native::NodePartition<int> const partition(exec, view, view, true, size, firsts.data());
  int nodes = 0;
  Kokkos::deep_copy(exec, Kokkos::View<int, Kokkos::HostSpace>(&nodes),
                    Kokkos::View<int const, Kokkos::CudaSpace>(partition.nodes()));
  exec.fence();
  auto found = to_vector(firsts);
  found.resize(static_cast<std::size_t>(nodes) + 1);
  return found;
}
// Whether a row and the next are of one node, rows of the identity among them.
bool are_linked(Structure const& s, std::int64_t row)
{
  auto const is_of_identity = [&](std::int64_t i) {
    return s.columns[i] == std::vector<std::int64_t>{i};
  };
  bool const is_first = is_of_identity(row), is_second = is_of_identity(row + 1);
  if (is_first && is_second)
    return true;
  std::int64_t const one = is_first ? row - 1 : row, other = is_second ? row + 2 : row + 1;
  if (one < 0 || other >= s.rows)
    return false;
  auto const &a = s.columns[one], &b = s.columns[other];
  std::vector<std::int64_t> common;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(common));
  return 3 * common.size() >= 2 * (a.size() + b.size() - common.size());
}

} // namespace

TEMPLATE_LIST_TEST_CASE("nodes with gaps find the pattern and the values of C",
                        "[cuda_native][gaps]", GapTypes)
{
  for (int const size : sizes_of_nodes)
  {
    Structure const whole = with_gaps(60, size, 9, 0.0, 90),
                    holes = with_gaps(90, size, 12, 0.1, 91);
    check<TestType>(whole, whole, size);
    check<TestType>(holes, holes, size);
    check<TestType>(whole, with_identity_rows(whole, 92), size);
    check<TestType>(with_identity_rows(holes, 93), holes, size);
  }
}

TEST_CASE("nodes with gaps take every square structure", "[cuda_native][gaps]")
{
  ByNodesWithGaps<C> const by_nodes;
  for (Structure const& s : small_structures())
    if (s.rows == s.cols)
      for (int const size : sizes_of_nodes)
        if (!is_taken(s) || s.nnz() == 0)
        {
          auto const a = make_csr<C>(s);
          CHECK_FALSE(by_nodes.find(a, a, size, true).has_value());
          CHECK_FALSE(by_nodes.find(a, a, size, false).has_value());
        }
        else if (number_of_products(s, s) > 0)
        {
          check<C>(s, s, size);
          check<C>(s, transposed(s), size);
        }
}

TEST_CASE("nodes with gaps refuse rows out of order", "[cuda_native][gaps]")
{
  ByNodesWithGaps<C> const by_nodes;
  Structure const s = with_gaps(50, 3, 8, 0.0, 94);
  auto const a = make_csr<C>(s);
  Structure swapped = s, twice = s;
  std::swap(swapped.columns[20][2], swapped.columns[20][3]);
  twice.columns[31].insert(twice.columns[31].begin(), twice.columns[31].front());
  for (Structure const& wrong : {swapped, twice})
  {
    auto const b = make_csr<C>(wrong);
    CHECK_FALSE(by_nodes.find(b, b, 3, true).has_value());
    CHECK_FALSE(by_nodes.find(a, b, 3, false).has_value());
    CHECK_FALSE(by_nodes.find(b, a, 3, false).has_value());
  }
}

TEST_CASE("nodes with gaps have long rows of C, or leave them", "[cuda_native][gaps]")
{
  for (int const size : sizes_of_nodes)
  {
    Structure const s = with_gaps(600, size, 22, 0.0, 95); // sums of a row for a block of threads
    check<C>(s, s, size);
  }
  Structure const s = with_gaps(1200, 6, 60, 0.0, 96);
  auto const a = make_csr<C>(s);
  CHECK_FALSE(ByNodesWithGaps<C>{}.find(a, a, 6, true).has_value()); // more than shared memory has
}

TEST_CASE("nodes of gaps are cut from chains of nearly equal rows", "[cuda_native][gaps]")
{
  Structure band{"band", 1500, 1500, {}};
  for (std::int64_t i = 0; i < band.rows; ++i)
  {
    band.columns.emplace_back();
    for (std::int64_t j = std::max<std::int64_t>(i - 20, 0); j < std::min(i + 20, band.cols); ++j)
      band.columns.back().push_back(j);
    if (i % 997 == 300) // rows of the identity between two chains
      band.columns.back() = {i};
  }
  for (int const size : sizes_of_nodes)
    for (Structure const& s : {band, with_gaps(400, size, 10, 0.05, 97),
                               with_identity_rows(with_gaps(400, size, 10, 0.0, 103), 104)})
    {
      INFO(s.name << " " << size);
      auto const firsts = partition_of(s, size);
      REQUIRE(firsts.front() == 0);
      REQUIRE(firsts.back() == s.rows);
      std::int64_t cut = 0, chains = 0;
      for (std::size_t n = 0; n + 1 < firsts.size(); ++n)
      {
        REQUIRE(firsts[n + 1] > firsts[n]);
        REQUIRE(firsts[n + 1] - firsts[n] <= size);
        for (int r = firsts[n]; r + 1 < firsts[n + 1]; ++r)
          CHECK(are_linked(s, r));
        // A node that has fewer rows than it may have ends where its chain does, but where a
        // segment of a long chain ends.
        if (firsts[n + 1] - firsts[n] < size && firsts[n + 1] < s.rows)
        {
          int const last = firsts[n + 1] - 1;
          bool const is_end = !are_linked(s, last);
          CHECK((is_end || (last + 1) % cuda_native::ChainSegment::rows == 0));
          (is_end ? chains : cut) += 1;
        }
      }
      CHECK(cut <= s.rows / cuda_native::ChainSegment::rows);
      if (s.name != "band")
        CHECK(cut == 0);
    }
}

TEST_CASE("zeros that fill blocks take part in nothing", "[cuda_native][gaps]")
{
  double const infinity = std::numeric_limits<double>::infinity();
  ByNodesWithGaps<C> const by_nodes;
  for (int const size : sizes_of_nodes)
    for (double const special : {infinity, -infinity, std::numeric_limits<double>::quiet_NaN()})
      for (bool const is_in_a : {true, false})
      {
        Structure const s = with_gaps(40, size, 8, 0.15, 98);
        auto const a = make_csr<C>(s), b = make_csr<C>(s);
        auto const product = by_nodes.find(a, b, size, false);
        REQUIRE(product.has_value());
        auto const values = to_vector((is_in_a ? a : b).values());
        auto changed = values;
        for (std::size_t k = 5; k < changed.size(); k += 101)
          changed[k] = special;
        auto const set = [&](std::vector<double> const& to) {
          Kokkos::deep_copy((is_in_a ? a : b).values(), to_view<double, C::space>(to));
        };
        set(changed);
        auto const h_a = to_host(a), h_b = to_host(b);
        auto const c = to_host(by_nodes.values(a, b, *product));
        std::int64_t finite = 0, infinite = 0, wrong = 0;
        for (std::int64_t i = 0; i < s.rows; ++i)
        {
          std::map<std::int64_t, double> row;
          for (auto k = h_a.offsets[i]; k < h_a.offsets[i + 1]; ++k)
            for (auto m = h_b.offsets[h_a.columns[k]]; m < h_b.offsets[h_a.columns[k] + 1]; ++m)
              row[h_b.columns[m]] += h_a.values[k] * h_b.values[m];
          REQUIRE(c.offsets[i + 1] - c.offsets[i] == static_cast<std::int64_t>(row.size()));
          auto k = c.offsets[i];
          for (auto const& [column, value] : row)
          {
            double const found = c.values[k++];
            bool const is_same = std::isfinite(value) ? std::abs(found - value) < 1e-10
                                 : std::isnan(value)  ? std::isnan(found)
                                                      : found == value;
            (std::isfinite(value) ? finite : infinite) += 1;
            wrong += is_same ? 0 : 1;
          }
        }
        CHECK(finite > 0);
        CHECK(infinite > 0);
        CHECK(wrong == 0);
        // And the next call, whose values are finite, is by blocks again.
        set(values);
        CHECK(difference(reference_product<double>(s, s, 1.0), by_nodes.values(a, b, *product)) ==
              "");
      }
}

TEST_CASE("nodes with gaps do with the room there is, or not", "[cuda_native][gaps]")
{
  ByNodesWithGaps<C> const by_nodes;
  Structure const s = with_gaps(80, 3, 9, 0.05, 99);
  auto const a = make_csr<C>(s);
  auto const expected = reference_product<double>(s, s, 1.0);
  int taken = 0, left = 0;
  for (std::size_t room = 1000; room < (std::size_t(1) << 24); room += room / 4)
    if (auto const product = by_nodes.find(a, a, 3, true, room))
    {
      ++taken;
      CHECK(product->nodes.bytes() <= room + 2 * sizeof(int) * s.rows * 8);
      CHECK(difference(expected, by_nodes.values(a, a, *product)) == "");
    }
    else
      ++left;
  CHECK(taken > 0);
  CHECK(left > 0);
}

TEST_CASE("nodes with gaps report matrices of another pattern", "[cuda_native][gaps]")
{
  ByNodesWithGaps<C> const by_nodes;
  Structure const s = with_gaps(80, 3, 9, 0.0, 100);
  Structure other = s; // one column more to the right
  for (auto& row : other.columns)
    if (row.back() + 1 < s.cols)
      ++row.back();
  auto const a = make_csr<C>(s), b = make_csr<C>(other);
  auto const product = by_nodes.find(a, a, 3, true);
  REQUIRE(product.has_value());
  auto const flag = impl::MismatchFlag<Device>::make();
  by_nodes.values(a, a, *product, flag.report());
  CHECK_NOTHROW(flag.require_none("spgemm"));
  by_nodes.values(b, b, *product, flag.report());
  CHECK_THROWS_AS(flag.require_none("spgemm"), InvalidArgument);
}

TEST_CASE("a sample tells the size of nodes with gaps", "[cuda_native][gaps]")
{
  Device const exec;
  // Products enough that nothing else takes time, and nodes enough that they fill the device.
  auto const sampled = [&](Structure const& s) {
    auto const a = make_csr<C>(s);
    auto const entries = static_cast<double>(a.nnz());
    return cuda_native::sampled_nodes(exec, cuda_native::csr_view(a),
                                      {.entries_a = entries,
                                       .entries_b = entries,
                                       .rows = static_cast<double>(s.rows),
                                       .products = 1e12,
                                       .bytes_of_value = sizeof(double),
                                       .calls = 1,
                                       .are_asked_for = false});
  };
  for (int const size : {2, 3, 6})
    for (std::int64_t const nodes : {4000, 9000})
    {
      INFO(size << " " << nodes);
      auto const found = sampled(with_gaps(nodes, size, 12, 0.01, 101));
      CHECK(found.size == size);
      CHECK(found.padded_products() > 1.0);
      CHECK(found.padded_products() < 3.0);
    }
  // Rows that are alone: all but one of each node's are filled.
  CHECK(sampled(random_structure("random", 5000, 5000, 12, 102)).padded_products() > 7.0);
  CHECK(sampled(structure("1 x 1")).padded_products() > 7.0);
}

} // namespace heddle::test
