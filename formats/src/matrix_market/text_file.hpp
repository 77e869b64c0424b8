// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <matrix_market/file_bytes.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

namespace heddle::impl::matrix_market
{

// The text of a file in memory: mapped, or inflated where the file begins with the magic bytes of
// gzip, whatever its name. Knows how to complain about a place in it.
class TextFile
{
public:
  static constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();

  // Of a compressed file, inflates little more than `limit` bytes and ends after the last whole
  // line of them. Throws FileError, and ParseError where the compressed data are broken.
  explicit TextFile(std::string path, std::size_t limit = no_limit);

  char const* begin() const { return m_is_inflated ? m_text.data() : m_bytes.begin(); }
  char const* end() const { return begin() + m_size; }
  std::size_t size() const { return m_size; }
  // Whether the limit has left something out.
  bool is_cut() const { return m_is_cut; }
  std::string const& path() const { return m_path; }
  // The end of the last line that is not blank.
  char const* last_line() const;
  // The number of the line that holds this place; reads all text before it.
  std::int64_t line_of(char const* place) const;
  [[noreturn]] void fail(char const* place, std::string const& problem) const;

private:
  void inflate_up_to(std::size_t limit);
  [[noreturn]] void fail_to_inflate(char const* problem) const;

  std::string m_path;
  FileBytes m_bytes;
  Buffer m_text;
  std::size_t m_size = 0;
  bool m_is_inflated = false, m_is_cut = false;
};

} // namespace heddle::impl::matrix_market
