// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// How virtual warps of paper 003 take a row (papers/spgemm_scatter_policy.hpp).

#include <heddle/cuda_native/papers/spgemm_scatter_policy.hpp>
#include <heddle/spgemm_options.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cstdint>

using namespace heddle::cuda_native;
using heddle::SpgemmAccumulator;
using heddle::SpgemmOptions;

namespace
{

using Bin = VirtualWarpBin;
using Sizes = VirtualWarpSizes;
constexpr std::int64_t some_columns = 100000;
constexpr int last_size = Sizes::count - 1;

VirtualWarpChoice choice_of(SpgemmAccumulator accumulator, bool deterministic = false)
{
  return {{.accumulator = accumulator, .deterministic = deterministic}, some_columns};
}
VirtualWarpChoice with_warps(int warps, std::int64_t cols)
{
  return {{.accumulator = SpgemmAccumulator::scatter_vector_paper,
           .tuning = {.scatter_vector_paper = {.virtual_warps = warps}}},
          cols};
}
int side_by_side(int size) { return Bin::side_by_side + size - Sizes::first_side_by_side; }

} // namespace

TEST_CASE("virtual warps grow, and so do their scatter vectors", "[cuda_native]")
{
  CHECK(Sizes::threads(0) == spgemm_scatter_policy.least_lanes);
  CHECK(Sizes::threads(Sizes::first_side_by_side) == 32);
  for (int size = 1; size < Sizes::count; ++size)
  {
    INFO(size);
    CHECK(Sizes::threads(size) >= Sizes::threads(size - 1));
    CHECK(Sizes::words(size) > Sizes::words(size - 1));
  }
  for (int const architecture : {70, 80, 86, 90, 100, 120})
    for (int size = 0; size < Sizes::count; ++size)
    {
      INFO(architecture << ", size " << size);
      int const warps = spgemm_scatter_block(Sizes::threads(size)) / Sizes::threads(size);
      CHECK(Sizes::bytes(size, architecture) * warps <=
            architecture_shape(architecture).shared_kib_of_block << 10);
      CHECK(Sizes::bytes(size, architecture) % 32 == 0); // four words of either phase
      CHECK(
          (size == 0 || Sizes::bytes(size, architecture) >= Sizes::bytes(size - 1, architecture)));
    }
  // One of more than a warp waits for its block, and so must be one.
  for (int size = 0; size < Sizes::count; ++size)
    CHECK((Sizes::threads(size) <= 32) ==
          (spgemm_scatter_block(Sizes::threads(size)) != Sizes::threads(size)));
  CHECK(Sizes::least_of(32) == Sizes::first_side_by_side);
  CHECK(Sizes::threads(Sizes::least_of(33)) == 64);
  CHECK(Sizes::threads(Sizes::least_of(512)) == 512);
}

TEST_CASE("a virtual warp has as many threads as rows of B have entries", "[cuda_native]")
{
  VirtualWarpChoice const by_row = choice_of(SpgemmAccumulator::hybrid_sparse_dvw);
  CHECK(by_row.lanes(10, 20) == 8);
  CHECK(by_row.lanes(10, 80) == 8);
  CHECK(by_row.lanes(10, 81) == 16);
  CHECK(by_row.lanes(10, 160) == 16);
  CHECK(by_row.lanes(10, 161) == 32);
  CHECK(by_row.lanes(10, 100000) == spgemm_scatter_policy.most_lanes);
  CHECK(choice_of(SpgemmAccumulator::hybrid_sparse).lanes(10, 20) == 128);
  for (int const warps : {1, 2, 4, 8})
    CHECK(with_warps(warps, some_columns).lanes(10, 20) == 128 / warps);
}

