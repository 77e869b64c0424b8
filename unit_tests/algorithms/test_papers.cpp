// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What only comparisons with papers ask for is in lists of its own; heddle's plans say where. That
// its results are right is seen where all implementations are compared with the oracle.

#include <heddle/impl/papers_names.hpp>
#include <support/any_plan.hpp>
#include <support/conversions.hpp>
#include <support/environment.hpp>
#include <support/matrices.hpp>
#include <support/messages.hpp>
#include <support/spgemm_checks.hpp>
#include <support/structures.hpp>
#include <support/types.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cstddef>
#include <numeric>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>

namespace heddle::test
{

namespace
{

using C = Case<Device, double, int, std::size_t>;
using Names = std::set<std::string>;

template <class List>
Names names_in(List list)
{
  auto const names = impl::names_of(list);
  return {names.begin(), names.end()};
}

// The names of all formats that have any, in this build.
template <template <class, class> class List>
Names names_of_formats()
{
  using Csr = CsrOf<C>;
  Names all;
  auto const add = [&]<class Matrix>(std::type_identity<Matrix>) {
    all.merge(names_in(List<Device, typename Matrix::const_type>{}));
  };
  auto const add_as = [&]<class As>(As) {
    add(std::type_identity<decltype(As::make(Device{}, Csr()))>{});
  };
  add(std::type_identity<Csr>{});
  add(std::type_identity<CooOf<C>>{});
  add_as(AsCsc{});
  add_as(AsDcsr{});
  add_as(AsBsr<3, 3>{});
  add_as(AsEll{});
  add_as(AsSell<8, 2, 32>{});
  add_as(AsHyb<-1>{});
  add_as(AsRowSegmented<4, 1>{});
  return all;
}

// Implementations of an operation whose names the table has, as far as the build can have them.
Names known_names(std::string_view operation)
{
#if defined(HEDDLE_HAVE_CUDA_NATIVE)
  constexpr bool has_native = true;
#else
  constexpr bool has_native = false;
#endif
  Names all;
  for (impl::PapersName const& one : impl::papers_names)
    if (one.algorithm == operation && one.name.find("::") != std::string_view::npos &&
        (has_native || !one.name.starts_with("cuda_native::")))
      all.emplace(one.name);
  return all;
}

template <class Options, class Plan>
std::string refusal_of(Options const& options, Plan const& plan)
{
  EnvironmentVariable const variable("HEDDLE_BACKEND", {});
  return message_of<Unsupported>([&] { plan(options); });
}

bool ends_with(std::string const& text, std::string const& end)
{
  INFO(text);
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

} // namespace

} // namespace heddle::test

using namespace heddle::test;

TEST_CASE("the names of papers' kernels are known without them", "[papers]")
{
  CHECK(names_of_formats<heddle::papers::SpmvImplementations>() == known_names("spmv"));
  CHECK(names_of_formats<heddle::papers::SpmmImplementations>() == known_names("spmm"));
  using Matrix = CsrOf<C>::const_type;
  CHECK(names_in(heddle::papers::SpgemmImplementations<Device, Matrix, Matrix>{}) ==
        known_names("spgemm"));
  // ... and no plan of heddle's own has one of them.
  for (std::string const& name : names_of_formats<heddle::SpmvImplementations>())
    CHECK_FALSE(heddle::impl::is_papers_name("spmv", name));
  for (std::string const& name : names_of_formats<heddle::SpmmImplementations>())
    CHECK_FALSE(heddle::impl::is_papers_name("spmm", name));
  for (std::string const& name : names_in(heddle::SpgemmImplementations<Device, Matrix, Matrix>{}))
    CHECK_FALSE(heddle::impl::is_papers_name("spgemm", name));
}

TEST_CASE("plans say where the kernels of papers are", "[papers]")
{
  auto const a = make_csr<C>(structure("banded"));
  auto const coo = heddle::to_coo(Device{}, a);
  CHECK(ends_with(
      refusal_of(heddle::SpmvOptions{.implementation = "portable::coo_atomic"},
                 [&](auto const& options) { heddle::SpmvPlan(Device{}, coo, options); }),
      "; portable::coo_atomic is of heddle::papers::SpmvPlan, in heddle/papers/spmv.hpp"));
  CHECK(ends_with(
      refusal_of(heddle::SpmmOptions{.implementation = "portable::csr_element"},
                 [&](auto const& options) { heddle::SpmmPlan(Device{}, a, options); }),
      "; portable::csr_element is of heddle::papers::SpmmPlan, in heddle/papers/spmm.hpp"));
  for (heddle::SpgemmOptions const& options :
       {heddle::SpgemmOptions{.implementation = "portable::scatter_or_esc"},
        heddle::SpgemmOptions{.implementation = "cuda_native::scatter_or_esc"},
        heddle::SpgemmOptions{.implementation = "portable::iterated_merge"},
        heddle::SpgemmOptions{.accumulator = heddle::SpgemmAccumulator::scatter_vector_paper},
        heddle::SpgemmOptions{.accumulator = heddle::SpgemmAccumulator::hybrid_sparse},
        heddle::SpgemmOptions{.accumulator = heddle::SpgemmAccumulator::hybrid_sparse_dvw},
        heddle::SpgemmOptions{.accumulator = heddle::SpgemmAccumulator::esc_global}})
  {
    std::string const name =
        options.implementation.empty() ? to_string(options.accumulator) : options.implementation;
    std::string const where =
        "; " + name + " is of heddle::papers::SpgemmPlan, in heddle/papers/spgemm.hpp";
    CHECK(ends_with(
        refusal_of(options, [&](auto const& o) { heddle::SpgemmPlan(Device{}, a, a, o); }), where));
    CHECK(ends_with(refusal_of(options, [&](auto const& o) { heddle::spgemm(Device{}, a, a, o); }),
                    where));
  }
  // Of other names there is nothing to say.
  CHECK(
      ends_with(refusal_of(heddle::SpmvOptions{.implementation = "portable::nonesuch"},
                           [&](auto const& options) { heddle::SpmvPlan(Device{}, coo, options); }),
                " portable::coo_segments"));
}

TEST_CASE("plans of papers ask for a name", "[papers]")
{
  auto const a = make_csr<C>(structure("banded"));
  auto const blocks = AsBsr<3, 3>::make(Device{}, a);
  std::string const backend = " for backend automatic";
  CHECK(refusal_of(heddle::SpmvOptions{},
                   [&](auto const& options) {
                     heddle::papers::SpmvPlan(Device{}, blocks, options);
                   }) == "heddle::papers::spmv: no implementation" + backend +
                             "; built for these types: portable::bsr_block_atomic");
  CHECK(refusal_of(heddle::SpmmOptions{.implementation = "portable::csr_team"},
                   [&](auto const& options) { heddle::papers::SpmmPlan(Device{}, a, options); })
            .find("heddle::papers::spmm: no implementation named portable::csr_team" + backend) ==
        0);
  CHECK(refusal_of(heddle::SpgemmOptions{},
                   [&](auto const& options) {
                     heddle::papers::SpgemmPlan(Device{}, a, a, options);
                   }) == "heddle::papers::spgemm: no implementation" + backend +
                             "; built for these types:" +
                             (has_native_spgemm<C>() ? " cuda_native::scatter_or_esc" : "") +
                             " portable::scatter_or_esc portable::iterated_merge");
}

TEST_CASE("rows of a paper's merges have any length, and say what memory they lack", "[papers]")
{
  // 32 rows of B are merged at once, so that 1100 of them take three rounds.
  Structure const b = random_structure("1100 short rows", 1100, 40, 3, 51);
  Structure one_long = random_structure("one long row", 3, b.rows, 2, 52);
  one_long.columns[1].resize(static_cast<std::size_t>(b.rows));
  std::iota(one_long.columns[1].begin(), one_long.columns[1].end(), 0);
  check_products<C>(one_long, b, "portable::iterated_merge", {});
  auto const a = make_csr<C>(one_long), factor = make_csr<C>(b);
  heddle::papers::SpgemmPlan const plan(Device{}, a, factor,
                                        {.implementation = "portable::iterated_merge"});
  CHECK(plan.describe().find("3 products") != std::string::npos);
  REQUIRE(plan.is_repeatable());
  auto const once = plan.make_result(Device{}), again = plan.make_result(Device{});
  spgemm(Device{}, plan, a, factor, once);
  spgemm(Device{}, plan, a, factor, again);
  CHECK(to_host(once) == to_host(again));
  std::size_t allowed = 64;
  for (std::string refusal; refusal != "no error"; allowed *= 2)
  {
    REQUIRE(allowed < std::size_t(1) << 24);
    refusal = message_of<heddle::OutOfMemory>([&] {
      heddle::papers::SpgemmPlan(Device{}, a, factor,
                                 heddle::SpgemmOptions{.implementation = "portable::iterated_merge",
                                                       .max_workspace_bytes = allowed});
    });
    INFO(allowed << " bytes: " << refusal);
    CHECK((refusal == "no error" || refusal.starts_with("heddle::spgemm: ")));
  }
  CHECK(allowed > 1024);
}

TEST_CASE("plans of papers check what they are given", "[papers]")
{
  auto const a = make_csr<C>(structure("banded"));
  auto const other = make_csr<C>(structure("wide"));
  heddle::SpgemmOptions const options{.accumulator = heddle::SpgemmAccumulator::esc_global};
  heddle::papers::SpgemmPlan const product(Device{}, a, a, options);
  auto const c = product.make_result(Device{});
  CHECK(message_of<heddle::InvalidArgument>([&] {
          spgemm(Device{}, product, other, a, c);
        }).find("heddle::spgemm: the plan was made for") == 0);
  heddle::papers::SpmmPlan const plan(Device{}, a, {.implementation = "portable::csr_element"});
  Kokkos::View<double**, Kokkos::LayoutRight, C::space> const b("heddle::test::b", a.num_cols() + 1,
                                                                3);
  Kokkos::View<double**, Kokkos::LayoutRight, C::space> const result("heddle::test::c",
                                                                     a.num_rows(), 3);
  CHECK(message_of<heddle::InvalidArgument>([&] {
          spmm(Device{}, plan, heddle::Op::none, 1.0, a, b, 0.0, result);
        }).find("heddle::spmm: B has") == 0);
}
