// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <baselines/baselines.hpp>
#include <baselines/serial.hpp>
#include <commands.hpp>
#include <harness/absent.hpp>
#include <harness/for_each_type.hpp>
#include <harness/lazy.hpp>
#include <harness/measure.hpp>
#include <heddle/papers/spmv.hpp>
#include <heddle/spmv.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <limits>
#include <memory>
#include <names.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace heddle::perf
{

namespace
{

// A vector as the one column of a matrix.
template <class Value>
auto as_column(Vector<Value> const& x)
{
  return Kokkos::View<Value**, Kokkos::LayoutRight, Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(
      x.data(), x.extent(0), 1);
}

template <template <class, class> class PlanOf = SpmvPlan, class Matrix>
Candidate heddle_spmv(std::string const& name, std::string const& index_types, Matrix const& a,
                      Op op, Vector<typename Matrix::value_type> const& x,
                      Vector<typename Matrix::value_type> const& y, SpmvOptions const& options)
{
  using Value = typename Matrix::value_type;
  using Plan = PlanOf<Exec, typename Matrix::const_type>;
  auto const plan = std::make_shared<std::optional<Plan>>();
  Candidate candidate{"heddle::" + name,
                      index_types,
                      [=] { plan->emplace(Exec{}, a, options); },
                      [=] { spmv(Exec{}, **plan, op, Value(1), a, x, Value(0), y); },
                      {}};
  if (options.implementation.empty())
    candidate.chosen = [=] { return std::string((*plan)->implementation_name()); };
  return candidate;
}

// The choices that plans make themselves, by the names that --implementation takes.
struct Automatic
{
  char const* name;
  SpmvOptions options;
};
std::array<Automatic, 3> automatic()
{
  return {{{"auto", {}},
           {"auto_convert", {.may_convert = true}},
           {"auto_transposed", {.transposed = true}}}};
}
constexpr char const* with_size_t = "auto_size_t";

template <class Value>
using Implementations = SpmvImplementations<Exec, typename Matrix32<Value>::const_type>;
template <class Value>
using OfPapers = papers::SpmvImplementations<Exec, typename Matrix32<Value>::const_type>;

template <class Value>
std::vector<Candidate> candidates_of(Settings const& settings, HostMatrix<Value> const& a, Op op,
                                     Vector<Value> const& x, Vector<Value> const& y)
{
  std::vector<Candidate> all;
  if (fits_int_offsets(a))
  {
    auto const a32 = on_device<int>(a);
    for (Automatic const& choice : automatic())
      if (settings.wants(choice.name))
        all.push_back(heddle_spmv(choice.name, "int32,int32", a32, op, x, y, choice.options));
    for (char const* const name : impl::names_of(Implementations<Value>{}))
      if (settings.wants(name))
        all.push_back(heddle_spmv(name, "int32,int32", a32, op, x, y, {.implementation = name}));
    if constexpr (has_any_v<OfPapers<Value>>)
      for (char const* const name : impl::names_of(OfPapers<Value>{}))
        if (settings.wants(name))
          all.push_back(heddle_spmv<papers::SpmvPlan>(name, "int32,int32", a32, op, x, y,
                                                      {.implementation = name}));
    for (Candidate& candidate : spmv_baselines(settings, SpmvProblem<Value>{a32, op, x, y}))
      all.push_back(std::move(candidate));
  }
  if (settings.wants(with_size_t))
    all.push_back(
        heddle_spmv(with_size_t, "int32,size_t", on_device<std::size_t>(a), op, x, y, {}));
  add_absent(all, settings, type_name<Value>());
  if (settings.wants_baseline("serial"))
    all.push_back(serial::dense_candidate(a, op, as_column(x), as_column(y)));
  return all;
}

template <class Value>
void bench(Settings const& settings, Report& report, LoadedMatrix const& loaded,
           HostMatrix<Value> const& a, Op op)
{
  Vector<Value> const x("heddle::perf::x", op == Op::none ? a.num_cols() : a.num_rows());
  Vector<Value> const y("heddle::perf::y", op == Op::none ? a.num_rows() : a.num_cols());
  fill_dense(as_column(x));
  Lazy const reference([&] { return DenseReference<Value>(a, op, 1); });
  Record base = record_of(op == Op::none ? "spmv" : "spmv_t", loaded, a, 1);
  for (Candidate& place : candidates_of(settings, a, op, x, y))
  {
    Candidate const candidate = std::move(place); // its plan goes before the next one is made
    Kokkos::deep_copy(y, Value(std::numeric_limits<float>::quiet_NaN()));
    base.bytes = dense_bytes<Value>(base, offset_bytes(candidate));
    measure(report, settings, base, candidate, Clock::device,
            [&] { return reference().check(as_column(y)); });
  }
  report.end_group();
}

} // namespace

ImplementationNames spmv_implementations()
{
  ImplementationNames names;
  for (Automatic const& choice : automatic())
    names.built.emplace_back(choice.name);
  names.built.emplace_back(with_size_t);
  add_names_of_types(names.built,
                     []<class Value>() { return impl::names_of(Implementations<Value>{}); });
  add_names_of_types(names.built, []<class Value>() { return impl::names_of(OfPapers<Value>{}); });
  return names;
}

void bench_spmv(Settings const& settings, Report& report, LoadedMatrix const& matrix)
{
  for_each_type(settings, matrix, [&](auto const& a) {
    for (std::string const& op : settings.ops)
      bench(settings, report, matrix, a, op_of(op));
  });
}

} // namespace heddle::perf
