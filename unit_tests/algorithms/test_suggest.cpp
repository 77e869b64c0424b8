// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What suggest_block_size and suggest_sell say must be what to_bsr and to_sell then store.

#include <heddle/convert_bsr.hpp>
#include <heddle/convert_sell.hpp>
#include <heddle/storage.hpp>
#include <heddle/suggest.hpp>
#include <support/instances.hpp>
#include <support/matrices.hpp>
#include <support/messages.hpp>
#include <support/structures.hpp>
#include <support/types.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace heddle::test
{

namespace
{

constexpr FillLimit no_limit{1e9};

// make(shape) is the matrix in the format.
template <class Shape, class Make>
void check_suggestion(Suggestion<Shape> const& suggestion, std::vector<Shape> const& shapes,
                      Make const& make)
{
  REQUIRE(suggestion.candidates.size() == shapes.size());
  std::size_t least = ~std::size_t(0);
  Shape best;
  for (std::size_t n = 0; n < shapes.size(); ++n)
  {
    INFO("candidate " << n);
    auto const& candidate = suggestion.candidates[n];
    auto const a = make(shapes[n]);
    CHECK(candidate.shape == shapes[n]);
    CHECK(candidate.places == a.values().extent(0));
    CHECK(candidate.fill_ratio == fill_ratio(a));
    CHECK(candidate.bytes == storage_bytes(a));
    if (storage_bytes(a) < least)
    {
      least = storage_bytes(a);
      best = shapes[n];
    }
  }
  CHECK(suggestion.recommended().shape == best);
  CHECK(suggestion.recommended().bytes == least);
}

template <class C>
void check_blocks(typename C::exec const& exec, Structure const& s,
                  std::vector<BlockShape> const& shapes)
{
  INFO(s.name);
  auto const a = make_csr<C>(s);
  auto const before = to_host(a);
  check_suggestion(suggest_block_size(exec, a, shapes), shapes,
                   [&](BlockShape const& shape) { return to_bsr(exec, a, shape, no_limit); });
  CHECK(to_host(a) == before);
}
template <class C>
void check_sell(typename C::exec const& exec, Structure const& s,
                std::vector<SellShape> const& shapes)
{
  INFO(s.name);
  auto const a = make_csr<C>(s);
  check_suggestion(suggest_sell(exec, a, shapes), shapes,
                   [&](SellShape const& shape) { return to_sell(exec, a, shape, no_limit); });
}

using C = Case<Device, double, int, std::size_t>;

BlockShape best_blocks(char const* name)
{
  return suggest_block_size(Device{}, make_csr<C>(structure(name))).recommended().shape;
}

} // namespace

} // namespace heddle::test

using namespace heddle::test;
using heddle::BlockShape;
using heddle::SellShape;

TEMPLATE_LIST_TEST_CASE("suggest_block_size counts what to_bsr stores", "[suggest]", Spaces)
{
  using A = Case<TestType, double, int, std::size_t>;
  using B = Case<TestType, Complex64, std::int64_t, int>;
  std::vector<BlockShape> const few = {{1, 1}, {3, 2}, {16, 16}};
  for (Structure const& s : small_structures())
  {
    check_blocks<A>(TestType{}, s, few);
    check_blocks<B>(instance_of_five<TestType>(), shuffled(s, 9), few);
  }
  check_blocks<A>(TestType{}, structure("power law"), heddle::block_candidates());
  check_blocks<A>(TestType{}, structure("banded"), {{7, 300}, {300, 7}, {1000, 1000}});
  check_blocks<A>(instance_of_five<TestType>(), structure("more than 2^16 rows"), {{2, 2}, {3, 8}});
}

TEMPLATE_LIST_TEST_CASE("suggest_sell counts what to_sell stores", "[suggest]", Spaces)
{
  using A = Case<TestType, double, int, std::size_t>;
  using B = Case<TestType, Complex64, std::int64_t, int>;
  std::vector<SellShape> const odd = {
      {7, 3, 1}, {7, 3, 50}, {1, 1, 1}, {5, 1, 50}, {1000, 9, 1000000}};
  for (Structure const& s : small_structures())
    check_sell<B>(instance_of_five<TestType>(), s, odd);
  check_sell<A>(TestType{}, structure("power law"), heddle::sell_candidates());
  check_sell<A>(instance_of_five<TestType>(), structure("more than 2^16 rows"),
                {{32, 1, 1}, {32, 4, 4096}});
}

