// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A plan that is used with matrices of the same sizes and another pattern: numbers are wrong or the
// call is refused, but it ends, writes nothing outside of its result, and the plan is good
// afterwards.

#include <support/any_plan.hpp>
#include <support/matrices.hpp>
#include <support/messages.hpp>
#include <support/sparse_product.hpp>
#include <support/structures.hpp>
#include <support/types.hpp>

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace heddle::test
{

namespace
{

using C = Case<Device, double, int, std::size_t>;
using Matrix = CsrOf<C>;
using ReadOnly = Matrix::const_type;

// n x n with 4 n entries each, as differently as may be: what plans measure (lengths, columns,
// products) has its extremes in one or the other.
std::vector<Structure> patterns_of_one_size(std::int64_t n)
{
  auto const make = [n](std::string const& name, auto const& columns_of) {
    Structure s{name, n, n, {}};
    for (std::int64_t i = 0; i < n; ++i)
      s.columns.push_back(columns_of(i));
    return s;
  };
  using Columns = std::vector<std::int64_t>;
  Columns all(static_cast<std::size_t>(n));
  for (std::int64_t j = 0; j < n; ++j)
    all[static_cast<std::size_t>(j)] = j;
  auto const band = [n](std::int64_t i) {
    std::int64_t const first = std::clamp<std::int64_t>(i - 1, 0, n - 4);
    return Columns{first, first + 1, first + 2, first + 3};
  };
  return {make("band", band),
          make("reversed band", [&](std::int64_t i) { return band(n - 1 - i); }),
          make("four columns",
               [](std::int64_t) {
                 return Columns{0, 1, 2, 3};
               }),
          make("last columns",
               [n](std::int64_t) {
                 return Columns{n - 4, n - 3, n - 2, n - 1};
               }),
          make("four rows", [&](std::int64_t i) { return i < 4 ? all : Columns{}; }),
          make("last rows", [&](std::int64_t i) { return i < n - 4 ? Columns{} : all; }),
          make("unsorted", [n](std::int64_t i) {
            Columns columns;
            for (std::int64_t const j : {2, 0, 3, 1})
              columns.push_back((31 * i + j * (n / 4)) % n);
            return columns;
          })};
}

// A View with room before and behind it, which nobody may write to.
class Guarded
{
public:
  explicit Guarded(std::size_t n)
      : m_n(n)
      , m_all("heddle::test::guarded", n + 2 * margin)
  {
    Kokkos::deep_copy(m_all, guard);
  }
  Kokkos::View<double*, C::space> view() const
  {
    return Kokkos::View<double*, C::space>(m_all.data() + margin, m_n);
  }
  bool is_intact() const
  {
    auto const all = to_vector(m_all);
    auto const is_guard = [](double x) { return x == guard; };
    auto const begin = all.begin(), end = all.end();
    return std::all_of(begin, begin + margin, is_guard) && std::all_of(end - margin, end, is_guard);
  }

private:
  static constexpr std::ptrdiff_t margin = 4096;
  static constexpr double guard = -98765.0;
  std::size_t m_n;
  Kokkos::View<double*, C::space> m_all;
};

std::vector<SpgemmOptions> spgemm_options()
{
  std::vector<SpgemmOptions> all;
  for (SpgemmAccumulator const accumulator : spgemm_accumulators)
    all.push_back({.accumulator = accumulator});
  for (char const* const name : impl::names_of(AllOfSpgemm<Device, ReadOnly, ReadOnly>{}))
  {
    all.push_back({.implementation = name});
    all.push_back({.implementation = name, .deterministic = true});
  }
  all.push_back({.reuse = true});
  return all;
}

// The plan for A A, if options can have one.
std::string spgemm_refusal(Matrix const& planned, Matrix const& used, Structure const& structure,
                           SpgemmOptions const& options)
{
  Device const exec{};
  using Plan = AnySpgemmPlan<Device, ReadOnly, ReadOnly>;
  std::unique_ptr<Plan> plan;
  try
  {
    plan = std::make_unique<Plan>(exec, planned, planned, options);
  }
  catch (Unsupported const&)
  {
    return "unsupported";
  }
  catch (OutOfMemory const&)
  {
    return "out of memory";
  }
  Guarded const values(plan->nnz());
  auto c = plan->make_result(exec);
  Plan::result_type const guarded(c.num_rows(), c.num_cols(), c.row_offsets(), c.columns(),
                                  values.view());
  auto const multiply = [&](Matrix const& a) {
    return message_of<InvalidArgument>([&] {
      spgemm(exec, *plan, a, a, guarded);
      exec.fence();
    });
  };
  std::string const refusal = multiply(used);
  CHECK(values.is_intact());
  std::string const later = multiply(planned); // tells of the call before where that could not wait
  if (later != "no error")
    CHECK(multiply(planned) == "no error");
  CHECK(values.is_intact());
  CHECK(difference(reference_product<double>(structure, structure, 1.0, Op::none, Op::none),
                   guarded) == "");
  return refusal == "no error" ? later : refusal;
}

// What a call with another pattern may end with.
bool is_expected(std::string const& text)
{
  return text == "no error" || text == "unsupported" || text == "out of memory" ||
         text.find("heddle::spgemm: the plan was made for ") == 0;
}

} // namespace

} // namespace heddle::test

using namespace heddle::test;

