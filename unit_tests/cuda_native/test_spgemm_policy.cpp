// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/cuda_native/spgemm_policy.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cstdint>

using heddle::SpgemmAccumulator;
using heddle::cuda_native::NumericClass;
using heddle::cuda_native::RowOfProducts;
using heddle::cuda_native::SymbolicClass;
using namespace heddle::cuda_native;

namespace
{

constexpr auto automatic = SpgemmAccumulator::automatic;
// A row of products that stand alone, on a wide matrix.
RowOfProducts scattered(std::int64_t entries, std::int64_t products)
{
  return {entries, products, 1000000, true};
}

} // namespace

TEST_CASE("rows with few products are sorted, others have tables", "[cuda_native]")
{
  CHECK(symbolic_class(automatic, scattered(3, 0), 0) == SymbolicClass::empty);
  CHECK(symbolic_class(automatic, scattered(3, 32), 32) == SymbolicClass::sorted);
  CHECK(symbolic_class(automatic, scattered(3, 33), 33) == SymbolicClass::sorted + 1);
  CHECK(symbolic_class(automatic, scattered(3, 256), 256) == SymbolicClass::sorted + 3);
  // Too many entries of A to be one sequence, or too many products.
  CHECK(symbolic_class(automatic, scattered(65, 65), 65) == SymbolicClass::table);
  CHECK(symbolic_class(automatic, scattered(3, 257), 257) == SymbolicClass::table + 1);
  // Hash tables take two words a slot, a power of two of slots, two thirds of them in use.
  CHECK(symbolic_class(automatic, scattered(100, 9000), 170) == SymbolicClass::table);
  CHECK(symbolic_class(automatic, scattered(100, 9000), 171) == SymbolicClass::table + 1);
  CHECK(symbolic_class(automatic, scattered(100, 90000), 2730) == SymbolicClass::table + 2);
  CHECK(symbolic_class(automatic, scattered(100, 90000), 10922) == SymbolicClass::table + 3);
  CHECK(symbolic_class(automatic, scattered(100, 90000), 10923) == SymbolicClass::windows);
  CHECK(symbolic_class(automatic, {100, 90000, 50000, true}, 10923) == SymbolicClass::table + 3);
}

TEST_CASE("a narrow row has a word for each block of columns", "[cuda_native]")
{
  WordTable const narrow = word_table(automatic, 100, 1024);
  CHECK_FALSE(narrow.is_hashed);
  CHECK(narrow.slots == 1024);
  WordTable const wide = word_table(automatic, 100, 1025);
  CHECK(wide.is_hashed);
  CHECK(wide.slots == 256);
  CHECK(wide.bytes(1) == 2 * 256 * 4);
  CHECK_FALSE(word_table(SpgemmAccumulator::scatter_vector, 100, 1025).is_hashed);
  CHECK(word_table(SpgemmAccumulator::shared_hash, 100, 100).is_hashed);
}

TEST_CASE("sums and table of a row fit its class, or sums go to C", "[cuda_native]")
{
  CHECK(numeric_class(automatic, scattered(3, 64), 40, 0, 8) == NumericClass::empty);
  CHECK(numeric_class(automatic, scattered(3, 64), 40, 40, 8) == NumericClass::searched);
  CHECK(numeric_class(automatic, scattered(3, 256), 40, 40, 8) == NumericClass::searched + 2);
  CHECK(numeric_class(automatic, scattered(3, 257), 40, 40, 8) == NumericClass::table);
  CHECK(numeric_class(automatic, scattered(100, 10000), 40, 3000, 8) == NumericClass::table + 2);
  // The same with values of 16 bytes.
  CHECK(numeric_class(automatic, scattered(100, 10000), 40, 3000, 16) == NumericClass::table + 3);
  CHECK(numeric_class(automatic, scattered(100, 100000), 1000, 30000, 8) == NumericClass::in_place);
  for (std::int64_t count = 1; count < 40000; count = count * 3 / 2 + 1)
  {
    std::int64_t const blocks = count / 7 + 1;
    int const c = numeric_class(automatic, scattered(100, 2 * count + 300), blocks, count, 8);
    std::int64_t const bytes = numeric_table(automatic, blocks, 1000000, count, 8).all_bytes;
    INFO(count << " entries, class " << c << ", " << bytes << " bytes");
    REQUIRE(c >= NumericClass::table);
    if (c < NumericClass::in_place)
      CHECK(bytes <= SpgemmPolicy::table_bytes(c - NumericClass::table));
    else
      CHECK(bytes > SpgemmPolicy::table_bytes(SpgemmPolicy::table_classes - 1));
  }
}

TEST_CASE("an accumulator asked for takes the rows that it can", "[cuda_native]")
{
  using enum SpgemmAccumulator;
  CHECK(symbolic_class(column_windows, scattered(3, 5), 5) == SymbolicClass::windows);
  CHECK(numeric_class(column_windows, scattered(3, 5), 5, 5, 8) == NumericClass::in_place);
  CHECK(symbolic_class(register_merge, scattered(8, 5000), 5000) == SymbolicClass::merged);
  CHECK(symbolic_class(register_merge, scattered(9, 5000), 5000) == SymbolicClass::merged + 1);
  CHECK(numeric_class(register_merge, scattered(128, 5000), 900, 900, 8) ==
        NumericClass::merged + 2);
  // Too many rows of B for registers, or columns out of order.
  CHECK(symbolic_class(register_merge, scattered(129, 5000), 100) == SymbolicClass::table);
  CHECK(symbolic_class(register_merge, {8, 20, 100, false}, 20) == SymbolicClass::sorted);
  CHECK(symbolic_class(shared_hash, scattered(3, 5), 5) == SymbolicClass::table);
  CHECK(symbolic_class(scatter_vector, {3, 5, 2000, true}, 5) == SymbolicClass::table + 1);
  CHECK(symbolic_class(esc, scattered(3, 5), 5) == SymbolicClass::sorted);
}
