// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What baselines are asked to compute, on operands that stay where they are. A family of baselines
// is a class with
//   option              its name on the command line
//   is_available_v<V>   whether it is in this build and knows value type V
//   spmv, spmm, spgemm  the candidates for a problem, best-called as its documentation says:
//                       descriptors and buffers made by the plan, not by the call.
// The functions are compiled in files of their own, for the types that each family knows.

#include <harness/candidate.hpp>
#include <harness/types.hpp>
#include <heddle/bsr_matrix.hpp>
#include <heddle/op.hpp>

#include <Kokkos_Core.hpp>

#include <functional>
#include <type_traits>
#include <vector>

namespace heddle::perf
{

template <class Value>
using Vector = Kokkos::View<Value*, Space>;
template <class Value, class Layout>
using Dense = Kokkos::View<Value**, Layout, Space>;

// y = alpha op(A) x + beta y; op is none or transpose. Families that only the command spmv asks
// take alpha as 1 and beta as 0.
template <class Value>
struct SpmvProblem
{
  Matrix32<Value> a;
  Op op = Op::none;
  Vector<Value> x, y;
  Value alpha = Value(1), beta = Value(0);
};

// C = op(A) B.
template <class Value, class Layout>
struct SpmmProblem
{
  Matrix32<Value> a;
  Op op = Op::none;
  Dense<Value, Layout> b, c;
};

// C = A B; take receives each result. Numeric: the symbolic phase is the plan.
template <class Matrix>
struct SpgemmProblemOf
{
  Matrix a, b;
  bool is_numeric = false;
  std::function<void(Matrix const&)> take;
};
template <class Value>
using SpgemmProblem = SpgemmProblemOf<Matrix32<Value>>;
template <class Value>
using BsrSpgemmProblem = SpgemmProblemOf<BsrMatrix<Value, int, int, Space>>;

// Candidates whose names all begin with the family's: "cusparse::csr_alg2".
using Candidates = std::vector<Candidate>;

inline constexpr char const* int_indices = "int32,int32";

} // namespace heddle::perf
