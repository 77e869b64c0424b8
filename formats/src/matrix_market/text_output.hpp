// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/impl/output_file.hpp>
#include <matrix_market/gzip_output.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <charconv>
#include <concepts>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::impl::matrix_market
{

// Text on its way to a file, a block at a time; compressed where the path ends in .gz.
class TextOutput
{
public:
  // Throws FileError; so does what writes.
  explicit TextOutput(std::string const& path)
      : m_file(path)
      , m_block(block_size)
  {
    if (path.ends_with(".gz"))
      m_gzip.emplace(m_file);
  }

  void text(std::string_view text)
  {
    if (text.size() > longest)
    {
      flush();
      write(text);
      return;
    }
    make_room();
    std::copy(text.begin(), text.end(), m_block.data() + m_size);
    m_size += text.size();
  }
  void character(char c)
  {
    make_room();
    m_block[m_size++] = c;
  }
  // The shortest digits that give the same number when read.
  template <class Number>
  void number(Number value)
  {
    make_room();
    char* const begin = m_block.data();
    m_size = std::to_chars(begin + m_size, begin + block_size, value).ptr - begin;
  }
  // A floating-point number that is whole, without an exponent.
  template <std::floating_point Real>
  void integer(Real value)
  {
    make_room();
    char* const begin = m_block.data();
    Real const number = value + Real(0); // -0 becomes 0
    m_size =
        std::to_chars(begin + m_size, begin + block_size, number, std::chars_format::fixed).ptr -
        begin;
  }
  void commit()
  {
    flush();
    if (m_gzip)
      m_gzip->finish();
    m_file.commit();
  }

private:
  static constexpr std::size_t block_size = 65536;
  static constexpr std::size_t longest = 512; // 1.8e308 has 309 digits

  void make_room()
  {
    if (block_size - m_size < longest)
      flush();
  }
  void flush()
  {
    write({m_block.data(), m_size});
    m_size = 0;
  }
  void write(std::string_view bytes)
  {
    if (m_gzip)
      m_gzip->write(bytes);
    else
      m_file.write(bytes);
  }

  OutputFile m_file;
  std::optional<GzipOutput> m_gzip;
  std::vector<char> m_block;
  std::size_t m_size = 0;
};

} // namespace heddle::impl::matrix_market
