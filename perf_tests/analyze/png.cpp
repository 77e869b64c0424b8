// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <zlib.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

#include <analyze/png.hpp>

namespace heddle::perf
{

namespace
{

// Four bytes, the highest first.
std::string big_endian(std::uint32_t number)
{
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8)
    bytes += static_cast<char>(number >> shift & 0xFFU);
  return bytes;
}

Bytef const* bytes_of(std::string const& text)
{
  return reinterpret_cast<Bytef const*>(text.data()); // zlib's bytes are unsigned
}

std::string chunk(std::string const& kind, std::string const& content)
{
  std::string const body = kind + content;
  uLong const sum = crc32_z(crc32_z(0, nullptr, 0), bytes_of(body), body.size());
  return big_endian(static_cast<std::uint32_t>(content.size())) + body +
         big_endian(static_cast<std::uint32_t>(sum));
}

std::string compressed(std::string const& text)
{
  uLongf size = compressBound(static_cast<uLong>(text.size()));
  std::string result(size, '\0');
  int const status = compress2(reinterpret_cast<Bytef*>(result.data()), &size, bytes_of(text),
                               static_cast<uLong>(text.size()), Z_BEST_COMPRESSION);
  if (status != Z_OK)
    throw std::runtime_error("zlib's compress2 failed with " + std::to_string(status));
  result.resize(size);
  return result;
}

} // namespace

std::string png_of(Image const& image)
{
  std::string lines;
  auto const line = static_cast<std::size_t>(3 * image.width);
  for (std::size_t y = 0; y < static_cast<std::size_t>(image.height); ++y)
  {
    lines += '\0'; // no filter
    lines.append(reinterpret_cast<char const*>(image.pixels.data()) + y * line, line);
  }
  std::string const header = big_endian(static_cast<std::uint32_t>(image.width)) +
                             big_endian(static_cast<std::uint32_t>(image.height)) +
                             std::string("\x08\x02\x00\x00\x00", 5); // 8 bits, colours
  return "\x89PNG\r\n\x1A\n" + chunk("IHDR", header) + chunk("IDAT", compressed(lines)) +
         chunk("IEND", "");
}

std::string data_uri(std::string const& png)
{
  constexpr char const* letters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text = "data:image/png;base64,";
  for (std::size_t at = 0; at < png.size(); at += 3)
  {
    std::uint32_t group = 0;
    for (std::size_t n = 0; n < 3; ++n)
      group = group << 8U | (at + n < png.size() ? static_cast<unsigned char>(png[at + n]) : 0U);
    for (std::size_t n = 0; n < 4; ++n)
      text += at + n > png.size() ? '=' : letters[group >> (18 - 6 * n) & 63U];
  }
  return text;
}

} // namespace heddle::perf
