// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/impl/text_stream.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <iomanip>
#include <ostream>
#include <string>

namespace heddle::impl
{

// The answer of an implementation, or of a kernel, whether it runs on a matrix, with the fact that
// decided: a sentence in which each '%' stands for a number. The sentence is put together only
// where somebody reads it, so plans keep the answers of all candidates.
class Verdict
{
public:
  Verdict() = default;
  // Without a reason.
  constexpr Verdict(bool is_yes)
      : m_is_yes(is_yes)
  {}
  template <class... Numbers>
  constexpr Verdict(bool is_yes, char const* reason, Numbers... numbers)
      : m_is_yes(is_yes)
      , m_reason(reason)
      , m_numbers{static_cast<double>(numbers)...}
  {
    static_assert(sizeof...(Numbers) <= most_numbers);
  }
  explicit constexpr operator bool() const { return m_is_yes; }

  // "" where no reason was given.
  std::string reason() const
  {
    TextStream text;
    std::size_t n = 0;
    for (char const* c = m_reason; *c != '\0'; ++c)
      if (*c == '%' && n < most_numbers)
        write(text, m_numbers[n++]);
      else
        text << *c;
    return text.str();
  }

private:
  static constexpr std::size_t most_numbers = 3;

  // Whole numbers in full, others with three digits.
  static void write(std::ostream& text, double number)
  {
    constexpr double most_exact = 1e15;
    if (std::abs(number) < most_exact && number == std::floor(number))
      text << static_cast<long long>(number);
    else
      text << std::setprecision(3) << number;
  }

  bool m_is_yes = false;
  char const* m_reason = "";
  std::array<double, most_numbers> m_numbers = {};
};

// Of an implementation that serves comparisons; only those are asked whose name options have.
inline Verdict only_by_name(bool is_named) { return {is_named, "it runs by its name only"}; }

} // namespace heddle::impl
