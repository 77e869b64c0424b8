// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What implementations of SpMV and SpMM have in common, and how a call with a plan runs the one
// that was chosen, or another where that does not take the operands.

#include <heddle/impl/dispatch.hpp>
#include <heddle/impl/epilogue.hpp>
#include <heddle/impl/require.hpp>
#include <heddle/impl/takes.hpp>
#include <heddle/impl/verdict.hpp>
#include <heddle/op.hpp>

#include <concepts>
#include <cstddef>
#include <string>
#include <type_traits>
#include <variant>

namespace heddle::impl
{

// What a list of SpMV or SpMM needs of an entry. Beside this, takes<X, Y> is one of Takes, and
// run(exec, state, op, alpha, a, x, beta, y) takes such operands. Where takes is not always
// Takes::all, there is takes_operands(op, x, y), and, unless the implementation runs by its name
// only, hand_over(state): what its State holds of the pattern, for another to go on from.
template <class I, class Exec, class Matrix, class Statistics, class Options>
concept MultiplyImplementation = Implementation<I> &&
    requires(typename I::State const& state, Exec const& exec, Matrix const& a,
             Statistics const& statistics, Options const& options)
{
  requires std::convertible_to<decltype(I::can_run(exec, a, statistics, options)), Verdict>;
  requires std::same_as<decltype(I::analyze(exec, a, statistics, options)), typename I::State>;
  requires std::convertible_to<decltype(state.bytes()), std::size_t>;
  requires std::convertible_to<decltype(state.is_repeatable(Op::none)), bool>;
  requires std::convertible_to<decltype(state.describe()), std::string>;
};

// Instantiated for each entry of a list, which errors then name.
template <class I, class Exec, class Matrix, class Statistics, class Options>
struct CheckedEntry
{
  static_assert(MultiplyImplementation<I, Exec, Matrix, Statistics, Options>,
                "this entry of the list lacks something of an implementation of SpMV or SpMM");
  static constexpr bool is_right = true;
};
template <class Exec, class Matrix, class Statistics, class Options, class... Is>
constexpr bool has_right_entries(Candidates<Is...>)
{
  return (CheckedEntry<Is, Exec, Matrix, Statistics, Options>::is_right && ...);
}

// take_over(held) is a State that needs no analysis beside what another implementation held.
template <class Held, class I>
concept TakenOverBy = requires(Held const& held)
{
  requires std::same_as<decltype(I::take_over(held)), typename I::State>;
};
template <class I>
concept HandsOver = requires(typename I::State const& state)
{
  I::hand_over(state);
};

// The last of a list that goes on from Held: the portable implementation of the format.
template <class Held, class Found, class... Is>
struct LastToTakeOver
{
  static_assert(!std::is_void_v<Found>, "no implementation of the list goes on from this");
  using type = Found;
};
template <class Held, class Found, class I, class... Is>
struct LastToTakeOver<Held, Found, I, Is...>
    : LastToTakeOver<Held, std::conditional_t<TakenOverBy<Held, I>, I, Found>, Is...>
{};
template <class List, class Held>
struct Fallback;
template <class... Is, class Held>
struct Fallback<Candidates<Is...>, Held> : LastToTakeOver<Held, void, Is...>
{};
template <class List, class Held>
using fallback_t = typename Fallback<List, Held>::type;

// I's run, with y's epilogue in a pass of its own where I does not fuse it.
template <class I, class Exec, class Scalar, class Matrix, class X, class Y>
void run_with_epilogue(Exec const& exec, typename I::State const& state, Op op, Scalar alpha,
                       Matrix const& a, X const& x, Scalar beta, Y const& y)
{
  if constexpr (fuses<I, Y>())
    I::run(exec, state, op, alpha, a, x, beta, y);
  else
  {
    I::run(exec, state, op, alpha, a, x, beta, unfused(y));
    apply_epilogue(exec, y);
  }
}

// Runs the chosen implementation. Operands that it does not take go to the fallback, one of
// Fallbacks, which goes on from what the plan holds of the pattern; but types that an
// implementation asked for does not take are refused.
template <class List, class Fallbacks = List, class Exec, class Scalar, class Matrix, class X,
          class Y>
void run_choice(char const* function, bool is_forced, choice_t<List> const& choice,
                Exec const& exec, Op op, Scalar alpha, Matrix const& a, X const& x, Scalar beta,
                Y const& y)
{
  auto const visit = [&]<class I>(Bound<I> const& bound) {
    constexpr Takes takes = I::template takes<X, Y>;
    if constexpr (takes == Takes::none)
      require<Unsupported>(!is_forced && HandsOver<I>, function, name_of(bound),
                           " does not take these operands");
    if constexpr (takes == Takes::some)
      if (I::takes_operands(op, x, y))
        return run_with_epilogue<I>(exec, bound.state, op, alpha, a, x, beta, y);
    if constexpr (takes == Takes::all)
      run_with_epilogue<I>(exec, bound.state, op, alpha, a, x, beta, y);
    else if constexpr (HandsOver<I>)
    {
      auto const held = I::hand_over(bound.state);
      using Next = fallback_t<Fallbacks, std::remove_const_t<decltype(held)>>;
      run_with_epilogue<Next>(exec, Next::take_over(held), op, alpha, a, x, beta, y);
    }
  };
  std::visit(visit, choice);
}

} // namespace heddle::impl
