// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/check.hpp>
#include <harness/machine.hpp>
#include <harness/operands.hpp>
#include <harness/row_parts.hpp>
#include <harness/stopwatch.hpp>
#include <heddle/balanced_rows.hpp>
#include <heddle/convert_sell.hpp>
#include <heddle/impl/require.hpp>
#include <heddle/spmm.hpp>
#include <heddle/spmv.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include <parts/bench.hpp>
#include <parts/results.hpp>

namespace heddle::perf
{

namespace
{

using Host = HostMatrix<double>;
using Csr32 = Matrix32<double>;

struct InCsr
{
  static constexpr char const* name = "csr";
  static constexpr char const* balanced = "entries";
  static Csr32 converted(PartsSettings const&, Csr32 const& a) { return a; }
};

struct InSell
{
  static constexpr char const* name = "sell";
  static constexpr char const* balanced = "places";
  static auto converted(PartsSettings const& settings, Csr32 const& a)
  {
    return to_sell(Exec{}, a, settings.slices);
  }
};

// y = A x for this process's rows, with the whole of x.
struct SpmvOfPart
{
  static constexpr char const* name = "parts_spmv";
  static int width(PartsSettings const&) { return 1; }

  template <class Matrix, class View>
  static std::function<void()> call(Matrix const& a, View const& b, View const& c)
  {
    using Vector = Kokkos::View<double*, Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
    auto const plan =
        std::make_shared<SpmvPlan<Exec, typename Matrix::const_type> const>(Exec{}, a);
    return [=] {
      spmv(Exec{}, *plan, 1.0, a, Vector(b.data(), b.extent(0)), 0.0,
           Vector(c.data(), c.extent(0)));
    };
  }
};

// C = A B for this process's rows, with the whole of B, both row-major.
struct SpmmOfPart
{
  static constexpr char const* name = "parts_spmm";
  static int width(PartsSettings const& settings) { return settings.k; }

  template <class Matrix, class View>
  static std::function<void()> call(Matrix const& a, View const& b, View const& c)
  {
    auto const plan =
        std::make_shared<SpmmPlan<Exec, typename Matrix::const_type> const>(Exec{}, a);
    return [=] { spmm(Exec{}, *plan, 1.0, a, b, 0.0, c); };
  }
};

double milliseconds_now()
{
  using Clock = std::chrono::steady_clock; // one for all processes of a machine
  return std::chrono::duration<double, std::milli>(Clock::now().time_since_epoch()).count();
}

std::int64_t places_of(auto const& a) { return static_cast<std::int64_t>(a.values().extent(0)); }

template <class Operation, class Format>
class PartsBench
{
public:
  PartsBench(PartsSettings const& settings, PartGroup const& group, Host const& a)
      : m_settings(settings)
      , m_group(group)
      , m_a(a)
      , m_b("heddle::perf::b", static_cast<std::size_t>(a.num_cols()),
            static_cast<std::size_t>(Operation::width(settings)))
  {
    fill_dense(m_b);
  }

  // False where a part could not run or was wrong, which the table then says.
  bool run(PartsTable& table, PartsCase const& c)
  {
    m_call = {};
    m_group.own() = {};
    bool const has_part = m_group.rank() < c.parts();
    if (has_part)
      prepare(c);
    m_group.meet();
    bool const is_right = !has_problem(c);
    std::vector<double> const times = is_right ? round_times(c) : std::vector<double>();
    if (is_right)
    {
      m_group.meet();
      Effort const effort{m_settings.runs, m_settings.budget_s, 2};
      if (has_part)
        m_group.own().ms = median(time_calls(Exec{}, effort, m_call));
    }
    m_group.meet();
    if (m_group.rank() == 0)
      table.add(c, m_group, is_right ? median(times) : 0.0, static_cast<int>(times.size()));
    m_group.meet(); // the table has read what others told
    return is_right;
  }

private:
  using Dense = Kokkos::View<double**, Kokkos::LayoutRight, Space>;

