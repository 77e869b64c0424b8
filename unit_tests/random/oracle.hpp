// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Sums in extended precision with what a correct kernel may make of them: NaN and infinities as
// IEEE has them, errors as many roundings as there are operations allow.

#include <heddle/accumulator.hpp>
#include <support/reference.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

namespace heddle::test::random
{

// A value as the matrix of this type holds it.
template <class Value>
Value rounded(Wide const& value)
{
  if constexpr (impl::is_complex_v<Value>)
    return Value(static_cast<impl::real_t<Value>>(value.real()),
                 static_cast<impl::real_t<Value>>(value.imag()));
  else
    return static_cast<Value>(value.real());
}

template <class Value>
Value conjugated(Value const& value)
{
  if constexpr (impl::is_complex_v<Value>)
    return Kokkos::conj(value);
  else
    return value;
}

// Of products a b c, in extended precision, whose errors are far below those that are allowed. Real
// factors stay real: infinity times 0 i would be NaN.
class Sum
{
public:
  void add(Wide const& a, Wide const& b, Wide const& c = 1)
  {
    Long const term = product(product(long_of(a), long_of(b)), long_of(c));
    m_value += term;
    m_magnitude += magnitude(a) * magnitude(b) * magnitude(c);
    ++m_terms;
  }
  // All terms of another sum times a factor; each may then have been rounded once more.
  void add_scaled(Sum const& other, Wide const& factor)
  {
    m_value += product(other.m_value, long_of(factor));
    m_magnitude += other.m_magnitude * magnitude(factor);
    m_terms += other.m_terms + 1;
  }
  std::int64_t terms() const { return m_terms; }
  double magnitudes() const { return m_magnitude; }
  Wide value() const
  {
    return {static_cast<double>(m_value.real()), static_cast<double>(m_value.imag())};
  }

private:
  using Long = std::complex<long double>;
  static Long long_of(Wide const& a) { return {a.real(), a.imag()}; }
  static Long product(Long const& a, Long const& b)
  {
    if (a.imag() == 0 && b.imag() == 0)
      return a.real() * b.real();
    return a * b;
  }

  Long m_value = 0;
  double m_magnitude = 0;
  std::int64_t m_terms = 0;
};

// Whether result can be a sum of these terms in precision Value. May_be_nan: padding may have been
// multiplied too, where 0 times infinity is NaN.
template <class Value>
bool is_near(Sum const& expected, Value const& result, bool may_be_nan = false)
{
  using Real = impl::real_t<Value>;
  constexpr double largest = std::numeric_limits<Real>::max(),
                   least = std::numeric_limits<Real>::min();
  Wide const wanted = expected.value(), got = wide(result);
  bool const is_nan = std::isnan(got.real()) || std::isnan(got.imag());
  if (may_be_nan && is_nan)
    return true;
  if (std::isnan(wanted.real()) || std::isnan(wanted.imag()))
    return is_nan;
  if (std::isinf(wanted.real()))
    return got == wanted;
  if (expected.magnitudes() > largest / 16) // a partial sum may be beyond the type
    return true;
  // Each operation may also lose what lies below the smallest normal number, which atomic additions
  // of CUDA take for 0 (PTX ISA, atom.add.f32).
  double const bound = error_bound<Value>(expected.terms() + 3, expected.magnitudes()) +
                       16 * static_cast<double>(expected.terms() + 3) * least;
  return magnitude(got - wanted) <= bound;
}

template <class Value>
std::string description(Sum const& expected, Value const& result)
{
  std::ostringstream text;
  text.precision(17);
  text << wide(result) << ", expected " << expected.value() << " within "
       << error_bound<Value>(expected.terms() + 3, expected.magnitudes()) << " of "
       << expected.terms() << " terms";
  return text.str();
}

// Bitwise, except that one NaN is like another.
inline bool is_same(Wide const& a, Wide const& b)
{
  auto const same = [](double x, double y) {
    return (std::isnan(x) && std::isnan(y)) || (x == y && std::signbit(x) == std::signbit(y));
  };
  return same(a.real(), b.real()) && same(a.imag(), b.imag());
}
template <class Value>
bool are_same(std::vector<Value> const& a, std::vector<Value> const& b)
{
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](Value const& x, Value const& y) { return is_same(wide(x), wide(y)); });
}

} // namespace heddle::test::random
