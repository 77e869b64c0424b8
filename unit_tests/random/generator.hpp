// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Random problems. Number n of a seed is the same problem everywhere, whatever ran before it: each
// has a stream of its own, and only integers decide.

#include <support/structures.hpp>

#include <cstdint>
#include <optional>
#include <string>

#include <random/problem.hpp>

namespace heddle::test::random
{

// Draws from one stream.
class Dice
{
public:
  Dice(std::uint64_t seed, std::uint64_t number);
  std::int64_t between(std::int64_t low, std::int64_t high)
  {
    return low + m_random.below(high - low + 1);
  }
  bool percent(std::int64_t chance) { return m_random.below(100) < chance; }
  std::uint64_t word() { return m_random.next(); }
  template <class List>
  auto one_of(List const& list)
  {
    return *(std::begin(list) + between(0, static_cast<std::int64_t>(std::size(list)) - 1));
  }

private:
  Random m_random;
};

// What matrices look like.
enum class Structures
{
  nothing, // 0 x 0
  no_rows,
  no_columns,
  no_entries,
  one_row,
  one_column,
  hollow, // few entries among very many rows and columns
  dense_row,
  dense_column,
  full,
  diagonal,
  uniform,
  banded,
  heavy_tail,     // few rows have most entries
  blocks,         // dense ones
  shared_columns, // groups of neighbouring rows with the same columns
  long_rows       // a few rows of many entries among short ones
};
inline constexpr int structure_kinds = static_cast<int>(Structures::long_rows) + 1;
char const* to_string(Structures kind);

// Sizes and structure of a matrix to draw; a size that is not negative is asked for.
struct Wish
{
  Structures kind = Structures::uniform;
  bool is_large = false; // 10^4 to 10^5 rows
  std::int64_t rows = -1, cols = -1;
};

// What values may be.
struct ValueRange
{
  bool is_complex = false, has_specials = false, has_extremes = true;
};

Wide draw_value(Dice& dice, ValueRange const& range);
// No entry twice; rows sorted, or each in random order.
EntryList draw_matrix(Dice& dice, Wish const& wish, ValueRange const& range);
// The same matrix as coordinates: in the order of rows, of columns or in none, some entries twice.
void scatter_entries(Dice& dice, EntryList& a);

// What is not drawn but given.
struct Focus
{
  std::optional<Type> type = {};
  std::optional<Operation> operation = {};
  std::optional<Format> format = {};
};
// The whole case. Implementations are drawn from those that the build has; what it does not have
// becomes double and CSR.
Problem draw_problem(std::uint64_t seed, std::uint64_t number, Focus const& focus = {});

} // namespace heddle::test::random