  // The rows of this process and their plan, run once and compared with serial code.
  void prepare(PartsCase const& c)
  {
    PartTimes& own = m_group.own();
    try
    {
      auto const at = static_cast<std::size_t>(m_group.rank());
      Host const rows = rows_between(m_a, c.cuts[at], c.cuts[at + 1]);
      auto const a = Format::converted(m_settings, on_device<int>(rows));
      own.nnz = static_cast<std::int64_t>(rows.nnz());
      own.places = places_of(a);
      Dense const c_of_part("heddle::perf::c", static_cast<std::size_t>(rows.num_rows()),
                            m_b.extent(1));
      Kokkos::deep_copy(c_of_part, std::numeric_limits<double>::quiet_NaN());
      own.plan_ms = host_milliseconds(Exec{}, [&] { m_call = Operation::call(a, m_b, c_of_part); });
      m_call();
      DenseReference<double> const reference(rows, Op::none,
                                             static_cast<std::int64_t>(m_b.extent(1)));
      Verdict const verdict = reference.check(c_of_part);
      own.residual = verdict.residual;
      own.fail(verdict.wrong);
    }
    catch (std::exception const& problem)
    {
      own.fail(problem.what());
    }
  }

  bool has_problem(PartsCase const& c) const
  {
    for (int p = 0; p < c.parts(); ++p)
      if (m_group.slot(p).problem[0] != '\0')
        return true;
    return false;
  }

  // Milliseconds a call, from the first part's begin to the last one's end. All processes see the
  // same times, so they end together.
  std::vector<double> round_times(PartsCase const& c)
  {
    constexpr int warm_ups = 2, least = 5;
    std::vector<double> times;
    double spent = 0;
    for (int round = -warm_ups; round < m_settings.runs; ++round)
    {
      if (round >= least && spent > 1e3 * m_settings.budget_s)
        break;
      double const time = round_time(c);
      if (round < 0)
        continue;
      spent += time;
      times.push_back(time / m_settings.calls);
    }
    return times;
  }

  double round_time(PartsCase const& c)
  {
    PartTimes& own = m_group.own();
    m_group.meet();
    if (m_group.rank() < c.parts())
    {
      own.begin = milliseconds_now();
      for (int n = 0; n < m_settings.calls; ++n)
        m_call();
      Exec{}.fence("heddle::perf::round");
      own.end = milliseconds_now();
    }
    m_group.meet();
    double begin = own.begin, end = own.end;
    if (m_group.rank() >= c.parts())
      begin = m_group.slot(0).begin, end = m_group.slot(0).end;
    for (int p = 0; p < c.parts(); ++p)
    {
      begin = std::min(begin, m_group.slot(p).begin);
      end = std::max(end, m_group.slot(p).end);
    }
    return end - begin;
  }

  PartsSettings const& m_settings;
  PartGroup const& m_group;
  Host const& m_a;
  Dense m_b;
  std::function<void()> m_call;
};

// Cuts that balance, by what the whole matrix is in this format. Throws what conversion throws.
template <class Format>
std::vector<std::int64_t> balanced_cuts(PartsSettings const& settings, Host const& a)
{
  return balanced_rows(Exec{}, Format::converted(settings, on_device<int>(a)), settings.parts);
}

template <class Operation, class Format>
bool bench(PartsSettings const& settings, PartGroup const& group, JsonLines& json,
           std::string const& name, Host const& a)
{
  std::int64_t const rows = a.num_rows();
  PartsTable table({Operation::name, name, Format::name, rows, a.num_cols(),
                    static_cast<std::int64_t>(a.nnz()), Operation::width(settings), device_name()},
                   json);
  PartsBench<Operation, Format> bench(settings, group, a);
  if (bench.run(table, {"whole", {0, rows}})) // what the format refuses it refuses here
  {
    bench.run(table, {"rows", equal_rows(rows, settings.parts)});
    bench.run(table, {Format::balanced, balanced_cuts<Format>(settings, a)});
  }
  if (group.rank() == 0)
    table.print();
  return !table.has_wrong_results();
}

} // namespace

bool bench_parts(PartsSettings const& settings, PartGroup const& group, JsonLines& json,
                 LoadedMatrix const& matrix)
{
  auto const* const a = std::get_if<Host>(&matrix.matrix);
  impl::require(a != nullptr, "perf", matrix.name, " is complex; parts are of real matrices");
  impl::require(fits_int_offsets(*a), "perf", matrix.name, " has more entries than int32 counts");
  bool is_right = bench<SpmvOfPart, InCsr>(settings, group, json, matrix.name, *a);
  is_right = bench<SpmmOfPart, InCsr>(settings, group, json, matrix.name, *a) && is_right;
  is_right = bench<SpmvOfPart, InSell>(settings, group, json, matrix.name, *a) && is_right;
  is_right = bench<SpmmOfPart, InSell>(settings, group, json, matrix.name, *a) && is_right;
  return is_right;
}

} // namespace heddle::perf
