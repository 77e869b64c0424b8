// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/error.hpp>
#include <matrix_market/lexer.hpp>
#include <matrix_market/piece_bytes.hpp>
#include <matrix_market/text_file.hpp>

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <new>
#include <utility>

namespace heddle::impl::matrix_market
{

namespace
{

constexpr std::size_t max_step = std::size_t{1} << 30; // zlib counts in unsigned int
// More than any memory holds, with room to add to it.
constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max() / 4;

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

// What a compressed file may inflate to where the caller does not say. Only text that repeats
// itself gets below a hundredth of its size. A coordinate file never does, since each of its lines
// has an index of its own; an array of zeros may, and is read up to the size that is harmless.
std::size_t default_limit(std::size_t compressed_size)
{
  constexpr std::size_t harmless = std::size_t{1} << 28;
  return std::max(harmless, 100 * compressed_size);
}

} // namespace

// Inflates the members of a gzip file one after another: each is a stream of its own, and zeros may
// pad the last.
class Inflater
{
public:
  explicit Inflater(FileBytes const& bytes)
      : m_from(bytes.begin())
      , m_end(bytes.end())
  {
    if (inflateInit2(&m_stream, 15 + 16) != Z_OK) // the largest window, gzip frame
      throw std::bad_alloc();
  }
  ~Inflater() { inflateEnd(&m_stream); }
  Inflater(Inflater const&) = delete;
  Inflater(Inflater&&) = delete;
  Inflater& operator=(Inflater const&) = delete;
  Inflater& operator=(Inflater&&) = delete;

  // Whether all members have been inflated.
  bool is_done() const { return m_is_done; }
  // Writes the next bytes of the text to `to`, which has room for some, and moves it on. What is
  // wrong with the data, or a null pointer.
  char const* step(char*& to, char const* to_end)
  {
    // zlib promises not to write to its input, but says so only where ZLIB_CONST is set.
    m_stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(m_from));
    m_stream.avail_in = static_cast<uInt>(std::min<std::size_t>(m_end - m_from, max_step));
    m_stream.next_out = reinterpret_cast<Bytef*>(to);
    m_stream.avail_out = static_cast<uInt>(std::min<std::size_t>(to_end - to, max_step));
    int const result = inflate(&m_stream, Z_NO_FLUSH);
    m_from = reinterpret_cast<char const*>(m_stream.next_in);
    to = reinterpret_cast<char*>(m_stream.next_out);
    if (result == Z_MEM_ERROR)
      throw std::bad_alloc();
    if (result == Z_STREAM_END)
      return finish_member();
    if (result != Z_OK && result != Z_BUF_ERROR)
      return m_stream.msg == nullptr ? "bad data" : m_stream.msg;
    return m_from == m_end && to != to_end ? "they end too early" : nullptr;
  }

private:
  char const* finish_member()
  {
    if (starts_gzip(m_from, m_end))
    {
      inflateReset(&m_stream);
      return nullptr;
    }
    m_is_done = true;
    bool const is_padded = std::all_of(m_from, m_end, [](char c) { return c == '\0'; });
    return is_padded ? nullptr : "something else follows them";
  }

  z_stream m_stream = {};
  char const* m_from;
  char const* m_end;
  bool m_is_done = false;
};

TextFile::TextFile(std::string path, std::optional<std::size_t> max_inflated_bytes, Extent extent)
    : m_path(std::move(path))
    , m_bytes(m_path)
    , m_limit(std::min(max_inflated_bytes.value_or(default_limit(m_bytes.size())), no_limit))
    , m_size(m_bytes.size())
{
  if (!starts_gzip(m_bytes.begin(), m_bytes.end()))
    return;
  auto const few = static_cast<std::size_t>(piece_bytes / 4); // nearly every header ends before
  m_inflater = std::make_unique<Inflater>(m_bytes);
  inflate_beyond(extent == Extent::all ? m_limit : few);
}

TextFile::~TextFile() = default;

bool TextFile::inflate_more()
{
  if (!m_inflater || m_inflater->is_done())
    return false;
  inflate_beyond(2 * m_inflated);
  return true;
}

// Inflates until the text has more than this number of bytes, or ends.
void TextFile::inflate_beyond(std::size_t bytes)
{
  // + 1: there is room left for what says that the text has ended, or that the limit is passed.
  std::size_t const enough = std::min(bytes, m_limit) + 1;
  m_text.reserve(std::min(enough, expected_size(m_bytes) + 1));
  while (!m_inflater->is_done() && m_inflated < enough)
  {
    if (m_inflated == m_text.capacity())
      m_text.reserve(std::min(enough, 2 * m_inflated));
    char* to = m_text.data() + m_inflated;
    char const* const problem = m_inflater->step(to, m_text.data() + m_text.capacity());
    m_size = m_inflated = static_cast<std::size_t>(to - m_text.data());
    if (problem != nullptr)
      fail_to_inflate(problem);
  }
  if (m_inflated > m_limit)
    fail(end(), "the gzip data of " + std::to_string(m_bytes.size()) +
                    " bytes inflate to more than " + std::to_string(m_limit) +
                    ": decompress the file, or raise MatrixMarketReadOptions::max_inflated_bytes");
  while (!m_inflater->is_done() && m_size > 0 && m_text.data()[m_size - 1] != '\n')
    --m_size;
}

void TextFile::fail_to_inflate(char const* problem) const
{
  fail(end(), "cannot decompress the gzip data behind this line: " + std::string(problem));
}

char const* TextFile::last_line() const
{
  char const* position = end();
  while (position != begin() && (position[-1] == '\n' || is_blank(position[-1])))
    --position;
  return position;
}

std::int64_t TextFile::line_of(char const* position) const
{
  return 1 + std::count(begin(), position, '\n');
}

void TextFile::fail(char const* position, std::string const& problem) const
{
  throw ParseError(m_path, line_of(position), problem);
}

} // namespace heddle::impl::matrix_market
