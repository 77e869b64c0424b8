// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/spmm.hpp>
#include <heddle/spmv.hpp>
#include <support/any_plan.hpp>
#include <support/dense.hpp>
#include <support/environment.hpp>
#include <support/matrices.hpp>
#include <support/messages.hpp>
#include <support/mixtures.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace heddle::test
{

template <class C>
std::vector<char const*> spmv_names()
{
  return impl::names_of(AllOfSpmv<typename C::exec, typename CsrOf<C>::const_type>{});
}

char const* const automatic = "";

// One call against the oracle. Vectors are columns of two-column arrays: contiguous in LayoutLeft,
// strided in LayoutRight.
template <class C, class Layout, class XValue = typename C::value, class YValue = XValue>
void check_spmv(typename C::exec const& exec, Structure const& s, Op op, YValue alpha, YValue beta,
                char const* name)
{
  INFO(name << ", " << s.name << ", " << to_string(op) << ", beta " << wide(beta));
  auto const a = make_csr<C>(s);
  std::int64_t const inputs = is_transposed(op) ? s.rows : s.cols;
  std::int64_t const outputs = is_transposed(op) ? s.cols : s.rows;
  Kokkos::View<XValue**, Layout, typename C::space> const b("heddle::test::b", inputs, 2);
  Kokkos::View<YValue**, Layout, typename C::space> const c("heddle::test::c", outputs, 2);
  fill_input(b);
  fill_output(c, beta == YValue(0));
  AnySpmvPlan const plan(exec, a, {.implementation = name});
  REQUIRE((name == automatic || plan.implementation_name() == std::string(name)));
  spmv(exec, plan, op, alpha, a, Kokkos::subview(b, Kokkos::ALL, 0), beta,
       Kokkos::subview(c, Kokkos::ALL, 0));
  exec.fence();
  auto const expected =
      reference_multiply<typename C::value, XValue, YValue>(s, op, alpha, 1, beta);
  CHECK(first_difference_in(expected, c) == "");
}

template <class C, class Layout>
void check_all_spmv(std::vector<Structure> const& all, std::vector<char const*> const& names)
{
  using Value = typename C::value;
  typename C::exec const exec{};
  for (auto const& s : all)
    for (auto const* const name : names)
      for (Op const op : all_ops)
      {
        check_spmv<C, Layout, Value>(exec, s, op, Value(1), Value(0), name);
        check_spmv<C, Layout, Value>(exec, s, op, Value(-0.5), Value(2), name);
      }
}

} // namespace heddle::test

using namespace heddle::test;
using heddle::Op;

TEMPLATE_LIST_TEST_CASE("spmv agrees with the oracle", "[spmv]", Types)
{
  check_all_spmv<TestType, Kokkos::LayoutLeft>(structures(), spmv_names<TestType>());
}

TEST_CASE("spmv agrees with the oracle where entries come from memory", "[spmv]")
{
  using C = Case<Device, double, int, std::size_t>;
  for (auto const& s : from_memory())
    for (auto const* const name : {automatic, "portable::csr_templates", "portable::csr_runs"})
      for (Op const op : {Op::none, Op::transpose})
        try
        {
          check_spmv<C, Kokkos::LayoutLeft, double>(Device{}, s, op, -0.5, 2.0, name);
        }
        catch (heddle::Unsupported const&) // not a pattern of this form
        {
          CHECK(name != std::string(automatic));
        }
}

TEST_CASE("plans of host threads say whether entries come from memory", "[spmv][plans]")
{
  using Host = Kokkos::DefaultHostExecutionSpace;
  using C = Case<Host, double, int, std::size_t>;
  auto const says_so = [](Structure const& s) {
    return AnySpmvPlan(Host{}, make_csr<C>(s), {}).describe().find("entries come from memory") !=
           std::string::npos;
  };
  for (auto const& s : from_memory())
    CHECK(says_so(s));
  CHECK(!says_so(structure("banded")));
  EnvironmentVariable const small_cache("HEDDLE_LAST_CACHE_BYTES", "1024");
  CHECK(says_so(structure("banded")));
}