TEST_CASE("HybridSparse sorts rows of few products", "[cuda_native]")
{
  using enum SpgemmAccumulator;
  for (SpgemmAccumulator const accumulator : {hybrid_sparse, hybrid_sparse_dvw, automatic})
  {
    INFO(to_string(accumulator));
    VirtualWarpChoice const choice = choice_of(accumulator);
    CHECK(choice.bin_of({5, 0, 0, 0}) == Bin::empty);
    CHECK(choice.bin_of({5, 1, 1, 1}) == Bin::sorted);
    CHECK(choice.bin_of({5, 32, 100, 4}) == Bin::sorted);
    CHECK(choice.bin_of({5, 33, 100, 4}) == Bin::sorted + 1);
    CHECK(choice.bin_of({5, 256, 100, 4}) == Bin::sorted + Bin::sorted_count - 1);
    CHECK(choice.bin_of({5, 257, 100, 4}) >= Bin::in_turn);
    CHECK(choice.bin_of({64, 256, 100, 4}) < Bin::in_turn);
    CHECK(choice.bin_of({65, 256, 100, 4}) >= Bin::in_turn);
    CHECK(choice.bin_of({5, 256, spgemm_scatter_policy.most_sorted_width, 1 << 16}) < Bin::in_turn);
    CHECK(choice.bin_of({5, 256, spgemm_scatter_policy.most_sorted_width + 1, 1 << 16}) >=
          Bin::in_turn);
  }
  VirtualWarpChoice const all = choice_of(scatter_vector_paper);
  CHECK(all.bin_of({5, 0, 0, 0}) == Bin::empty);
  CHECK(all.bin_of({5, 20, 100, 4}) == Bin::in_turn);
}

TEST_CASE("rows that need more memory or have more products get more threads", "[cuda_native]")
{
  VirtualWarpChoice const choice = choice_of(SpgemmAccumulator::hybrid_sparse_dvw);
  // 300 products of rows of B with 3 entries.
  CHECK(choice.bin_of({100, 300, 1000, Sizes::words(0)}) == Bin::in_turn);
  CHECK(choice.bin_of({100, 300, 1000, Sizes::words(0) + 1}) == Bin::in_turn + 1);
  for (int size = Sizes::first_side_by_side; size < Sizes::count; ++size)
    CHECK(choice.bin_of({100, 300, 1000, Sizes::words(size)}) == side_by_side(size));
  CHECK(choice.bin_of({100, 300, 1000, Sizes::words(last_size) + 1}) == side_by_side(last_size));
  // As many threads as wanted take a row of B together.
  CHECK(choice.bin_of({10, 320, 1000, 10}) == Bin::in_turn + Sizes::first_side_by_side);
  std::int64_t const most = 32 * spgemm_scatter_policy.products_of_thread;
  CHECK(choice.bin_of({10, most, 1000, 10}) == Bin::in_turn + Sizes::first_side_by_side);
  CHECK(choice.bin_of({10, most + 1, 1000, 10}) == side_by_side(Sizes::first_side_by_side + 1));
  // However many there are, memory is not taken for them.
  CHECK(choice.bin_of({10, std::int64_t(1) << 40, 1000, 10}) == side_by_side(Sizes::least_of(512)));
}

TEST_CASE("sums are in order where that is asked for, and of HybridSparse", "[cuda_native]")
{
  using enum SpgemmAccumulator;
  for (std::int64_t const span : {1, 50, 500, 5000, 50000, 500000})
    for (std::int64_t const products : {1, 1000, 1000000})
      for (SpgemmAccumulator const accumulator :
           {hybrid_sparse, hybrid_sparse_dvw, scatter_vector_paper})
      {
        INFO(span << " words, " << products << " products, " << to_string(accumulator));
        CHECK(choice_of(accumulator, true).bin_of({100, products, 32 * span, span}) <
              Bin::side_by_side);
        if (accumulator == hybrid_sparse)
          CHECK(choice_of(accumulator).bin_of({100, products, 32 * span, span}) <
                Bin::side_by_side);
      }
}

TEST_CASE("virtual warps that are asked for have wide vectors", "[cuda_native]")
{
  for (int const warps : {1, 2, 4, 8})
  {
    INFO(warps);
    int const size = Sizes::least_of(128 / warps);
    VirtualWarpChoice const choice = with_warps(warps, 40000);
    CHECK(choice.wide_words * 32 >= 40000 + 31);
    CHECK(choice.wide_words % 4 == 0);
    CHECK(choice.bin_of({10, 20, 1000, Sizes::words(size)}) == Bin::in_turn + size);
    CHECK(choice.bin_of({10, 20, 40000, 1251}) ==
          (Sizes::words(size) < 1251 ? Bin::wide : Bin::in_turn + size));
    // Where a block has no room for them, there are more threads to a row.
    VirtualWarpChoice const of_many = with_warps(warps, 100000000);
    CHECK(of_many.wide_words == 0);
    CHECK(of_many.bin_of({10, 20, 100000000, 3125000}) == side_by_side(last_size));
  }
  CHECK(choice_of(SpgemmAccumulator::hybrid_sparse).wide_words == 0);
  CHECK(choice_of(SpgemmAccumulator::scatter_vector_paper).wide_words == 0);
}
