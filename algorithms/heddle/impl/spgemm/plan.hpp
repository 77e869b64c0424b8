// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What plans of SpGEMM have in common, whatever they choose from.

#include <heddle/bsr_matrix.hpp>
#include <heddle/impl/memory.hpp>
#include <heddle/impl/operands.hpp>
#include <heddle/impl/out_of_memory.hpp>
#include <heddle/impl/pattern.hpp>
#include <heddle/impl/plan/plan.hpp>
#include <heddle/impl/spgemm/operand.hpp>
#include <heddle/impl/spgemm_pattern.hpp>
#include <heddle/impl/views.hpp>
#include <heddle/op.hpp>
#include <heddle/spgemm_options.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

namespace heddle::impl
{

// What products ask of the types of their factors.
template <class Exec, class A, class B>
struct ProductTypes
{
  static constexpr bool have_one_ordinal =
      std::is_same_v<typename A::ordinal_type, typename B::ordinal_type>;
  static constexpr bool are_in_one_space =
      std::is_same_v<typename A::memory_space, typename B::memory_space>;
  static constexpr bool have_one_format = is_bsr_matrix_v<A> == is_bsr_matrix_v<B>;
  static constexpr bool have_right_factors = PlanTypes<Exec, A>::fit && PlanTypes<Exec, B>::fit;
  static constexpr bool fit =
      have_right_factors && have_one_ordinal && are_in_one_space && have_one_format;
  static_assert(have_one_format || !have_right_factors,
                "heddle::spgemm: one of A and B is a BsrMatrix, the other is not; convert one");
  static_assert(have_one_ordinal || !have_right_factors,
                "heddle::spgemm: A and B have columns of different types");
  static_assert(are_in_one_space || !have_right_factors,
                "heddle::spgemm: A and B are in different memory spaces");
};

// Values of C's blocks.
template <class Result>
std::size_t stored_values(SpgemmPattern<Result> const& pattern)
{
  return pattern.num_blocks() * static_cast<std::size_t>(pattern.shape.height) *
         static_cast<std::size_t>(pattern.shape.width);
}

// C of these sizes on the pattern, with columns and values of its own.
template <class Result>
Result on_pattern(SpgemmPattern<Result> const& pattern, std::int64_t rows, std::int64_t cols,
                  typename Result::columns_view const& columns,
                  typename Result::values_view const& values)
{
  using Ordinal = typename Result::ordinal_type;
  auto const num_rows = static_cast<Ordinal>(rows), num_cols = static_cast<Ordinal>(cols);
  if constexpr (is_bsr_matrix_v<Result>)
    return Result(num_rows, num_cols, pattern.shape, pattern.row_offsets, columns, values,
                  pattern.nnz);
  else
    return Result(num_rows, num_cols, pattern.row_offsets, columns, values);
}

// Sizes and fingerprints of both factors.
struct FactorPatterns
{
  Pattern a, b;
};

// One pass where both are one matrix. Waits for exec.
template <class Exec, class A, class B>
FactorPatterns patterns_of(Exec const& exec, A const& a, B const& b)
{
  Pattern const of_a = pattern_of(exec, a);
  return {of_a, have_one_pattern(a, b) ? of_a : pattern_of(exec, b)};
}

// The choice, the sizes of C, and the operands that the plan stands for.
template <class Exec, class A, class B, class List>
class ProductPlan : public Plan<SpgemmOptions, List>
{
  static_assert(std::is_empty_v<ProductTypes<Exec, A, B>>); // whose own assertions speak first

public:
  using result_type = SpgemmResult<A, B>;

  /// Entries of C; of BSR all values of its blocks that lie inside C.
  std::size_t nnz() const { return result_pattern().nnz; }
  /// Scalar products of a call, of BSR with those of whole blocks at the edges; it does twice as
  /// many floating-point operations (eight times if complex).
  std::int64_t products() const { return result_pattern().products; }
  /// A new C: row offsets and columns are set (columns by the first call, where max_workspace_bytes
  /// did not let the plan keep them), values are not. Row offsets are shared with the plan. Throws
  /// OutOfMemory, before it allocates, where the memory is not there. Waits for exec only as making
  /// a View does.
  result_type make_result(Exec const& exec) const;

  /// Whether make_result sets columns: max_workspace_bytes let the plan keep them.
  bool keeps_columns() const { return result_pattern().keeps_columns; }

