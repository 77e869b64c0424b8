// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace heddle::impl
{

// The draws of numpy.random.default_rng(seed), bit for bit, for 0 <= seed < 2^64.
//
// Generator: PCG64 = PCG XSL-RR 128/64 (O'Neill, "PCG: A family of simple fast space-efficient
// statistically good algorithms for random number generation", Harvey Mudd HMC-CS-2014-0905). State
// and increment come from a hash of the seed, numpy's SeedSequence, which is O'Neill's "Developing
// a seed_seq alternative" (2015). How numpy makes doubles, bounded integers and permutations of the
// 64-bit outputs is not written down; it was found by comparing draws (docs/gallery.md), as were
// the order of the words and the half of an output that is used first.
class Pcg64
{
public:
  explicit Pcg64(std::uint64_t seed)
  {
    std::array<std::uint64_t, 4> const words = seed_words(seed);
    m_increment = (join(words[2], words[3]) << 1U) | 1U;
    step();
    m_state += join(words[0], words[1]);
    step();
  }

  // random_raw()
  std::uint64_t next64()
  {
    step();
    auto const folded =
        static_cast<std::uint64_t>(m_state >> 64U) ^ static_cast<std::uint64_t>(m_state);
    auto const turn = static_cast<unsigned>(m_state >> 122U);
    return folded >> turn | folded << ((64U - turn) & 63U);
  }

  // Halves of the 64-bit outputs, the low one first.
  std::uint32_t next32()
  {
    m_has_half = !m_has_half;
    if (!m_has_half)
      return m_half;
    std::uint64_t const both = next64();
    m_half = static_cast<std::uint32_t>(both >> 32U);
    return static_cast<std::uint32_t>(both);
  }

  // random(): a multiple of 2^-53 in [0, 1).
  double next_double() { return static_cast<double>(next64() >> 11U) * 0x1p-53; }

  // integers(0, n) for 1 <= n < 2^32: the high half of a 32-bit draw times n, where draws whose low
  // half would make some results likelier are rejected (Lemire, ACM TOMACS 29(1), 2019).
  std::uint32_t next_below(std::uint32_t n)
  {
    if (n == 1)
      return 0; // without a draw
    std::uint32_t const rejected = (0U - n) % n;
    std::uint64_t product = 0;
    do
      product = static_cast<std::uint64_t>(next32()) * n;
    while (static_cast<std::uint32_t>(product) < rejected);
    return static_cast<std::uint32_t>(product >> 32U);
  }

  // What permutation() takes for its swaps: the low bits of 32-bit draws, until one is below n.
  std::uint32_t next_below_by_mask(std::uint32_t n)
  {
    std::uint32_t mask = n - 1;
    for (unsigned shift = 1; shift < 32; shift *= 2)
      mask |= mask >> shift;
    std::uint32_t draw = 0;
    do
      draw = next32() & mask;
    while (draw >= n);
    return draw;
  }

  // Leaves out this many 64-bit outputs, in a time logarithmic in their number: the step x -> a x +
  // c is composed with itself by repeated doubling (Brown, Trans. Am. Nucl. Soc. 71, 1994).
  void skip(std::uint64_t outputs)
  {
    Word power = multiplier, power_increment = m_increment; // 2^k steps at once
    Word all = 1, all_increment = 0;
    for (; outputs > 0; outputs >>= 1U)
    {
      if ((outputs & 1U) != 0)
      {
        all *= power;
        all_increment = all_increment * power + power_increment;
      }
      power_increment *= power + 1;
      power *= power;
    }
    m_state = all * m_state + all_increment;
    m_has_half = false;
  }

private:
  using Word = unsigned __int128;

  static constexpr Word join(std::uint64_t high, std::uint64_t low)
  {
    return static_cast<Word>(high) << 64U | low;
  }

  // The constants of O'Neill's seed hash: two streams of multipliers and one linear combination.
  static std::array<std::uint64_t, 4> seed_words(std::uint64_t seed)
  {
    constexpr std::uint32_t pool_multiplier = 0x931e8875U, word_multiplier = 0x58f38dedU;
    std::uint32_t factor = 0x43b0d7e5U;
    auto const hash = [&factor](std::uint32_t value, std::uint32_t multiplier) {
      value ^= factor;
      factor *= multiplier;
      value *= factor;
      return value ^ value >> 16U;
    };
    std::array<std::uint32_t, 4> pool = {static_cast<std::uint32_t>(seed),
                                         static_cast<std::uint32_t>(seed >> 32U), 0, 0};
    for (std::uint32_t& word : pool)
      word = hash(word, pool_multiplier);
    for (std::size_t from = 0; from < pool.size(); ++from)
      for (std::size_t to = 0; to < pool.size(); ++to)
        if (from != to)
        {
          std::uint32_t const mixed =
              0xca01f9ddU * pool[to] - 0x4973f715U * hash(pool[from], pool_multiplier);
          pool[to] = mixed ^ mixed >> 16U;
        }

    factor = 0x8b51f9ddU;
    std::array<std::uint64_t, 4> words{};
    for (std::size_t i = 0; i < 2 * words.size(); ++i)
    {
      std::uint64_t const half = hash(pool[i % pool.size()], word_multiplier);
      words[i / 2] |= half << (32U * (i % 2));
    }
    return words;
  }

  void step() { m_state = m_state * multiplier + m_increment; }

  static constexpr Word multiplier =
      static_cast<Word>(0x2360ed051fc65da4U) << 64U | 0x4385df649fccf645U;
  Word m_state = 0, m_increment = 0;
  std::uint32_t m_half = 0;
  bool m_has_half = false;
};

} // namespace heddle::impl
