// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What Kokkos Tools sees of permutations, orders of the rows, figures of patterns, row segments and
// the calls with Kokkos Kernels' arguments; and that two instances at once do not disturb each
// other in them.

#include <heddle/analysis.hpp>
#include <heddle/balanced_rows.hpp>
#include <heddle/convert_row_segmented.hpp>
#include <heddle/copy.hpp>
#include <heddle/interop.hpp>
#include <heddle/permute.hpp>
#include <heddle/reorder.hpp>
#include <heddle/validate.hpp>
#include <support/conversions.hpp>
#include <support/multiply.hpp>
#include <support/permutations.hpp>
#include <support/tool_checks.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <any>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

namespace heddle::test
{

namespace
{

// What heddle::interop asks of KokkosSparse::CrsMatrix, whose headers take long to compile.
template <class Exec>
struct Crs
{
  using Ours = CsrOf<DoubleCase<Exec>>;
  using execution_space = Exec;
  using row_map_type = typename Ours::row_offsets_view;
  using index_type = typename Ours::columns_view;
  using values_type = typename Ours::values_view;
  struct Graph
  {
    row_map_type row_map;
    index_type entries;
  };

  Crs(std::string const&, int rows, int cols, std::size_t, values_type const& numbers,
      row_map_type const& row_map, index_type const& entries)
      : graph{row_map, entries}
      , values(numbers)
      , m_rows(rows)
      , m_cols(cols)
  {}
  int numRows() const { return m_rows; } // NOLINT(readability-identifier-naming): theirs
  int numCols() const { return m_cols; } // NOLINT(readability-identifier-naming): theirs

