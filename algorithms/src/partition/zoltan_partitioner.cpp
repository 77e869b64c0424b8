// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/impl/out_of_memory.hpp>
#include <heddle/impl/require.hpp>
#include <heddle/zoltan_partitioner.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <memory>
#include <mpi.h>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>
#include <zoltan.h>

namespace heddle
{

namespace
{

// MPI may be started once in a program, and has to be ended by whoever started it.
void start_mpi()
{
  int is_started = 0;
  MPI_Initialized(&is_started);
  if (is_started != 0)
    return;
  MPI_Init(nullptr, nullptr);
  std::atexit([] {
    int is_ended = 0;
    MPI_Finalized(&is_ended);
    if (is_ended == 0)
      MPI_Finalize();
  });
}

void require_ok(int status, char const* call)
{
  impl::require<std::runtime_error>(status == ZOLTAN_OK || status == ZOLTAN_WARN,
                                    "zoltan_partitioner", call, " failed with ", status);
}

struct Destroy
{
  void operator()(Zoltan_Struct* zoltan) const { Zoltan_Destroy(&zoltan); }
};
using Zoltan = std::unique_ptr<Zoltan_Struct, Destroy>;

Hypergraph const& graph_of(void* data) { return *static_cast<Hypergraph const*>(data); }

int number_of_nets(Hypergraph const& graph) { return static_cast<int>(graph.nets()); }

// What Zoltan asks; ids of vertices and nets are their numbers.
int number_of_vertices(void* data, int* error)
{
  *error = ZOLTAN_OK;
  return static_cast<int>(graph_of(data).vertices);
}
void copy_weights(std::vector<std::int64_t> const& from, float* to)
{
  for (std::size_t n = 0; n < from.size(); ++n)
    to[n] = static_cast<float>(from[n]);
}
void list_vertices(void* data, int, int, ZOLTAN_ID_PTR ids, ZOLTAN_ID_PTR, int, float* weights,
                   int* error)
{
  for (std::int64_t v = 0; v < graph_of(data).vertices; ++v)
    ids[v] = static_cast<ZOLTAN_ID_TYPE>(v);
  copy_weights(graph_of(data).vertex_weights, weights);
  *error = ZOLTAN_OK;
}
void sizes_of_nets(void* data, int* nets, int* pins, int* format, int* error)
{
  *nets = number_of_nets(graph_of(data));
  *pins = static_cast<int>(graph_of(data).pins.size());
  *format = ZOLTAN_COMPRESSED_EDGE;
  *error = ZOLTAN_OK;
}
void list_nets(void* data, int, int nets, int pins, int, ZOLTAN_ID_PTR ids, int* offsets,
               ZOLTAN_ID_PTR vertices, int* error)
{
  Hypergraph const& graph = graph_of(data);
  for (int n = 0; n < nets; ++n)
  {
    ids[n] = static_cast<ZOLTAN_ID_TYPE>(n);
    offsets[n] = static_cast<int>(graph.net_offsets[n]);
  }
  for (int p = 0; p < pins; ++p)
    vertices[p] = static_cast<ZOLTAN_ID_TYPE>(graph.pins[p]);
  *error = ZOLTAN_OK;
}

void number_of_net_weights(void* data, int* nets, int* error)
{
  *nets = number_of_nets(graph_of(data));
  *error = ZOLTAN_OK;
}
void list_net_weights(void* data, int, int, int nets, int, ZOLTAN_ID_PTR ids, ZOLTAN_ID_PTR,
                      float* weights, int* error)
{
  for (int n = 0; n < nets; ++n)
    ids[n] = static_cast<ZOLTAN_ID_TYPE>(n);
  copy_weights(graph_of(data).net_weights, weights);
  *error = ZOLTAN_OK;
}

Zoltan zoltan_for(Hypergraph const& graph, int parts, ZoltanOptions const& options)
{
  Zoltan zoltan(Zoltan_Create(MPI_COMM_SELF));
  impl::require<std::runtime_error>(zoltan != nullptr, "zoltan_partitioner",
                                    "Zoltan_Create failed");
  for (auto const& [name, value] : std::vector<std::pair<char const*, std::string>>{
           {"DEBUG_LEVEL", "0"}, // before others: Zoltan would print them
           {"LB_METHOD", "HYPERGRAPH"},
           {"HYPERGRAPH_PACKAGE", "PHG"},
           {"LB_APPROACH", "PARTITION"},
           {"NUM_GLOBAL_PARTS", std::to_string(parts)},
           {"RETURN_LISTS", "PARTS"}, // of every vertex, moved or not
           {"OBJ_WEIGHT_DIM", graph.vertex_weights.empty() ? "0" : "1"},
           {"EDGE_WEIGHT_DIM", graph.net_weights.empty() ? "0" : "1"},
           {"IMBALANCE_TOL", std::to_string(options.imbalance)},
           {"SEED", std::to_string(options.seed)}})
    require_ok(Zoltan_Set_Param(zoltan.get(), name, value.c_str()), name);
  // Zoltan does not write to what it is given back.
  auto* const data = const_cast<Hypergraph*>(&graph);
  Zoltan_Set_Num_Obj_Fn(zoltan.get(), number_of_vertices, data);
  Zoltan_Set_Obj_List_Fn(zoltan.get(), list_vertices, data);
  Zoltan_Set_HG_Size_CS_Fn(zoltan.get(), sizes_of_nets, data);
  Zoltan_Set_HG_CS_Fn(zoltan.get(), list_nets, data);
  if (!graph.net_weights.empty())
  {
    Zoltan_Set_HG_Size_Edge_Wts_Fn(zoltan.get(), number_of_net_weights, data);
    Zoltan_Set_HG_Edge_Wts_Fn(zoltan.get(), list_net_weights, data);
  }
  return zoltan;
}

Parts cut(Hypergraph const& graph, int parts, ZoltanOptions const& options)
try
{
  constexpr std::int64_t most = std::numeric_limits<int>::max();
  impl::require(parts > 0, "zoltan_partitioner", "parts is ", parts);
  impl::require(graph.vertices < most && static_cast<std::int64_t>(graph.pins.size()) < most,
                "zoltan_partitioner", graph.vertices, " vertices with ", graph.pins.size(),
                " pins, but Zoltan counts them in 31 bits");
  Parts result(static_cast<std::size_t>(graph.vertices), 0);
  if (parts == 1 || graph.vertices == 0)
    return result;
  start_mpi();
  float version = 0;
  require_ok(Zoltan_Initialize(0, nullptr, &version), "Zoltan_Initialize");
  Zoltan const zoltan = zoltan_for(graph, parts, options);
  int has_changes = 0, id_size = 0, local_size = 0, imports = 0, exports = 0;
  ZOLTAN_ID_PTR import_ids = nullptr, import_locals = nullptr, ids = nullptr, locals = nullptr;
  int *import_ranks = nullptr, *import_parts = nullptr, *ranks = nullptr, *to_part = nullptr;
  int const status = Zoltan_LB_Partition(zoltan.get(), &has_changes, &id_size, &local_size,
                                         &imports, &import_ids, &import_locals, &import_ranks,
                                         &import_parts, &exports, &ids, &locals, &ranks, &to_part);
  for (int n = 0; n < exports; ++n)
    result[ids[n]] = to_part[n];
  Zoltan_LB_Free_Part(&import_ids, &import_locals, &import_ranks, &import_parts);
  Zoltan_LB_Free_Part(&ids, &locals, &ranks, &to_part);
  require_ok(status, "Zoltan_LB_Partition");
  return result;
}
catch (...)
{
  impl::rethrow_out_of_memory("zoltan_partitioner");
}

} // namespace

Partitioner zoltan_partitioner(ZoltanOptions const& options)
{
  return [options](Hypergraph const& graph, int parts) { return cut(graph, parts, options); };
}

} // namespace heddle
