// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/impl/dispatch.hpp>
#include <heddle/impl/operands.hpp>
#include <heddle/impl/out_of_memory.hpp>
#include <heddle/impl/pattern.hpp>
#include <heddle/impl/require.hpp>
#include <heddle/impl/text_stream.hpp>
#include <heddle/impl/verdict.hpp>
#include <heddle/op.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <type_traits>
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

// Makes the plan of a call that was given none: without the fingerprint, which costs a pass over
// the pattern, so that the plan does not even match its own matrix.
struct OneCall
{
  template <class Plan, class Exec, class... Args>
  static Plan plan(Exec const& exec, Args const&... args)
  {
    return Plan::for_one_call(exec, args...);
  }
  // C of a plan that ends with the call, whose columns it takes over.
  template <class Plan, class Exec>
  static auto result(Exec const& exec, Plan const& plan)
  {
    return plan.make_last_result(exec);
  }
};

// "not NAME: REASON" of each candidate that was asked before a plan's choice and refused.
template <class... Is, std::size_t count>
void write_refusals(std::ostream& text, Candidates<Is...>,
                    std::array<Verdict, count> const& verdicts)
{
  std::size_t n = 0;
  bool is_taken = false;
  auto const write = [&]<class I>(std::type_identity<I>) {
    Verdict const& verdict = verdicts[n++];
    is_taken = is_taken || static_cast<bool>(verdict);
    if (is_taken)
      return;
    std::string const reason = verdict.reason();
    for (char const* const name : names_for<I>())
      text << "not " << name << ": " << (reason.empty() ? "it cannot run here" : reason) << "\n";
  };
  (write(std::type_identity<Is>{}), ...);
}

// What all plans have: the options they were made with and the implementation these led to.
template <class Options, class List>
class Plan
{
public:
  using implementations = List;

  /// The implementation chosen, e.g. "portable::csr_team".
  char const* implementation_name() const
  {
    return std::visit([](auto const& bound) { return name_of(bound); }, m_chosen.choice);
  }
  /// Portable kernels or those of a device.
  Backend backend() const
  {
    return std::visit([]<class I>(Bound<I> const&) { return I::backend; }, m_chosen.choice);
  }
  /// Whether options or HEDDLE_BACKEND named a backend or an implementation.
  bool is_forced() const { return impl::is_forced(m_options); }
  choice_t<List> const& choice() const { return m_chosen.choice; }

protected:
  Plan(Options options, Chosen<List>&& chosen)
      : m_options(std::move(options))
      , m_chosen(std::move(chosen))
  {}
  ~Plan() = default;
  Plan(Plan const&) = default;
  Plan(Plan&&) noexcept = default;
  Plan& operator=(Plan const&) = default;
  Plan& operator=(Plan&&) noexcept = default;

  // Implementation, parameters, why it was chosen and others were not, and memory held.
  std::string describe_choice() const
  {
    TextStream text;
    std::visit(
        [&]<class I>(Bound<I> const& bound) {
          text << name_of(bound) << ": " << bound.state.describe() << "\n" << reasons(bound);
          text << "built for these types:";
          for (char const* const candidate : names_of(List{}))
            text << " " << candidate;
          text << "\nmemory held by the plan: " << bound.state.bytes() << " bytes\n";
        },
        m_chosen.choice);
    return text.str();
  }

private:
  // Why the choice was made; where a name was asked for no other was considered.
  template <class I>
  std::string reasons(Bound<I> const& bound) const
  {
    if (!m_options.implementation.empty())
      return "chosen because it was asked for by name\n";
    TextStream text;
    text << "chosen because ";
    if (m_options.backend != Backend::automatic)
      text << "the " << to_string(m_options.backend) << " backend was asked for and ";
    std::string const reason = verdict_of(bound).reason();
    text << (reason.empty() ? "it is the first that can run" : reason) << "\n";
    write_refusals(text, List{}, m_chosen.verdicts);
    if constexpr (HasKernels<I>)
      write_refusals(text, typename I::kernels{}, I::kernel_verdicts(bound.state));
    return text.str();
  }
  // Of the implementation that was taken, or of its kernel: the last that was asked.
  template <class I>
  Verdict verdict_of(Bound<I> const& bound) const
  {
    if constexpr (HasKernels<I>)
    {
      auto const& verdicts = I::kernel_verdicts(bound.state);
      return *std::find_if(verdicts.begin(), verdicts.end(),
                           [](Verdict const& verdict) { return static_cast<bool>(verdict); });
    }
    else
      return m_chosen.verdicts[m_chosen.choice.index()];
  }

  Options m_options;
  Chosen<List> m_chosen;
};

// A plan for op(A) times dense vectors.
template <class Exec, class Matrix, class Options, class List>
class MultiplyPlan : public Plan<Options, List>
{
  static_assert(std::is_empty_v<PlanTypes<Exec, Matrix>>); // whose own assertions speak first

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
  /// A few lines: implementation, parameters, why it was chosen and better ones were not, memory
  /// held, the bytes that a call with one column must move, and which ops are repeatable.
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
  MultiplyPlan(Matrix const& a, Pattern const& pattern, Options options, Chosen<List>&& chosen)
      : Plan<Options, List>(std::move(options), std::move(chosen))
      , m_pattern(pattern)
      , m_compulsory_bytes(compulsory_bytes(a, 1))
  {}

private:
  Pattern m_pattern;
  std::size_t m_compulsory_bytes;
};

} // namespace heddle::impl
