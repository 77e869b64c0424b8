// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <support/messages.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cstdint>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <analyze/command_partitioner.hpp>

namespace heddle
{

using test::message_of;

namespace
{

Hypergraph three_nets()
{
  Hypergraph graph;
  graph.vertices = 4;
  graph.net_offsets = {0, 2, 3, 6};
  graph.pins = {0, 3, 2, 1, 2, 3};
  return graph;
}

std::string text_of(Hypergraph const& graph)
{
  std::ostringstream out;
  perf::write_hypergraph(out, graph);
  return out.str();
}

// What a shell's function cut FILE PARTS OUT makes of three_nets.
Parts parts_by(std::string const& body, int parts = 2)
{
  return perf::command_partitioner("cut() { " + body + "; }; cut")(three_nets(), parts);
}

} // namespace

TEST_CASE("Hypergraphs are written in the format of hMETIS", "[perf]")
{
  Hypergraph graph = three_nets();
  CHECK(text_of(graph) == "2 4 0\n1 4\n2 3 4\n");
  graph.net_weights = {5, 6, 7};
  CHECK(text_of(graph) == "2 4 1\n5 1 4\n7 2 3 4\n");
  graph.vertex_weights = {1, 2, 3, 4};
  CHECK(text_of(graph) == "2 4 11\n5 1 4\n7 2 3 4\n1\n2\n3\n4\n");
  graph.net_weights.clear();
  CHECK(text_of(graph) == "2 4 10\n1 4\n2 3 4\n1\n2\n3\n4\n");
}

TEST_CASE("A program of its own cuts a hypergraph", "[perf]")
{
  // Vertices of the first net in part 0: what the file has decides.
  CHECK(parts_by("awk 'NR == 2 { in_net[$1]; in_net[$2] } "
                 "END { for (v = 1; v <= 4; ++v) print (v in in_net) ? 0 : 1 }' \"$1\" > \"$3\"") ==
        Parts{0, 1, 1, 0});
  CHECK(parts_by("for v in 1 2 3 4; do echo $(($2 - 1)); done > \"$3\"", 7) == Parts{6, 6, 6, 6});
}

TEST_CASE("A partitioner that fails, or whose parts do not fit, is refused", "[perf]")
{
  std::string const failure = message_of<std::runtime_error>([] { parts_by("return 3"); });
  CHECK(failure.starts_with("heddle::command_partitioner: 'cut() { return 3; }; cut /"));
  CHECK(failure.find("failed with status") != std::string::npos);
  CHECK(message_of<std::runtime_error>([] { parts_by("echo 0 > \"$3\""); }) ==
        "heddle::command_partitioner: there are 1 parts but 4 vertices");
  CHECK(message_of<std::runtime_error>([] { parts_by("printf '0 1 2 0' > \"$3\""); }) ==
        "heddle::command_partitioner: vertex 2 is in part 2 of 2");
  CHECK(message_of<std::runtime_error>([] { parts_by("printf '0 1 x 0' > \"$3\""); }) ==
        "heddle::command_partitioner: there are 2 parts but 4 vertices");
  CHECK(message_of<std::runtime_error>([] { parts_by("true"); }) ==
        "heddle::command_partitioner: there are 0 parts but 4 vertices");
}

} // namespace heddle
