// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/cuda_native/spgemm/terms_policy.hpp>
#include <support/device_shapes.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <cstddef>
#include <cstdint>

using Catch::Matchers::ContainsSubstring;
using heddle::test::h200;
using namespace heddle::cuda_native;

namespace
{

// 10^8 products of 10^6 rows, two per entry of C, rows of B of twenty entries.
TermsQuestion usual()
{
  return {.expected_calls = 0,
          .rows = 1000000,
          .nnz_a = 5000000,
          .products = 100000000,
          .nnz = 50000000,
          .are_merged = false,
          .bytes = 700000000,
          .bytes_of_matrices = 600000000};
}
TermsQuestion with_products_per_entry(std::int64_t per_entry)
{
  TermsQuestion asked = usual();
  asked.nnz = asked.products / per_entry;
  return asked;
}

} // namespace

TEST_CASE("plans keep terms where many calls are expected, or nothing is known of calls",
          "[cuda_native]")
{
  TermsQuestion asked = usual();
  CHECK(terms_pay(h200, asked));
  asked.expected_calls = spgemm_terms_policy.calls_to_pay;
  CHECK(terms_pay(h200, asked));
  --asked.expected_calls;
  CHECK_FALSE(terms_pay(h200, asked));
  CHECK_THAT(terms_pay(h200, asked).reason(), ContainsSubstring("19 calls are expected"));
  CHECK(repays_terms(0)); // not known
  CHECK(repays_terms(20));
  CHECK_FALSE(repays_terms(19));
}

TEST_CASE("plans keep terms where entries of C have few", "[cuda_native]")
{
  CHECK(terms_pay(h200, with_products_per_entry(10)));
  CHECK_FALSE(terms_pay(h200, with_products_per_entry(12)));
  TermsQuestion merged = with_products_per_entry(2);
  merged.are_merged = true;
  CHECK(terms_pay(h200, merged));
  merged = with_products_per_entry(4);
  merged.are_merged = true;
  CHECK_FALSE(terms_pay(h200, merged));
}

TEST_CASE("plans keep terms where other kernels would not fill the device", "[cuda_native]")
{
  TermsQuestion asked = with_products_per_entry(100);
  asked.rows = 4000;
  CHECK(terms_pay(h200, asked));
  asked.rows = 5000;
  CHECK_FALSE(terms_pay(h200, asked));
  asked.rows = 4000;
  asked.nnz_a = 300000; // long rows of B
  CHECK_FALSE(terms_pay(h200, asked));
  asked.products = 8000000;
  CHECK(terms_pay(h200, asked));
  // Short rows of B.
  asked = with_products_per_entry(1000);
  asked.rows = 4000;
  asked.nnz_a = asked.products / 16;
  CHECK(terms_pay(h200, asked));
  asked.nnz_a = asked.products / 17;
  CHECK_FALSE(terms_pay(h200, asked));
  asked.rows = 5000;
  asked.nnz_a = asked.products / 16;
  CHECK_FALSE(terms_pay(h200, asked));
}

TEST_CASE("products are few by the mean rows of A and B", "[cuda_native]")
{
  CHECK(may_have_few_products(100000, 1000, 80000));
  CHECK_FALSE(may_have_few_products(100001, 1000, 80000));
  CHECK(may_have_few_products(0, 0, 0));
}

TEST_CASE("plans keep terms where rows of B are short", "[cuda_native]")
{
  auto const asked = [](std::int64_t of_b, std::int64_t per_entry, bool are_merged) {
    TermsQuestion question = usual();
    question.products = 6000000 * of_b;
    question.nnz = question.products / per_entry;
    question.nnz_a = 6000000;
    question.are_merged = are_merged;
    return question;
  };
  CHECK(terms_pay(h200, asked(16, 100, false)));
  CHECK_FALSE(terms_pay(h200, asked(16, 101, false)));
  CHECK_FALSE(terms_pay(h200, asked(17, 100, false)));
  // Where rows are merged.
  CHECK(terms_pay(h200, asked(6, 100, true)));
  CHECK_FALSE(terms_pay(h200, asked(7, 100, true)));
  CHECK_FALSE(terms_pay(h200, asked(7, 4, true)));
}

TEST_CASE("terms take no more than twice the bytes of the matrices, or 1 GiB", "[cuda_native]")
{
  TermsQuestion asked = usual();
  asked.bytes_of_matrices = 1;
  asked.bytes = std::size_t(1) << 30;
  CHECK(terms_pay(h200, asked));
  ++asked.bytes;
  CHECK_FALSE(terms_pay(h200, asked));
  asked.bytes_of_matrices = asked.bytes / 2 + 1;
  CHECK(terms_pay(h200, asked));
  asked.bytes += 2;
  CHECK_FALSE(terms_pay(h200, asked));
}

TEST_CASE("entries are cut that have many terms, and far more than others", "[cuda_native]")
{
  std::int64_t const least = spgemm_terms_policy.least_terms_to_cut;
  CHECK(terms_to_cut(h200, 1) == least);
  CHECK(terms_to_cut(h200, 1000000) == least);
  // 132 multiprocessors have 8 blocks each at once.
  std::int64_t const blocks = 132 * spgemm_terms_policy.blocks_of_multiprocessor;
  CHECK(terms_to_cut(h200, 100000 * blocks) == 75000);
}
