// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Times and counts of results beside the bounds of heddle-perf analyze.

#include <heddle/gallery.hpp>
#include <support/messages.hpp>
#include <support/temporary_folder.hpp>

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include <analyze/advice.hpp>
#include <analyze/lines.hpp>
#include <analyze/measured.hpp>

using namespace heddle::perf;
using heddle::MachineDescription;
using heddle::test::message_of;
using heddle::test::TemporaryFolder;

TEST_CASE("what was measured stands beside the bounds", "[perf]")
{
  MachineDescription const machine{"a machine", 100, 400, 200, 1000};
  auto const stencil = heddle::gallery<HostMatrix<double>>("stencil5_8");
  auto const row = [](std::string const& what, std::string const& more) {
    return "{\"operation\":\"" + what + "\",\"matrix\":\"s\",\"value_type\":\"f64\"," + more +
           "}\n";
  };
  std::string const ours = "\"implementation\":\"heddle::auto\",\"device\":\"a machine\"";
  TemporaryFolder const folder;
  folder.file("times.jsonl",
              row("spmv", ours + ",\"median_ms\":9") + row("spmv", ours + ",\"median_ms\":0.25") +
                  row("spmm", ours + ",\"k\":8,\"median_ms\":7") +
                  row("spmm", ours + ",\"k\":4,\"layout\":\"col\",\"median_ms\":7") +
                  row("spmv", "\"implementation\":\"heddle::auto\",\"device\":\"other\","
                              "\"median_ms\":7") +
                  row("spmv", "\"implementation\":\"cusparse::csr\",\"device\":"
                              "\"a machine\",\"median_ms\":7") +
                  row("spmv", ours + ",\"skipped\":\"no memory\"") +
                  row("spgemm_numeric", ours + ",\"median_ms\":7"));
  std::string const counts =
      folder.file("counts.jsonl", row("counted", "\"multiply\":\"spgemm\",\"device\":\"a machine\","
                                                 "\"dram_bytes\":60000"));
  AnalysisSettings settings;
  settings.k = 4;
  settings.tries_orders = false;
  auto analysis = analyze("s", stencil, false, settings);
  CHECK(measured_lines(analysis, machine).empty());
  add_measured(analysis, machine.device, {folder.path()});
  REQUIRE(analysis.measured.size() == 2);
  CHECK(analysis.measured[0].operation == "spmv");
  CHECK(analysis.measured[0].milliseconds == 0.25);
  CHECK(analysis.measured[0].memory_bytes == 0);
  CHECK(analysis.measured[1].operation == "spgemm");
  CHECK(analysis.measured[1].milliseconds == 0);
  CHECK(analysis.measured[1].memory_bytes == 60000);
  // 576 flops and 4740 bytes at 100 GB/s.
  Lines const lines = measured_lines(analysis, machine);
  REQUIRE(lines.size() == 3);
  CHECK(lines[2][0] == "SpGEMM, A A");
  CHECK(lines[2][1] == "-");
  CHECK(lines[2][4] == "60,000");
  CHECK(lines[1] == std::vector<std::string>{"SpMV", "0.25", "5,274", "0.002304", "-", "-"});
  auto const advice = advice_of(analysis, machine);
  for (std::string const part :
       {"SpMV: measured 0.25 ms, 5,274 times the least.", "SpGEMM, A A: a call moves "})
    CHECK(std::any_of(advice.begin(), advice.end(), [&part](std::string const& sentence) {
      return sentence.find(part) != std::string::npos;
    }));
  CHECK(lines[0][1] == "ms measured");
  CHECK(message_of<heddle::InvalidArgument>([&] {
          auto other = analyze("other", stencil, false, settings);
          add_measured(other, machine.device, {counts});
        }) ==
        "heddle::perf: --measured has no row of heddle::auto on other in f64 (SpMM with k = 4) "
        "on a machine");
}
