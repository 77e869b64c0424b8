// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/impl/plan/statistics_of.hpp>
#include <support/format_types.hpp>
#include <support/matrices.hpp>
#include <support/multiply_formats.hpp>
#include <support/structures.hpp>
#include <support/tool_log.hpp>
#include <support/types.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace heddle::test
{

namespace
{

// The entries of s in an order that is by row only if asked for.
template <class C>
CooOf<C> make_coo(Structure const& s, bool is_row_by_row)
{
  std::vector<typename C::ordinal> rows, columns;
  std::vector<typename C::value> values;
  for (std::int64_t i = 0; i < s.rows; ++i)
    for (std::int64_t const j : s.columns[i])
    {
      rows.push_back(static_cast<typename C::ordinal>(i));
      columns.push_back(static_cast<typename C::ordinal>(j));
      values.push_back(value_at<typename C::value>(i, j));
    }
  Random random(7);
  if (!is_row_by_row)
    for (std::size_t n = rows.size(); n > 1; --n)
    {
      auto const other = static_cast<std::size_t>(random.below(static_cast<std::int64_t>(n)));
      std::swap(rows[n - 1], rows[other]);
      std::swap(columns[n - 1], columns[other]);
      std::swap(values[n - 1], values[other]);
    }
  using Space = typename C::space;
  return CooOf<C>(
      static_cast<typename C::ordinal>(s.rows), static_cast<typename C::ordinal>(s.cols),
      to_view<typename C::ordinal, Space>(rows), to_view<typename C::ordinal, Space>(columns),
      to_view<typename C::value, Space>(values));
}

// Every entry twice, once right after itself.
Structure with_duplicates(Structure s)
{
  s.name += ", with duplicates";
  for (auto& row : s.columns)
    for (std::size_t n = row.size(); n > 0; --n)
      row.insert(row.begin() + static_cast<std::ptrdiff_t>(n), row[n - 1]);
  return s;
}

// Structures whose entries in random order are not by row, whatever the order.
std::vector<Structure> structures_in_disorder()
{
  return {structure("banded"), structure("power law"), structure("dense row"),
          with_duplicates(structure("wide"))};
}

} // namespace

} // namespace heddle::test

using namespace heddle::test;

TEMPLATE_LIST_TEST_CASE("spmv of COO agrees with the oracle", "[spmv][coo]", FormatTypes)
{
  for (Structure const& s : small_structures())
    check_spmv_of<TestType>(make_coo<TestType>(s, true), s);
  for (Structure const& s : structures_in_disorder())
    check_spmv_of<TestType>(make_coo<TestType>(s, false), s, "::csr");
}

TEMPLATE_LIST_TEST_CASE("spmm of COO agrees with the oracle", "[spmm][coo]", FormatTypes)
{
  for (Structure const& s : small_structures())
    check_spmm_of<TestType>(make_coo<TestType>(s, true), s);
  for (Structure const& s : structures_in_disorder())
  {
    auto const a = make_coo<TestType>(s, false);
    check_spmm_of<TestType>(a, s, some_widths, "::csr");
    check_spmm_of<TestType>(a, s, some_widths, "::csr");
  }
}

#if defined(HEDDLE_HAVE_CUDA_NATIVE)
// Rows that share columns, long rows in pieces, short ones: each another kernel for CSR.
TEST_CASE("spmm of COO takes every kernel for CSR, in any order of entries", "[spmm][coo]")
{
  using C = Case<Device, double, int, std::size_t>;
  std::vector<std::int64_t> const widths{5, 32, 136};
  for (Structure const& s : {structure("blocked"), random_structure("short", 1030, 400, 6, 31),
                             random_structure("long", 40, 3000, 900, 32)})
  {
    check_spmm_of<C>(make_coo<C>(s, true), s, widths);
    check_spmm_of<C>(make_coo<C>(s, false), s, widths, "::csr");
  }
}

TEST_CASE("spmm of COO is native in any order of entries", "[spmm][coo][plans]")
{
  using C = Case<Device, double, int, std::size_t>;
  Structure s = random_structure("", 600, 500, 40, 24); // pairs of rows alike
  for (std::size_t i = 1; i < s.columns.size(); i += 2)
    s.columns[i] = s.columns[i - 1];
  heddle::SpmmPlan const sorted(Device{}, make_coo<C>(s, true));
  CHECK(std::string(sorted.implementation_name()) == "cuda_native::csr_any");
  CHECK(sorted.describe().find("bundles of 2 rows") != std::string::npos);
  heddle::SpmmPlan const scattered(Device{}, make_coo<C>(s, false));
  CHECK(std::string(scattered.implementation_name()) == "cuda_native::coo_rows");
  CHECK(scattered.describe().find(
            "entries by row and column, held by the plan, bundles of 2 rows") != std::string::npos);
  CHECK(scattered.is_repeatable(heddle::Op::none));
}

