// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// A product that is a step of another operation (jacobi_product, triple_product): its plan and its
// columns, which stay as long as the plan of the operation; a call has its values in scratch
// memory.

#include <heddle/impl/scratch.hpp>
#include <heddle/spgemm.hpp>
#include <heddle/spgemm_options.hpp>

#include <Kokkos_Core.hpp>

#include <string>
#include <variant>

namespace heddle::impl
{

template <class Exec, class A, class B>
class IntermediateProduct
{
public:
  using Product = SpgemmResult<A, B>;
  using Pattern = typename Product::const_type;

  // Waits for exec. Throws what the constructor of SpgemmPlan throws.
  IntermediateProduct(Exec const& exec, A const& a, B const& b, SpgemmOptions const& options)
      : m_plan(exec, a, b, options)
      , m_columns(columns_of(exec, a, b))
  {}

  SpgemmPlan<Exec, A, B> const& plan() const { return m_plan; }
  // A B without values: what another plan is made for.
  Pattern pattern() const { return with_values(Values(nullptr, m_plan.nnz())); }
  // body(A B), whose values are there as long as body runs.
  template <class Body>
  void with(Exec const& exec, A const& a, B const& b, Body const& body) const
  {
    Scratch<typename Product::value_type, Exec> const scratch(exec, m_plan.nnz());
    Product const product = with_values(Values(scratch.data(), scratch.size()));
    spgemm(exec, m_plan, a, b, product);
    body(product);
  }

private:
  using Columns = typename Product::columns_view;
  using Values = typename Product::values_view;

  // The plan's own, where it keeps them; else those that a first call finds.
  Columns columns_of(Exec const& exec, A const& a, B const& b) const
  {
    if (m_plan.keeps_columns())
      return std::visit([](auto const& bound) -> Columns { return bound.state.pattern.columns; },
                        m_plan.choice());
    Product const product = m_plan.make_result(exec);
    spgemm(exec, m_plan, a, b, product);
    exec.fence("heddle::spgemm::columns");
    return product.columns();
  }

  Product with_values(Values const& values) const
  {
    using Ordinal = typename Product::ordinal_type;
    auto const offsets = std::visit(
        [](auto const& bound) { return bound.state.pattern.row_offsets; }, m_plan.choice());
    return Product(static_cast<Ordinal>(m_plan.result_rows()),
                   static_cast<Ordinal>(m_plan.result_cols()), offsets, m_columns, values);
  }

  SpgemmPlan<Exec, A, B> m_plan;
  Columns m_columns;
};

} // namespace heddle::impl
