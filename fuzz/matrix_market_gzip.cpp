// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Compressed files. Bytes that begin as gzip does are read as they are, and what is taken is the
// matrix of the text that zlib's own reader finds in them. Other bytes are text: compressed in
// members of any sizes it is the same as plain, and refused one byte below its size.

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <fuzz/matrix_market_support.hpp>

namespace heddle::fuzz
{

namespace
{

// One member with this text, at any level of compression.
std::string member(std::string_view text, int level)
{
  z_stream stream = {};
  int const windows = 15 + 16; // the largest, gzip frame
  check(deflateInit2(&stream, level, Z_DEFLATED, windows, 8, Z_DEFAULT_STRATEGY) == Z_OK,
        "zlib compresses");
  std::string bytes(deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(bytes.data());
  stream.avail_out = static_cast<uInt>(bytes.size());
  check(deflate(&stream, Z_FINISH) == Z_STREAM_END, "zlib compresses a whole text");
  bytes.resize(stream.total_out);
  deflateEnd(&stream);
  return bytes;
}

// Members whose sizes and levels follow from the text.
std::string compressed(std::string_view text)
{
  std::size_t seed = text.size();
  for (char const c : text)
    seed = 31 * seed + static_cast<unsigned char>(c);
  std::string bytes;
  do
  {
    std::size_t const size = std::min(text.size(), seed % (text.size() + 1) + seed % 3);
    bytes += member(text.substr(0, size), static_cast<int>(seed % 10));
    text.remove_prefix(size);
    seed = seed * 6364136223846793005U + 1442695040888963407U;
  } while (!text.empty());
  return bytes;
}

// The text of a compressed file as zlib's gzread finds it.
std::string inflated(std::string const& path)
{
  gzFile file = gzopen(path.c_str(), "rb");
  check(file != nullptr, "zlib opens the file");
  std::string text;
  std::array<char, 65536> block{};
  for (int got = 0; (got = gzread(file, block.data(), block.size())) > 0;)
    text.append(block.data(), static_cast<std::size_t>(got));
  gzclose(file);
  return text;
}

void test_bytes(std::string_view bytes)
{
  std::size_t const limit = 1 << 16;
  auto const& path = files().input.hold(bytes);
  auto const whole = read_sparse<Complex>(path, {.max_inflated_bytes = limit});
  auto const header = read_header(path, {.max_inflated_bytes = limit});
  check(!whole || bool(header), "the header of a good file is good");
  if (!whole)
    return;
  check_header(header, whole);
  auto const text = inflated(path);
  check(text.size() <= limit, "the limit is kept");
  auto const plain = read_sparse<Complex>(files().second_input.hold(text));
  check(is_same_outcome(whole, plain), "zlib finds the same text");
}

void test_text(std::string_view text)
{
  auto const& plain_path = files().second_input.hold(text);
  auto const plain = read_sparse<Complex>(plain_path);
  auto const plain_header = read_header(plain_path);
  auto const& path = files().input.hold(compressed(text));
  check(is_same_outcome(plain, read_sparse<Complex>(path, {.max_inflated_bytes = text.size()})),
        "a compressed text is the text");
  auto const header = read_header(path);
  check(header.value == plain_header.value && header.problem == plain_header.problem,
        "its header is that of the text");
  if (text.empty())
    return;
  auto const refused = read_sparse<Complex>(path, {.max_inflated_bytes = text.size() - 1});
  check(refused.problem.find("inflate to more than") != std::string::npos, "the limit is kept");
}

} // namespace

} // namespace heddle::fuzz

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size)
{
  heddle::impl::matrix_market::piece_bytes = 48;
  std::string_view const bytes(reinterpret_cast<char const*>(data), size);
  if (bytes.starts_with("\x1f\x8b"))
    heddle::fuzz::test_bytes(bytes);
  else
    heddle::fuzz::test_text(bytes);
  return 0;
}
