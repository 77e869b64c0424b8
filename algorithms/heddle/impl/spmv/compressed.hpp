// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// CSR times a vector with a pattern that the plan keeps in fewer bytes (compressed_pattern.hpp), on
// any Kokkos backend: A x and conj(A) x read the caller's values and the plan's columns. On hosts a
// thread takes a contiguous piece of the rows, elsewhere a team takes rows as in spmv/team.hpp.
// A^T x and A^H x are those of csr_chunks and csr_team. Bitwise repeatable for A x.

#include <heddle/backend.hpp>
#include <heddle/csr_matrix.hpp>
#include <heddle/impl/arithmetic.hpp>
#include <heddle/impl/compressed_pattern.hpp>
#include <heddle/impl/entries_ahead.hpp>
#include <heddle/impl/epilogue.hpp>
#include <heddle/impl/operands.hpp>
#include <heddle/impl/row_chunks.hpp>
#include <heddle/impl/row_view_formats.hpp>
#include <heddle/impl/row_views.hpp>
#include <heddle/impl/spmv/chunks.hpp>
#include <heddle/impl/spmv/rows.hpp>
#include <heddle/impl/spmv/runs.hpp>
#include <heddle/impl/spmv/team.hpp>
#include <heddle/impl/spmv/templates.hpp>
#include <heddle/impl/spmv_statistics.hpp>
#include <heddle/impl/takes.hpp>
#include <heddle/impl/verdict.hpp>
#include <heddle/op.hpp>
#include <heddle/spmv_options.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace heddle::impl
{

// Off unless calls are announced: on hosts the gain depends on how many threads share the memory.
// The costs are estimates, of passes over the pattern by all threads.
inline constexpr CompressionPolicy portable_compression{.templates = {.fixed = 0, .per_entry = 60},
                                                        .runs = {.fixed = 0, .per_entry = 120},
                                                        .assumed_calls = 0,
                                                        .most_calls = 100,
                                                        .least_entries = 1 << 20,
                                                        .least_gain = 1.2};

template <class Exec, class Matrix, template <class> class KernelOf>
struct SpmvCompressed
{
  using Kernel = KernelOf<Matrix>;
  using Form = typename Kernel::Form;
  using Rest =
      std::conditional_t<is_host_v<Exec>, SpmvChunks<Exec, Matrix>, SpmvTeam<Exec, Matrix>>;
  static constexpr Backend backend = Backend::portable;
  static constexpr char const* name = Kernel::name;
  static constexpr bool is_supported = is_csr_matrix_v<Matrix>;
  struct State
  {
    Compressed<Form> pattern;
    typename Rest::State rest;

    std::size_t bytes() const { return pattern.bytes() + rest.bytes(); }
    bool is_repeatable(Op op) const { return rest.is_repeatable(op); }
    std::string describe() const
    {
      return pattern.describe() + "; other products as " + Rest::name + ": " + rest.describe();
    }
  };
  template <class X, class Y>
  static constexpr Takes takes = Takes::all;
  template <class Epilogue>
  static constexpr bool fuses = Rest::template fuses<Epilogue>;

  static Verdict can_run(Exec const& exec, Matrix const& a, SpmvStatistics const& statistics,
                         SpmvOptions const& options)
  {
    return compression_pays<Form>(exec, a, statistics, options, portable_compression);
  }
  static State analyze(Exec const& exec, Matrix const& a, SpmvStatistics const& statistics,
                       SpmvOptions const& options)
  {
    return {compressed<Form>(exec, a, statistics), Rest::analyze(exec, a, statistics, options)};
  }

  template <class Scalar, class X, class Y>
  static void run(Exec const& exec, State const& state, Op op, Scalar alpha, Matrix const& a,
                  X const& x, Scalar beta, Y const& y)
  {
    if constexpr (!is_fused_v<Y>)
      if (is_transposed(op))
        return Rest::run(exec, state.rest, op, alpha, a, x, beta, y);
    auto const* const values = a.values().data();
    auto const views = Kernel::row_views(a, state.pattern.structure);
    with_conjugation<typename Matrix::value_type>(op, [&]<class Is>(Is) {
      if constexpr (is_host_v<Exec>)
        multiply_chunks<Is::value>(exec, state, a, views, values, alpha, x, beta, y);
      else
        spmv_by_teams<Is::value>(exec, kernel_label("spmv", name), state.rest.tuning.lanes, views,
                                 values, alpha, x, beta, y);
    });
  }
  template <bool is_conjugate, class RowViews, class Value, class Scalar, class X, class Y>
  static void multiply_chunks(Exec const& exec, State const& state, Matrix const& a,
                              RowViews const& views, Value const* values, Scalar alpha, X const& x,
                              Scalar beta, Y const& y)
  {
    SpmvRowTuning const tuning = state.rest.tuning;
    // Its columns are not read, so they are not asked for.
    CsrRowViews<typename Matrix::ordinal_type, typename Matrix::offset_type> const of_caller{
        a.num_rows(), a.row_offsets().data(), nullptr};
    for_each_chunk_of_rows(
        exec, kernel_label("spmv", name), state.rest.firsts, views, tuning.comes_from_memory, y,
        [=](std::int64_t first, std::int64_t last, auto const& own_y) {
          if (first < last && tuning.comes_from_memory)
            Kernel::template multiply<is_conjugate>(views, first, last, values, alpha, x, beta,
                                                    own_y, entries_ahead(of_caller, values, first));
          else
            Kernel::template multiply<is_conjugate>(views, first, last, values, alpha, x, beta,
                                                    own_y, NothingAhead{});
        });
  }
};

} // namespace heddle::impl
