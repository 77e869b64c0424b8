// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <matrix_market/lexer.hpp>

namespace heddle::impl::matrix_market
{

std::string printable(std::string_view token)
{
  constexpr std::size_t longest = 40;
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (char const c : token.substr(0, longest))
  {
    if (c >= ' ' && c <= '~')
    {
      text += c;
      continue;
    }
    auto const byte = static_cast<unsigned char>(c);
    text += "\\x";
    text += digits[byte >> 4U];
    text += digits[byte & 15U];
  }
  return token.size() > longest ? text + "..." : text;
}

std::string quoted(std::string_view token)
{
  std::string text = "'";
  text += printable(token);
  text += '\'';
  return text;
}

} // namespace heddle::impl::matrix_market
