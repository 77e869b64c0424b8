// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/error.hpp>
#include <matrix_market/lexer.hpp>
#include <matrix_market/text_file.hpp>

#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

namespace heddle::impl::matrix_market
{

namespace
{

constexpr std::size_t max_step = std::size_t{1} << 30; // zlib counts in unsigned int

bool starts_gzip(char const* p, char const* end)
{
  return end - p >= 2 && p[0] == '\x1f' && p[1] == '\x8b';
}

// RFC 1952: the last four bytes are the size of the text modulo 2^32. Deflate never gets below
// 1/1032 of the text, so a larger claim is no help.
std::size_t expected_size(FileBytes const& bytes)
{
  std::size_t size = 0;
  for (int i = 1; i <= 4 && bytes.size() >= 18; ++i)
    size = size << 8U | static_cast<unsigned char>(*(bytes.end() - i));
  return std::clamp(size, bytes.size(), 1032 * bytes.size());
}

class Inflater
{
public:
  Inflater()
  {
    if (inflateInit2(&m_stream, 15 + 16) != Z_OK) // the largest window, gzip frame
      throw std::bad_alloc();
  }
  ~Inflater() { inflateEnd(&m_stream); }
  Inflater(Inflater const&) = delete;
  Inflater(Inflater&&) = delete;
  Inflater& operator=(Inflater const&) = delete;
  Inflater& operator=(Inflater&&) = delete;

  // Moves `from` and `to` on by what was used and written; zlib's return code.
  int step(char const*& from, char const* from_end, char*& to, char const* to_end)
  {
    // zlib promises not to write to its input, but says so only where ZLIB_CONST is set.
    m_stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(from));
    m_stream.avail_in = static_cast<uInt>(std::min<std::size_t>(from_end - from, max_step));
    m_stream.next_out = reinterpret_cast<Bytef*>(to);
    m_stream.avail_out = static_cast<uInt>(std::min<std::size_t>(to_end - to, max_step));
    int const result = inflate(&m_stream, Z_NO_FLUSH);
    from = reinterpret_cast<char const*>(m_stream.next_in);
    to = reinterpret_cast<char*>(m_stream.next_out);
    return result;
  }
  void restart() { inflateReset(&m_stream); }
  char const* problem() const { return m_stream.msg == nullptr ? "bad data" : m_stream.msg; }

private:
  z_stream m_stream = {};
};

} // namespace

TextFile::TextFile(std::string path, std::size_t limit)
    : m_path(std::move(path))
    , m_bytes(m_path)
    , m_size(m_bytes.size())
    , m_is_inflated(starts_gzip(m_bytes.begin(), m_bytes.end()))
{
  if (m_is_inflated)
    inflate_up_to(limit);
}

// A gzip file is a sequence of members, each a stream of its own, perhaps padded with zeros.
void TextFile::inflate_up_to(std::size_t limit)
{
  Inflater inflater;
  char const* from = m_bytes.begin();
  char const* const from_end = m_bytes.end();
  m_size = 0;
  m_text.reserve(std::min(limit, expected_size(m_bytes)) + 1); // + 1: room is never used up
  for (bool is_inside = true; is_inside || starts_gzip(from, from_end);)
  {
    if (!is_inside)
      inflater.restart();
    if (m_size == m_text.capacity())
      m_text.reserve(2 * m_size);
    char* to = m_text.data() + m_size;
    int const result = inflater.step(from, from_end, to, m_text.data() + m_text.capacity());
    m_size = static_cast<std::size_t>(to - m_text.data());
    if (result == Z_MEM_ERROR)
      throw std::bad_alloc();
    if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR)
      fail_to_inflate(inflater.problem());
    is_inside = result != Z_STREAM_END;
    if (is_inside && from == from_end && m_size < m_text.capacity())
      fail_to_inflate("they end too early");
    if (m_size > limit)
    {
      m_is_cut = true;
      while (m_size > 0 && m_text.data()[m_size - 1] != '\n')
        --m_size;
      return;
    }
  }
  if (std::any_of(from, from_end, [](char c) { return c != '\0'; }))
    fail_to_inflate("something else follows them");
}

void TextFile::fail_to_inflate(char const* problem) const
{
  fail(end(), "cannot decompress the gzip data behind this line: " + std::string(problem));
}

char const* TextFile::last_line() const
{
  char const* place = end();
  while (place != begin() && (place[-1] == '\n' || is_blank(place[-1])))
    --place;
  return place;
}

std::int64_t TextFile::line_of(char const* place) const
{
  return 1 + std::count(begin(), place, '\n');
}

void TextFile::fail(char const* place, std::string const& problem) const
{
  throw ParseError(m_path, line_of(place), problem);
}

} // namespace heddle::impl::matrix_market
