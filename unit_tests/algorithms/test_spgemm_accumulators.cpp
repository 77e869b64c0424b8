// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/error.hpp>
#include <heddle/spgemm.hpp>
#include <support/matrices.hpp>
#include <support/spgemm_checks.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

using namespace heddle::test;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;
using heddle::SpgemmAccumulator;
using heddle::SpgemmOptions;

namespace
{

SpgemmOptions with_virtual_warps(SpgemmAccumulator accumulator, int warps)
{
  return {.accumulator = accumulator, .tuning = {.scatter_vector_paper = {.virtual_warps = warps}}};
}

// The longest and the shortest rows of each bin of the merges, in registers and in shared memory,
// and one that is too long for them.
Structure rows_of_every_merge(std::int64_t cols)
{
  Structure rows{"rows of 1 to 1025 entries", 0, cols, {}};
  for (std::int64_t most = 4; most <= 1024; most *= 2)
    for (std::int64_t const entries : {std::int64_t(1), most, most + 1})
    {
      std::vector<std::int64_t> columns;
      for (std::int64_t n = 0; n < entries; ++n)
        columns.push_back(n * (cols / entries) + rows.rows % (cols / entries));
      rows.columns.push_back(columns);
      ++rows.rows;
    }
  return rows;
}

} // namespace

// Native accumulators belong to the implementation for CUDA, which is first in its list.
TEST_CASE("spgemm takes every accumulator where there are any", "[spgemm]")
{
  using C = Case<Device, double, int, std::size_t>;
  char const* const name = spgemm_names<C>().front();
  bool const is_native = std::string(name).find("cuda_native") == 0;
  auto const small = make_csr<C>(structure("banded"));
  for (SpgemmAccumulator const accumulator : heddle::spgemm_accumulators)
  {
    INFO(to_string(accumulator));
    if (is_portable(accumulator))
      continue;
    if (!is_native)
    {
      CHECK_THROWS_MATCHES(
          heddle::spgemm(C::exec{}, small, small, {.accumulator = accumulator}),
          heddle::Unsupported,
          MessageMatches(ContainsSubstring(std::string("accumulator ") + to_string(accumulator))));
      continue;
    }
    for (bool const deterministic : {false, true})
      for (char const* const which : {"banded", "power law", "empty rows"})
      {
        Structure const& s = structure(which);
        check_products<C>(s, transposed(s), name,
                          {.accumulator = accumulator, .deterministic = deterministic});
      }
    check_products<C>(rows_of_every_merge(2000), random_structure("5 a row", 2000, 3000, 5, 36),
                      name, {.accumulator = accumulator});
  }
}

// All structures run through both implementations in "spgemm agrees with the oracle"; here the ways
// that a row can be done are forced.
TEST_CASE("spgemm takes portable accumulators", "[spgemm]")
{
  using C = Case<Device, Kokkos::complex<double>, int, std::size_t>;
  using enum SpgemmAccumulator;
  auto const check_all = [](char const* name, SpgemmOptions options) {
    INFO(to_string(options.accumulator)
         << ", " << options.tuning.scatter_vector_paper.virtual_warps << " virtual warps");
    for (bool const deterministic : {false, true})
    {
      options.deterministic = deterministic;
      for (char const* const which : {"banded", "power law", "empty rows", "tall", "0 x 7"})
      {
        Structure const& s = structure(which);
        check_products<C>(s, transposed(s), name, options);
      }
    }
    check_products<C>(random_structure("60 a row", 30, 3000, 60, 31),
                      random_structure("80 a row", 3000, 9000, 80, 32), name, options);
  };
  check_all("portable::team_hash", {.accumulator = global_hash});
  for (SpgemmAccumulator const accumulator :
       {scatter_vector_paper, hybrid_sparse, hybrid_sparse_dvw, esc_global})
    check_all("portable::scatter_or_esc", {.accumulator = accumulator});
  for (int const warps : {1, 2, 4, 8})
    check_all("portable::scatter_or_esc", with_virtual_warps(scatter_vector_paper, warps));
}

