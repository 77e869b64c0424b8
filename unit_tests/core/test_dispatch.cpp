// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/impl/dispatch.hpp>
#include <heddle/impl/verdict.hpp>
#include <heddle/spmv_options.hpp>
#include <support/environment.hpp>
#include <support/messages.hpp>

#include <catch2/catch_test_macros.hpp>

#include <string>
#include <type_traits>
#include <variant>
#include <vector>

namespace heddle::test
{

namespace
{

// An algorithm on a number, with four implementations: the native one runs on numbers above 10, the
// picky one on even ones, the last one always, and one of other types never.
struct Native
{
  static constexpr Backend backend = Backend::cuda_native;
  static constexpr char const* name = "cuda_native::big";
  static constexpr bool is_supported = true;
  struct State
  {
    int number = 0;
  };
  static bool can_run(int number, SpmvOptions const&) { return number > 10; }
  static State analyze(int number, SpmvOptions const&) { return {number}; }
};
struct OfOtherTypes : Native
{
  [[maybe_unused]] static constexpr char const* name = "cuda_native::other_types";
  static constexpr bool is_supported = false;
};
struct Picky
{
  static constexpr Backend backend = Backend::portable;
  static constexpr char const* name = "portable::picky";
  static constexpr bool is_supported = true;
  struct State
  {
    int number = 0;
  };
  static impl::Verdict can_run(int number, SpmvOptions const& options)
  {
    return {number % 2 == 0 && !options.deterministic, "% is not even", number};
  }
  static State analyze(int number, SpmvOptions const&) { return {-number}; }
};
struct Always
{
  static constexpr Backend backend = Backend::portable;
  static constexpr char const* name = "portable::always";
  static constexpr bool is_supported = true;
  struct State
  {
    int number = 0;
  };
  static bool can_run(int, SpmvOptions const&) { return true; }
  static State analyze(int number, SpmvOptions const&) { return {number + 1000}; }
};

struct SmallKernel
{
  static constexpr char const* name = "portable::small";
};
struct LargeKernel
{
  static constexpr char const* name = "portable::large";
};
struct WithKernels
{
  static constexpr Backend backend = Backend::portable;
  static constexpr char const* name = "portable::with_kernels";
  static constexpr bool is_supported = true;
  using kernels = impl::Candidates<SmallKernel, LargeKernel>;
  struct State
  {
    std::string kernel;
  };
  static bool can_run(int, SpmvOptions const&) { return true; }
  static State analyze(int, SpmvOptions const& options)
  {
    return {options.implementation.empty() ? SmallKernel::name : options.implementation};
  }
  static char const* kernel_name(State const& state) { return state.kernel.c_str(); }
  static std::vector<impl::Verdict> kernel_verdicts(State const&) { return {}; }
};

using All = impl::Candidates<OfOtherTypes, Native, Picky, Always>;
using Supported = impl::supported_t<All>;

struct Chosen
{
  std::string name;
  int number;
  bool operator==(Chosen const&) const = default;
};

Chosen chosen(int number, SpmvOptions const& options = {})
{
  return std::visit(
      []<class I>(impl::Bound<I> const& bound) {
        return Chosen{I::name, bound.state.number};
      },
      impl::choose(Supported{}, "example", options, number).choice);
}

std::string message_of_choice(int number, SpmvOptions const& options)
{
  return message_of<Unsupported>([&] { chosen(number, options); });
}

Backend resolved_backend(SpmvOptions const& options)
{
  return impl::resolved("example", options).backend;
}

static_assert(impl::Implementation<Native>);
static_assert(!impl::Implementation<int>);
static_assert(std::is_same_v<Supported, impl::Candidates<Native, Picky, Always>>);
static_assert(std::is_same_v<impl::last_t<Supported>, Always>);
static_assert(std::is_same_v<impl::last_t<impl::Candidates<Native>>, Native>);
static_assert(
    std::is_same_v<impl::choice_t<Supported>,
                   std::variant<impl::Bound<Native>, impl::Bound<Picky>, impl::Bound<Always>>>);

} // namespace

} // namespace heddle::test

using namespace heddle::test;
using heddle::Backend;
using heddle::SpmvOptions;
using heddle::Unsupported;
namespace impl = heddle::impl;

TEST_CASE("choose takes the first implementation that can run", "[dispatch]")
{
  CHECK(chosen(12) == Chosen{"cuda_native::big", 12});
  CHECK(chosen(8) == Chosen{"portable::picky", -8});
  CHECK(chosen(7) == Chosen{"portable::always", 1007});
  CHECK(chosen(8, {.deterministic = true}) == Chosen{"portable::always", 1008});
}

TEST_CASE("choose keeps what the candidates answered down to its choice", "[dispatch]")
{
  auto const verdicts = impl::choose(Supported{}, "example", SpmvOptions{}, 7).verdicts;
  REQUIRE(verdicts.size() == 3);
  CHECK_FALSE(verdicts[0]);
  CHECK_FALSE(verdicts[1]);
  CHECK(verdicts[2]);
  auto const of_backend =
      impl::choose(Supported{}, "example", SpmvOptions{.backend = Backend::portable}, 12).verdicts;
  CHECK(of_backend[0].reason() == "it is of another backend");
  CHECK(of_backend[1]);
  CHECK_FALSE(of_backend[2]); // was not asked
  CHECK(of_backend[2].reason().empty());
}

