// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Both phases of SpGEMM by dense tiles, without what decides about them: C's pattern and what is
// counted against the oracle, at ragged edges, with empty strips, with rows that are not sorted,
// with columns further apart than a window of steps, in one block that many warps share, and with
// nodes aligned to tiles. And the sample that comes before.

#include <heddle/cuda_native/spgemm/kept_tiles.cuh>
#include <heddle/cuda_native/spgemm/tiles_choice.cuh>
#include <heddle/impl/views.hpp>
#include <support/matrices.hpp>
#include <support/sparse_product.hpp>
#include <support/structures.hpp>
#include <support/types.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <Kokkos_Core.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace heddle::test
{

namespace
{

using TileTypes = std::tuple<Case<Device, double, int, std::size_t>, Case<Device, float, int, int>,
                             Case<Device, double, std::int64_t, std::int64_t>>;
using C = Case<Device, double, int, std::size_t>;
using Catch::Matchers::ContainsSubstring;
constexpr std::size_t any_room = std::numeric_limits<std::size_t>::max();

// The only other kernels: those that take row by row.
struct ByRows
{
  cuda_native::OtherKernels fastest() const { return cuda_native::by_nodes(1); }
  cuda_native::OtherKernels taken() const { return fastest(); }
  bool wants_windows() const { return false; }
  template <class Sample>
  void take_windows(Sample const&) const
  {}
};

template <class C>
struct ByTiles
{
  using Matrix = typename CsrOf<C>::const_type;
  using Result = impl::SpgemmResult<Matrix, Matrix>;
  using Choice = cuda_native::TilesChoice<Matrix, Matrix, Result, ByRows>;
  using Product = cuda_native::TiledProduct<Result>;

  Device exec = {};
  SpgemmOptions options{.accumulator = SpgemmAccumulator::dense_tiles};
  impl::Verdict verdict = {};

  std::optional<Product> find(Matrix const& a, Matrix const& b, std::size_t room = any_room)
  {
    ByRows const others;
    Choice const choice{exec, a, b, options, false, others, 1};
    return choice.find({.room = room, .is_whole = false}, verdict);
  }
  Result values(Matrix const& a, Matrix const& b, Product const& product) const
  {
    auto const& pattern = product.pattern;
    Result const c(
        a.num_rows(), b.num_cols(), pattern.row_offsets, pattern.columns,
        impl::uninitialized<typename Result::values_view>(exec, "heddle::test", pattern.nnz));
    cuda_native::SpgemmTarget<typename Result::value_type, typename Result::ordinal_type,
                              typename Result::offset_type> const target{
        c.row_offsets().data(), c.columns().data(), c.values().data()};
    // As a plan keeps them.
    auto const tiles = cuda_native::kept(exec, product.tiles);
    cuda_native::TileValues const in_tiles(exec, cuda_native::csr_view(a),
                                           static_cast<std::int64_t>(a.nnz()),
                                           cuda_native::csr_view(b), tiles);
    cuda_native::sum_in_tiles(exec, static_cast<std::int64_t>(a.num_rows()), target, tiles,
                              in_tiles);
    exec.fence();
    return c;
  }
};

bool has_tiles() { return cuda_native::device_architecture(Device{}).has_f64_mma; }

// What tiles are counted by: groups of `rows` places of rows and `columns` places of columns that
// have entries.
std::set<std::pair<std::int64_t, std::int64_t>>
groups_of(Structure const& s, cuda_native::NodeAlignment const& alignment, int rows, int columns)
{
  std::set<std::pair<std::int64_t, std::int64_t>> groups;
  for (std::int64_t i = 0; i < s.rows; ++i)
    for (std::int64_t const j : s.columns[i])
      groups.emplace(alignment.place_of(static_cast<int>(i)) / rows,
                     alignment.place_of(static_cast<int>(j)) / columns);
  return groups;
}
std::int64_t tiles_of(Structure const& s, cuda_native::NodeAlignment const& alignment)
{
  return static_cast<std::int64_t>(groups_of(s, alignment, 8, 8).size());
}

// Products of tiles, and steps of strips of A and B that meet.
std::pair<std::int64_t, std::int64_t> tile_products_of(Structure const& a, Structure const& b,
                                                       cuda_native::NodeAlignment const& alignment)
{
  auto const meet = [](auto const& of_a, auto const& of_b) {
    std::map<std::int64_t, std::int64_t> of_inner;
    for (auto const& [inner, outer] : of_b)
      ++of_inner[inner];
    std::int64_t count = 0;
    for (auto const& [outer, inner] : of_a)
      count += of_inner.contains(inner) ? of_inner[inner] : 0;
    return count;
  };
  return {meet(groups_of(a, alignment, 8, 8), groups_of(b, alignment, 8, 8)),
          meet(groups_of(a, alignment, 32, 8), groups_of(b, alignment, 8, 32))};
}

template <class C>
void check(Structure const& a_structure, Structure const& b_structure,
           std::optional<int> size_of_nodes = std::nullopt)
{
  INFO(a_structure.name << " times " << b_structure.name);
  auto const expected =
      reference_product<typename C::value>(a_structure, b_structure, 1.0, Op::none, Op::none);
  auto const a = make_csr<C>(a_structure), b = make_csr<C>(b_structure);
  ByTiles<C> by_tiles;
  auto const product = by_tiles.find(a, b);
  std::int64_t const products = number_of_products(a_structure, b_structure);
  if (products == 0)
  {
    CHECK_FALSE(product.has_value());
    return;
  }
  REQUIRE(product.has_value());
  CHECK(product->pattern.products == products);
  auto const& counted = product->tiles.counted;
  CHECK(counted.products == products);
  CHECK(counted.entries == a_structure.nnz() + b_structure.nnz());
  auto const& alignment = product->tiles.alignment;
  if (size_of_nodes)
    CHECK(alignment.size == *size_of_nodes);
  CHECK(counted.tiles == tiles_of(a_structure, alignment) + tiles_of(b_structure, alignment));
  CHECK(std::pair(counted.tile_products, counted.common_steps) ==
        tile_products_of(a_structure, b_structure, alignment));
  CHECK(difference(expected, by_tiles.values(a, b, *product)) == "");
}

// Entries of `columns` in each row of a few.
Structure of_columns(std::string const& name, std::int64_t rows, std::int64_t cols,
                     std::vector<std::int64_t> const& columns)
{
  Structure s{name, rows, cols, {}};
  for (std::int64_t i = 0; i < rows; ++i)
  {
    s.columns.emplace_back();
    for (std::int64_t n = i % 3; n < static_cast<std::int64_t>(columns.size()); n += 1 + i % 2)
      s.columns.back().push_back(columns[n]);
  }
  return s;
}

// Each entry as a full block of size x size.
Structure of_nodes(int size, Structure const& graph)
{
  Structure s{graph.name + " of nodes of " + std::to_string(size),
              graph.rows * size,
              graph.cols * size,
              {}};
  for (std::int64_t i = 0; i < s.rows; ++i)
  {
    s.columns.emplace_back();
    for (std::int64_t const node : graph.columns[i / size])
      for (int x = 0; x < size; ++x)
        s.columns.back().push_back(node * size + x);
  }
  return s;
}

// What a sample has of a matrix of at most as many strips as are sampled, by its entries.
// Entries, tiles, and steps of A and of B.
using Counted = std::vector<std::int64_t>;
// The entries that are sampled: rows of a strip with more than there are taken of one end before
// the first column that is left out.
Structure sampled_part(Structure s, cuda_native::NodeAlignment const& alignment)
{
  constexpr std::size_t most = cuda_native::spgemm_tiles_policy.sampled_entries_of_row;
  auto const strip_of = [&](std::int64_t i) {
    return alignment.place_of(static_cast<int>(i)) / 32;
  };
  std::map<int, std::int64_t> ends; // of strips
  for (std::int64_t i = 0; i < s.rows; ++i)
    if (auto const& row = s.columns[i]; row.size() > most)
    {
      std::int64_t& end = ends.emplace(strip_of(i), s.cols).first->second;
      end = std::min<std::int64_t>(end, row[most]);
    }
  for (std::int64_t i = 0; i < s.rows; ++i)
    if (auto const found = ends.find(strip_of(i)); found != ends.end())
      std::erase_if(s.columns[i], [&](std::int64_t j) { return j >= found->second; });
  return s;
}
Counted sampled_of(Structure const& s, cuda_native::NodeAlignment const& alignment)
{
  Structure const part = sampled_part(s, alignment);
  auto const count = [&](int rows, int columns) {
    return static_cast<std::int64_t>(groups_of(part, alignment, rows, columns).size());
  };
  return {part.nnz(), count(8, 8), count(32, 8), count(8, 32)};
}
Counted counted(cuda_native::SampledTiles const& sampled)
{
  auto const whole = [](double n) { return static_cast<std::int64_t>(n); };
  return {whole(sampled.entries), whole(sampled.tiles), whole(sampled.steps_of_a),
          whole(sampled.steps_of_b)};
}

} // namespace

TEMPLATE_LIST_TEST_CASE("tiles find the pattern and the values of C", "[cuda_native][tiles]",
                        TileTypes)
{
  if (!has_tiles())
    return;
  check<TestType>(random_structure("dense", 70, 90, 40, 60),
                  random_structure("dense too", 90, 110, 35, 61));
  check<TestType>(random_structure("2 a row", 300, 200, 2, 62),
                  random_structure("3 a row", 200, 500, 3, 63));
}

TEST_CASE("tiles take every structure", "[cuda_native][tiles]")
{
  if (!has_tiles())
    return;
  for (Structure const& s : small_structures())
  {
    std::int64_t repeated = 0;
    for (auto const& row : s.columns)
      repeated += static_cast<std::int64_t>(row.size()) -
                  static_cast<std::int64_t>(std::set(row.begin(), row.end()).size());
    if (repeated > 0)
    {
      auto const a = make_csr<C>(s), b = make_csr<C>(transposed(s));
      CHECK_FALSE(ByTiles<C>{}.find(a, b).has_value());
      CHECK_FALSE(ByTiles<C>{}.find(b, a).has_value());
      continue;
    }
    check<C>(s, transposed(s));
    check<C>(transposed(s), s);
    if (s.rows == s.cols)
      check<C>(s, s);
  }
}

TEST_CASE("tiles at edges that are no multiples of their size", "[cuda_native][tiles]")
{
  if (!has_tiles())
    return;
  std::uint64_t seed = 70;
  for (std::int64_t const rows : {1, 8, 31, 33, 65})
    for (std::int64_t const inner : {1, 7, 9, 40})
      for (std::int64_t const cols : {1, 8, 31, 33, 97})
      {
        seed += 2;
        check<C>(random_structure("A", rows, inner, (inner + 1) / 2, seed),
                 random_structure("B", inner, cols, (cols + 1) / 2, seed + 1));
      }
}

TEST_CASE("tiles of strips that are empty, in A, in B and in between", "[cuda_native][tiles]")
{
  if (!has_tiles())
    return;
  Structure a = random_structure("rows and columns left out", 200, 150, 30, 80);
  Structure b = random_structure("the same", 150, 260, 40, 81);
  for (std::int64_t i = 0; i < 200; ++i)
  {
    auto& row = a.columns[i];
    if ((i >= 32 && i < 96) || i >= 160)
      row.clear();
    std::erase_if(row, [](std::int64_t k) { return k >= 24 && k < 80; });
  }
  for (std::int64_t k = 0; k < 150; ++k)
  {
    auto& row = b.columns[k];
    if (k >= 72 && k < 100)
      row.clear();
    std::erase_if(row, [](std::int64_t j) { return j < 40 || (j >= 64 && j < 192); });
  }
  check<C>(a, b);
  check<C>(transposed(b), transposed(a));
}

TEST_CASE("tiles of columns further apart than a window, sorted or not", "[cuda_native][tiles]")
{
  if (!has_tiles())
    return;
  // A window has 65,536 columns of A and 262,144 of B.
  Structure const wide =
      of_columns("wide A", 45, 400000, {3, 4, 65538, 65540, 65541, 199999, 330000, 399999});
  Structure tall{"wide B", 400000, 900000, {}};
  for (std::int64_t k = 0; k < tall.rows; ++k)
    tall.columns.push_back(
        k % 5 == 0 || k == 4 || k == 399999
            ? std::vector<std::int64_t>{k % 7, k % 7 + 31, 262145 + k % 11, 600000 + k % 3, 899999}
            : std::vector<std::int64_t>{});
  check<C>(wide, tall);
  check<C>(shuffled(wide, 90), shuffled(tall, 91));
}

TEST_CASE("tiles of a block that many warps share, and of blocks that are not full",
          "[cuda_native][tiles]")
{
  if (!has_tiles())
    return;
  check<C>(random_structure("few long rows", 20, 9000, 3000, 62),
           transposed(random_structure("few long rows", 17, 9000, 2000, 63)));
  // No entry of the last row and of the first column: warps go through all steps.
  Structure a = random_structure("A", 32, 4000, 900, 92);
  a.columns.back().clear();
  Structure b = random_structure("B", 4000, 40, 12, 93);
  for (auto& row : b.columns)
    std::erase(row, 0);
  check<C>(a, b);
}

TEST_CASE("tiles multiply what is infinite with entries alone", "[cuda_native][tiles]")
{
  if (!has_tiles())
    return;
  auto const a = make_csr<C>(random_structure("a third", 60, 70, 20, 66));
  auto const b = make_csr<C>(random_structure("a third too", 70, 50, 20, 67));
  auto const set = [](auto const& matrix, std::size_t place, double to) {
    Kokkos::deep_copy(Kokkos::subview(matrix.values(), place), to);
  };
  ByTiles<C> by_tiles;
  auto const product = by_tiles.find(a, b);
  REQUIRE(product.has_value());
  for (double const value :
       {1.0, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()})
  {
    set(b, 333, value);
    set(a, 100, 0.0); // stored: 0 times infinity is not a number
    auto const host_a = to_host(a), host_b = to_host(b);
    std::vector<std::map<std::int64_t, double>> expected(60);
    for (std::int64_t i = 0; i < 60; ++i)
      for (auto k = host_a.offsets[i]; k < host_a.offsets[i + 1]; ++k)
        for (auto n = host_b.offsets[host_a.columns[k]]; n < host_b.offsets[host_a.columns[k] + 1];
             ++n)
          expected[i][host_b.columns[n]] += host_a.values[k] * host_b.values[n];
    auto const c = to_host(by_tiles.values(a, b, *product));
    int wrong = 0, infinite = 0;
    for (std::int64_t i = 0; i < 60; ++i)
    {
      auto k = c.offsets[i];
      REQUIRE(c.offsets[i + 1] - k == static_cast<std::int64_t>(expected[i].size()));
      for (auto const& [column, sum] : expected[i])
      {
        double const found = c.values[k];
        bool const is_right = std::isnan(sum)   ? std::isnan(found)
                              : std::isinf(sum) ? found == sum
                                                : std::abs(found - sum) <= 1e-13;
        wrong += is_right && c.columns[k] == column ? 0 : 1;
        infinite += std::isfinite(sum) ? 0 : 1;
        ++k;
      }
    }
    INFO(value);
    CHECK(wrong == 0);
    CHECK((infinite > 0) == !std::isfinite(value));
  }
}

TEST_CASE("tiles that have no room are not found, and say so", "[cuda_native][tiles]")
{
  if (!has_tiles())
    return;
  auto const a = make_csr<C>(random_structure("dense", 70, 90, 40, 60));
  auto const b = make_csr<C>(random_structure("dense too", 90, 110, 35, 61));
  std::size_t least = any_room;
  for (std::size_t room = 1000; room < 100000000; room *= 2)
  {
    ByTiles<C> by_tiles;
    bool const is_found = by_tiles.find(a, b, room).has_value();
    if (!is_found)
      CHECK_THAT(by_tiles.verdict.reason(), ContainsSubstring("bytes"));
    if (is_found)
      least = std::min(least, room);
    CHECK(is_found == (room >= least));
  }
  CHECK(least > 20000);
  CHECK(least < 10000000);
}

TEST_CASE("nodes are aligned to tiles where that saves products of tiles", "[cuda_native][tiles]")
{
  if (!has_tiles())
    return;
  for (int const size : cuda_native::spgemm_tiles_policy.aligned_sizes)
  {
    Structure const a = of_nodes(size, random_structure("A", 71, 53, 4, 100));
    Structure const b = of_nodes(size, random_structure("B", 53, 67, 3, 101));
    // Nodes of 10 and of 12 rows save too little where there are few.
    bool const is_open = size == 10 || size == 12;
    std::optional<int> const expected = is_open ? std::nullopt : std::optional(size);
    check<C>(a, b, expected);
    check<C>(transposed(b), transposed(a), expected);
  }
  // Rows that are not sorted, and floats. Blocks of 16 stand in tiles by themselves.
  Structure const square = of_nodes(15, random_structure("C", 80, 80, 3, 102));
  check<C>(shuffled(square, 103), square);
  check<Case<Device, float, int, int>>(square, square, 15);
  check<C>(of_nodes(16, random_structure("D", 40, 40, 3, 104)),
           of_nodes(16, random_structure("E", 40, 40, 3, 105)), 0);
}

TEST_CASE("nodes that are aligned to tiles begin where tiles do", "[cuda_native][tiles]")
{
  for (int const size : cuda_native::spgemm_tiles_policy.aligned_sizes)
  {
    cuda_native::NodeAlignment const alignment{size};
    int place = 0;
    for (int i = 0; i < 5 * size; ++i, ++place)
    {
      for (; i % size == 0 && place % 8 != 0; ++place)
      {
        CHECK(alignment.is_gap(place));
        CHECK(alignment.index_at(place) == i);
      }
      CHECK(alignment.places(i) <= place);
      CHECK(alignment.places(i + 1) > place);
      CHECK(alignment.place_of(i) == place);
      CHECK(alignment.index_at(place) == i);
      CHECK_FALSE(alignment.is_gap(place));
    }
  }
}

TEST_CASE("a sample counts tiles and steps of both factors with each alignment",
          "[cuda_native][tiles]")
{
  cuda_native::NodeSizesInTiles sizes;
  sizes.count = 3;
  sizes.sizes[0] = 15;
  sizes.sizes[1] = 12;
  sizes.sizes[2] = 7;
  Structure const few = random_structure("20 a row", 900, 1200, 20, 110);
  Structure const nodes = of_nodes(15, random_structure("nodes", 80, 80, 5, 111));
  Structure long_rows = random_structure("up to 2000 a row", 300, 1200, 3000, 112);
  for (std::int64_t i = 0; i < long_rows.rows; ++i)
    long_rows.columns[i].resize(long_rows.columns[i].size() * (i / 32 % 5) / 5);
  for (Structure const& a : {few, nodes, long_rows})
  {
    INFO(a.name);
    auto const on_device_a = make_csr<C>(a), on_device_b = make_csr<C>(nodes);
    cuda_native::TilesSample const sample(Device{}, cuda_native::csr_view(on_device_a),
                                          cuda_native::csr_view(on_device_b), false, sizes, false);
    for (int n = 0; n <= sizes.count; ++n)
    {
      cuda_native::NodeAlignment const alignment{n == 0 ? 0 : sizes.sizes[n - 1]};
      CHECK(counted(sample.of(0, n)) == sampled_of(a, alignment));
      CHECK(counted(sample.of(1, n)) == sampled_of(nodes, alignment));
    }
    CHECK(static_cast<std::int64_t>(sample.products()) ==
          number_of_products(sampled_part(a, {}), nodes));
  }
  auto const square = make_csr<C>(nodes);
  cuda_native::TilesSample const one(Device{}, cuda_native::csr_view(square),
                                     cuda_native::csr_view(square), true, sizes, true);
  CHECK(counted(one.of(0, 1)) == sampled_of(nodes, {15}));
  CHECK(counted(one.of(1, 1)) == sampled_of(nodes, {15}));
  CHECK(static_cast<std::int64_t>(one.products()) ==
        number_of_products(sampled_part(nodes, {}), nodes));
  // Windows of the same rows beside: 14 of 15 are linked to the next, and are alike.
  int windows = 0, linked = 0;
  unsigned alike = 0;
  one.for_each_window([&](cuda_native::SampledWindow const& window) {
    ++windows;
    linked += std::popcount(window.linked);
    alike += window.alike;
  });
  CHECK(windows > 0);
  CHECK(linked >= 28 * windows);
  CHECK(alike == static_cast<unsigned>(linked) * cuda_native::SampledWindow::parts);
}

} // namespace heddle::test
