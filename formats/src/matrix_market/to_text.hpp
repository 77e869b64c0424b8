// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/accumulator.hpp>

#include <array>
#include <charconv>
#include <string>

namespace heddle::impl::matrix_market
{

// The value with all its digits.
template <class Value>
std::string to_text(Value const& value)
{
  if constexpr (is_complex_v<Value>)
  {
    std::string text = "(";
    text += to_text(value.real());
    text += ", ";
    text += to_text(value.imag());
    text += ")";
    return text;
  }
  else
  {
    std::array<char, 32> digits{};
    auto const result = std::to_chars(digits.data(), digits.data() + digits.size(), value);
    return {digits.data(), result.ptr};
  }
}

} // namespace heddle::impl::matrix_market
