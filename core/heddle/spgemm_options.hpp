// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/backend.hpp>
#include <heddle/op.hpp>
#include <heddle/version.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

namespace heddle
{

/// How a row of C is put together (docs/spgemm.md). A row that the one asked for does not take is
/// done as automatic does it; describe() counts them. Those of the first group are native to CUDA
/// (Unsupported elsewhere), the others run on any backend, those of the last group with
/// papers::SpgemmPlan (heddle/papers/spgemm.hpp) alone.
enum class SpgemmAccumulator
{
  automatic, ///< the plan chooses by row

  register_merge,            ///< rows of B merged in registers, an output at a time (paper 001)
  register_merge_one_to_one, ///< the same with a row of B for each thread (RMerge)
  shared_merge,   ///< register_merge, and for long rows of A by warps that meet in shared memory
  esc,            ///< products expanded and sorted in registers (paper 003, II.B)
  shared_hash,    ///< a hash table of blocks of 32 columns in shared memory
  scatter_vector, ///< a bitmap of all columns between the first and the last (paper 003, VII)
  column_windows, ///< the same a window of columns after another, sums in C
  row_panels, ///< sums of rows, or of nodes of rows, in shared memory, by slots that the plan keeps
  dense_tiles, ///< A and B in tiles of 8 x 8 with zeros, on tensor cores that multiply doubles
  dense_rows,  ///< a sum for each column of B in shared memory, for few long rows and few columns

  global_hash, ///< a hash table of columns in scratch, or in memory where it is large

