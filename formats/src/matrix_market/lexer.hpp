// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstring>
#include <string>
#include <string_view>

namespace heddle::impl::matrix_market
{

// The carriage return counts as a blank: lines may end as on Windows.
inline bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

inline char const* skip_blanks(char const* p, char const* end)
{
  while (p != end && is_blank(*p))
    ++p;
  return p;
}

inline char const* line_end(char const* p, char const* end)
{
  void const* const found = std::memchr(p, '\n', static_cast<std::size_t>(end - p));
  return found == nullptr ? end : static_cast<char const*>(found);
}

inline bool is_token_end(char const* p, char const* end)
{
  return p == end || *p == '\n' || is_blank(*p);
}

inline bool is_line_end(char const* p, char const* end) { return p == end || *p == '\n'; }

// The token that begins here; empty at the end of a line.
inline std::string_view token_at(char const* p, char const* end)
{
  char const* last = p;
  while (!is_token_end(last, end))
    ++last;
  return {p, static_cast<std::size_t>(last - p)};
}

// std::from_chars takes no plus sign.
inline char const* skip_plus(char const* p, char const* end)
{
  bool const has_plus = end - p >= 2 && p[0] == '+' && p[1] != '-';
  return has_plus ? p + 1 : p;
}

// The first character of the next line that is neither blank nor a comment, or end.
inline char const* next_data(char const* p, char const* end)
{
  for (;;)
  {
    p = skip_blanks(p, end);
    if (p == end || (*p != '\n' && *p != '%'))
      return p;
    if (*p == '%')
      p = line_end(p, end);
    if (p != end)
      ++p;
  }
}

// For messages: shortened, and readable whatever the file holds.
std::string printable(std::string_view token);
std::string quoted(std::string_view token);

} // namespace heddle::impl::matrix_market
