// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::perf
{

// Red, green and blue of each pixel, line by line.
struct Image
{
  std::int64_t width = 0, height = 0;
  std::vector<unsigned char> pixels;
};

// The image as a PNG file: 8 bits a colour, compressed by zlib, no filters (W3C, Portable Network
// Graphics Specification, second edition).
std::string png_of(Image const& image);

// "data:image/png;base64,...", which a page can have in place of a file's name.
std::string data_uri(std::string const& png);

} // namespace heddle::perf
