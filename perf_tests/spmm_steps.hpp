// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// C = A B on CUDA by csr_rows without the plan and without packets, to say what each brings: with
// what the command spmm has by name these are the steps of docs/spmm.md. No plan is made: rows
// stand as they are, each with a group of lanes, however long it is. step_ways are all ways of
// csr_rows through the rows, which scripts/fit_spmm_choice.py reads: every tile with a group, a
// warp or a block a row, and with a list of the rows by length every segment and every length from
// which on a row is a block's.

#include <baselines/problem.hpp>
#include <harness/settings.hpp>
#include <harness/types.hpp>

#include <names.hpp>
#if defined(HEDDLE_HAVE_CUDA_NATIVE)
#include <heddle/cuda_native/spmm/csr_rows.cuh>
#include <heddle/impl/entry_order.hpp>
#include <heddle/impl/row_statistics.hpp>
#endif

#include <Kokkos_Core.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <string>

namespace heddle::perf
{

constexpr char const *step_columns = "step_columns", *step_packets = "step_packets",
                     *step_ways = "step_ways";

#if defined(HEDDLE_HAVE_CUDA_NATIVE)

// The operands of one problem as native kernels see them.
template <class Value>
struct StepOperands
{
  using Matrix = Matrix32<Value>;
  cuda_native::SpmmStoredEntries<typename Matrix::const_type> entries;
  cuda_native::RowMajorOperands<Value> all;

  static StepOperands of(SpmmProblem<Value, Kokkos::LayoutRight> const& p)
  {
    return {{cuda_native::stored_entries(typename Matrix::const_type(p.a)), false},
            {Value(1), p.b.data(), static_cast<std::int64_t>(p.b.stride(0)), Value(0), p.c.data(),
             static_cast<std::int64_t>(p.c.stride(0)), static_cast<std::int64_t>(p.c.extent(1))}};
  }
};

template <class Shape, class Value>
Candidate spmm_step(std::string const& name, SpmmProblem<Value, Kokkos::LayoutRight> const& p)
{
  namespace native = cuda_native;
  auto const run = [p, step = StepOperands<Value>::of(p)] {
    native::CsrRows::run_tasks(Exec{}, {.group_rows = p.a.num_rows()}, step.entries,
                               native::tiled<Shape>(step.all, native::SpmmPolicy::widest_tile));
  };
  return {"heddle::" + name, int_indices, {}, run, {}};
}

// A way through the rows of `list`, which is made by the plan: those from `segment` on are cut,
// from `block_from` on a block's; 0 is never.
template <class Value>
void add_ways_of_list(Candidates& all, SpmmProblem<Value, Kokkos::LayoutRight> const& p,
                      int tile_bytes, std::int64_t segment)
{
  namespace native = cuda_native;
  using List = native::RowList<int, Space>;
  constexpr int width = native::widest_packet<Value>;
  auto const step = StepOperands<Value>::of(p);
  auto const list = std::make_shared<List>();
  auto const plan = [p, step, list, segment] {
    *list = {.rows = p.a.num_rows()};
    list->list = decltype(list->list)("heddle::perf::list", p.a.num_rows());
    impl::fill_with_positions(Exec{}, list->list);
    native::sort_list(Exec{}, step.entries, *list);
    *list = native::with_segments(Exec{}, step.entries, segment, *list);
  };
  for (std::int64_t const block_from : {0, 64, 256, 1024})
  {
    if (segment > 0 && block_from >= segment)
      continue;
    auto const run = [step, list, tile_bytes, block_from] {
      auto const operands = native::tiled<native::TileShape<width, 1>>(step.all, tile_bytes);
      native::RowsOfCall const by{.tile_bytes = tile_bytes,
                                  .warp_from = native::SpmmRowModel::least_warp_row(operands.lanes),
                                  .block_from = block_from > 0 ? block_from : native::no_row};
      native::CsrRows::run_tasks(Exec{}, list->template tasks<Value>(operands.lanes, by, true),
                                 step.entries, operands);
    };
    std::string name =
        "heddle::list_s" + std::to_string(segment) + "_t" + std::to_string(tile_bytes);
    if (block_from > 0)
      name += "_b" + std::to_string(block_from);
    all.push_back({name, int_indices, plan, run, {}});
  }
}

template <class Value>
void add_ways(Candidates& all, SpmmProblem<Value, Kokkos::LayoutRight> const& p)
{
  namespace native = cuda_native;
  constexpr int width = native::widest_packet<Value>;
  for (int const tile_bytes : {64, 128, 256, 512})
  {
    auto const step = StepOperands<Value>::of(p);
    if (tile_bytes > 64 && tile_bytes > step.all.b_row_bytes())
      continue;
    std::int64_t const rows = p.a.num_rows();
    auto const add = [&](char const* unit, native::RowTasks<int> const& tasks) {
      auto const run = [step, tile_bytes, tasks] {
        native::CsrRows::run_tasks(
            Exec{}, tasks, step.entries,
            native::tiled<native::TileShape<width, 1>>(step.all, tile_bytes));
      };
      all.push_back({"heddle::" + std::string(unit) + "_t" + std::to_string(tile_bytes),
                     int_indices,
                     {},
                     run,
                     {}});
    };
    add("group1", {.group_rows = rows});
    add("warp", {.warp_rows = rows});
    add("block", {.block_rows = rows});
    for (std::int64_t const segment : {0, 128, 256, 512, 1024, 2048})
      add_ways_of_list(all, p, tile_bytes, segment);
  }
}

// Those that are asked for and that the operands allow.
template <class Value>
Candidates spmm_steps(Settings const& settings, SpmmProblem<Value, Kokkos::LayoutRight> const& p)
{
  namespace native = cuda_native;
  constexpr int width = native::widest_packet<Value>;
  Candidates all;
  if (p.op != Op::none)
    return all;
  if (settings.wants(step_columns))
    all.push_back(spmm_step<native::TileShape<1, 4>>(step_columns, p));
  bool const has_packets = p.c.extent(1) % width == 0; // rows of B and C lie close
  if (has_packets && settings.wants(step_packets))
    all.push_back(spmm_step<native::TileShape<width, 1>>(step_packets, p));
  if (has_packets && settings.wants(step_ways))
    add_ways(all, p);
  return all;
}

inline void add_step_names(ImplementationNames& names)
{
  add_names(names.built, std::array{step_columns, step_packets, step_ways});
}

#else

inline void add_step_names(ImplementationNames& names)
{
  add_names(names.elsewhere, std::array{step_columns, step_packets, step_ways});
}

template <class Value>
Candidates spmm_steps(Settings const&, SpmmProblem<Value, Kokkos::LayoutRight> const&)
{
  return {};
}

#endif

} // namespace heddle::perf