TEST_CASE("suggest_block_size finds the blocks of a matrix, or that it has none", "[suggest]")
{
  CHECK(best_blocks("blocked") == BlockShape{3, 3});
  CHECK(best_blocks("tall") == BlockShape{1, 1});
  CHECK(best_blocks("no entries") != BlockShape{1, 1}); // fewer row offsets
  CHECK(best_blocks("0 x 7") == BlockShape{1, 1});
}

TEST_CASE("suggest_block_size of 1 x 1 says what CSR takes", "[suggest]")
{
  auto const a = make_csr<C>(structure("power law"));
  auto const suggestion = heddle::suggest_block_size(Device{}, a);
  CHECK(suggestion.candidates[0].shape == BlockShape{1, 1});
  CHECK(suggestion.candidates[0].bytes == heddle::storage_bytes(a));
  CHECK(suggestion.candidates[0].fill_ratio == 1);
}

TEST_CASE("suggestions by hand", "[suggest]")
{
  // The matrix of docs/formats.md: 4 bytes an index, 8 an offset, 8 a value.
  heddle::CsrMatrix<double, int, std::size_t> const a(
      5, 4, to_view<std::size_t, C::space>({0, 2, 2, 5, 6, 7}),
      to_view<int, C::space>({3, 1, 0, 1, 2, 3, 0}),
      to_view<double, C::space>({1, 2, 3, 4, 5, 6, 7}));
  auto const blocks = heddle::suggest_block_size(Device{}, a, {{2, 3}, {5, 4}});
  CHECK(blocks.candidates[0].places == 30); // 5 blocks of 6
  CHECK(blocks.candidates[0].bytes == 4 * 8 + 5 * 4 + 30 * 8);
  CHECK(blocks.candidates[1].places == 20);
  CHECK(blocks.candidates[1].fill_ratio == 20.0 / 7.0);
  CHECK(blocks.best == 1);
  auto const slices = heddle::suggest_sell(Device{}, a, {{2, 2, 1}, {2, 1, 3}});
  CHECK(slices.candidates[0].places == 16);
  CHECK(slices.candidates[0].bytes == 4 * 8 + 5 * 4 + 16 * 12);
  CHECK(slices.candidates[1].places == 10);
  CHECK(slices.candidates[1].bytes == 4 * 8 + 2 * 5 * 4 + 10 * 12);
  CHECK(slices.best == 1);
}

TEST_CASE("suggestions for a default-constructed matrix", "[suggest]")
{
  CsrOf<C> const a;
  CHECK(heddle::suggest_block_size(Device{}, a).recommended().bytes == sizeof(std::size_t));
  CHECK(heddle::suggest_sell(Device{}, a).recommended().bytes == sizeof(std::size_t));
  CHECK(heddle::suggest_sell(Device{}, a).recommended().fill_ratio == 1);
}

TEST_CASE("suggestions refuse shapes that are none", "[suggest]")
{
  auto const a = make_csr<C>(structure("1 x 1"));
  auto const blocks = [&](std::vector<BlockShape> const& shapes) {
    return message_of<heddle::InvalidArgument>(
        [&] { heddle::suggest_block_size(Device{}, a, shapes); });
  };
  auto const slices = [&](std::vector<SellShape> const& shapes) {
    return message_of<heddle::InvalidArgument>([&] { heddle::suggest_sell(Device{}, a, shapes); });
  };
  CHECK(blocks({}) == "heddle::suggest_block_size: no candidates");
  CHECK(blocks({{1, 1}, {2, 0}}) == "heddle::suggest_block_size: blocks of 2 x 0");
  CHECK(slices({}) == "heddle::suggest_sell: no candidates");
  CHECK(slices({{8, 0, 1}}) ==
        "heddle::suggest_sell: slice height 8, alignment 0, sigma 1: all must be positive");
}