// One that has kernels is asked for by their names.
TEST_CASE("choose takes an implementation by the names of its kernels", "[dispatch]")
{
  using List = impl::Candidates<WithKernels, Always>;
  auto const name = [](std::string const& wanted) {
    return std::visit(
        [](auto const& bound) { return std::string(impl::name_of(bound)); },
        impl::choose(List{}, "example", SpmvOptions{.implementation = wanted}, 1).choice);
  };
  CHECK(name("portable::small") == "portable::small");
  CHECK(name("portable::large") == "portable::large");
  CHECK(name("") == "portable::small");
  CHECK(name("portable::always") == "portable::always");
  CHECK(message_of<Unsupported>([&] { name("portable::with_kernels"); }) ==
        "heddle::example: no implementation named portable::with_kernels for backend automatic; "
        "built for these types: portable::small portable::large portable::always");
}

TEST_CASE("choose keeps to a backend", "[dispatch]")
{
  CHECK(chosen(12, {.backend = Backend::portable}) == Chosen{"portable::picky", -12});
  CHECK(chosen(13, {.backend = Backend::portable}) == Chosen{"portable::always", 1013});
  CHECK(chosen(12, {.backend = Backend::cuda_native}) == Chosen{"cuda_native::big", 12});
}

TEST_CASE("choose keeps to a name", "[dispatch]")
{
  CHECK(chosen(12, {.implementation = "portable::always"}) == Chosen{"portable::always", 1012});
  CHECK(chosen(12, {.implementation = "portable::picky"}) == Chosen{"portable::picky", -12});
  CHECK(chosen(12, {.backend = Backend::portable, .implementation = "portable::always"}) ==
        Chosen{"portable::always", 1012});
}

TEST_CASE("choose says what there is where nothing fits", "[dispatch]")
{
  std::string const there =
      "; built for these types: cuda_native::big portable::picky portable::always";
  CHECK(message_of_choice(8, {.backend = Backend::cuda_native}) ==
        "heddle::example: no implementation for backend cuda_native" + there);
  CHECK(message_of_choice(8, {.implementation = "portable::best"}) ==
        "heddle::example: no implementation named portable::best for backend automatic" + there);
  CHECK(message_of_choice(7, {.implementation = "portable::picky"}) ==
        "heddle::example: no implementation named portable::picky for backend automatic: 7 is not "
        "even" +
            there);
  CHECK(message_of_choice(12,
                          {.backend = Backend::cuda_native, .implementation = "portable::picky"}) ==
        "heddle::example: no implementation named portable::picky for backend cuda_native" + there);
  // Names are whole and what was dropped for its types is not there.
  CHECK(message_of_choice(8, {.implementation = "portable"}) ==
        "heddle::example: no implementation named portable for backend automatic" + there);
  CHECK(message_of_choice(20, {.implementation = "cuda_native::other_types"}) ==
        "heddle::example: no implementation named cuda_native::other_types for backend automatic" +
            there);
}

TEST_CASE("names_of lists what there is, best first", "[dispatch]")
{
  std::vector<std::string> names;
  for (char const* const name : heddle::impl::names_of(Supported{}))
    names.emplace_back(name);
  CHECK(names ==
        std::vector<std::string>{"cuda_native::big", "portable::picky", "portable::always"});
}

TEST_CASE("options force by a backend or a name", "[dispatch]")
{
  CHECK_FALSE(heddle::impl::is_forced(SpmvOptions{}));
  CHECK_FALSE(heddle::impl::is_forced(SpmvOptions{.deterministic = true}));
  CHECK(heddle::impl::is_forced(SpmvOptions{.backend = Backend::portable}));
  CHECK(heddle::impl::is_forced(SpmvOptions{.implementation = "portable::picky"}));
}

TEST_CASE("HEDDLE_BACKEND forces where options leave the choice open", "[dispatch]")
{
  SECTION("unset")
  {
    EnvironmentVariable const variable("HEDDLE_BACKEND", {});
    CHECK(resolved_backend({}) == Backend::automatic);
    CHECK(resolved_backend({.backend = Backend::portable}) == Backend::portable);
  }
  SECTION("automatic")
  {
    EnvironmentVariable const variable("HEDDLE_BACKEND", "automatic");
    CHECK(resolved_backend({}) == Backend::automatic);
  }
  SECTION("portable")
  {
    EnvironmentVariable const variable("HEDDLE_BACKEND", "portable");
    CHECK(resolved_backend({}) == Backend::portable);
    CHECK(resolved_backend({.backend = Backend::cuda_native}) == Backend::cuda_native);
    CHECK(resolved_backend({.implementation = "cuda_native::big"}) == Backend::automatic);
  }
  SECTION("cuda_native")
  {
    EnvironmentVariable const variable("HEDDLE_BACKEND", "cuda_native");
    CHECK(resolved_backend({}) == Backend::cuda_native);
    CHECK(heddle::impl::resolved("example", SpmvOptions{.deterministic = true}).deterministic);
  }
}

TEST_CASE("a wrong HEDDLE_BACKEND is refused", "[dispatch]")
{
  for (std::string const value : {"cuda", "Portable", "portable ", ""})
  {
    EnvironmentVariable const variable("HEDDLE_BACKEND", value);
    CHECK(message_of<heddle::InvalidArgument>([] { resolved_backend({}); }) ==
          "heddle::example: HEDDLE_BACKEND is '" + value +
              "', expected automatic, portable or cuda_native");
    // Not read where options say what they want.
    CHECK(resolved_backend({.backend = Backend::portable}) == Backend::portable);
  }
}

TEST_CASE("backends have names", "[dispatch]")
{
  CHECK(std::string(to_string(Backend::automatic)) == "automatic");
  CHECK(std::string(to_string(Backend::portable)) == "portable");
  CHECK(std::string(to_string(Backend::cuda_native)) == "cuda_native");
}
