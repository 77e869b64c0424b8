// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/error.hpp>
#include <heddle/impl/require.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <ostream>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

#include <analyze/command_partitioner.hpp>

namespace heddle::perf
{

namespace
{

// A folder that goes with the object.
class TemporaryFolder
{
public:
  TemporaryFolder()
      : m_path((std::filesystem::temp_directory_path() / "heddle-perf.XXXXXX").string())
  {
    if (mkdtemp(m_path.data()) == nullptr)
      throw FileError(m_path + ": cannot be made");
  }
  TemporaryFolder(TemporaryFolder const&) = delete;
  TemporaryFolder& operator=(TemporaryFolder const&) = delete;
  ~TemporaryFolder()
  {
    std::error_code ignored;
    std::filesystem::remove_all(m_path, ignored);
  }

  std::string file(std::string const& name) const { return m_path + "/" + name; }

private:
  std::string m_path;
};

Parts read_parts(std::string const& path, std::int64_t vertices, int parts)
{
  std::ifstream in(path);
  Parts result;
  for (int part = 0; in >> part;)
  {
    impl::require<std::runtime_error>(part >= 0 && part < parts, "command_partitioner", "vertex ",
                                      result.size(), " is in part ", part, " of ", parts);
    result.push_back(part);
  }
  impl::require<std::runtime_error>(in.eof() && std::cmp_equal(result.size(), vertices),
                                    "command_partitioner", "there are ", result.size(),
                                    " parts but ", vertices, " vertices");
  return result;
}

Parts cut(std::string const& command, Hypergraph const& graph, int parts)
{
  TemporaryFolder const folder;
  std::string const file = folder.file("hypergraph.hgr"), out = folder.file("parts");
  {
    std::ofstream stream(file);
    write_hypergraph(stream, graph);
    if (!stream.flush())
      throw FileError(file + ": cannot write");
  }
  std::cout.flush();
  std::string const call = command + " " + file + " " + std::to_string(parts) + " " + out;
  // The caller's command line.
  // NOLINTNEXTLINE(bugprone-command-processor,cert-env33-c,concurrency-mt-unsafe)
  int const status = std::system(call.c_str());
  impl::require<std::runtime_error>(status == 0, "command_partitioner", "'", call,
                                    "' failed with status ", status);
  return read_parts(out, graph.vertices, parts);
}

} // namespace

void write_hypergraph(std::ostream& out, Hypergraph const& graph)
{
  bool const has_nets = !graph.net_weights.empty(), has_vertices = !graph.vertex_weights.empty();
  auto const begin_of = [&](std::int64_t net) { return graph.net_offsets[net]; };
  auto const is_left_out = [&](std::int64_t net) { return begin_of(net + 1) - begin_of(net) < 2; };
  std::int64_t nets = 0;
  for (std::int64_t net = 0; net < graph.nets(); ++net)
    nets += is_left_out(net) ? 0 : 1;
  out << nets << " " << graph.vertices << " " << (has_vertices ? "1" : "") << (has_nets ? "1" : "0")
      << "\n";
  for (std::int64_t net = 0; net < graph.nets(); ++net)
  {
    if (is_left_out(net))
      continue;
    if (has_nets)
      out << graph.net_weights[net] << " ";
    for (std::int64_t at = begin_of(net); at < begin_of(net + 1); ++at)
      out << graph.pins[at] + 1 << (at + 1 < begin_of(net + 1) ? " " : "\n");
  }
  for (std::int64_t const weight : graph.vertex_weights)
    out << weight << "\n";
}

Partitioner command_partitioner(std::string const& command)
{
  return [command](Hypergraph const& graph, int parts) { return cut(command, graph, parts); };
}

} // namespace heddle::perf
