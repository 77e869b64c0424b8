// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <baselines/kokkoskernels.hpp>
#include <baselines/serial.hpp>
#include <commands.hpp>
#include <harness/for_each_type.hpp>
#include <harness/measure.hpp>
#include <heddle/spmm.hpp>

#include <Kokkos_Core.hpp>

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace heddle::perf
{

namespace
{

template <class Value, class Layout>
using Dense = Kokkos::View<Value**, Layout, Space>;

template <class Matrix, class Operand>
Candidate heddle_spmm(std::string const& name, std::string const& index_types, Matrix const& a,
                      Op op, Operand const& b, Operand const& c, SpmmOptions const& options)
{
  using Value = typename Matrix::value_type;
  using Plan = SpmmPlan<Exec, typename Matrix::const_type>;
  auto const plan = std::make_shared<std::optional<Plan>>();
  return {"heddle::" + name,
          index_types,
          [=] { plan->emplace(Exec{}, a, options); },
          [=] { spmm(Exec{}, **plan, op, Value(1), a, b, Value(0), c); },
          {}};
}

// Names of cases with column-major operands end in _col.
template <class Value, class Layout>
std::vector<Candidate> candidates_of(Settings const& settings, HostMatrix<Value> const& a, Op op,
                                     Dense<Value, Layout> const& b, Dense<Value, Layout> const& c)
{
  using Implementations = SpmmImplementations<Exec, typename Matrix32<Value>::const_type>;
  constexpr bool is_row_major = std::is_same_v<Layout, Kokkos::LayoutRight>;
  std::string const suffix = is_row_major ? "" : "_col";
  std::vector<Candidate> all;
  if (fits_int_offsets(a))
  {
    auto const a32 = on_device<int>(a);
    if (settings.wants("auto"))
      all.push_back(heddle_spmm("auto" + suffix, "int32,int32", a32, op, b, c, {}));
    for (char const* const name : impl::names_of(Implementations{}))
      if (settings.wants(name))
        all.push_back(
            heddle_spmm(name + suffix, "int32,int32", a32, op, b, c, {.implementation = name}));
    if constexpr (kokkoskernels::is_available_v<Value>)
      if (settings.wants_baseline("kk"))
        for (Candidate& candidate : kokkoskernels::spmm(a32, op, b, c))
        {
          candidate.implementation += suffix;
          all.push_back(std::move(candidate));
        }
  }
  if (settings.wants("auto_size_t"))
    all.push_back(heddle_spmm("auto_size_t" + suffix, "int32,size_t", on_device<std::size_t>(a), op,
                              b, c, {}));
  if (is_row_major && settings.wants_baseline("serial"))
    all.push_back(serial::dense_candidate(a, op, b, c));
  return all;
}

template <class Layout, class Value>
void bench(Settings const& settings, Report& report, LoadedMatrix const& loaded,
           HostMatrix<Value> const& a, Op op, std::int64_t k,
           DenseReference<Value> const& reference)
{
  Dense<Value, Layout> const b("heddle::perf::b", op == Op::none ? a.num_cols() : a.num_rows(), k);
  Dense<Value, Layout> const c("heddle::perf::c", op == Op::none ? a.num_rows() : a.num_cols(), k);
  fill_dense(b);
  Record base = record_of(op == Op::none ? "spmm" : "spmm_t", loaded, a, k);
  for (Candidate const& candidate : candidates_of(settings, a, op, b, c))
  {
    Kokkos::deep_copy(c, Value(std::numeric_limits<float>::quiet_NaN()));
    base.bytes = dense_bytes<Value>(base, offset_bytes(candidate));
    measure(report, settings, base, candidate, Clock::device, [&] { return reference.check(c); });
  }
}

} // namespace

void bench_spmm(Settings const& settings, Report& report, LoadedMatrix const& matrix)
{
  for_each_type(settings, matrix, [&]<class Value>(HostMatrix<Value> const& a) {
    for (std::string const& letter : settings.ops)
      for (int const k : settings.widths)
      {
        Op const op = op_of(letter);
        DenseReference<Value> const reference(a, op, k);
        for (std::string const& layout : settings.layouts)
          if (layout == "row")
            bench<Kokkos::LayoutRight>(settings, report, matrix, a, op, k, reference);
          else
            bench<Kokkos::LayoutLeft>(settings, report, matrix, a, op, k, reference);
        report.end_group();
      }
  });
}

} // namespace heddle::perf
