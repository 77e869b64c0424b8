// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <matrix_market/file_bytes.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace heddle::impl::matrix_market
{

class Inflater;

// The text of a file in memory: mapped, or inflated where the file begins with the magic bytes of
// gzip, whatever its name. Knows how to complain about a position in it.
class TextFile
{
public:
  enum class Extent
  {
    first_lines, // of a compressed file; inflate_more adds to them
    all
  };

  // Throws FileError, and ParseError where compressed data are broken or inflate to more bytes than
  // max_inflated_bytes, the option of MatrixMarketReadOptions.
  TextFile(std::string path, std::optional<std::size_t> max_inflated_bytes, Extent extent);
  ~TextFile();
  TextFile(TextFile const&) = delete;
  TextFile(TextFile&&) = delete;
  TextFile& operator=(TextFile const&) = delete;
  TextFile& operator=(TextFile&&) = delete;

  char const* begin() const { return m_inflater ? m_text.data() : m_bytes.begin(); }
  char const* end() const { return begin() + m_size; }
  std::size_t size() const { return m_size; }
  // Inflates about as much again and moves the text in memory; false where it is whole already.
  // Where it is not, it ends after a line. Throws as the constructor does.
  bool inflate_more();
  std::string const& path() const { return m_path; }
  // The end of the last line that is not blank.
  char const* last_line() const;
  // The number of the line that holds this position; reads all text before it.
  std::int64_t line_of(char const* position) const;
  [[noreturn]] void fail(char const* position, std::string const& problem) const;

private:
  void inflate_beyond(std::size_t bytes);
  [[noreturn]] void fail_to_inflate(char const* problem) const;

  std::string m_path;
  FileBytes m_bytes;
  std::unique_ptr<Inflater> m_inflater; // of a compressed file
  std::size_t m_limit = 0;              // bytes that it may inflate to
  Buffer m_text;
  std::size_t m_inflated = 0; // bytes of m_text
  std::size_t m_size = 0;
};

} // namespace heddle::impl::matrix_market