  Graph graph;
  values_type values;

private:
  int m_rows, m_cols;
};

template <class Exec>
Operations order_operations(Exec const& exec)
{
  using C = DoubleCase<Exec>;
  auto const a = make_csr<C>(structure("power law")), unsorted = make_csr<C>(structure("unsorted"));
  auto const p = permutation_view<C>(random_order(a.num_rows(), 5)),
             q = permutation_view<C>(random_order(a.num_cols(), 6));
  Kokkos::View<double*, typename C::space> const x("heddle::test::x", p.extent(0)),
      y("heddle::test::y", p.extent(0));
  return {{"inverse_permutation", [=] { return inverse_permutation(exec, p); }},
          {"permute_rows", [=] { return permute_rows(exec, a, p); }},
          {"permute", [=] { return permute(exec, a, p, q); }},
          {"permute_vector", [=] { return permute_vector(exec, x, p, y), std::any(); }},
          {"order_by_degree", [=] { return order_by_degree(exec, a); }},
          {"order_by_similarity", [=] { return order_by_similarity(exec, a); }},
          {"order_by_cuthill_mckee", [=] { return order_by_cuthill_mckee(exec, a); }},
          {"pattern_figures", [=] { return pattern_figures(exec, a); }},
          {"pattern_figures of unsorted rows", [=] { return pattern_figures(exec, unsorted); }}};
}

// Conversions, and products that the list of test_tools.cpp lacks.
template <class Exec>
Operations row_segment_operations(Exec const& exec)
{
  using C = DoubleCase<Exec>;
  auto const csr = make_csr<C>(structure("power law"));
  auto const a = AsRowSegmented<8, 2>::make(exec, csr);
  using Plan = SpmmPlan<Exec, typename decltype(a)::const_type>;
  Plan const plan(exec, a);
  Structure const& s = structure("power law");
  Dense<Spmm, C> const wide(s, Op::none, 2.0), tall(s, Op::transpose, 2.0);
  return {{"row segments of CSR",
           [=] {
             return to_row_segmented(exec, csr, {8, 2});
           }},
          {"row segments to CSR", [=] { return to_csr(exec, a); }},
          {"row segments clone", [=] { return clone(exec, a); }},
          {"row segments validate", [=] { return validate(exec, a); }},
          {"row segments plan", [=] { return Plan(exec, a); }},
          {"row segments spmm_both", [=] {
             spmm_both(exec, plan, Op::transpose, 3.0, a, tall.b, wide.b, 2.0, tall.c, wide.c);
             return std::any();
           }}};
}

template <class Exec>
Operations interop_operations(Exec const& exec)
{
  using C = DoubleCase<Exec>;
  Structure const& s = structure("power law");
  auto const ours = make_csr<C>(s);
  auto const a = kokkos_sparse_view<Crs<Exec>>(ours);
  SpmvPlan const one(exec, ours);
  SpmmPlan const several(exec, ours);
  SpgemmPlan const squared(exec, ours, ours);
  auto const c = interop::spgemm_symbolic<Crs<Exec>>(exec, squared);
  Dense<Spmm, C> const dense(s, Op::transpose, 2.0);
  auto const x = Kokkos::subview(dense.b, Kokkos::ALL, 0),
             y = Kokkos::subview(dense.c, Kokkos::ALL, 0);
  return {{"interop spmv",
           [=] { return interop::spmv(exec, one, "T", 3.0, a, x, 2.0, y), std::any(); }},
          {"interop spmv once",
           [=] { return interop::spmv(exec, "T", 3.0, a, x, 2.0, y), std::any(); }},
          {"interop spmm",
           [=] {
             return interop::spmm(exec, several, "T", 3.0, a, dense.b, 2.0, dense.c), std::any();
           }},
          {"interop spgemm", [=] { return interop::spgemm<Crs<Exec>>(exec, a, false, a, false); }},
          {"interop spgemm_symbolic",
           [=] { return interop::spgemm_symbolic<Crs<Exec>>(exec, squared); }},
          {"spgemm_work", [=] { return spgemm_work(exec, ours, ours); }, false, true},
          {"interop spgemm_numeric", [=] {
             return interop::spgemm_numeric(exec, squared, a, false, a, false, c), std::any();
           }}};
}

template <class Exec>
Operations all_operations(Exec const& exec)
{
  Operations all = order_operations(exec);
  if constexpr (std::is_same_v<Exec,
                               Device>) // elsewhere their kernels are only the same ones again
  {
    append(all, row_segment_operations(exec));
    append(all, interop_operations(exec));
  }
  exec.fence();
  return all;
}

// What two instances must agree on, as one list of numbers.
std::vector<std::int64_t> orders_of(Device const& exec, CsrOf<DoubleCase<Device>> const& a)
{
  std::vector<std::int64_t> all;
  auto const add = [&](auto const& numbers) {
    all.insert(all.end(), numbers.begin(), numbers.end());
  };
  auto const p = order_by_degree(exec, a), q = order_by_similarity(exec, a);
  add(order_of(p));
  add(order_of(q));
  add(order_of(order_by_cuthill_mckee(exec, a)));
  add(order_of(inverse_permutation(exec, q)));
  auto const permuted = permute(exec, a, p, q);
  add(order_of(permuted.columns()));
  add(order_of(permuted.row_offsets()));
  add(balanced_rows(exec, permuted, 7));
  auto const figures = pattern_figures(exec, permuted);
  all.push_back(figures.segments);
  all.push_back(static_cast<std::int64_t>(spgemm_work(exec, a, permuted).flops));
  add(order_of(to_csr(exec, to_row_segmented(exec, permuted, {8, 2})).columns()));
  return all;
}

} // namespace

} // namespace heddle::test

using namespace heddle::test;

TEMPLATE_LIST_TEST_CASE("orders and interop name what they do and stay on their instance",
                        "[tools]", DeviceAndHost)
{
  auto const exec = two_instances<TestType>()[0];
  check_labels_and_instances(exec, all_operations(exec));
}

TEMPLATE_LIST_TEST_CASE("orders and interop do not wait for other instances", "[tools]",
                        std::tuple<Host>)
{
  auto const exec = two_instances<TestType>()[0];
  check_no_waiting_for_the_default_instance(exec, all_operations(exec));
}

TEST_CASE("two instances order and permute at once", "[instances]")
{
  auto const a = make_csr<DoubleCase<Device>>(random_structure("900 x 900", 900, 900, 12, 41));
  auto const expected = orders_of(Device{}, a);
  CHECK(at_once<Device>([&](Device const& exec) {
          bool is_same = true;
          for (int repetition = 0; repetition < 5; ++repetition)
            is_same = is_same && orders_of(exec, a) == expected;
          return std::string(is_same ? "" : "other numbers");
        }) == both_right);
}
