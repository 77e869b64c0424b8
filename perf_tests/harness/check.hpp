// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Every timed result is compared with a serial reference: all rows, or a seeded sample of at least
// 1000 where the whole would take seconds, and all columns, or of more than 512 the ends and a
// seeded sample of about 256. An entry may differ by c eps (n + 2) m, where n terms of total
// magnitude m were summed, eps is that of the value type and c = 1, or 4 for complex numbers: the
// bound of any order of summation (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed.,
// sections 3.1 and 3.6). The residual reported is the largest error over m. Inf and NaN have to be
// where the reference has them.

#include <harness/operands.hpp>
#include <heddle/op.hpp>
#include <heddle/transpose.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

namespace heddle::perf
{

// What references are summed in.
template <class Value>
using exact_t =
    std::conditional_t<impl::is_complex_v<Value>, std::complex<long double>, long double>;

template <class Value>
exact_t<Value> exact(Value const& value)
{
  if constexpr (impl::is_complex_v<Value>)
    return {value.real(), value.imag()};
  else
    return value;
}

// Entries of the result, with the magnitude of their terms.
template <class Value>
struct ReferenceEntry
{
  exact_t<Value> value = 0;
  double magnitude = 0;
  std::int64_t terms = 0;

  void add(exact_t<Value> const& term)
  {
    value += term;
    magnitude += static_cast<double>(std::abs(term));
    ++terms;
  }
};

// What a check found: the residual, and whether every entry was within its bound.
struct Verdict
{
  double residual = 0;
  std::string wrong; // empty if right
};

template <class Exact>
bool is_finite(Exact const& value)
{
  return std::isfinite(std::abs(value));
}

template <class Exact>
std::string to_words(Exact const& value)
{
  std::ostringstream text;
  text << value;
  return text.str();
}

// Whether a result is right where Inf or NaN is expected. IEEE 754 says which one a sum of real
// terms is, in any order: NaN if one of them is NaN or both infinities are among them, else the
// infinity. A complex product may be Inf or NaN by the way it is computed (C11, annex G), so that
// either is right there.
template <class Exact>
bool is_right_nonfinite(Exact const& result, Exact const& expected)
{
  if constexpr (std::is_floating_point_v<Exact>)
    return std::isnan(expected) ? std::isnan(result) : result == expected;
  else
    return !is_finite(result);
}

template <class Value>
void judge(Verdict& verdict, ReferenceEntry<Value> const& expected, Value const& result,
           std::int64_t i, std::int64_t j)
{
  using Limits = std::numeric_limits<impl::real_t<Value>>;
  constexpr double factor = impl::is_complex_v<Value> ? 4.0 : 1.0;
  constexpr double eps = Limits::epsilon(), largest = Limits::max();
  auto const say = [&](std::string const& what) {
    verdict.wrong =
        "wrong result: entry (" + std::to_string(i) + ", " + std::to_string(j) + ") is " + what;
  };
  if (!is_finite(expected.value))
  {
    if (!is_right_nonfinite(exact(result), expected.value))
      say(to_words(exact(result)) + ", expected " + to_words(expected.value));
    return;
  }
  // A partial sum may be too large for the type although the sum is not.
  if (expected.magnitude > largest && !is_finite(exact(result)))
    return;
  auto const error = static_cast<double>(std::abs(exact(result) - expected.value));
  double const bound = factor * eps * static_cast<double>(expected.terms + 2) * expected.magnitude;
  double const relative = expected.magnitude > 0 ? error / expected.magnitude : error;
  if (!(error <= bound)) // also for NaN
    say("off by " + std::to_string(error) + ", allowed are " + std::to_string(bound));
  verdict.residual = std::max(verdict.residual, relative);
}

// Rows to check, ascending: all, or a sample that is the same for all implementations.
inline std::vector<std::int64_t> sample_rows(std::int64_t rows, double work)
{
  constexpr double affordable = 3e7; // long double products: about a second of one thread
  constexpr std::int64_t least = 1000;
  std::int64_t const wanted =
      std::max(least, static_cast<std::int64_t>(static_cast<double>(rows) * affordable /
                                                std::max(work, 1.0)));
  std::vector<std::int64_t> sample;
  for (std::int64_t i = 0; i < rows; ++i)
    if (wanted >= rows ||
        impl::mix(static_cast<std::uint64_t>(i) + 1) % static_cast<std::uint64_t>(rows) <
            static_cast<std::uint64_t>(wanted + wanted / 8))
      sample.push_back(i);
  return sample;
}

// Columns to check, ascending: all, or both ends, where kernels treat what is left of their tiles,
// and a sample between them.
inline std::vector<std::int64_t> sample_columns(std::int64_t k)
{
  constexpr std::int64_t affordable = 512, wanted = 256, end = 48;
  std::vector<std::int64_t> sample;
  for (std::int64_t j = 0; j < k; ++j)
    if (k <= affordable || j < end || j >= k - end ||
        impl::mix(~static_cast<std::uint64_t>(j)) % static_cast<std::uint64_t>(k) <
            static_cast<std::uint64_t>(wanted))
      sample.push_back(j);
  return sample;
}

// What take_sample does with one entry: a functor, see impl/scan.hpp.
template <class View, class Places, class Part>
struct TakeEntry
{
  View c;
  Places rows, columns;
  Part part;
  std::int64_t k; // columns of the part