  scatter_vector_paper, ///< a slot for each column, rows by virtual warps (paper 003, VII)
  hybrid_sparse,     ///< short rows expanded and sorted, else scatter_vector_paper, a block a row
  hybrid_sparse_dvw, ///< the same with virtual warps by the row's products
  esc_global         ///< products expanded, sorted and compressed in memory (CUSP)
};

/// All of them.
inline constexpr std::array spgemm_accumulators = {SpgemmAccumulator::automatic,
                                                   SpgemmAccumulator::register_merge,
                                                   SpgemmAccumulator::register_merge_one_to_one,
                                                   SpgemmAccumulator::shared_merge,
                                                   SpgemmAccumulator::esc,
                                                   SpgemmAccumulator::shared_hash,
                                                   SpgemmAccumulator::scatter_vector,
                                                   SpgemmAccumulator::column_windows,
                                                   SpgemmAccumulator::row_panels,
                                                   SpgemmAccumulator::dense_tiles,
                                                   SpgemmAccumulator::dense_rows,
                                                   SpgemmAccumulator::global_hash,
                                                   SpgemmAccumulator::scatter_vector_paper,
                                                   SpgemmAccumulator::hybrid_sparse,
                                                   SpgemmAccumulator::hybrid_sparse_dvw,
                                                   SpgemmAccumulator::esc_global};

/// Whether every backend has it.
constexpr bool is_portable(SpgemmAccumulator accumulator)
{
  return accumulator == SpgemmAccumulator::automatic ||
         accumulator >= SpgemmAccumulator::global_hash;
}

/// The name that messages use.
constexpr char const* to_string(SpgemmAccumulator accumulator)
{
  switch (accumulator)
  {
  case SpgemmAccumulator::register_merge:
    return "register_merge";
  case SpgemmAccumulator::register_merge_one_to_one:
    return "register_merge_one_to_one";
  case SpgemmAccumulator::shared_merge:
    return "shared_merge";
  case SpgemmAccumulator::esc:
    return "esc";
  case SpgemmAccumulator::shared_hash:
    return "shared_hash";
  case SpgemmAccumulator::scatter_vector:
    return "scatter_vector";
  case SpgemmAccumulator::column_windows:
    return "column_windows";
  case SpgemmAccumulator::row_panels:
    return "row_panels";
  case SpgemmAccumulator::dense_tiles:
    return "dense_tiles";
  case SpgemmAccumulator::dense_rows:
    return "dense_rows";
  case SpgemmAccumulator::global_hash:
    return "global_hash";
  case SpgemmAccumulator::scatter_vector_paper:
    return "scatter_vector_paper";
  case SpgemmAccumulator::hybrid_sparse:
    return "hybrid_sparse";
  case SpgemmAccumulator::hybrid_sparse_dvw:
    return "hybrid_sparse_dvw";
  case SpgemmAccumulator::esc_global:
    return "esc_global";
  default:
    return "automatic";
  }
}

/// Numbers of SpgemmAccumulator::scatter_vector_paper.
struct ScatterVectorTuning
{
  /// Rows of C that a block of 128 threads has at once, 1, 2, 4 or 8, each with as many of its
  /// threads; 0: by the products of a row. Hosts have a thread a row.
  int virtual_warps = 0;
};

/// Numbers of single kernels, by the accumulator that has the kernel.
struct SpgemmTuning
{
  ScatterVectorTuning scatter_vector_paper = {};
};

// Compilers report uses of deprecated members in the functions that a class has implicitly, too.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

/// Choices of an SpgemmPlan; the defaults are what most callers want.
struct SpgemmOptions
{
  Backend backend = Backend::automatic;
  std::string implementation = {}; ///< a name such as "portable::hash"; empty: the plan chooses
  SpgemmAccumulator accumulator = SpgemmAccumulator::automatic;
  /// What tuning.scatter_vector_paper has of the same name, which is read where it is not 0. To be
  /// removed after this release.
  HEDDLE_DEPRECATED("use tuning.scatter_vector_paper.virtual_warps") int virtual_warps = 0;
  /// Numeric calls that the plan will serve, about; 0: not known, and a hundred are assumed. On
  /// CUDA a plan may keep *terms*: which entries of A and B are multiplied for each entry of C, 6
  /// bytes per product (8 where rows of A are very long) and 2 per entry of C. Calls then look
  /// nothing up, and are repeatable. It does so where that many calls repay finding them and terms
  /// take no more than twice the bytes of A, B and C, or 1 GiB (docs/spgemm.md, "Terms"); with
  /// `deterministic`, whose sums are those of a single multiply, where it is asked to (`reuse`).
  /// describe() says why not. Hosts take no notice, nor do plans by node or by dense tiles, which
  /// look nothing up in any case (tiles, too, are taken where the calls repay finding them).
  std::int64_t expected_calls = 0;
  /// The plan keeps terms whatever calls repay them, if max_workspace_bytes and half of the free
  /// device memory allow it, with what finding them takes.
  bool reuse = false;
  /// C = op_a(A) op_b(B). Of a transposed factor the plan keeps the pattern, and a call gathers the
  /// values; both count in max_workspace_bytes.
  Op op_a = Op::none;
  Op op_b = Op::none;         ///< see op_a
  bool deterministic = false; ///< bitwise repeatable values, see describe()
  /// Hard cap on the memory of plan and call beyond A, B and C; above it rows go in chunks.
  std::size_t max_workspace_bytes = std::numeric_limits<std::size_t>::max();
  /// Of two ReorderedMatrix, 1: the plan times a few calls with A and B as they were and in their
  /// new orders, on copies that live meanwhile, and plan.describe() says after how many calls the
  /// orders pay. 0: no trial. (SpmmOptions have a number of columns here.)
  int order_trial = 0;
  SpgemmTuning tuning = {}; ///< numbers of single kernels; other kernels do not read them
};

namespace impl
{

// The same with the deprecated members in tuning.
inline SpgemmOptions with_tuning(SpgemmOptions options)
{
  int& virtual_warps = options.tuning.scatter_vector_paper.virtual_warps;
  if (virtual_warps == 0)
    virtual_warps = options.virtual_warps;
  return options;
}

} // namespace impl

#pragma GCC diagnostic pop

} // namespace heddle
