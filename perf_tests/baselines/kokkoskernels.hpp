// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Kokkos Kernels as a careful user calls it: handles made once, its own kernels named explicitly
// (SPGEMM_KK, because the default is a serial reference on hosts), no vendor library behind them.
// Each function is compiled in files of its own, for float, double and their complex: one such file
// takes minutes.

#include <harness/candidate.hpp>
#include <harness/types.hpp>
#include <heddle/op.hpp>

#include <Kokkos_Core.hpp>

#include <functional>
#include <type_traits>
#include <vector>

namespace heddle::perf::kokkoskernels
{

template <class Value>
using Vector = Kokkos::View<Value*, Space>;
template <class Value, class Layout>
using Dense = Kokkos::View<Value**, Layout, Space>;

#if defined(HEDDLE_PERF_KOKKOSKERNELS)
template <class Value>
inline constexpr bool is_available_v = std::is_floating_point_v<Value>;
#else
template <class Value>
inline constexpr bool is_available_v = false;
#endif

template <class Value>
std::vector<Candidate> spmv(Matrix32<Value> const& a, Op op, Vector<Value> const& x,
                            Vector<Value> const& y);
template <class Value, class Layout>
std::vector<Candidate> spmm(Matrix32<Value> const& a, Op op, Dense<Value, Layout> const& b,
                            Dense<Value, Layout> const& c);

// C = A B; take receives each result.
template <class Value>
struct Spgemm
{
  using Take = std::function<void(Matrix32<Value> const&)>;
  static std::vector<Candidate> whole(Matrix32<Value> const& a, Matrix32<Value> const& b,
                                      Take const& take);
  static std::vector<Candidate> numeric(Matrix32<Value> const& a, Matrix32<Value> const& b,
                                        Take const& take);
};

} // namespace heddle::perf::kokkoskernels
