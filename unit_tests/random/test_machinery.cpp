// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Whether random cases are what they are meant to be: the same each time, of every kind, checked by
// somebody who sees what is wrong, and small when they are shown.

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <random/campaign.hpp>
#include <random/generator.hpp>
#include <random/memory_use.hpp>
#include <random/operands.hpp>
#include <random/shrink.hpp>
#include <random/subjects.hpp>

using namespace heddle;
using namespace heddle::test;
using namespace heddle::test::random;

namespace
{

// While it lives, numbers are read wrong.
class PlantedError
{
public:
  explicit PlantedError(double error) { planted_error() = error; }
  ~PlantedError() { planted_error() = 0; }
  PlantedError(PlantedError const&) = delete;
  PlantedError& operator=(PlantedError const&) = delete;
};

std::size_t longest_row(EntryList const& a)
{
  std::size_t longest = 0;
  for (Entry const& entry : a.entries)
    longest = std::max(longest, static_cast<std::size_t>(std::count_if(
                                    a.entries.begin(), a.entries.end(),
                                    [&](Entry const& e) { return e.row == entry.row; })));
  return longest;
}

} // namespace

TEST_CASE("a case is the same whatever ran before it", "[random]")
{
  std::string const first = to_code(draw_problem(5, 17));
  static_cast<void>(draw_problem(5, 16));
  CHECK(to_code(draw_problem(5, 17)) == first);
  CHECK(to_code(draw_problem(6, 17)) != first);
  CHECK(to_code(draw_problem(5, 18)) != first);
}

TEST_CASE("matrices are of every structure, with entries in range", "[random]")
{
  for (int kind = 0; kind < structure_kinds; ++kind)
    for (bool const is_large : {false, true})
    {
      Wish const wish{static_cast<Structures>(kind), is_large};
      INFO(to_string(wish.kind) << (is_large ? ", large" : ""));
      if (is_large && wish.kind < Structures::diagonal)
        continue;
      Dice dice(3, static_cast<std::uint64_t>(kind));
      EntryList const a = draw_matrix(dice, wish, {});
      std::set<std::pair<std::int64_t, std::int64_t>> places;
      for (Entry const& entry : a.entries)
        places.emplace(entry.row, entry.column);
      CHECK(places.size() == a.entries.size());
      CHECK(std::all_of(places.begin(), places.end(), [&](auto const& place) {
        return place.first >= 0 && place.first < a.rows && place.second >= 0 &&
               place.second < a.cols;
      }));
      CHECK((!is_large || a.rows >= 10000));
    }
}

TEST_CASE("cases are of every operation, format, type, op and extra", "[random]")
{
  std::set<std::string> seen;
  for (std::uint64_t n = 0; n < 3000; ++n)
  {
    Problem const p = draw_problem(1, n);
    for (char const* const name :
         {to_string(p.operation), to_string(p.extra), to_string(p.type), to_string(p.op)})
      seen.insert(name);
    if (has_format(p.operation))
      for (std::string const name : {to_string(p.format), to_string(p.in), to_string(p.out)})
        seen.insert(std::string(to_string(p.operation)) + " " + name);
  }
  for (Operation const operation : operations)
  {
    CHECK(seen.count(to_string(operation)) == 1);
    for (Format const format : formats)
      if (has_format(operation))
        CHECK(seen.count(std::string(to_string(operation)) + " " + to_string(format)) == 1);
  }
  for (Extra const extra : extras)
    CHECK(seen.count(to_string(extra)) == 1);
  for (Type const type : types)
  {
    bool const is_there =
        std::any_of(operations.begin(), operations.end(), [=](Operation operation) {
          return find_subject(type, operation, Format::csr) != nullptr;
        });
    CHECK(seen.count(to_string(type)) == (is_there ? 1 : 0));
  }
  for (Op const op : all_ops)
    CHECK(seen.count(to_string(op)) == 1);
}

