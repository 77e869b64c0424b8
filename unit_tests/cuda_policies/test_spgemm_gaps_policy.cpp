// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/cuda_native/spgemm/gaps_policy.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <cstdint>

using Catch::Matchers::WithinRel;
using namespace heddle::cuda_native;

namespace
{

// A matrix of 3 x 3 blocks, 75 entries a row.
GapsQuestion question_of(double rows, std::int64_t calls)
{
  return {.entries_a = 75.0 * rows,
          .entries_b = 75.0 * rows,
          .rows = rows,
          .products = 75.0 * 75.0 * rows,
          .bytes_of_value = sizeof(double),
          .calls = calls,
          .are_asked_for = false};
}
NodesWithGaps filled_to(int size, double part) { return {size, part, part * part, part * part}; }

// Rows of a window in chains of these lengths, the first from row 0 on.
template <class... Lengths>
SampledWindow window_of(Lengths... lengths)
{
  SampledWindow window{0, 0};
  int row = 0;
  for (int const length : {lengths...})
  {
    for (int n = 0; n + 1 < length; ++n)
    {
      window.linked |= std::uint32_t(1) << (row + n);
      window.alike += SampledWindow::parts;
    }
    row += length;
  }
  return window;
}

} // namespace

TEST_CASE("padded products are those of rows, columns and the nodes between", "[cuda_native]")
{
  CHECK(filled_to(3, 1.0).padded_products() == 1.0);
  // Half of the rows of each node: half of its columns, and of the nodes that are multiplied by.
  CHECK_THAT(filled_to(4, 0.5).padded_products(), WithinRel(8.0));
  // A tenth of the entries of both is missing.
  NodesWithGaps const holes{3, 1.0, 0.9, 0.9};
  CHECK_THAT(holes.padded_products(), WithinRel(1.0 / 0.81));
}

TEST_CASE("nodes with gaps pay where products are many and zeros few", "[cuda_native]")
{
  CHECK(question_of(2e5, 1).pay(filled_to(3, 1.0)));
  CHECK(question_of(2e5, 1).pay(filled_to(3, 0.9)));
  CHECK_FALSE(question_of(2e5, 1).pay(filled_to(3, 0.5)));
  CHECK_FALSE(question_of(2e5, 1).pay(filled_to(1, 1.0))); // rows one by one
  CHECK_FALSE(question_of(1e3, 1).pay(filled_to(3, 1.0)));
  CHECK(question_of(2e4, 100).pay(filled_to(3, 0.9)));
  GapsQuestion asked_for = question_of(1e3, 1);
  asked_for.are_asked_for = true;
  CHECK(asked_for.pay(filled_to(3, 0.9)));
  CHECK_FALSE(asked_for.pay(filled_to(3, 0.5)));
}

TEST_CASE("rows are sampled for nodes with gaps where these may pay", "[cuda_native]")
{
  CHECK(question_of(2e5, 1).may_pay());
  CHECK_FALSE(question_of(1e3, 1).may_pay());
  GapsQuestion short_rows = question_of(2e7, 1);
  short_rows.entries_b = 15.0 * short_rows.rows;
  CHECK_FALSE(short_rows.may_pay());
  short_rows.are_asked_for = true;
  CHECK(short_rows.may_pay());
}

TEST_CASE("chains of a sample are cut into nodes of the size that takes least", "[cuda_native]")
{
  GapsQuestion const question = question_of(2e5, 1);
  SampledChains threes;
  threes.add(window_of(2, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3)); // the first and the last do not count
  CHECK(threes.best(question).size == 3);
  CHECK(threes.best(question).of_rows == 1.0);
  SampledChains gaps;
  gaps.add(window_of(2, 3, 3, 2, 3, 1, 3, 3, 3, 3, 2, 3, 1));
  CHECK(gaps.best(question).size == 3);
  CHECK_THAT(gaps.best(question).of_rows, WithinRel(29.0 / 33.0, 0.1));
  SampledChains sixes;
  sixes.add(window_of(1, 6, 6, 6, 6, 6, 1));
  CHECK(sixes.best(question).size == 6);
  SampledChains alone;
  alone.add({0, 0});
  CHECK(alone.best(question).padded_products() >= 8.0);
  SampledChains band; // a chain that is longer than the window
  band.add({0x7fffffffU, 31 * SampledWindow::parts});
  CHECK(band.best(question).size > 1);
  CHECK(band.best(question).of_rows > 0.8);
  CHECK(SampledChains{}.best(question).size == 1);
  // Of 1.1 columns that either has two rows have 0.9 in common, so that three have 1.2.
  SampledChains holes;
  SampledWindow window = window_of(2, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3);
  window.alike = static_cast<std::uint32_t>(window.alike * 0.9 / 1.1);
  holes.add(SampledWindow::of(window.word()));
  CHECK(holes.best(question).size == 3);
  CHECK_THAT(holes.best(question).of_entries_a, WithinRel(1.0 / 1.2, 0.01));
}
