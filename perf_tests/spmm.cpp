// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <baselines/baselines.hpp>
#include <baselines/serial.hpp>
#include <commands.hpp>
#include <harness/absent.hpp>
#include <harness/for_each_type.hpp>
#include <harness/lazy.hpp>
#include <harness/measure.hpp>
#include <heddle/papers/spmm.hpp>
#include <heddle/spmm.hpp>
#include <heddle/spmv.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <names.hpp>
#include <optional>
#include <spmm_steps.hpp>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <calibrate/candidates.hpp>

namespace heddle::perf
{

namespace
{

// What --implementation takes besides the names of kernels and of steps.
constexpr char const *automatic = "auto", *with_size_t = "auto_size_t",
                     *in_row_segments = "auto_row_segmented";

template <class Value>
using Implementations = SpmmImplementations<Exec, typename Matrix32<Value>::const_type>;
template <class Value>
using OfPapers = papers::SpmmImplementations<Exec, typename Matrix32<Value>::const_type>;

template <template <class, class> class PlanOf = SpmmPlan, class Matrix, class Operand>
Candidate heddle_spmm(std::string const& name, std::string const& index_types, Matrix const& a,
                      Op op, Operand const& b, Operand const& c, SpmmOptions options)
{
  options.transposed = is_transposed(op); // what a caller who multiplies with A^T says
  using Value = typename Matrix::value_type;
  using Plan = PlanOf<Exec, typename Matrix::const_type>;
  auto const plan = std::make_shared<std::optional<Plan>>();
  Candidate candidate{"heddle::" + name,
                      index_types,
                      [=] { plan->emplace(Exec{}, a, options); },
                      [=] { spmm(Exec{}, **plan, op, Value(1), a, b, Value(0), c); },
                      {}};
  if (options.implementation.empty())
    candidate.chosen = [=] { return std::string((*plan)->implementation_name()); };
  return candidate;
}

template <class Value, class Layout>
Candidates heddle_candidates(Settings const& settings, HostMatrix<Value> const& a,
                             SpmmProblem<Value, Layout> const& p)
{
  Candidates all;
  if (fits_int_offsets(a))
  {
    if (settings.wants(automatic))
      all.push_back(heddle_spmm(automatic, int_indices, p.a, p.op, p.b, p.c, {}));
    for (char const* const name : impl::names_of(Implementations<Value>{}))
      if (settings.wants(name))
        all.push_back(
            heddle_spmm(name, int_indices, p.a, p.op, p.b, p.c, {.implementation = name}));
    for (char const* const name : impl::names_of(OfPapers<Value>{}))
      if (settings.wants(name))
        all.push_back(heddle_spmm<papers::SpmmPlan>(name, int_indices, p.a, p.op, p.b, p.c,
                                                    {.implementation = name}));
  }
  if (settings.wants(with_size_t))
    all.push_back(
        heddle_spmm(with_size_t, "int32,size_t", on_device<std::size_t>(a), p.op, p.b, p.c, {}));
  add_absent(all, settings, type_name<Value>());
  return all;
}

// C = op(A) B, column after column, by SpMV (paper 000, Fig. 12). Columns of row-major operands do
// not lie in one piece.
template <class Value>
Candidate spmv_loop(SpmmProblem<Value, Kokkos::LayoutLeft> const& p)
{
  using Plan = SpmvPlan<Exec, typename Matrix32<Value>::const_type>;
  auto const plan = std::make_shared<std::optional<Plan>>();
  auto const run = [=] {
    for (std::size_t j = 0; j < p.b.extent(1); ++j)
      spmv(Exec{}, **plan, p.op, Value(1), p.a, Kokkos::subview(p.b, Kokkos::ALL, j), Value(0),
           Kokkos::subview(p.c, Kokkos::ALL, j));
  };
  return {"spmv_loop::heddle", int_indices, [=] { plan->emplace(Exec{}, p.a); }, run, {}};
}

template <class Value, class Layout>
Candidates candidates_of(Settings const& settings, HostMatrix<Value> const& a,
                         SpmmProblem<Value, Layout> const& p)
{
  Candidates all = heddle_candidates(settings, a, p);
  if (fits_int_offsets(a))
  {
    for (Candidate& candidate : spmm_baselines(settings, p))
      all.push_back(std::move(candidate));
    if constexpr (std::is_same_v<Layout, Kokkos::LayoutRight>)
    {
      for (Candidate& step : spmm_steps(settings, p))
        all.push_back(std::move(step));
    }
    else if (settings.wants_baseline("spmv_loop"))
      all.push_back(spmv_loop(p));
  }
  if (std::is_same_v<Layout, Kokkos::LayoutRight> && settings.wants_baseline("serial"))
    all.push_back(serial::dense_candidate(a, p.op, p.b, p.c));
  return all;
}

template <class Value>
Matrix32<Value> device_matrix(HostMatrix<Value> const& a)
{
  return fits_int_offsets(a) ? on_device<int>(a) : Matrix32<Value>();
}

// One matrix, k and layout.
template <class Value, class Layout>
class SpmmBench
{
public:
  using Problem = SpmmProblem<Value, Layout>;

  SpmmBench(Settings const& settings, Report& report, LoadedMatrix const& loaded,
            HostMatrix<Value> const& a, std::int64_t k)
      : m_settings(settings)
      , m_report(report)
      , m_loaded(loaded)
      , m_a(a)
      , m_device_a(device_matrix(a))
      , m_k(k)
  {}

