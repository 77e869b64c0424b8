// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Oracles: plain serial loops over a Structure, in double precision, with the error that a correct
// kernel may make.

#include <heddle/accumulator.hpp>
#include <heddle/op.hpp>
#include <support/structures.hpp>

#include <Kokkos_Core.hpp>

#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

namespace heddle::test
{

constexpr Op all_ops[] = {Op::none, Op::transpose, Op::conjugate_transpose, Op::conjugate};

using Wide = std::complex<double>;

template <class Value>
Wide wide(Value const& value)
{
  if constexpr (impl::is_complex_v<Value>)
    return {value.real(), value.imag()};
  else
    return {static_cast<double>(value), 0.0};
}

// Its absolute value: of a real one without the hypotenuse, for which oracles would wait.
inline double magnitude(Wide value)
{
  return value.imag() == 0.0 ? std::abs(value.real()) : std::abs(value);
}

// Row-major; each entry with the magnitude of what was summed and the number of terms.
struct Expected
{
  std::int64_t rows = 0, cols = 0;
  std::vector<Wide> values;
  std::vector<double> magnitudes;
  std::vector<std::int64_t> terms;

  Expected(std::int64_t r, std::int64_t c)
      : rows(r)
      , cols(c)
      , values(static_cast<std::size_t>(r * c))
      , magnitudes(values.size())
      , terms(values.size(), 3)
  {}
  void add(std::int64_t i, std::int64_t j, Wide term)
  {
    auto const at = static_cast<std::size_t>(i * cols + j);
    values[at] += term;
    magnitudes[at] += magnitude(term);
    ++terms[at];
  }
};

// alpha op(A) B + beta C, where A, B and C hold value_at of these types: B of (row + b_offset,
// column), C of (row + c_offset, column).
constexpr std::int64_t b_offset = 100000, c_offset = 200000;

template <class AValue, class BValue, class CValue>
Expected reference_multiply(Structure const& a, Op op, CValue alpha, std::int64_t k, CValue beta)
{
  Expected result(is_transposed(op) ? a.cols : a.rows, k);
  std::vector<Wide> b; // by rows
  for (std::int64_t i = 0; i < (is_transposed(op) ? a.rows : a.cols); ++i)
    for (std::int64_t n = 0; n < k; ++n)
      b.push_back(wide(value_at<BValue>(i + b_offset, n)));
  for (std::int64_t i = 0; i < a.rows; ++i)
    for (std::int64_t const j : a.columns[i])
    {
      Wide value = wide(value_at<AValue>(i, j));
      if (is_conjugated(op))
        value = std::conj(value);
      std::int64_t const to = is_transposed(op) ? j : i, from = is_transposed(op) ? i : j;
      for (std::int64_t n = 0; n < k; ++n)
        result.add(to, n, wide(alpha) * value * b[static_cast<std::size_t>(from * k + n)]);
    }
  if (beta != CValue(0))
    for (std::int64_t i = 0; i < result.rows; ++i)
      for (std::int64_t n = 0; n < k; ++n)
        result.add(i, n, wide(beta) * wide(value_at<CValue>(i + c_offset, n)));
  return result;
}

// The bound of a sum of n terms in precision eps: each addition and product may err by eps relative
// to what it makes, a complex one by twice that (Higham 2002, sections 3.1 and 3.6).
template <class Value>
double error_bound(std::int64_t terms, double magnitude)
{
  constexpr double eps = std::numeric_limits<impl::real_t<Value>>::epsilon();
  return (impl::is_complex_v<Value> ? 4.0 : 1.0) * eps * static_cast<double>(terms + 2) * magnitude;
}

// "" or the first entry outside its bound. get(i, j) is the result of precision Value.
template <class Value, class Get>
std::string first_difference(Expected const& expected, Get const& get)
{
  for (std::int64_t i = 0; i < expected.rows; ++i)
    for (std::int64_t j = 0; j < expected.cols; ++j)
    {
      auto const at = static_cast<std::size_t>(i * expected.cols + j);
      Wide const result = wide(get(i, j));
      double const bound = error_bound<Value>(expected.terms[at], expected.magnitudes[at]);
      if (!(magnitude(result - expected.values[at]) <= bound)) // true for NaN
      {
        std::ostringstream text;
        text.precision(17);
        text << "(" << i << ", " << j << "): " << result << ", expected " << expected.values[at]
             << " within " << bound;
        return text.str();
      }
    }
  return "";
}

} // namespace heddle::test
