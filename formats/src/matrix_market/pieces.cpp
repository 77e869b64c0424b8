// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <matrix_market/lexer.hpp>
#include <matrix_market/parallel.hpp>
#include <matrix_market/piece_bytes.hpp>
#include <matrix_market/pieces.hpp>

#include <algorithm>

namespace heddle::impl::matrix_market
{

namespace
{

std::int64_t count_lines(Piece const& piece)
{
  std::int64_t count = 0;
  for (char const* p = next_data(piece.begin, piece.end); p != piece.end;
       p = next_data(line_end(p, piece.end), piece.end))
    ++count;
  return count;
}

} // namespace

Pieces::Pieces(char const* begin, char const* end)
{
  m_pieces.reserve(static_cast<std::size_t>((end - begin) / piece_bytes + 1));
  while (begin != end)
  {
    char const* last = line_end(begin + std::min<std::int64_t>(piece_bytes, end - begin), end);
    if (last != end)
      ++last;
    m_pieces.push_back({begin, last});
    begin = last;
  }
  Piece* const pieces = m_pieces.data();
  for_each_piece("heddle::read_matrix_market::count", size(),
                 [=](std::int64_t i) { pieces[i].count = count_lines(pieces[i]); });
  for (Piece& piece : m_pieces)
  {
    piece.first = m_lines;
    m_lines += piece.count;
  }
}

char const* Pieces::line(std::int64_t k) const
{
  auto const after = std::ranges::upper_bound(m_pieces, k, {}, &Piece::first);
  Piece const& piece = after[-1];
  char const* p = next_data(piece.begin, piece.end);
  for (std::int64_t n = piece.first; n < k; ++n)
    p = next_data(line_end(p, piece.end), piece.end);
  return p;
}

} // namespace heddle::impl::matrix_market