// The native kernels of the same accumulators: rows of all sizes of virtual warps, and rows of more
// columns than a block has shared memory for, which take several passes.
TEST_CASE("spgemm takes rows by native virtual warps", "[spgemm]")
{
  using C = Case<Device, double, int, std::size_t>;
  using enum SpgemmAccumulator;
  char const* const name = "cuda_native::scatter_or_esc";
  auto const names = spgemm_names<C>();
  bool const is_native = std::string(names.front()).find("cuda_native") == 0;
  bool const is_there = std::find(names.begin(), names.end(), std::string(name)) != names.end();
  CHECK(is_there == is_native);
  if (!is_there)
    return;
  auto const check_all = [&](SpgemmOptions options) {
    INFO(to_string(options.accumulator)
         << ", " << options.tuning.scatter_vector_paper.virtual_warps << " virtual warps");
    for (bool const deterministic : {false, true})
    {
      options.deterministic = deterministic;
      for (char const* const which : {"banded", "power law", "empty rows", "tall", "0 x 7"})
      {
        Structure const& s = structure(which);
        check_products<C>(s, transposed(s), name, options);
      }
      for (std::int64_t const cols : {3000, 9000, 300000, 2000000})
        for (int const of_a : {3, 90})
          for (int const of_b : {3, 40})
            check_products<C>(random_structure("rows of A", 20, 1000, of_a, 31),
                              random_structure("rows of B", 1000, cols, of_b, 32), name, options);
    }
    // More products than a virtual warp takes.
    check_products<C>(random_structure("2000 a row", 3, 3000, 2000, 33),
                      random_structure("60 a row", 3000, 2500, 60, 34), name, options);
  };
  for (SpgemmAccumulator const accumulator :
       {scatter_vector_paper, hybrid_sparse, hybrid_sparse_dvw})
    check_all({.accumulator = accumulator});
  for (int const warps : {1, 2, 4, 8})
    check_all(with_virtual_warps(scatter_vector_paper, warps));
  // Whatever they do not take is portable.
  auto const a = make_csr<C>(structure("banded"));
  CHECK(std::string(heddle::papers::SpgemmPlan(C::exec{}, a, a, {.accumulator = hybrid_sparse})
                        .implementation_name()) == name);
  CHECK(std::string(heddle::papers::SpgemmPlan(C::exec{}, a, a, {.accumulator = esc_global})
                        .implementation_name()) == "portable::scatter_or_esc");
  CHECK_THROWS_AS(heddle::papers::SpgemmPlan(C::exec{}, a, a,
                                             {.implementation = name, .max_workspace_bytes = 100}),
                  heddle::OutOfMemory);
  // Columns that the plan has no room for are found again by each call.
  std::size_t const rows_alone = a.row_offsets().extent(0) * 100;
  heddle::papers::SpgemmPlan const plan(
      C::exec{}, a, a, {.implementation = name, .max_workspace_bytes = rows_alone});
  CHECK(!plan.keeps_columns());
  check_products<C>(structure("banded"), structure("banded"), name,
                    {.max_workspace_bytes = rows_alone});
}

// Sums are in order where no two groups of lanes share a row, and always if that is asked for.
TEST_CASE("spgemm by virtual warps says whether it repeats its bits", "[spgemm]")
{
  using C = Case<Device, double, int, std::size_t>;
  if (!has_native_spgemm<C>())
    return;
  auto const wide = make_csr<C>(random_structure("wide", 300, 400000, 40, 35));
  auto const tall = make_csr<C>(random_structure("tall", 300, 300, 20, 36));
  for (bool const deterministic : {false, true})
  {
    SpgemmOptions const options{.implementation = "cuda_native::scatter_or_esc",
                                .deterministic = deterministic};
    heddle::papers::SpgemmPlan const narrow_plan(C::exec{}, tall, tall, options);
    CHECK(narrow_plan.is_repeatable());
    CHECK(calls_with_other_bits<C>(narrow_plan, tall, tall) == 0);
    heddle::papers::SpgemmPlan const plan(C::exec{}, tall, wide, options);
    CHECK(plan.is_repeatable() == deterministic);
    if (deterministic)
      CHECK(calls_with_other_bits<C>(plan, tall, wide) == 0);
  }
}

