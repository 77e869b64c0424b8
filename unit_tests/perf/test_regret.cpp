// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/measure.hpp>
#include <harness/report.hpp>
#include <heddle/impl/papers_names.hpp>
#include <support/temporary_folder.hpp>

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include <regret/kernels.hpp>
#include <regret/settings.hpp>

// What regret compares, how often it calls it, and what it leaves out when it goes on.

namespace heddle::test
{

namespace
{

using Names = std::vector<std::string>;

perf::Machine machine()
{
  return {.device = "a device",
          .gbytes_per_s = 1,
          .copy_gbytes_per_s = 1,
          .gflops_f32 = 1,
          .gflops_f64 = 1,
          .warning = ""};
}

perf::Record some_case()
{
  perf::Record record;
  record.operation = "spmv";
  record.matrix = "zoo_nets_1";
  record.family = "nets";
  record.part = "tuning";
  record.rows = record.cols = record.nnz = 10;
  record.value_type = "f64";
  record.flops = 20.0;
  return record;
}

// Calls of a case.
struct Calls
{
  int plans = 0, runs = 0;
};

// Of a kernel whose calls take so long.
Calls calls_of(perf::Settings const& settings, std::string const& name, int milliseconds,
               double fastest_ms = 0)
{
  Calls calls;
  perf::Report report(settings, machine());
  if (fastest_ms > 0)
  {
    perf::Record other = some_case();
    other.times.median_ms = fastest_ms;
    report.add(other);
    CHECK(report.fastest_ms() == fastest_ms);
  }
  int const before = report.count();
  auto const run = [&] {
    ++calls.runs;
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
  };
  perf::measure(report, settings, some_case(),
                {name, "int32,int32", [&] { ++calls.plans; }, run, {}}, perf::Clock::host,
                [] { return perf::Verdict{}; });
  CHECK(report.count() == before + 1);
  return calls;
}

nlohmann::ordered_json finished_row()
{
  return {{"operation", "regret"}, {"matrix", "zoo_nets_1"}, {"parameters", "spmv; n"}};
}

} // namespace

TEST_CASE("regret compares auto and what a plan chooses among", "[perf][regret]")
{
  Names const built = {"auto",        "auto_size_t",        "auto_convert",          "step_packets",
                       "shared_hash", "portable::csr_team", "cuda_native::csr_tiles"};
  Names const compared = {"auto", "shared_hash", "portable::csr_team", "cuda_native::csr_tiles"};
  CHECK(perf::compared_names("spgemm", built, {"all"}) == compared);
  CHECK(perf::compared_names("spgemm", built, {"auto"}) == Names{"auto"});
  // Names that another operation has are left to that.
  CHECK(perf::compared_names("spgemm", built, {"auto", "portable::csr_team", "portable::hash"}) ==
        Names{"auto", "portable::csr_team"});
  CHECK(perf::compared_names("spgemm", built, {"auto_size_t"}) == Names{"auto_size_t"});
}

TEST_CASE("regret compares kernels of papers by name alone", "[perf][regret]")
{
  // No plan of heddle's own chooses these, and some take a minute on a road network.
  Names const spmm = {"auto", "cuda_native::csr_rows", "cuda_native::csr_shared"};
  CHECK(perf::compared_names("spmm", spmm, {"all"}) == Names{"auto", "cuda_native::csr_rows"});
  CHECK(perf::compared_names("spmm", spmm, {"all", "cuda_native::csr_shared"}) == spmm);
  // The same name may be a plan's choice in another operation.
  CHECK(perf::compared_names("spmv", spmm, {"all"}) == spmm);
  Names const spgemm = {"auto", "scatter_vector", "scatter_vector_paper", "scatter_vector_paper_4"};
  CHECK(perf::compared_names("spgemm", spgemm, {"all"}) == Names{"auto", "scatter_vector"});
  CHECK(perf::compared_names("spgemm", spgemm, {"scatter_vector_paper_4"}) ==
        Names{"scatter_vector_paper_4"});
  // Whatever heddle::papers gets later.
  for (impl::PapersName const& one : impl::papers_names)
    CHECK(
        perf::compared_names(std::string(one.algorithm), {std::string(one.name)}, {"all"}).empty());
}

TEST_CASE("what is measured of a matrix is one text, another for whatever is asked",
          "[perf][regret]")
{
  perf::RegretSettings settings{.common = perf::brief({}), .zoo = {}};
  settings.common.baselines = {"kk"};
  CHECK(perf::scope_of(settings) == "spmv,spmm,spgemm; n; f64; 8,32,128,512; row; all; kk");
  std::string const before = perf::scope_of(settings);
  settings.common.widths = {8, 32};
  CHECK(perf::scope_of(settings) != before);
}

TEST_CASE("brief measurements make few calls of a case", "[perf][regret]")
{
  perf::Settings settings = perf::brief({});
  CHECK(settings.runs == 20);
  // The first call, one to warm up, then 20 or as many as the budget allows, 3 at least.
  perf::Settings long_budget = settings;
  long_budget.budget_s = 60;
  CHECK(calls_of(long_budget, "heddle::auto", 0).runs == 22);
  CHECK(calls_of(settings, "heddle::auto", 10).runs == 5);
  CHECK(calls_of(settings, "heddle::auto", 110).runs == 2);
  CHECK(calls_of(settings, "heddle::auto", 1010).runs == 1);
  // Far slower than another one, but not where that may come from the first call alone.
  CHECK(calls_of(settings, "heddle::auto", 60, 10).runs == 1);
  CHECK(calls_of(settings, "heddle::auto", 60, 50).runs == 5);
  CHECK(calls_of(settings, "heddle::auto", 10, 1).runs == 5);
  CHECK(calls_of(settings, "heddle::auto", 0).plans == 4);
  CHECK(calls_of(settings, "heddle::portable::csr_team", 0).plans == 1);
  settings.is_brief = false;
  CHECK(calls_of(settings, "heddle::auto", 10).runs == 8);
  CHECK(calls_of(settings, "heddle::portable::csr_team", 0).plans == 4);
}

TEST_CASE("a row that says that a matrix is finished counts for its build and scope",
          "[perf][regret]")
{
  TemporaryFolder const folder;
  perf::Settings settings = perf::brief({});
  settings.json = folder.path("rows.jsonl");
  settings.keep = perf::Keep::finished;
  {
    perf::Report report(settings, machine());
    CHECK_FALSE(report.is_finished(finished_row()));
    report.write(finished_row());
  }
  {
    perf::Report const report(settings, machine());
    CHECK(report.is_finished(finished_row()));
    auto other = finished_row();
    other["parameters"] = "spmv; t";
    CHECK_FALSE(report.is_finished(other));
  }
  settings.time_limit_s = 1e-9;
  perf::Report late(settings, machine());
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
  CHECK_FALSE(late.is_out_of_time());
  CHECK_FALSE(late.has_time());
  CHECK(late.is_out_of_time());
}

} // namespace heddle::test
