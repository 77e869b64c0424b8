// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <random/generator.hpp>
#include <random/subjects.hpp>

namespace heddle::test::random
{

namespace
{

// Each as often as its weight says.
Operation draw_operation(Dice& dice)
{
  constexpr std::pair<Operation, int> weights[] = {
      {Operation::spmv, 25},     {Operation::spmm, 25},   {Operation::spmm_both, 4},
      {Operation::convert, 14},  {Operation::spgemm, 16}, {Operation::associate, 4},
      {Operation::transpose, 4}, {Operation::permute, 3}, {Operation::reorder, 2},
      {Operation::suggest, 1},   {Operation::files, 1},   {Operation::balanced_rows, 1}};
  std::int64_t n = dice.between(0, 99);
  for (auto const& [operation, weight] : weights)
    if ((n -= weight) < 0)
      return operation;
  return Operation::spmv;
}

// What the build does not have becomes what it has.
void take_what_is_there(Problem& p)
{
  if (find_subject(p.type, p.operation, p.format) == nullptr)
    p.type = Type::f64;
  if (find_subject(p.type, p.operation, p.format) == nullptr)
    p.format = Format::csr;
}

Wide draw_scalar(Dice& dice)
{
  constexpr std::array some = {Wide(0), Wide(1), Wide(-1), Wide(2.5, 1.5)};
  std::int64_t const n = dice.between(0, 5);
  if (n < static_cast<std::int64_t>(some.size()))
    return some[static_cast<std::size_t>(n)];
  return static_cast<double>(dice.between(-9, 9));
}

void draw_shape(Dice& dice, Problem& p)
{
  constexpr std::array<std::int64_t, 7> windows = {1, 2, 7, 32, 64, 1000, 100000};
  constexpr std::array<std::int64_t, 6> heights = {8, 32, 32, 32, 64, 256};
  switch (p.format)
  {
  case Format::bsr:
    p.shape = {dice.between(1, 9), dice.between(1, 9), 1};
    if (dice.percent(50)) // squares have kernels of their own
      p.shape[1] = p.shape[0];
    break;
  case Format::sell:
    p.shape = {dice.between(1, 40), dice.between(1, 8), dice.one_of(windows)};
    if (dice.percent(50))
      p.shape[0] = dice.one_of(heights);
    break;
  case Format::hyb: // -1: chosen by heddle
    p.shape[0] = dice.between(-1, 20);
    break;
  case Format::row_segmented: // 0: chosen by the model
    p.shape = {dice.between(0, 64), dice.between(0, 6), 1};
    break;
  default:
    break;
  }
}

// Formats that would be far larger than their entries give way to others.
void limit_fill(Problem& p)
{
  constexpr std::int64_t most = 4000000;
  std::vector<std::int64_t> lengths(static_cast<std::size_t>(p.a.rows));
  std::int64_t longest = 0;
  for (Entry const& entry : p.a.entries)
    longest = std::max(longest, ++lengths[static_cast<std::size_t>(entry.row)]);
  auto const entries = static_cast<std::int64_t>(p.a.entries.size());
  if (p.format == Format::ell && longest * p.a.rows > most)
  {
    p.format = Format::sell;
    p.shape = {8, 1, 1};
  }
  if (p.format == Format::bsr && entries * p.shape[0] * p.shape[1] > most)
    p.shape = {2, 2, 1};
}

std::vector<std::int64_t> lengths_by(EntryList const& a, bool by_row)
{
  std::vector<std::int64_t> lengths(static_cast<std::size_t>(by_row ? a.rows : a.cols));
  for (Entry const& entry : a.entries)
    ++lengths[static_cast<std::size_t>(by_row ? entry.row : entry.column)];
  return lengths;
}

// Keeps every n-th entry of B, where the product would be much work for the oracle.
void limit_products(Problem& p)
{
  constexpr std::int64_t most = 200000;
  auto const of_a = lengths_by(p.a, is_transposed(p.op));
  auto const of_b = lengths_by(p.b, !is_transposed(p.op_b));
  std::int64_t products = 0;
  for (std::size_t k = 0; k < of_a.size(); ++k)
    products += of_a[k] * of_b[k];
  auto const step = static_cast<std::size_t>(products / most + 1);
  std::size_t n = 0;
  if (step > 1)
    std::erase_if(p.b.entries, [&](Entry const&) { return n++ % step != 0; });
}

Wish draw_wish(Dice& dice, Operation operation)
{
  Wish wish{static_cast<Structures>(dice.between(0, structure_kinds - 1))};
  bool const is_large = dice.percent(2);
  wish.is_large = is_large && wish.kind >= Structures::diagonal && operation != Operation::files;
  return wish;
}

void draw_factors(Dice& dice, Problem& p, ValueRange const& range)
{
  Wish const wish = draw_wish(dice, p.operation);
  p.a = draw_matrix(dice, wish, range);
  if (!is_product(p.operation))
    return;
  Wish other = draw_wish(dice, p.operation);
  other.is_large = false;
  if (p.operation == Operation::spgemm)
  {
    p.op = dice.one_of(all_ops);
    p.op_b = dice.one_of(all_ops);
  }
  std::int64_t const inner = is_transposed(p.op) ? p.a.rows : p.a.cols;
  (is_transposed(p.op_b) ? other.cols : other.rows) = inner;
  p.b = draw_matrix(dice, other, range);
  limit_products(p);
}

void draw_product_options(Dice& dice, Problem& p)
{
  if (dice.percent(60))
    p.accumulator = dice.one_of(spgemm_accumulators);
  constexpr std::array warps = {0, 1, 2, 4, 8};
  if (p.accumulator == SpgemmAccumulator::scatter_vector_paper)
    p.virtual_warps = dice.one_of(warps);
  p.reuse = dice.percent(20);
  if (dice.percent(15))
    p.max_workspace_bytes = static_cast<std::size_t>(dice.between(0, 20000));
  p.expected_calls = dice.percent(50) ? 1 : 0; // plans for one call keep no terms
}

void draw_call(Dice& dice, Problem& p)
{
  constexpr std::array<std::int64_t, 17> widths = {0,  1,  2,  3,  4,  5,  7,  8, 9,
                                                   16, 17, 31, 32, 33, 40, 64, 65};
  constexpr std::int64_t most_values = 400000;
  p.op = dice.one_of(all_ops);
  p.alpha = draw_scalar(dice);
  p.beta = draw_scalar(dice);
  p.columns = p.operation == Operation::spmv ? 1 : dice.one_of(widths);
  while (p.columns > 1 && p.columns * std::max(p.a.rows, p.a.cols) > most_values)
    p.columns /= 2;
  p.in = dice.one_of(placements);
  p.out = dice.percent(50) ? p.in : dice.one_of(placements);
  p.transposed = dice.percent(30);
  p.may_convert = p.operation == Operation::spmv && p.format == Format::csr && dice.percent(15);
  if (p.operation == Operation::spmm_both && !is_transposed(p.op))
    p.op = Op::transpose;
}

void draw_implementation(Dice& dice, Problem& p)
{
  std::uint64_t const draw = dice.word(); // always one, so that builds draw the same of the rest
  std::int64_t const chance = dice.between(0, 99);
  p.deterministic = dice.percent(25);
  auto const names = find_subject(p.type, p.operation, p.format)->names(p.operation);
  if (chance < 50 && !names.empty())
    p.implementation = names[draw % names.size()];
  else if (chance < 60)
    p.backend = draw % 4 == 0 ? Backend::cuda_native : Backend::portable;
}

} // namespace

Problem draw_problem(std::uint64_t seed, std::uint64_t number, Focus const& focus)
{
  Dice dice(seed, number);
  Problem p;
  if (dice.percent(40))
    p.type = dice.one_of(types);
  p.type = focus.type.value_or(p.type);
  p.operation = focus.operation.value_or(draw_operation(dice));
  if (has_format(p.operation))
    p.format = focus.format.value_or(dice.one_of(formats));
  take_what_is_there(p);
  draw_shape(dice, p);
  // (A B) x and A (B x) may differ in NaN.
  p.has_specials = dice.percent(15) && p.type != Type::c128 && p.operation != Operation::associate;
  p.seed = dice.word() | 1U;
  draw_factors(
      dice, p,
      {p.type == Type::c128, p.has_specials, !(p.type == Type::f32 && is_product(p.operation))});
  if (has_format(p.operation))
  {
    p.from_coordinates = dice.percent(25);
    if (p.from_coordinates || p.format == Format::coo)
      scatter_entries(dice, p.a);
    limit_fill(p);
    take_what_is_there(p);
    draw_call(dice, p);
  }
  if (p.operation == Operation::spgemm)
    draw_product_options(dice, p);
  draw_implementation(dice, p);
  p.shifted_arrays = dice.percent(20);
  p.no_offsets = dice.percent(30);
  p.other_instance = dice.percent(15);
  p.extra = dice.one_of(extras);
  return p;
}

} // namespace heddle::test::random