// A millionth is far beyond what rounding does in double.
TEST_CASE("every check of numbers sees one that is wrong", "[random]")
{
  for (Operation const operation :
       {Operation::spmv, Operation::spmm, Operation::spmm_both, Operation::convert,
        Operation::spgemm, Operation::associate, Operation::transpose, Operation::permute})
  {
    INFO(to_string(operation));
    int wrong = 0, right = 0;
    for (std::uint64_t n = 0; n < 40; ++n)
    {
      Problem problem = draw_problem(11, n, {{}, operation, {}});
      if (!is_portable(problem.accumulator)) // hosts refuse it, and compare nothing
        problem.accumulator = SpgemmAccumulator::automatic;
      right += check(problem) == "" ? 1 : 0;
      PlantedError const planted(1e-6);
      wrong += check(problem) == "" ? 0 : 1;
    }
    CHECK(right == 40);
    CHECK(wrong >= 10); // of the others nothing was read, or beside numbers of 2^90
  }
}

TEST_CASE("a planted error is found and shrunk", "[random]")
{
  Check const wrong_from_three_rows = [](Problem const& p, Context& context) {
    PlantedError const planted(p.a.rows >= 3 ? 1e-6 : 0.0);
    return check(p, context);
  };
  Campaign campaign;
  campaign.cases = 100;
  Outcome const outcome = run(campaign, wrong_from_three_rows, 1);
  REQUIRE(outcome.found.size() == 1);
  Problem const& small = outcome.found[0].problem;
  INFO(report(campaign.seed, outcome.found[0]));
  CHECK(outcome.found[0].shrunk_failure != "");
  CHECK(small.a.rows == 3);
  CHECK(small.a.entries.size() <= 1);
  CHECK(small.format == Format::csr);
  CHECK(small.extra == Extra::none);
  CHECK(small.seed == 0);
  CHECK(check(small) == "");
}

TEST_CASE("what matters is left when a problem shrinks", "[random]")
{
  for (std::uint64_t n = 0; n < 400; ++n)
  {
    Problem const problem = draw_problem(9, n);
    auto const fails = [](Problem const& p) -> std::string {
      return is_transposed(p.op) && longest_row(p.a) >= 3 ? "it fails" : "";
    };
    bool const may_repeat = problem.from_coordinates || problem.format == Format::coo;
    if (problem.a.entries.size() > 1000 || may_repeat || fails(problem).empty())
      continue;
    Problem const small = shrink(problem, fails).problem;
    INFO(to_code(problem) << "\nbecame\n" << to_code(small));
    CHECK(longest_row(small.a) == 3);
    CHECK(small.a.entries.size() == 3);
    CHECK(small.a.rows == 1);
    CHECK(small.a.cols == 3);
    CHECK(is_transposed(small.op));
    CHECK(small.alpha == 1.0);
    CHECK(small.in == Placement::row_major);
    CHECK(std::all_of(small.a.entries.begin(), small.a.entries.end(),
                      [](Entry const& entry) { return entry.value == 1.0; }));
  }
}

TEST_CASE("memory that cases keep is seen", "[random]")
{
  constexpr std::int64_t mebibyte = 1 << 20;
  std::vector<MemoryUse> samples(10, MemoryUse{10 * mebibyte, 1000 * mebibyte});
  CHECK(growth({}) == "");
  CHECK(growth(samples) == "");
  samples.back().host += mebibyte + 1;
  CHECK(growth(samples) == "the heap grew from 10485760 to 11534337 bytes");
  samples.back() = {10 * mebibyte, 1165 * mebibyte};
  CHECK(growth(samples) == "device memory grew from 1048576000 to 1221591040 bytes");

  MemoryUse const before = memory_use();
  if (before.host > 0) // sanitizers have a heap of their own
  {
    std::vector<char> const kept(8 * mebibyte);
    CHECK(memory_use().host >= before.host + 8 * mebibyte);
  }
}

TEST_CASE("a problem is printed as C++ that makes it", "[random]")
{
  Problem p;
  p.operation = Operation::spmm;
  p.a = {2, 3, {{0, 1, 1.5}, {1, 2, Wide(0, -2)}}};
  p.op = Op::conjugate;
  p.columns = 4;
  CHECK(to_code(p) == "Problem{.operation = Operation::spmm,\n"
                      " .a = {2, 3, {{0, 1, 1.5}, {1, 2, Wide(0, -2)}}},\n"
                      " .op = Op::conjugate,\n .columns = 4}");
}
