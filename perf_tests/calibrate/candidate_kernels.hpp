// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What candidates.hpp declares.

#include <harness/types.hpp>
#include <heddle/convert_row_segmented.hpp>
#include <heddle/spmm.hpp>

#include <memory>
#include <optional>

#include <calibrate/candidates.hpp>

namespace heddle::perf
{

template <class Value>
struct SegmentedPlan
{
  using Matrix = decltype(to_row_segmented(Exec{}, Matrix32<Value>{}));
  std::optional<Matrix> a;
  std::optional<SpmmPlan<Exec, typename Matrix::const_type>> plan;

  void make(Matrix32<Value> const& csr)
  {
    plan.reset();
    a.reset(); // not two at once
    a.emplace(to_row_segmented(Exec{}, csr));
    plan.emplace(Exec{}, *a);
  }
  double heavy_share() const
  {
    return a->nnz() == 0 ? 0 : static_cast<double>(a->heavy_nnz()) / static_cast<double>(a->nnz());
  }
};

template <class Value, class Run>
Candidate row_segmented(Matrix32<Value> const& a, Run const& run)
{
  auto const segmented = std::make_shared<SegmentedPlan<Value>>();
  return {"heddle::auto_row_segmented",
          int_indices,
          [=] { segmented->make(a); },
          [=] { run(*segmented); },
          {},
          {},
          [=] { return segmented->heavy_share(); }};
}

template <class Value>
Candidate row_segmented_spmm_of(SpmmProblem<Value, Kokkos::LayoutRight> const& p)
{
  return row_segmented(p.a, [=](SegmentedPlan<Value> const& s) {
    spmm(Exec{}, *s.plan, p.op, Value(1), *s.a, p.b, Value(0), p.c);
  });
}

template <class Value>
Candidate row_segmented_both_of(SpmmProblem<Value, Kokkos::LayoutRight> const& transposed,
                                SpmmProblem<Value, Kokkos::LayoutRight> const& plain)
{
  return row_segmented(plain.a, [=](SegmentedPlan<Value> const& s) {
    spmm_both(Exec{}, *s.plan, transposed.op, Value(1), *s.a, transposed.b, plain.b, Value(0),
              transposed.c, plain.c);
  });
}

} // namespace heddle::perf
