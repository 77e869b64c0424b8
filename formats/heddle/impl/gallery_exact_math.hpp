// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace heddle::impl
{

// Logarithms and powers that are the same bits on every machine: the standard library's differ in
// their last digits, and a row length that is rounded the other way is another matrix. Products and
// square roots of doubles are exactly rounded everywhere; none is added to anything, which some
// compilers would fuse, and results that are added are quotients. Exponents are integers in units
// of 2^-32.

inline constexpr std::int64_t exponent_unit = std::int64_t(1) << 32U;

// 2^(exponent / exponent_unit), to about 20 bits; |exponent| below 1000 units.
inline double exact_exp2(std::int64_t exponent)
{
  double power = std::ldexp(1.0, static_cast<int>(exponent >> 32U));
  double factor = 2; // 2^(2^-k)
  for (unsigned bit = 32; bit-- > 12;)
  {
    factor = std::sqrt(factor);
    if ((exponent >> bit & 1) != 0)
      power *= factor;
  }
  return power;
}

// log2(value) in exponent units, to about 24 bits, rounded down; value > 0. One bit for each
// squaring of the mantissa.
inline std::int64_t exact_log2(std::uint64_t value)
{
  auto const whole = static_cast<int>(std::bit_width(value)) - 1;
  double mantissa = std::ldexp(static_cast<double>(value), -whole);
  std::int64_t logarithm = whole * exponent_unit;
  for (unsigned bit = 32; bit-- > 8;)
  {
    mantissa *= mantissa;
    if (mantissa >= 2)
    {
      mantissa /= 2;
      logarithm += std::int64_t(1) << bit;
    }
  }
  return logarithm;
}

} // namespace heddle::impl