// A grid has 65535 tiles of 16 columns and more; beyond that portable kernels take what the plan
// holds.
TEST_CASE("spmm of COO takes more columns of B than a grid has tiles", "[spmm][coo]")
{
  using C = Case<Device, double, int, std::size_t>;
  constexpr std::int64_t k = 65535 * 16 + 1;
  Structure const s{"5 x 2", 5, 2, {{1, 0}, {1}, {}, {0}, {0, 1}}};
  for (bool const is_row_by_row : {true, false})
    for (heddle::Op const op : {heddle::Op::none, heddle::Op::transpose})
    {
      auto const a = make_coo<C>(s, is_row_by_row);
      bool const is_transposed = heddle::is_transposed(op);
      heddle::SpmmPlan const plan(Device{}, a, {.deterministic = is_transposed});
      INFO(plan.describe() << to_string(op));
      CHECK(std::string(plan.implementation_name()) ==
            (is_row_by_row ? "cuda_native::csr_any" : "cuda_native::coo_rows"));
      auto const b = plain<double, Kokkos::LayoutRight, C::space>(is_transposed ? 5 : 2, k);
      auto const c = plain<double, Kokkos::LayoutRight, C::space>(is_transposed ? 2 : 5, k);
      fill_input(b);
      fill_output(c, true);
      heddle::spmm(Device{}, plan, op, 1.0, a, b, 0.0, c);
      Device{}.fence();
      CHECK(first_difference_in(reference_multiply<double, double, double>(s, op, 1.0, k, 0.0),
                                c) == "");
    }
}

// Native kernels leave strided vectors to the portable ones, which go on from what the plan holds.
TEST_CASE("deterministic plans take no atomics for any vectors", "[spmv][coo][plans]")
{
  using C = Case<Device, double, int, std::size_t>;
  Structure const& s = structure("power law");
  auto const check = [&](auto const& a, char const* name) {
    heddle::SpmvPlan const plan(Device{}, a, {.deterministic = true});
    CHECK(std::string(plan.implementation_name()) == name);
    for (heddle::Op const op : all_ops)
    {
      INFO(plan.implementation_name() << ", " << to_string(op));
      bool const is_transposed = heddle::is_transposed(op);
      auto const x =
          plain<double, Kokkos::LayoutRight, C::space>(is_transposed ? s.rows : s.cols, 2);
      auto const y =
          plain<double, Kokkos::LayoutRight, C::space>(is_transposed ? s.cols : s.rows, 2);
      fill_input(x);
      fill_output(y, true);
      ToolLog log;
      heddle::spmv(Device{}, plan, op, 1.0, a, Kokkos::subview(x, Kokkos::ALL, 0), 0.0,
                   Kokkos::subview(y, Kokkos::ALL, 0));
      Device{}.fence();
      auto const events = log.take();
      CHECK(std::any_of(events.begin(), events.end(), [](ToolEvent const& event) {
        return event.kind == ToolEvent::kernel && event.label.starts_with("heddle::spmv::");
      }));
      CHECK(std::none_of(events.begin(), events.end(), [](ToolEvent const& event) {
        return event.label.find("atomic") != std::string::npos;
      }));
      CHECK(first_difference_in(reference_multiply<double, double, double>(s, op, 1.0, 1, 0.0),
                                y) == "");
    }
  };
  check(make_csr<C>(s), heddle::SpmvPlan(Device{}, make_csr<C>(s)).implementation_name());
  check(make_coo<C>(s, true),
        heddle::SpmvPlan(Device{}, make_coo<C>(s, true)).implementation_name());
  check(make_coo<C>(s, false), "cuda_native::coo_tiles");
}
#endif

// By it the kernels for CSR are chosen.
TEMPLATE_LIST_TEST_CASE("the longest row of coordinates is found", "[coo]", Spaces)
{
  using C = Case<TestType, double, int, std::size_t>;
  for (Structure const& s : small_structures())
  {
    INFO(s.name);
    std::size_t longest = 0;
    for (auto const& row : s.columns)
      longest = std::max(longest, row.size());
    auto const a = make_coo<C>(s, true);
    CHECK(heddle::impl::statistics_of(TestType{}, a).longest == static_cast<std::int64_t>(longest));
  }
}

TEST_CASE("spmv and spmm of COO add duplicates", "[spmv][spmm][coo]")
{
  using C = Case<Device, double, int, std::size_t>;
  for (char const* const name : {"unsorted", "dense column", "banded"})
  {
    Structure const s = with_duplicates(structure(name));
    check_spmv_of<C>(make_coo<C>(s, true), s);
    check_spmm_of<C>(make_coo<C>(s, true), s);
  }
}
