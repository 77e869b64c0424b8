// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How SpGEMM on hosts finds columns: sets that give their elements back in order, and rows of B as
// words of 64 columns.
#include <heddle/csr_matrix.hpp>
#include <heddle/impl/spgemm/accumulators.hpp>
#include <heddle/impl/spgemm/column_words.hpp>
#include <heddle/impl/spgemm/sorted_set.hpp>

#include <catch2/catch_test_macros.hpp>
#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <set>
#include <vector>

using heddle::impl::ColumnWords;
using heddle::impl::DenseAccumulator;
using heddle::impl::HashAccumulator;
using heddle::impl::SortedSet;

namespace
{

constexpr int untouched = -7;

// The elements of `set`, with first added, and that nothing behind the slack was written.
std::vector<int> taken(SortedSet& set, std::size_t count, int first)
{
  std::vector<int> out(count + SortedSet::slack + 1, untouched);
  int* const end = set.take_all(out.data(), first);
  CHECK(end == out.data() + count);
  CHECK(out.back() == untouched);
  out.resize(count);
  return out;
}

using Host = Kokkos::DefaultHostExecutionSpace;
using Csr = heddle::CsrMatrix<double, int, int, Kokkos::HostSpace>;

Csr csr_of(std::vector<std::vector<int>> const& rows, int num_cols)
{
  std::size_t nnz = 0;
  for (auto const& row : rows)
    nnz += row.size();
  Kokkos::View<int*, Kokkos::HostSpace> const offsets("offsets", rows.size() + 1);
  Kokkos::View<int*, Kokkos::HostSpace> const columns("columns", nnz);
  Kokkos::View<double*, Kokkos::HostSpace> const values("values", nnz);
  int at = 0;
  for (std::size_t i = 0; i < rows.size(); ++i)
  {
    for (int const j : rows[i])
      columns(at++) = j;
    offsets(i + 1) = at;
  }
  return {static_cast<int>(rows.size()), num_cols, offsets, columns, values};
}

} // namespace

TEST_CASE("a sorted set gives its elements back in ascending order", "[spgemm]")
{
  for (std::int64_t const bound : {1, 63, 64, 65, 4095, 4096, 4097, 300000})
    for (int const inserts : {0, 1, 2, 50, 3000})
    {
      SortedSet set(bound);
      std::mt19937 random(static_cast<std::uint32_t>(bound + inserts));
      for (int round = 0; round < 2; ++round) // the second finds it empty again
      {
        std::set<int> expected;
        for (int n = 0; n < inserts; ++n)
        {
          auto const i = static_cast<int>(random() % static_cast<std::uint32_t>(bound));
          set.insert(i);
          expected.insert(i);
        }
        INFO("bound " << bound << ", " << inserts << " inserts, round " << round);
        CHECK(taken(set, expected.size(), 0) == std::vector<int>(expected.begin(), expected.end()));
      }
    }
}

TEST_CASE("a sorted set takes words of 64 integers", "[spgemm]")
{
  SortedSet set(1000);
  set.insert(3, SortedSet::Word(0b1011));
  set.insert(3, SortedSet::Word(0b1110));
  set.insert(15, SortedSet::Word(1) << 39);
  set.insert(0, SortedSet::Word(1) << 63);
  CHECK(taken(set, 6, 128) ==
        std::vector<int>{128 + 63, 128 + 192, 128 + 193, 128 + 194, 128 + 195, 128 + 999});
  set.insert(2, std::numeric_limits<SortedSet::Word>::max());
  std::vector<int> const all = taken(set, 64, 0);
  CHECK(all.front() == 128);
  CHECK(all.back() == 191);
}

TEST_CASE("a dense window and a hash table find the same columns and sums", "[spgemm]")
{
  DenseAccumulator<int, double> dense(640);
  HashAccumulator<int, double> hash(600);
  auto const run = [](auto& row) {
    row.start_row(128, 100);
    for (int const j : {700, 130, 700, 129, 400, 130})
      row.insert(j);
    std::vector<int> columns(4 + SortedSet::slack);
    CHECK(row.take_columns(columns.data()) == columns.data() + 4);
    columns.resize(4);
    CHECK(columns == std::vector<int>{129, 130, 400, 700});
    row.start_row(128, 4);
    row.expect(columns.data(), 4);
    row.add(130, 2.0);
    row.add(700, 1.0);
    row.add(130, 0.5);
    std::vector<double> sums(4, -1.0);
    row.take(sums.data());
    CHECK(sums == std::vector<double>{0.0, 2.5, 0.0, 1.0});
    CHECK_FALSE(row.has_missed());
  };
  run(dense);
  run(hash);
  run(dense); // both are empty again
  run(hash);
}

TEST_CASE("rows of B are words of 64 columns where that saves steps", "[spgemm]")
{
  Host const exec{};
  constexpr std::size_t much = std::size_t(1) << 30;
  Csr const b = csr_of({{0, 1, 2, 63, 64, 65, 66}, {}, {130, 131, 5, 132, 133}}, 200);
  constexpr std::int64_t many_products = 1000;

  ColumnWords<Host, Csr> const words(exec, b, many_products, much);
  auto const found = words.pointers();
  REQUIRE(found.offsets != nullptr);
  CHECK(std::vector<std::int64_t>(found.offsets, found.offsets + 4) ==
        std::vector<std::int64_t>{0, 2, 2, 5});
  // Columns out of order have their word twice.
  CHECK(std::vector<int>(found.numbers, found.numbers + 5) == std::vector<int>{0, 1, 2, 0, 2});
  CHECK(std::vector<SortedSet::Word>(found.bits, found.bits + 5) ==
        std::vector<SortedSet::Word>{(SortedSet::Word(1) << 63) | 0b111, 0b111, 0b1100, 1 << 5,
                                     0b110000});

  CHECK(ColumnWords<Host, Csr>(exec, b, 12, much).pointers().offsets == nullptr); // few products
  CHECK(ColumnWords<Host, Csr>(exec, b, many_products, 59).pointers().offsets == nullptr);
  Csr const apart = csr_of({{0, 64, 128}, {7, 70, 199}}, 200);
  CHECK(ColumnWords<Host, Csr>(exec, apart, many_products, much).pointers().offsets == nullptr);
}
