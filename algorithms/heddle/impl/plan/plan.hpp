// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/impl/dispatch.hpp>
#include <heddle/impl/out_of_memory.hpp>
#include <heddle/impl/pattern.hpp>
#include <heddle/impl/require.hpp>
#include <heddle/op.hpp>

#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <utility>
#include <variant>

namespace heddle::impl
{

// Bytes that a multiplication with k dense columns must move at least, whatever the format: A once,
// the dense operands once, of A's value type.
template <class Matrix>
std::size_t compulsory_bytes(Matrix const& a, std::size_t k)
{
  auto const rows = static_cast<std::size_t>(a.num_rows());
  auto const cols = static_cast<std::size_t>(a.num_cols());
  constexpr std::size_t value = sizeof(typename Matrix::value_type);
  return a.nnz() * (value + sizeof(typename Matrix::ordinal_type)) +
         (rows + 1) * sizeof(typename Matrix::offset_type) + (rows + cols) * k * value;
}

// Runs the chosen implementation; the last of the list where that does not take such operands and
// nobody asked for it.
template <class List, class Exec, class Scalar, class Matrix, class X, class Y>
void run_choice(char const* function, bool is_forced, choice_t<List> const& choice,
                Exec const& exec, Op op, Scalar alpha, Matrix const& a, X const& x, Scalar beta,
                Y const& y)
{
  using Fallback = last_t<List>;
  std::visit(
      [&]<class I>(Bound<I> const& bound) {
        if constexpr (I::template takes<X, Y>)
          I::run(exec, bound.state, op, alpha, a, x, beta, y);
        else
        {
          require<Unsupported>(!is_forced, function, I::name, " does not take these operands");
          Fallback::run(exec, typename Fallback::State{}, op, alpha, a, x, beta, y);
        }
      },
      choice);
}

// Makes the plan of a call that was given none: without the fingerprint, which costs a pass over
// the pattern, so that the plan does not even match its own matrix.
struct OneCall
{
  template <class Plan, class Exec, class Matrix>
  static Plan plan(Exec const& exec, Matrix const& a)
  {
    return Plan::for_one_call(exec, a);
  }
};

// What all plans have: the options they were made with and the implementation these led to.
template <class Options, class List>
class Plan
{
public:
  using implementations = List;

  /// The implementation chosen, e.g. "portable::csr_team".
  char const* implementation_name() const
  {
    return std::visit([]<class I>(Bound<I> const&) { return I::name; }, m_choice);
  }
  /// Portable kernels or those of a device.
  Backend backend() const
  {
    return std::visit([]<class I>(Bound<I> const&) { return I::backend; }, m_choice);
  }
  /// Whether options or HEDDLE_BACKEND named a backend or an implementation.
  bool is_forced() const { return impl::is_forced(m_options); }
  choice_t<List> const& choice() const { return m_choice; }

protected:
  Plan(Options options, choice_t<List>&& choice)
      : m_options(std::move(options))
      , m_choice(std::move(choice))
  {}
  ~Plan() = default;
  Plan(Plan const&) = default;
  Plan(Plan&&) noexcept = default;
  Plan& operator=(Plan const&) = default;
  Plan& operator=(Plan&&) noexcept = default;

  // Implementation, parameters, why it was chosen and memory held.
  std::string describe_choice() const
  {
    std::ostringstream text;
    std::visit(
        [&](auto const& bound) {
          text << implementation_name() << ": " << bound.state.describe() << "\nchosen because "
               << (is_forced() ? "it was asked for" : "it is the first that can run") << " of:";
          for (char const* const candidate : names_of(List{}))
            text << " " << candidate;
          text << "\nmemory held by the plan: " << bound.state.bytes() << " bytes\n";
        },
        m_choice);
    return text.str();
  }

private:
  Options m_options;
  choice_t<List> m_choice;
};

// A plan for op(A) times dense vectors.
template <class Exec, class Matrix, class Options, class List>
class MultiplyPlan : public Plan<Options, List>
{
public:
  /// Whether calls give the same bits each time, on this device and with this plan.
  bool is_repeatable(Op op) const
  {
    return std::visit([op](auto const& bound) { return bound.state.is_repeatable(op); },
                      this->choice());
  }
  /// Whether the plan was made for the pattern of a: one pass over it; waits for exec.
  bool matches(Exec const& exec, Matrix const& a) const
  try
  {
    return m_pattern.matches(exec, a);
  }
  catch (...)
  {
    rethrow_out_of_memory("matches");
  }
  /// A few lines: implementation, parameters, why it was chosen, memory held, the bytes that a call
  /// with one column must move, and which ops are repeatable.
  std::string describe() const
  try
  {
    return this->describe_choice() +
           "compulsory bytes of a call with one column: " + std::to_string(m_compulsory_bytes) +
           "\nbitwise repeatable: A " + (is_repeatable(Op::none) ? "yes" : "no") +
           ", A^T and A^H " + (is_repeatable(Op::transpose) ? "yes" : "no") + "\n";
  }
  catch (...)
  {
    rethrow_out_of_memory("describe");
  }
  /// Sizes and fingerprint of the pattern it was made for.
  Pattern const& pattern() const { return m_pattern; }

protected:
  MultiplyPlan(Matrix const& a, Pattern const& pattern, Options options, choice_t<List>&& choice)
      : Plan<Options, List>(std::move(options), std::move(choice))
      , m_pattern(pattern)
      , m_compulsory_bytes(compulsory_bytes(a, 1))
  {}

private:
  Pattern m_pattern;
  std::size_t m_compulsory_bytes;
};

} // namespace heddle::impl
