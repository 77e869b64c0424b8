// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/impl/row_chunks.hpp>
#include <support/instances.hpp>
#include <support/matrices.hpp>
#include <support/structures.hpp>
#include <support/types.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace heddle::test
{

namespace
{

using HostOffsets = Kokkos::View<std::size_t const*, Kokkos::HostSpace>;

// Row offsets of rows of these lengths.
HostOffsets offsets_of(std::vector<std::int64_t> const& lengths)
{
  std::vector<std::size_t> offsets{0};
  for (std::int64_t const length : lengths)
    offsets.push_back(offsets.back() + static_cast<std::size_t>(length));
  return to_view<std::size_t, Kokkos::HostSpace>(offsets);
}

// As host threads share rows: a row costs its entries and one more.
std::vector<std::int64_t> split(HostOffsets const& offsets, std::int64_t rows, std::int64_t chunks)
{
  return impl::split_rows(
      rows, chunks, [&](std::int64_t i) { return static_cast<std::int64_t>(offsets(i)) + i; });
}

// "" or what is wrong with the pieces: they must cover all rows in order, and none may have more
// than its share and the row at which it ends.
std::string defect_of_split(std::vector<std::int64_t> const& lengths, std::int64_t chunks)
{
  auto const offsets = offsets_of(lengths);
  auto const rows = static_cast<std::int64_t>(lengths.size());
  auto const first = split(offsets, rows, chunks);
  if (static_cast<std::int64_t>(first.size()) != chunks + 1)
    return std::to_string(first.size()) + " boundaries";
  if (first.front() != 0 || first.back() != rows)
    return "rows are left out at an end";
  auto const work = [&](std::int64_t i) { return static_cast<std::int64_t>(offsets(i)) + i; };
  for (std::size_t c = 0; c + 1 < first.size(); ++c)
  {
    std::int64_t const begin = first[c], end = first[c + 1];
    if (end < begin)
      return "boundary " + std::to_string(c + 1) + " falls";
    if (end > begin && work(end - 1) - work(begin) > work(rows) / chunks + 1)
      return "piece " + std::to_string(c) + " has " + std::to_string(work(end) - work(begin)) +
             " of " + std::to_string(work(rows));
  }
  return "";
}

std::vector<std::int64_t> power_law_lengths(std::int64_t rows)
{
  std::vector<std::int64_t> lengths;
  for (std::int64_t i = 0; i < rows; ++i)
    lengths.push_back(rows / (i + 1));
  return lengths;
}

// How often each chunk was run.
template <bool is_dynamic, class Exec>
std::vector<int> runs_of_chunks(Exec const& exec, std::int64_t chunks)
{
  std::vector<int> runs(static_cast<std::size_t>(chunks), 0);
  int* const counts = runs.data();
  impl::for_each_chunk<is_dynamic>(exec, "heddle::test::chunks", chunks,
                                   [=](std::int64_t c) { Kokkos::atomic_inc(&counts[c]); });
  exec.fence();
  return runs;
}

} // namespace

} // namespace heddle::test

using namespace heddle::test;

TEST_CASE("split_rows gives every piece its share", "[row_chunks]")
{
  std::vector<std::int64_t> dense_row(1000, 2);
  dense_row[700] = 100000;
  std::vector<std::int64_t> heavy_end(500, 0);
  heavy_end.back() = 3000;
  for (std::int64_t const chunks : {1, 2, 3, 5, 16, 64})
  {
    INFO(chunks << " pieces");
    CHECK(defect_of_split(std::vector<std::int64_t>(1000, 5), chunks) == "");
    CHECK(defect_of_split(std::vector<std::int64_t>(1000, 0), chunks) == "");
    CHECK(defect_of_split(power_law_lengths(5000), chunks) == "");
    CHECK(defect_of_split(dense_row, chunks) == "");
    CHECK(defect_of_split(heavy_end, chunks) == "");
  }
}

TEST_CASE("split_rows cuts equal rows into equal pieces", "[row_chunks]")
{
  using Boundaries = std::vector<std::int64_t>;
  CHECK(split(offsets_of(Boundaries(12, 3)), 12, 4) == Boundaries{0, 3, 6, 9, 12});
  CHECK(split(offsets_of(Boundaries(12, 0)), 12, 3) == Boundaries{0, 4, 8, 12});
}

TEST_CASE("split_rows takes more pieces than rows", "[row_chunks]")
{
  for (std::int64_t const rows : {1, 2, 7})
    CHECK(defect_of_split(std::vector<std::int64_t>(static_cast<std::size_t>(rows), 4), 64) == "");
}

TEST_CASE("split_rows takes matrices without rows", "[row_chunks]")
{
  CHECK(defect_of_split({}, 1) == "");
  CHECK(defect_of_split({}, 8) == "");
  // A default-constructed matrix has no row offsets at all.
  CHECK(split(HostOffsets{}, 0, 3) == std::vector<std::int64_t>{0, 0, 0, 0});
}

TEMPLATE_LIST_TEST_CASE("for_each_chunk runs every chunk once", "[row_chunks]", HostSpaces)
{
  auto const exec = instance_of_five<TestType>();
  for (std::int64_t const chunks : {0, 1, 4, 5, 6, 1000})
  {
    std::vector<int> const once(static_cast<std::size_t>(chunks), 1);
    CHECK(runs_of_chunks<false>(exec, chunks) == once);
    CHECK(runs_of_chunks<true>(exec, chunks) == once);
  }
}
