// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The basic kernels of the CMU report (paper 002, sections 3.1.1, 3.3.1 and 3.4.1) for COO, BSR and
// ELL: a thread for each stored value, which adds its product to C by atomics, column after column
// of B. The order of additions differs from run to run.

#include <heddle/accumulator.hpp>
#include <heddle/backend.hpp>
#include <heddle/bsr_matrix.hpp>
#include <heddle/coo_matrix.hpp>
#include <heddle/ell_matrix.hpp>
#include <heddle/impl/entry_order.hpp>
#include <heddle/impl/exec_check.hpp>
#include <heddle/impl/multiply/places.hpp>
#include <heddle/impl/row_statistics.hpp>
#include <heddle/impl/row_view_formats.hpp>
#include <heddle/impl/scale.hpp>
#include <heddle/impl/takes.hpp>
#include <heddle/impl/verdict.hpp>
#include <heddle/impl/views.hpp>
#include <heddle/op.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace heddle::impl
{

// As CooPlaces (multiply/places.hpp).
template <class Ordinal>
struct EllPlaces
{
  std::int64_t count, stride;
  Ordinal const* columns;

  HEDDLE_NO_EXEC_CHECK
  template <class F>
  KOKKOS_FUNCTION void visit(std::int64_t place, F const& f) const
  {
    auto const column = static_cast<std::int64_t>(columns[place]);
    if (column >= 0)
      f(place % stride, column);
  }
};
template <class Ordinal>
struct BsrPlaces
{
  std::int64_t count, rows, cols, height, width;
  Ordinal const* block_rows;
  Ordinal const* columns;

  HEDDLE_NO_EXEC_CHECK
  template <class F>
  KOKKOS_FUNCTION void visit(std::int64_t place, F const& f) const
  {
    std::int64_t const size = height * width, block = place / size, at = place % size;
    std::int64_t const row = static_cast<std::int64_t>(block_rows[block]) * height + at / width;
    std::int64_t const column = static_cast<std::int64_t>(columns[block]) * width + at % width;
    if (row < rows && column < cols)
      f(row, column);
  }
};

template <class Exec, class Matrix>
struct PlaceByPlace
{
  static constexpr Backend backend = Backend::portable;
  static constexpr bool is_coo = is_coo_matrix_v<Matrix>, is_ell = is_ell_matrix_v<Matrix>,
                        is_bsr = is_bsr_matrix_v<Matrix>;
  static constexpr char const* name = is_coo   ? "portable::coo_atomic"
                                      : is_ell ? "portable::ell_atomic"
                                               : "portable::bsr_block_atomic";
  static constexpr bool is_supported = is_coo || is_ell || is_bsr;
  using Ordinal = typename Matrix::ordinal_type;
  struct State
  {
    Kokkos::View<Ordinal*, typename Matrix::memory_space> block_rows; // of BSR

    std::size_t bytes() const { return block_rows.span() * sizeof(Ordinal); }
    static bool is_repeatable(Op) { return false; }
    static std::string describe() { return "a thread a place, by atomic additions"; }
  };
  template <class X, class Y>
  static constexpr Takes takes =
      is_own_accumulator_v<typename Y::value_type> ? Takes::all : Takes::none;

  template <class Options>
  static Verdict can_run(Exec const&, Matrix const&, RowStatistics const&, Options const& options)
  {
    if (options.deterministic)
      return {false, "its sums take any order"};
    return only_by_name(!options.implementation.empty());
  }
  template <class Options>
  static State analyze(Exec const& exec, Matrix const& a, RowStatistics const&, Options const&)
  {
    State state;
    if constexpr (is_bsr)
    {
      state.block_rows =
          uninitialized<decltype(state.block_rows)>(exec, "heddle::block_rows", a.num_blocks());
      expand_rows(exec, a.row_offsets(), state.block_rows);
    }
    return state;
  }
  static auto places(State const& state, Matrix const& a)
  {
    auto const count = static_cast<std::int64_t>(a.values().extent(0));
    if constexpr (is_bsr)
      return BsrPlaces<Ordinal>{count,
                                a.num_rows(),
                                a.num_cols(),
                                a.shape().height,
                                a.shape().width,
                                state.block_rows.data(),
                                a.columns().data()};
    else if constexpr (is_ell)
      return EllPlaces<Ordinal>{count, static_cast<std::int64_t>(a.stride()), a.columns().data()};
    else
      return places_of(a);
  }

  template <class Scalar, class X, class Y>
  static void run(Exec const& exec, State const& state, Op op, Scalar alpha, Matrix const& a,
                  X const& x, Scalar beta, Y const& y)
  {
    auto const* const values = a.values().data();
    auto const label = kernel_label("multiply", name);
    scale(exec, beta, y);
    with_conjugation<typename Matrix::value_type>(op, [&]<class Is>(Is) {
      if (is_transposed(op))
        add_place_by_place<true, Is::value>(exec, label, places(state, a), values, alpha, x, y);
      else
        add_place_by_place<false, Is::value>(exec, label, places(state, a), values, alpha, x, y);
    });
  }
};

} // namespace heddle::impl