TEST_CASE("an SpgemmPlan used with another pattern stays within C", "[other_pattern]")
{
  for (std::int64_t const n : {8, 300})
  {
    auto const patterns = patterns_of_one_size(n);
    std::vector<Matrix> matrices;
    for (Structure const& s : patterns)
      matrices.push_back(make_csr<C>(s));
    for (std::size_t p = 0; p < patterns.size(); ++p)
      for (std::size_t u = 0; u < patterns.size(); ++u)
        for (auto options : spgemm_options())
          for (std::size_t const cap : {std::size_t(1) << 40, std::size_t(40000)})
          {
            if (p == u)
              continue;
            options.max_workspace_bytes = cap;
            INFO(n << ": " << patterns[p].name << ", then " << patterns[u].name << ": "
                   << options.implementation << " " << to_string(options.accumulator)
                   << (options.deterministic ? " in order" : "") << ", cap " << cap);
            std::string const text = spgemm_refusal(matrices[p], matrices[u], patterns[p], options);
            INFO(text);
            CHECK(is_expected(text));
          }
  }
}

TEST_CASE("columns that C lacks are reported", "[other_pattern]")
{
  // I I has the diagonal alone, and all products of the other matrix are in its first row.
  Structure const identity{"identity", 4, 4, {{0}, {1}, {2}, {3}}};
  Structure const row{"row", 4, 4, {{0, 1, 2, 3}, {}, {}, {}}};
  // The first row of C has its first and its last column, so far apart that a table has them; the
  // product of the other matrix is in a column between.
  std::int64_t const n = 100000;
  Structure far{"far", n, n, std::vector<std::vector<std::int64_t>>(std::size_t(n))}, near = far;
  far.columns.front() = {0, n - 1};
  far.columns.back() = {n - 1};
  near.columns[0] = {1, 2};
  near.columns[1] = {7};
  using Pair = std::pair<Structure const&, Structure const&>;
  for (auto const& [planned, used] : {Pair{identity, row}, Pair{far, near}})
  {
    auto const a = make_csr<C>(planned), b = make_csr<C>(used);
    std::vector<heddle::SpgemmOptions> all;
    for (heddle::SpgemmAccumulator const accumulator :
         {heddle::SpgemmAccumulator::global_hash, heddle::SpgemmAccumulator::scatter_vector_paper,
          heddle::SpgemmAccumulator::hybrid_sparse, heddle::SpgemmAccumulator::esc_global})
      all.push_back({.accumulator = accumulator});
    if (heddle::impl::is_host_v<Device> &&
        planned.name == far.name) // others drop them with a window
      all.push_back({.implementation = "portable::dense_or_hash"});
    for (heddle::SpgemmOptions const& options : all)
    {
      INFO(planned.name << ", " << to_string(options.accumulator) << options.implementation);
      CHECK(spgemm_refusal(a, b, planned, options).find("heddle::spgemm: the plan was made for ") ==
            0);
    }
  }
}

TEST_CASE("SpmvPlan and SpmmPlan used with another pattern stay within the result",
          "[other_pattern]")
{
  constexpr std::int64_t n = 3000;
  constexpr std::size_t k = 33;
  auto const patterns = patterns_of_one_size(n);
  std::vector<Matrix> matrices;
  for (Structure const& s : patterns)
    matrices.push_back(make_csr<C>(s));
  Device const exec{};
  Kokkos::View<double*, C::space> const x("heddle::test::x", n);
  Kokkos::View<double**, Kokkos::LayoutRight, C::space> const b("heddle::test::b", n, k);
  Kokkos::deep_copy(x, 1.0);
  Kokkos::deep_copy(b, 1.0);
  auto const check = [&](std::size_t length, auto const& plan, auto const& multiply) {
    for (heddle::Op const op : {heddle::Op::none, heddle::Op::transpose})
      for (Matrix const& used : matrices)
      {
        Guarded const y(length);
        std::string const text = message_of<heddle::InvalidArgument>([&] {
          multiply(plan, op, used, y.view());
          exec.fence();
        });
        INFO(text);
        CHECK((text == "no error" ||
               text.find(": the plan was made for another pattern than ") != std::string::npos));
        CHECK(y.is_intact());
      }
  };
  for (std::size_t p = 0; p < patterns.size(); ++p)
    for (bool const deterministic : {false, true})
    {
      for (char const* const name : heddle::impl::names_of(AllOfSpmv<Device, ReadOnly>{}))
      {
        INFO("planned for " << patterns[p].name << " with " << name);
        AnySpmvPlan<Device, ReadOnly> const plan(
            exec, matrices[p], {.implementation = name, .deterministic = deterministic});
        check(n, plan, [&](auto const& of, heddle::Op op, Matrix const& a, auto const& y) {
          spmv(exec, of, op, 1.0, a, x, 0.0, y);
        });
      }
      for (char const* const name : heddle::impl::names_of(AllOfSpmm<Device, ReadOnly>{}))
      {
        INFO("planned for " << patterns[p].name << " with " << name);
        AnySpmmPlan<Device, ReadOnly> const plan(
            exec, matrices[p], {.implementation = name, .deterministic = deterministic});
        check(n * k, plan, [&](auto const& of, heddle::Op op, Matrix const& a, auto const& y) {
          Kokkos::View<double**, Kokkos::LayoutRight, C::space> const c(y.data(), n, k);
          spmm(exec, of, op, 1.0, a, b, 0.0, c);
        });
      }
    }
}
