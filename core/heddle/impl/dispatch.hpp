// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// How a call finds its kernel. An implementation is a struct of one shape (see
// docs/architecture.md); an algorithm lists its structs best first. supported_t drops those whose
// types do not fit, choose() takes the first that was asked for and can run on the data, a plan
// keeps that choice with its State, a call visits it.

#include <heddle/backend.hpp>
#include <heddle/impl/require.hpp>

#include <concepts>
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

template <class I>
concept Implementation = requires
{
  requires std::convertible_to<decltype(I::backend), Backend>;
  requires std::convertible_to<decltype(I::name), char const*>;
  typename I::State;
};

template <class... Is>
struct Candidates
{};

template <class... As, class... Bs>
Candidates<As..., Bs...> operator+(Candidates<As...>, Candidates<Bs...>);

template <class List>
struct Supported;
template <class... Is>
struct Supported<Candidates<Is...>>
{
  static_assert((Is::is_supported || ...), "no implementation of this algorithm takes these types");
  using type = decltype((Candidates<>{} + ... +
                         std::conditional_t<Is::is_supported, Candidates<Is>, Candidates<>>{}));
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

// The first implementation that options (resolved) leave open and that can run.
template <class... Is, class Options, class... Args>
choice_t<Candidates<Is...>> choose(Candidates<Is...>, char const* algorithm, Options const& options,
                                   Args const&... args)
{
  std::optional<choice_t<Candidates<Is...>>> chosen;
  auto consider = [&]<class I>(std::type_identity<I>) {
    bool const fits = (options.backend == Backend::automatic || options.backend == I::backend) &&
                      (options.implementation.empty() || options.implementation == I::name);
    if (!chosen && fits && I::can_run(args..., options))
      chosen.emplace(Bound<I>{I::analyze(args..., options)});
  };
  (consider(std::type_identity<Is>{}), ...);
  require<Unsupported>(chosen.has_value(), algorithm, "no implementation",
                       options.implementation.empty() ? "" : " named ", options.implementation,
                       " for backend ", to_string(options.backend), further_wish(options),
                       "; built for these types:", ((std::string(" ") + Is::name) + ...));
  return *std::move(chosen);
}

// Names of a list's implementations: what tests and heddle-perf loop over.
template <class... Is>
std::vector<char const*> names_of(Candidates<Is...>)
{
  return {Is::name...};
}

} // namespace heddle::impl