  /// Whether calls give the same bits each time, on this device and with this plan.
  bool is_repeatable() const
  {
    return std::visit([](auto const& bound) { return bound.state.is_repeatable(); },
                      this->choice());
  }
  /// Whether the plan was made for these patterns: one pass over both; waits for exec.
  bool matches(Exec const& exec, A const& a, B const& b) const
  try
  {
    return m_a.matches(exec, a) && m_b.matches(exec, b);
  }
  catch (...)
  {
    rethrow_out_of_memory("matches");
  }
  /// A few lines: implementation, parameters, why it was chosen, memory held, size of C, repeatable
  /// or not.
  std::string describe() const
  try
  {
    return this->describe_choice() + "C = " + describe_operand("A", m_operands.a) + " " +
           describe_operand("B", m_operands.b) + " is " + std::to_string(result_rows()) + " x " +
           std::to_string(result_cols()) + " with " + std::to_string(nnz()) + " entries from " +
           std::to_string(products()) +
           " products\nbitwise repeatable: " + (is_repeatable() ? "yes" : "no") + "\n";
  }
  catch (...)
  {
    rethrow_out_of_memory("describe");
  }
  /// Sizes and fingerprints of the patterns it was made for.
  Pattern const& pattern_a() const { return m_a; }
  Pattern const& pattern_b() const { return m_b; }
  /// What calls multiply: A and B, or what the plan keeps of their transposes.
  SpgemmOperands<Exec, A, B> const& operands() const { return m_operands; }
  /// What the plan takes A as.
  Op op_a() const { return m_operands.a.op(); }
  /// What the plan takes B as.
  Op op_b() const { return m_operands.b.op(); }
  /// Rows of C.
  std::int64_t result_rows() const { return is_transposed(op_a()) ? m_a.cols : m_a.rows; }
  /// Columns of C.
  std::int64_t result_cols() const { return is_transposed(op_b()) ? m_b.rows : m_b.cols; }
  /// Blocks of C where A and B have blocks; else entries, as blocks of 1 x 1.
  std::size_t result_blocks() const { return result_pattern().num_blocks(); }
  /// Height and width of these.
  BlockShape result_shape() const { return result_pattern().shape; }

protected:
  ProductPlan(SpgemmOptions const& options, Chosen<List>&& chosen,
              SpgemmOperands<Exec, A, B> const& operands, Pattern const& pattern_a,
              Pattern const& pattern_b)
      : Plan<SpgemmOptions, List>(options, std::move(chosen))
      , m_operands(operands)
      , m_a(pattern_a)
      , m_b(pattern_b)
  {}

private:
  friend struct OneCall;

  // As make_result, but for a plan that ends with the call: C has its columns, where it keeps them.
  result_type make_last_result(Exec const& exec) const
  {
    return make_result_with(exec, result_pattern().columns);
  }
  result_type make_result_with(Exec const& exec,
                               typename result_type::columns_view const& kept_columns) const;
  template <class Operand>
  static std::string describe_operand(char const* name, Operand const& operand)
  {
    if (operand.op() == Op::none)
      return name;
    return to_string(operand.op()) + ("(" + std::string(name)) + ", " +
           std::to_string(operand.bytes()) + " bytes kept)";
  }
  SpgemmPattern<result_type> const& result_pattern() const
  {
    return std::visit(
        [](auto const& bound) -> auto const& { return bound.state.pattern; }, this->choice());
  }

  SpgemmOperands<Exec, A, B> m_operands;
  Pattern m_a, m_b;
};

template <class Exec, class A, class B, class List>
auto ProductPlan<Exec, A, B, List>::make_result(Exec const& exec) const -> result_type
{
  return make_result_with(exec, {});
}

// kept_columns: those that C is to have, or none.
template <class Exec, class A, class B, class List>
auto ProductPlan<Exec, A, B, List>::make_result_with(
    Exec const& exec, typename result_type::columns_view const& kept_columns) const -> result_type
try
{
  auto const& pattern = result_pattern();
  std::size_t const blocks = pattern.num_blocks(), values = stored_values(pattern);
  bool const has_columns = blocks > 0 && kept_columns.extent(0) == blocks;
  require_available(exec, "spgemm", "C with " + std::to_string(pattern.nnz) + " entries",
                    values * sizeof(typename result_type::value_type) +
                        (has_columns ? 0 : blocks * sizeof(typename result_type::ordinal_type)));
  auto const columns =
      has_columns
          ? kept_columns
          : uninitialized<typename result_type::columns_view>(exec, "heddle::columns", blocks);
  if (pattern.keeps_columns && !has_columns)
    Kokkos::deep_copy(exec, columns, pattern.columns);
  return on_pattern(
      pattern, result_rows(), result_cols(), columns,
      uninitialized<typename result_type::values_view>(exec, "heddle::values", values));
}
catch (...)
{
  rethrow_out_of_memory("spgemm");
}

// The numeric phase, of operands that were checked.
template <class Exec, class Plan, class A, class B, class C>
void visit_spgemm(Exec const& exec, Plan const& plan, A const& a, B const& b, C const& c)
{
  plan.operands().with(exec, a, b, [&](A const& op_a, B const& op_b) {
    std::visit([&]<class I>(Bound<I> const& bound) { I::run(exec, bound.state, op_a, op_b, c); },
               plan.choice());
  });
}

} // namespace heddle::impl
