// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/matrix_market.hpp>
#include <matrix_market/text_file.hpp>

#include <string>

namespace heddle::impl::matrix_market
{

// The header of a text and where things stand in it.
struct ParsedHeader
{
  MatrixMarketHeader header;
  char const* size_line = nullptr;
  char const* body = nullptr; // what follows the size line
};

ParsedHeader parse_header(TextFile const& text);

char const* name_of(MatrixMarketFormat format);
char const* name_of(MatrixMarketField field);
char const* name_of(MatrixMarketSymmetry symmetry);

// What the format does not allow, as a sentence; empty if all is well.
std::string conflict(MatrixMarketFormat format, MatrixMarketField field,
                     MatrixMarketSymmetry symmetry);

// The first row of a column that an array file stores.
inline std::int64_t first_stored_row(MatrixMarketSymmetry symmetry, std::int64_t column)
{
  if (symmetry == MatrixMarketSymmetry::general)
    return 0;
  return symmetry == MatrixMarketSymmetry::skew_symmetric ? column + 1 : column;
}

} // namespace heddle::impl::matrix_market
