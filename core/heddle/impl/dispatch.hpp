// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// How a call finds its kernel. An implementation is a struct of one shape (see
// docs/architecture.md); an algorithm lists its structs best first. supported_t drops those whose
// types do not fit, choose() takes the first that was asked for and can run on the data, a plan
// keeps that choice with its State and with what each candidate answered, a call visits it.

#include <heddle/backend.hpp>
#include <heddle/impl/papers_names.hpp>
#include <heddle/impl/require.hpp>
#include <heddle/impl/verdict.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace heddle::impl
{

// What every list needs of an entry; can_run, analyze and run have the arguments of the algorithm.
template <class I>
concept Implementation = requires
{
  requires std::convertible_to<decltype(I::backend), Backend>;
  requires std::convertible_to<decltype(I::name), char const*>;
  requires std::convertible_to<decltype(I::is_supported), bool>;
  typename I::State;
};

template <class... Is>
struct Candidates
{};

template <class... As, class... Bs>
Candidates<As..., Bs...> operator+(Candidates<As...>, Candidates<Bs...>);

// Those of a list whose types fit: maybe none.
template <class List>
struct SupportedOrNone;
template <class... Is>
struct SupportedOrNone<Candidates<Is...>>
{
  using type = decltype((Candidates<>{} + ... +
                         std::conditional_t<Is::is_supported, Candidates<Is>, Candidates<>>{}));
};
template <class List>
using supported_or_none_t = typename SupportedOrNone<List>::type;

template <class List>
struct Supported;
template <class... Is>
struct Supported<Candidates<Is...>> : SupportedOrNone<Candidates<Is...>>
{
  static_assert((Is::is_supported || ...), "no implementation of this algorithm takes these types");
};
template <class List>
using supported_t = typename Supported<List>::type;

template <class I>
struct Bound
{
  using implementation = I;
  typename I::State state;
};

template <class List>
struct Choice;
template <Implementation... Is>
struct Choice<Candidates<Is...>>
{
  using type = std::variant<Bound<Is>...>;
};
template <class List>
using choice_t = typename Choice<List>::type;

// What choose() gives: the choice, and what the candidates answered down to the one that was taken.
template <class List>
struct Chosen;
template <class... Is>
struct Chosen<Candidates<Is...>>
{
  choice_t<Candidates<Is...>> choice;
  std::array<Verdict, sizeof...(Is)> verdicts = {};
};

// An implementation that is a choice between kernels, Candidates<...> of which it has as `kernels`:
// callers name the kernel. kernel_name(state) is the one that a plan took, kernel_verdicts(state)
// what each kernel answered.
template <class I>
concept HasKernels = requires(typename I::State const& state)
{
  typename I::kernels;
  requires std::convertible_to<decltype(I::kernel_name(state)), char const*>;
  I::kernel_verdicts(state);
};

// The names of a list, best first: those of the kernels for an implementation that has such.
template <class... Is>
std::vector<char const*> names_of(Candidates<Is...>);

// By which names an implementation is asked for.
template <class I>
std::vector<char const*> names_for()
{
  if constexpr (HasKernels<I>)
    return names_of(typename I::kernels{});
  else
    return {I::name};
}
template <class... Is>
std::vector<char const*> names_of(Candidates<Is...>)
{
  std::vector<char const*> all;
  [[maybe_unused]] auto const add = [&all](std::vector<char const*> const& names) {
    all.insert(all.end(), names.begin(), names.end());
  };
  (add(names_for<Is>()), ...);
  return all;
}

// The name of what a plan took.
template <class I>
char const* name_of(Bound<I> const& bound)
{
  if constexpr (HasKernels<I>)
    return I::kernel_name(bound.state);
  else
    return I::name;
}

// Whether options name a backend or an implementation: then nothing else may serve.
template <class Options>
bool is_forced(Options const& options)
{
  return options.backend != Backend::automatic || !options.implementation.empty();
}

template <class List>
struct First;
template <class I, class... Is>
struct First<Candidates<I, Is...>>
{
  using type = I;
};
template <class List>
using first_t = typename First<List>::type;

template <class List>
struct Last;
template <class I>
struct Last<Candidates<I>>
{
  using type = I;
};
template <class I, class J, class... Is>
struct Last<Candidates<I, J, Is...>> : Last<Candidates<J, Is...>>
{};
template <class List>
using last_t = typename Last<List>::type;

// Options with HEDDLE_BACKEND put in where they leave the choice open.
template <class Options>
Options resolved(char const* algorithm, Options options)
{
  char const* const variable = std::getenv("HEDDLE_BACKEND");
  if (is_forced(options) || variable == nullptr)
    return options;
  for (Backend const backend : {Backend::automatic, Backend::portable, Backend::cuda_native})
    if (std::string_view(variable) == to_string(backend))
    {
      options.backend = backend;
      return options;
    }
  throw_error<InvalidArgument>(algorithm, "HEDDLE_BACKEND is '", variable,
                               "', expected automatic, portable or cuda_native");
}

// What options ask for besides backend and implementation, in words.
template <class Options>
std::string further_wish(Options const& options)
{
  if constexpr (requires { to_string(options.accumulator); })
    if (options.accumulator != Options{}.accumulator)
      return std::string(" with accumulator ") + to_string(options.accumulator);
  return {};
}

// Where the papers' plans have what options ask for, as the end of a message; "" where they do not.
template <class Options>
std::string where_papers_have_it(char const* algorithm, Options const& options)
{
  std::string where = where_papers_have(algorithm, options.implementation);
  if constexpr (requires { to_string(options.accumulator); })
    if (where.empty())
      where = where_papers_have(algorithm, to_string(options.accumulator));
  return where;
}

// Whether options leave an implementation open; those of another name are not asked.
template <class I, class Options>
Verdict is_asked_for(Options const& options)
{
  if (options.backend != Backend::automatic && options.backend != I::backend)
    return {false, "it is of another backend"};
  if (options.implementation.empty())
    return true;
  for (std::string_view const name : names_for<I>())
    if (name == options.implementation)
      return true;
  return {false, "another one was asked for by name"};
}

// The first implementation that options (resolved) leave open and that can run. Where options have
// a name, can_run is asked only of the one that has it.
template <class... Is, class Options, class... Args>
Chosen<Candidates<Is...>> choose(Candidates<Is...>, char const* algorithm, Options const& options,
                                 Args const&... args)
{
  std::array<Verdict, sizeof...(Is)> verdicts = {};
  std::optional<choice_t<Candidates<Is...>>> chosen;
  Verdict refused; // of the one that options name
  std::size_t n = 0;
  auto consider = [&]<class I>(std::type_identity<I>) {
    Verdict& verdict = verdicts[n++];
    if (chosen)
      return;
    verdict = is_asked_for<I>(options);
    if (!verdict)
      return;
    verdict = I::can_run(args..., options);
    if (verdict)
      chosen.emplace(Bound<I>{I::analyze(args..., options)});
    else if (!options.implementation.empty())
      refused = verdict;
  };
  (consider(std::type_identity<Is>{}), ...);
  auto const all_names = [] {
    std::string all;
    for (char const* const name : names_of(Candidates<Is...>{}))
      all.append(" ").append(name);
    return all;
  };
  if (!chosen)
    throw_error<Unsupported>(
        algorithm, "no implementation", options.implementation.empty() ? "" : " named ",
        options.implementation, " for backend ", to_string(options.backend), further_wish(options),
        refused.reason().empty() ? "" : ": ", refused.reason(),
        "; built for these types:", all_names(), where_papers_have_it(algorithm, options));
  return {*std::move(chosen), verdicts};
}

} // namespace heddle::impl