  KOKKOS_FUNCTION void operator()(std::int64_t n) const
  {
    part(n / k, n % k) = c(rows(n / k), columns(n % k));
  }
};

template <class View, class Places, class Part>
void take_sample(View const& c, Places const& rows, Places const& columns, Part const& part)
{
  auto const k = static_cast<std::int64_t>(part.extent(1));
  Kokkos::parallel_for("heddle::perf::take_sample",
                       Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(
                           0, static_cast<std::int64_t>(rows.extent(0)) * k),
                       TakeEntry<View, Places, Part>{c, rows, columns, part, k});
  Kokkos::fence("heddle::perf::take_sample");
}

inline Kokkos::View<std::int64_t*, Space> on_device(std::vector<std::int64_t> const& places)
{
  using Unmanaged = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
  Kokkos::View<std::int64_t*, Space> const copy("heddle::perf::places", places.size());
  Kokkos::deep_copy(copy, Kokkos::View<std::int64_t const*, Kokkos::HostSpace, Unmanaged>(
                              places.data(), places.size()));
  return copy;
}

// body(n) for n = 0 .. count - 1 on all threads of the host.
template <class Body>
void on_host_threads(std::size_t count, Body const& body)
{
  using Host = Kokkos::DefaultHostExecutionSpace;
  using Policy =
      Kokkos::RangePolicy<Host, Kokkos::Schedule<Kokkos::Dynamic>, Kokkos::IndexType<std::size_t>>;
  Kokkos::parallel_for("heddle::perf::reference", Policy(0, count, Kokkos::ChunkSize(8)), body);
  Host{}.fence("heddle::perf::reference");
}

// Of rows judged apart.
inline Verdict together(std::vector<Verdict> const& verdicts)
{
  Verdict all;
  for (Verdict const& one : verdicts)
  {
    all.residual = std::max(all.residual, one.residual);
    if (all.wrong.empty())
      all.wrong = one.wrong;
  }
  return all;
}

// op(A) B for dense_value operands with k columns, at sampled rows and columns.
template <class Value>
class DenseReference
{
public:
  DenseReference(HostMatrix<Value> const& a, Op op, std::int64_t k)
      : m_columns(sample_columns(k))
      , m_rows(sample_rows(op == Op::none ? a.num_rows() : a.num_cols(),
                           static_cast<double>(a.nnz()) * static_cast<double>(m_columns.size())))
      , m_entries(m_rows.size() * m_columns.size())
  {
    auto const op_a = op == Op::none ? a : transpose(Kokkos::DefaultHostExecutionSpace{}, a);
    on_host_threads(m_rows.size(), [&](std::size_t n) { add_row(op_a, n); });
  }

  // c: the result on the device.
  template <class View>
  Verdict check(View const& c) const
  {
    Kokkos::View<Value**, Kokkos::LayoutRight, Space> const part("heddle::perf::part",
                                                                 m_rows.size(), m_columns.size());
    take_sample(c, on_device(m_rows), on_device(m_columns), part);
    auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, part);
    std::vector<Verdict> verdicts(m_rows.size());
    on_host_threads(m_rows.size(), [&](std::size_t n) {
      for (std::size_t m = 0; m < m_columns.size(); ++m)
        judge(verdicts[n], m_entries[n * m_columns.size() + m], host(n, m), m_rows[n],
              m_columns[m]);
    });
    return together(verdicts);
  }

private:
  void add_row(HostMatrix<Value> const& op_a, std::size_t n)
  {
    auto const row = static_cast<std::size_t>(m_rows[n]);
    for (std::size_t e = op_a.row_offsets()(row); e < op_a.row_offsets()(row + 1); ++e)
      for (std::size_t m = 0; m < m_columns.size(); ++m)
        m_entries[n * m_columns.size() + m].add(
            exact(op_a.values()(e)) * exact(dense_value<Value>(op_a.columns()(e), m_columns[m])));
  }

  std::vector<std::int64_t> m_columns, m_rows;
  std::vector<ReferenceEntry<Value>> m_entries;
};

} // namespace heddle::perf
