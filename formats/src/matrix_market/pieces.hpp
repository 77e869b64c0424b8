// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <vector>

namespace heddle::impl::matrix_market
{

// Whole lines of a text.
struct Piece
{
  char const* begin = nullptr;
  char const* end = nullptr;
  std::int64_t first = 0; // the number of its first data line among all
  std::int64_t count = 0; // how many data lines it has: not blank, no comment
};

// The body of a file, cut at line ends into pieces that threads take one after another. Where they
// are cut depends on the text alone, not on the number of threads. Counting the lines first costs
// a twentieth of the parsing and says where each piece's entries go, so nothing is copied later.
class Pieces
{
public:
  // Of about piece_bytes each.
  Pieces(char const* begin, char const* end);

  std::int64_t size() const { return static_cast<std::int64_t>(m_pieces.size()); }
  Piece const& operator[](std::int64_t i) const { return m_pieces[static_cast<std::size_t>(i)]; }
  // All data lines there are.
  std::int64_t lines() const { return m_lines; }
  // Where data line k begins, behind its leading blanks.
  char const* line(std::int64_t k) const;

private:
  std::vector<Piece> m_pieces;
  std::int64_t m_lines = 0;
};

} // namespace heddle::impl::matrix_market