  // C = op(A) B.
  void run(Op op, std::function<DenseReference<Value> const&()> const& reference)
  {
    Problem const p = problem(op);
    Record const base = record(op == Op::none ? "spmm" : "spmm_t");
    Candidates all = candidates_of(m_settings, m_a, p);
    if constexpr (has_row_segments_v<Value, Layout>)
      if (wants_row_segments())
        all.push_back(row_segmented_spmm(p));
    for (Candidate& place : all)
    {
      Candidate const candidate = std::move(place); // its plan goes before the next one is made
      measure_one(base, candidate, 1, {p}, [&] { return reference().check(p.c); });
    }
  }

  // C1 = A^T B1 and C2 = A B2 by each method that has both (paper 000): in one call where A is in
  // row segments, one after the other elsewhere.
  void run_both(std::function<DenseReference<Value> const&()> const& plain,
                std::function<DenseReference<Value> const&()> const& transposed)
  {
    Problem const first = problem(Op::transpose), second = problem(Op::none);
    Record base = record("spmm_both");
    base.flops *= 2;
    auto const run = [&](Candidate const& candidate) {
      measure_one(base, candidate, 2, {first, second}, [&] {
        return together({transposed().check(first.c), plain().check(second.c)});
      });
    };
    Candidates const of_first = candidates_of(m_settings, m_a, first);
    for (Candidate const& untransposed : candidates_of(m_settings, m_a, second))
      for (Candidate const& candidate : of_first)
        if (candidate.implementation == untransposed.implementation)
          run(joined(candidate, untransposed));
    if constexpr (has_row_segments_v<Value, Layout>)
      if (wants_row_segments())
        run(row_segmented_both(first, second));
  }

private:
  bool wants_row_segments() const
  {
    return m_settings.wants(in_row_segments) && fits_int_offsets(m_a);
  }
  Problem problem(Op op) const
  {
    std::int64_t const rows = m_a.num_rows(), cols = m_a.num_cols();
    Problem p{m_device_a, op,
              Dense<Value, Layout>("heddle::perf::b", op == Op::none ? cols : rows, m_k),
              Dense<Value, Layout>("heddle::perf::c", op == Op::none ? rows : cols, m_k)};
    fill_dense(p.b);
    return p;
  }
  Record record(std::string const& operation) const
  {
    Record base = record_of(operation, m_loaded, m_a, m_k);
    base.layout = std::is_same_v<Layout, Kokkos::LayoutRight> ? "row" : "col";
    return base;
  }
  // One after the other.
  static Candidate joined(Candidate const& earlier, Candidate const& later)
  {
    auto const both = [](std::function<void()> const& f, std::function<void()> const& g) {
      return [f, g] {
        if (f)
          f();
        if (g)
          g();
      };
    };
    return {earlier.implementation, earlier.index_types, both(earlier.plan, later.plan),
            both(earlier.run, later.run), both(earlier.finish, later.finish)};
  }
  // passes: how often the dense operands are read and written; A is counted once.
  void measure_one(Record base, Candidate const& candidate, int passes,
                   std::vector<Problem> const& problems, std::function<Verdict()> const& check)
  {
    for (Problem const& p : problems)
      Kokkos::deep_copy(p.c, Value(std::numeric_limits<float>::quiet_NaN()));
    base.bytes = dense_bytes<Value>(base, offset_bytes(candidate), passes);
    measure(m_report, m_settings, base, candidate, Clock::device, check);
  }

  Settings const& m_settings;
  Report& m_report;
  LoadedMatrix const& m_loaded;
  HostMatrix<Value> const& m_a;
  Matrix32<Value> m_device_a;
  std::int64_t m_k;
};

template <class Value, class Layout>
void bench(Settings const& settings, Report& report, LoadedMatrix const& loaded,
           HostMatrix<Value> const& a, std::int64_t k)
{
  Lazy const plain([&] { return DenseReference<Value>(a, Op::none, k); });
  Lazy const transposed([&] { return DenseReference<Value>(a, Op::transpose, k); });
  SpmmBench<Value, Layout> bench_one(settings, report, loaded, a, k);
  for (std::string const& op : settings.ops)
  {
    if (op == "both")
      bench_one.run_both(std::cref(plain), std::cref(transposed));
    else if (op == "t")
      bench_one.run(Op::transpose, std::cref(transposed));
    else
      bench_one.run(Op::none, std::cref(plain));
    report.end_group();
  }
}

} // namespace

ImplementationNames spmm_implementations()
{
  ImplementationNames names{{automatic, with_size_t, in_row_segments}, {}};
  add_step_names(names);
  add_names_of_types(names.built,
                     []<class Value>() { return impl::names_of(Implementations<Value>{}); });
  add_names_of_types(names.built, []<class Value>() { return impl::names_of(OfPapers<Value>{}); });
  return names;
}

void bench_spmm(Settings const& settings, Report& report, LoadedMatrix const& matrix)
{
  for_each_type(settings, matrix, [&]<class Value>(HostMatrix<Value> const& a) {
    for (int const k : settings.widths)
      for (std::string const& layout : settings.layouts)
        if (layout == "row")
          bench<Value, Kokkos::LayoutRight>(settings, report, matrix, a, k);
        else
          bench<Value, Kokkos::LayoutLeft>(settings, report, matrix, a, k);
  });
}

} // namespace heddle::perf
