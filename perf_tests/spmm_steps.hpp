// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// C = A B on CUDA by csr_rows without the plan and without packets, to say what each brings: with
// what the command spmm has by name these are the steps of docs/spmm.md. No plan is made: rows
// stand as they are, each with a group of lanes, however long it is.

#include <baselines/problem.hpp>
#include <harness/settings.hpp>
#include <harness/types.hpp>

#include <names.hpp>
#if defined(HEDDLE_HAVE_CUDA_NATIVE)
#include <heddle/cuda_native/spmm/csr_rows.cuh>
#endif

#include <Kokkos_Core.hpp>

#include <array>
#include <cstdint>
#include <string>

namespace heddle::perf
{

constexpr char const *step_columns = "step_columns", *step_packets = "step_packets";

#if defined(HEDDLE_HAVE_CUDA_NATIVE)

template <class Shape, class Value>
Candidate spmm_step(std::string const& name, SpmmProblem<Value, Kokkos::LayoutRight> const& p)
{
  namespace native = cuda_native;
  native::SpmmEntries<Value, int, int, false> const entries{
      p.a.num_rows(), p.a.row_offsets().data(), p.a.columns().data(), p.a.values().data(), nullptr,
      false};
  native::RowMajorOperands<Value> const all{Value(1),
                                            p.b.data(),
                                            static_cast<std::int64_t>(p.b.stride(0)),
                                            Value(0),
                                            p.c.data(),
                                            static_cast<std::int64_t>(p.c.stride(0)),
                                            static_cast<std::int64_t>(p.c.extent(1))};
  auto const run = [p, entries, all] {
    native::CsrRows::multiply_tiles(Exec{}, native::rows_as_they_stand(entries), entries,
                                    native::tiled<Shape>(all, native::SpmmPolicy::widest_tile));
  };
  return {"heddle::" + name, int_indices, {}, run, {}};
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
  return all;
}

inline void add_step_names(ImplementationNames& names)
{
  add_names(names.built, std::array{step_columns, step_packets});
}

#else

inline void add_step_names(ImplementationNames& names)
{
  add_names(names.elsewhere, std::array{step_columns, step_packets});
}

template <class Value>
Candidates spmm_steps(Settings const&, SpmmProblem<Value, Kokkos::LayoutRight> const&)
{
  return {};
}

#endif

} // namespace heddle::perf