// A row takes a round more where it has more than 32, 1024 and 32768 entries.
TEST_CASE("spgemm merges rows in as many rounds as the longest takes", "[spgemm]")
{
  using C = Case<Device, double, int, std::size_t>;
  char const* const name = "portable::iterated_merge";
  struct Rows
  {
    int entries, rounds;
  };
  for (auto const& [entries, rounds] : {Rows{32, 1}, {33, 2}, {1024, 2}, {1025, 3}, {32769, 4}})
  {
    INFO(entries << " entries");
    Structure rows{"a long row, none and one of an entry", 3, entries, {{}, {}, {0}}};
    for (int j = 0; j < entries; ++j)
      rows.columns[0].push_back(j);
    Structure const b = random_structure("2 a row", entries, 500, 2, 42);
    check_products<C>(rows, b, name, {});
    auto const a = make_csr<C>(rows);
    heddle::papers::SpgemmPlan const plan(C::exec{}, a, make_csr<C>(b), {.implementation = name});
    CHECK_THAT(plan.describe(), ContainsSubstring(std::to_string(rounds) + " products"));
  }
  auto const a = make_csr<C>(structure("dense row"));
  auto const b = make_csr<C>(transposed(structure("dense row")));
  CHECK_THROWS_AS(
      heddle::papers::spgemm(C::exec{}, a, b, {.implementation = name, .max_workspace_bytes = 100}),
      heddle::OutOfMemory);
}

TEST_CASE("spgemm refuses virtual warps that there are not", "[spgemm]")
{
  using C = Case<Device, double, int, std::size_t>;
  auto const a = make_csr<C>(structure("banded"));
  using enum SpgemmAccumulator;
  CHECK_THROWS_WITH(
      heddle::papers::spgemm(C::exec{}, a, a, with_virtual_warps(scatter_vector_paper, 3)),
      ContainsSubstring("virtual_warps is 3"));
  CHECK_THROWS_WITH(heddle::papers::spgemm(C::exec{}, a, a, with_virtual_warps(esc_global, 4)),
                    ContainsSubstring("the accumulator is esc_global"));
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  CHECK_THROWS_WITH(heddle::papers::spgemm(
                        C::exec{}, a, a, {.accumulator = scatter_vector_paper, .virtual_warps = 3}),
                    ContainsSubstring("virtual_warps is 3"));
#pragma GCC diagnostic pop
}

TEST_CASE("a plan of spgemm says which implementations refused its accumulator", "[spgemm]")
{
  using C = Case<Device, double, int, std::size_t>;
  auto const a = make_csr<C>(structure("banded"));
  heddle::SpgemmPlan const plan(C::exec{}, a, a, {.accumulator = SpgemmAccumulator::global_hash});
  std::string const first = spgemm_names<C>().front();
  CHECK_THAT(plan.describe(),
             ContainsSubstring("not " + first + ": " +
                               (first == "portable::dense_or_hash"
                                    ? "it has no choice of accumulators"
                                    : "the accumulator is one of portable kernels")));
}

// Which accumulators are repeatable without being asked to be is_repeatable() says: 100 calls.
TEST_CASE("spgemm repeats its bits where the plan says so", "[spgemm]")
{
  using C = Case<Device, double, int, std::size_t>;
  auto const a = make_csr<C>(structure("power law"));
  for (SpgemmAccumulator const accumulator : heddle::spgemm_accumulators)
    for (bool const deterministic : {false, true})
    {
      INFO(to_string(accumulator) << (deterministic ? ", deterministic" : ""));
      SpgemmOptions const options{.accumulator = accumulator, .deterministic = deterministic};
      if (!is_portable(accumulator) && !has_native_spgemm<C>())
        continue;
      AnySpgemmPlan const plan(C::exec{}, a, a, options);
      CHECK((plan.is_repeatable() || !deterministic));
      if (!plan.is_repeatable())
        continue;
      CHECK(calls_with_other_bits<C>(plan, a, a) == 0);
    }
}