TEST_CASE("plans of host threads compress patterns where many calls are announced", "[spmv][plans]")
{
  using Host = Kokkos::DefaultHostExecutionSpace;
  using C = Case<Host, double, int, std::size_t>;
  auto const structures = from_memory();
  std::vector<std::string> const names = {"portable::csr_templates", "portable::csr_runs"};
  for (std::size_t n = 0; n < names.size(); ++n)
  {
    Structure const& s = structures[n];
    INFO(s.name);
    auto const a = make_csr<C>(s);
    AnySpmvPlan const plan(Host{}, a, {.expected_calls = 1000000});
    CHECK(plan.implementation_name() == names[n]);
    CHECK(AnySpmvPlan(Host{}, a, {}).implementation_name() != names[n]);
    Kokkos::View<double**, Kokkos::LayoutLeft, C::space> const x("heddle::test::x", s.cols, 1),
        y("heddle::test::y", s.rows, 1);
    fill_input(x);
    fill_output(y, true);
    spmv(Host{}, plan, Op::none, 1.0, a, Kokkos::subview(x, Kokkos::ALL, 0), 0.0,
         Kokkos::subview(y, Kokkos::ALL, 0));
    Host{}.fence();
    auto const expected = reference_multiply<double, double, double>(s, Op::none, 1.0, 1, 0.0);
    CHECK(first_difference_in(expected, y) == "");
  }
}

// A^T x has a form for each of these: a column that many rows have, few long rows, rows of like
// lengths, and so many empty rows that a block of entries spans more rows than it has entries.
std::vector<Structure> transposed_demanding()
{
  Structure hot = random_structure("a column of every row", 45000, 9000, 3, 41);
  for (auto& columns : hot.columns)
    if (columns.empty() || columns.front() != 0)
      columns.insert(columns.begin(), 0);
  Structure sparse = random_structure("nearly all rows are empty", 20000, 900, 0, 42);
  for (std::size_t i = 0; i < sparse.columns.size(); i += 100)
    sparse.columns[i] = random_structure("", 1, 900, 60, i).columns[0];
  return {hot, random_structure("few long rows", 20, 3000, 2000, 43),
          random_structure("like lengths", 5000, 4000, 6, 44), sparse};
}

TEMPLATE_LIST_TEST_CASE("transposed spmv of demanding matrices agrees with the oracle", "[spmv]",
                        Types)
{
  check_all_spmv<TestType, Kokkos::LayoutLeft>(transposed_demanding(), {automatic});
}

#if defined(HEDDLE_HAVE_CUDA_NATIVE)
TEST_CASE("the form of a transposed spmv goes by the structure", "[spmv][plans]")
{
  using C = Case<Kokkos::Cuda, double, int, std::size_t>;
  char const* const expected[] = {"add up in shared memory: 2", "blocks of entries",
                                  "threads per row", "threads per row"};
  auto const all = transposed_demanding();
  for (std::size_t n = 0; n < all.size(); ++n)
  {
    auto const text = heddle::SpmvPlan(Kokkos::Cuda{}, make_csr<C>(all[n])).describe();
    INFO(all[n].name << ": " << text);
    CHECK(text.find(expected[n]) != std::string::npos);
  }
  auto const repeatable =
      heddle::SpmvPlan(Kokkos::Cuda{}, make_csr<C>(all[0]), {.deterministic = true});
  CHECK(repeatable.describe().find("gathering") != std::string::npos);
}
#endif

TEST_CASE("spmv and spmm sum a double matrix under float operands in double", "[spmv][spmm]")
{
  // 2^30 + 1 - 2^30, which float sums to 0.
  Structure const s{"1 x 3", 1, 3, {{0, 1, 2}}};
  using C = Case<Device, double, int, std::size_t>;
  auto const a = make_csr<C>(s);
  auto const values = Kokkos::create_mirror_view(a.values());
  values(0) = 1073741824.0;
  values(1) = 1.0;
  values(2) = -1073741824.0;
  Kokkos::deep_copy(a.values(), values);
  Kokkos::View<float*, C::space> const x("heddle::test::x", 3), y("heddle::test::y", 1);
  Kokkos::View<float**, C::space> const b("heddle::test::b", 3, 2), c("heddle::test::c", 1, 2);
  Kokkos::deep_copy(x, 1.0F);
  Kokkos::deep_copy(b, 2.0F);
  heddle::spmv(Device{}, 3, a, x, 0, y); // alpha and beta are converted to y's type
  heddle::spmm(Device{}, 3, a, b, 0, c);
  Device{}.fence();
  CHECK(to_vector(y) == std::vector<float>{3.0F});
  auto const host_c = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, c);
  CHECK(host_c(0, 0) == 6.0F);
  CHECK(host_c(0, 1) == 6.0F);
}

