// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/cuda_native/device/side_streams.cuh>
#include <heddle/cuda_native/spgemm/symbolic_bitmap.cuh>
#include <support/spgemm_patterns.hpp>

#include <catch2/catch_test_macros.hpp>
#include <Kokkos_Core.hpp>

#include <cstddef>

using namespace heddle::cuda_native;
using namespace heddle::test;

namespace
{

// Both passes of the symbolic phase with bitmaps of `words` words, with room for `room` columns.
void check_bitmaps(Pattern const& a, Pattern const& b, int words, bool has_words, std::size_t room)
{
  SymbolicCase const of(a, b);
  of.check(room, true, [&](auto const& sink) {
    Kokkos::Cuda const exec;
    SideStreams side(exec, 1);
    if (has_words)
      find_bitmap(side, of.a.view, of.bitmasks(), of.c_rows.data(), of.list.data(), a.rows(), words,
                  sink);
    else
      find_bitmap(side, of.a.view, of.b.view, of.c_rows.data(), of.list.data(), a.rows(), words,
                  sink);
  });
}

} // namespace

TEST_CASE("columns of narrow rows come out of bitmaps in order", "[cuda_native][spgemm]")
{
  constexpr int per_word = 32;
  unsigned seed = 1;
  for (int const words : {4, 128, 512})
    for (int const most : {1, 3, 9, 40})
    {
      // Blocks from the first to the last are as many as there are words, or fewer.
      int const first = 3 * per_word, width = words * per_word;
      Pattern const a = drawn(300, 9, 0, 200, seed++), b = drawn(200, most, first, width, seed++);
      for (bool const has_words : {false, true})
        for (Pattern const& factor : {b, sorted(b)})
        {
          INFO(words << " words, at most " << most
                     << " entries in a row of B, as words: " << has_words);
          check_bitmaps(a, factor, words, has_words, 1 << 20);
          check_bitmaps(a, factor, words, has_words, 500);
        }
    }
}

TEST_CASE("a bitmap begins at the block of the row's first column", "[cuda_native][spgemm]")
{
  // Far from column 0, whole blocks, and a row of C without any.
  Pattern a, b;
  a.offsets = {0, 2, 2, 3, 4};
  a.columns = {0, 1, 2, 1};
  b.offsets = {0, 2, 34, 35};
  b.columns = {1'000'031, 1'000'000};
  for (int n = 0; n < 32; ++n)
    b.columns.push_back(1'000'064 - 1'000'064 % 32 + n);
  b.columns.push_back(0);
  for (bool const has_words : {false, true})
    check_bitmaps(a, b, 4, has_words, 1000);
}
