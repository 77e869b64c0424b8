// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gallery/distributions.hpp>
#include <gallery/limits.hpp>
#include <gallery/row_lists.hpp>
#include <gallery/row_random.hpp>
#include <gallery/sizes.hpp>
#include <heddle/gallery.hpp>
#include <heddle/impl/out_of_memory.hpp>

#include <algorithm>
#include <cstdint>
#include <numeric>

// Matrices that are given by the distribution of their row lengths. Each length is drawn from seed
// and row alone, so their sum is known before the matrix is made.

namespace heddle
{

namespace
{

using impl::add_distinct;
using impl::Columns;
using impl::GallerySize;
using impl::GalleryStream;
using impl::LogUniform;
using impl::RowRandom;

// The sum of length(i) over all rows; of many rows, of a part of them that is scaled up.
template <class Length>
GallerySize size_of_lengths(std::int64_t rows, std::int64_t cols, Length const& length)
{
  constexpr std::int64_t most = std::int64_t(1) << 20;
  std::int64_t const step = (rows + most - 1) / most;
  std::int64_t sum = 0, counted = 0;
  for (std::int64_t i = 0; i < rows; i += step, ++counted)
    sum += length(i);
  std::int64_t const entries = step == 1 ? sum : sum / std::max<std::int64_t>(1, counted) * rows;
  return {rows, cols, entries, impl::drawn_bytes(entries), step == 1};
}

// Pareto's distribution with this mean, from its least value on; a mean needs percent > 100.
std::int64_t pareto_length(std::uint64_t seed, std::int64_t row, std::int64_t n, std::int64_t mean,
                           std::int64_t percent)
{
  RowRandom random(seed, GalleryStream::degrees, row);
  double const scale = static_cast<double>(mean * (percent - 100)) / static_cast<double>(percent);
  double const length = impl::pareto(random, scale, percent);
  return std::min(n, impl::round_at_random(random, std::min(length, 1e15)));
}

std::int64_t log_normal_length(std::uint64_t seed, std::int64_t row, std::int64_t most,
                               std::int64_t median, std::int64_t percent)
{
  RowRandom random(seed, GalleryStream::degrees, row);
  double const length = impl::log_normal(random, median, percent);
  return std::min(most, impl::round_at_random(random, std::min(length, 1e15)));
}

// Rows are short or long in runs, as where a mesh has parts of different kinds.
constexpr std::int64_t run = 64;
std::int64_t run_length(std::uint64_t seed, std::int64_t row, std::int64_t short_length,
                        std::int64_t long_length, std::int64_t percent)
{
  return RowRandom(seed, GalleryStream::groups, row / run).chance(percent) ? long_length
                                                                           : short_length;
}

// The first column of the window of row i of n.
std::int64_t window_start(std::int64_t i, std::int64_t n, std::int64_t window)
{
  return std::clamp<std::int64_t>(i - window / 2, 0, n - window);
}

// A bijection of 0 .. n - 1 that sends neighbours far apart, as multiplication with about the
// golden section of n does (Knuth, The Art of Computer Programming 3, 6.4).
class Scrambled
{
public:
  explicit Scrambled(std::int64_t n)
      : m_n(n)
      , m_factor(std::max<std::int64_t>(1, n / 1000 * 618 + n % 1000 * 618 / 1000))
  {
    while (std::gcd(m_factor, n) != 1)
      ++m_factor;
  }
  std::int64_t operator()(std::int64_t i) const { return i * m_factor % m_n; }

private:
  std::int64_t m_n, m_factor;
};

// Appends count different columns, or a few less where the likely ones are drawn too often.
template <class DrawColumn>
void add_likely(std::int64_t count, Columns& columns, DrawColumn const& draw)
{
  auto const begin = static_cast<std::ptrdiff_t>(columns.size());
  constexpr int rounds = 6;
  for (int round = 0; round < rounds; ++round)
  {
    for (auto k = static_cast<std::int64_t>(columns.size()) - begin; k < count; ++k)
      impl::add(columns, draw());
    std::sort(columns.begin() + begin, columns.end());
    columns.erase(std::unique(columns.begin() + begin, columns.end()), columns.end());
  }
}

} // namespace

GallerySize impl::lognormal_size(std::int64_t n, std::int64_t median, std::int64_t percent,
                                 std::int64_t window, std::uint64_t seed)
{
  constexpr char const* function = "generate::lognormal";
  require_between(function, "n", n, 1);
  require_between(function, "median", median, 1, n);
  require_between(function, "percent", percent, 0, 400);
  require_between(function, "window", window, 1, n);
  return size_of_lengths(
      n, n, [=](std::int64_t i) { return log_normal_length(seed, i, window, median, percent); });
}

GallerySize impl::two_lengths_size(std::int64_t n, std::int64_t short_length,
                                   std::int64_t long_length, std::int64_t percent,
                                   std::int64_t window, std::uint64_t seed)
{
  constexpr char const* function = "generate::two_lengths";
  require_between(function, "n", n, 1);
  require_between(function, "window", window, 1, n);
  require_between(function, "short_length", short_length, 0, window);
  require_between(function, "long_length", long_length, 0, window);
  require_between(function, "percent", percent, 0, 100);
  return size_of_lengths(n, n, [=](std::int64_t i) {
    return run_length(seed, i, short_length, long_length, percent);
  });
}

GallerySize impl::pareto_size(std::int64_t n, std::int64_t mean, std::int64_t percent,
                              std::uint64_t seed)
{
  constexpr char const* function = "generate::pareto";
  require_between(function, "n", n, 1);
  require_between(function, "mean", mean, 1, n);
  require_between(function, "percent", percent, 105, 1000);
  return size_of_lengths(n, n,
                         [=](std::int64_t i) { return pareto_length(seed, i, n, mean, percent); });
}

GallerySize impl::scale_free_size(std::int64_t n, std::int64_t mean, std::int64_t percent,
                                  std::uint64_t seed)
{
  constexpr char const* function = "generate::scale_free";
  require_between(function, "n", n, 1);
  require_between(function, "mean", mean, 1, n);
  require_between(function, "percent", percent, 105, 1000);
  GallerySize size = size_of_lengths(
      n, n, [=](std::int64_t i) { return pareto_length(seed, i, n / 4 + 1, mean, percent); });
  size.is_exact = false; // repeats
  return size;
}

GallerySize impl::terms_size(std::int64_t documents, std::int64_t terms, std::int64_t median,
                             std::uint64_t seed)
{
  constexpr char const* function = "generate::terms";
  require_between(function, "documents", documents, 1);
  require_between(function, "terms", terms, 1);
  require_between(function, "median", median, 1, terms);
  GallerySize size = size_of_lengths(documents, terms, [=](std::int64_t i) {
    return log_normal_length(seed, i, terms / 4 + 1, median, 70);
  });
  size.is_exact = false; // repeats
  return size;
}

namespace generate
{

GalleryMatrix lognormal(std::int64_t n, std::int64_t median, std::int64_t percent,
                        std::int64_t window, std::uint64_t seed)
try
{
  impl::require_size("generate::lognormal", impl::lognormal_size(n, median, percent, window, seed));
  auto const lists = impl::draw_rows(n, n, [=](std::int64_t i, Columns& columns) {
    RowRandom random(seed, GalleryStream::columns, i);
    add_distinct(random, window_start(i, n, window), window,
                 log_normal_length(seed, i, window, median, percent), columns);
  });
  return impl::with_values(lists, seed);
}
catch (...)
{
  impl::rethrow_out_of_memory("lognormal");
}

GalleryMatrix two_lengths(std::int64_t n, std::int64_t short_length, std::int64_t long_length,
                          std::int64_t percent, std::int64_t window, std::uint64_t seed)
try
{
  impl::require_size("generate::two_lengths",
                     impl::two_lengths_size(n, short_length, long_length, percent, window, seed));
  auto const lists = impl::draw_rows(n, n, [=](std::int64_t i, Columns& columns) {
    RowRandom random(seed, GalleryStream::columns, i);
    add_distinct(random, window_start(i, n, window), window,
                 run_length(seed, i, short_length, long_length, percent), columns);
  });
  return impl::with_values(lists, seed);
}
catch (...)
{
  impl::rethrow_out_of_memory("two_lengths");
}

GalleryMatrix pareto(std::int64_t n, std::int64_t mean, std::int64_t percent, std::uint64_t seed)
try
{
  impl::require_size("generate::pareto", impl::pareto_size(n, mean, percent, seed));
  auto const lists = impl::draw_rows(n, n, [=](std::int64_t i, Columns& columns) {
    RowRandom random(seed, GalleryStream::columns, i);
    add_distinct(random, 0, n, pareto_length(seed, i, n, mean, percent), columns);
  });
  return impl::with_values(lists, seed);
}
catch (...)
{
  impl::rethrow_out_of_memory("pareto");
}

GalleryMatrix scale_free(std::int64_t n, std::int64_t mean, std::int64_t percent,
                         std::uint64_t seed)
try
{
  impl::require_size("generate::scale_free", impl::scale_free_size(n, mean, percent, seed));
  Scrambled const place(n);
  // Column of rank r with a weight of r^(-b), b = 100 / percent: r = n u^(1 / (1 - b)).
  auto const lists = impl::draw_rows(n, n, [&](std::int64_t i, Columns& columns) {
    RowRandom random(seed, GalleryStream::columns, i);
    add_likely(pareto_length(seed, i, n / 4 + 1, mean, percent), columns, [&] {
      std::int64_t const exponent = impl::log2_of_uniform(random) * percent / (percent - 100);
      auto const share = impl::exact_exp2(std::max(exponent, -60 * impl::exponent_unit));
      return place(std::min(n - 1, static_cast<std::int64_t>(static_cast<double>(n) * share)));
    });
  });
  return impl::with_values(lists, seed);
}
catch (...)
{
  impl::rethrow_out_of_memory("scale_free");
}

GalleryMatrix terms(std::int64_t documents, std::int64_t terms, std::int64_t median,
                    std::uint64_t seed)
try
{
  impl::require_size("generate::terms", impl::terms_size(documents, terms, median, seed));
  Scrambled const place(terms);
  LogUniform const rank(1, terms); // Zipf's law
  auto const lists = impl::draw_rows(documents, terms, [&](std::int64_t i, Columns& columns) {
    RowRandom random(seed, GalleryStream::columns, i);
    add_likely(log_normal_length(seed, i, terms / 4 + 1, median, 70), columns,
               [&] { return place(rank(random) - 1); });
  });
  return impl::with_values(lists, seed);
}
catch (...)
{
  impl::rethrow_out_of_memory("terms");
}

} // namespace generate

} // namespace heddle