// Native kernels may leave these to the portable ones; asked for by name they say so.
TEST_CASE("spmv takes strided vectors", "[spmv]")
{
  using C = Case<Device, double, int, std::size_t>;
  std::vector<char const*> names{automatic};
  for (char const* const name : spmv_names<C>())
    if (std::string(name).starts_with("portable::"))
      names.push_back(name);
  check_all_spmv<C, Kokkos::LayoutRight>(small_structures(), names);
}
#if defined(HEDDLE_HAVE_CUDA_NATIVE)
TEST_CASE("native kernels refuse strided vectors", "[spmv]")
{
  using C = Case<Kokkos::Cuda, double, int, std::size_t>;
  Kokkos::View<double*[2], Kokkos::LayoutRight, C::space> const b("b", 7), c("c", 7);
  auto const a = make_csr<C>({"7 x 7", 7, 7, {{0}, {1}, {2}, {3}, {4}, {5}, {6}}});
  for (std::string const name : spmv_names<C>())
  {
    if (!name.starts_with("cuda_native::"))
      continue;
    AnySpmvPlan const plan(Kokkos::Cuda{}, a, {.implementation = name});
    CHECK(message_of<heddle::Unsupported>([&] {
            spmv(Kokkos::Cuda{}, plan, Op::none, 1.0, a, Kokkos::subview(b, Kokkos::ALL, 0), 0.0,
                 Kokkos::subview(c, Kokkos::ALL, 0));
          }) == "heddle::spmv: " + name + " does not take these operands");
  }
}
// One of 3000 entries, which has a block of its own, and one that blocks share.
TEST_CASE("csr_tiles takes rows longer than a tile", "[spmv]")
{
  using C = Case<Kokkos::Cuda, double, int, std::size_t>;
  Structure s = random_structure("rows longer than a tile", 500, 40000, 3, 9);
  s.columns[7].resize(40000);
  std::iota(s.columns[7].begin(), s.columns[7].end(), 0);
  s.columns[300].resize(3000);
  for (std::size_t n = 0; n < s.columns[300].size(); ++n)
    s.columns[300][n] = static_cast<std::int64_t>(13 * n);
  check_all_spmv<C, Kokkos::LayoutLeft>({s}, {"cuda_native::csr_tiles"});
  s.columns[7].clear(); // now one block has the longest
  check_all_spmv<C, Kokkos::LayoutLeft>({s}, {"cuda_native::csr_tiles"});
}

// Its plan holds where the next panel begins in each row.
TEST_CASE("csr_panels refuses rows that are not sorted where x has several panels", "[spmv]")
{
  using C = Case<Kokkos::Cuda, double, int, std::size_t>;
  heddle::SpmvOptions const options{.implementation = "cuda_native::csr_panels"};
  auto const named = [&](Structure const& s) {
    return message_of<heddle::Unsupported>(
        [&] { heddle::SpmvPlan(Kokkos::Cuda{}, make_csr<C>(s), options); });
  };
  CHECK(named({"sorted", 2, 100000, {{5, 60000, 99999}, {}}}) == "no error");
  CHECK(named({"one panel", 2, 100, {{60, 5}, {}}}) == "no error");
  CHECK(named({"not sorted", 2, 100000, {{60000, 5}, {}}})
            .starts_with("heddle::spmv: no implementation named cuda_native::csr_panels"));
}

// Matrices whose arrays begin anywhere: words of 16 bytes cannot be read then.
TEST_CASE("native kernels take arrays that begin anywhere", "[spmv]")
{
  using C = Case<Kokkos::Cuda, double, int, std::size_t>;
  Structure const s = structure("power law");
  auto const a = make_csr<C>(s);
  auto const shifted = [](auto const& view) {
    using Value = typename std::remove_cvref_t<decltype(view)>::non_const_value_type;
    Kokkos::View<Value*, C::space> const all("shifted", view.extent(0) + 1);
    auto const rest = Kokkos::subview(all, std::pair<std::size_t, std::size_t>(1, all.extent(0)));
    Kokkos::deep_copy(rest, view);
    return rest;
  };
  CsrOf<C> const b(a.num_rows(), a.num_cols(), shifted(a.row_offsets()), shifted(a.columns()),
                   shifted(a.values()));
  Kokkos::View<double**, Kokkos::LayoutLeft, C::space> const x("x", s.cols, 1), y("y", s.rows, 1);
  fill_input(x);
  auto const expected = reference_multiply<double, double, double>(s, Op::none, 1.0, 1, 0.0);
  for (char const* const name : spmv_names<C>())
  {
    INFO(name);
    fill_output(y, true);
    AnySpmvPlan const plan(Kokkos::Cuda{}, b, {.implementation = name});
    spmv(Kokkos::Cuda{}, plan, Op::none, 1.0, b, Kokkos::subview(x, Kokkos::ALL, 0), 0.0,
         Kokkos::subview(y, Kokkos::ALL, 0));
    Kokkos::fence();
    CHECK(first_difference_in(expected, y) == "");
  }
}
#endif
