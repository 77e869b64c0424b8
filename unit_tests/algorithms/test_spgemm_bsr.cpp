// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// C = A B of two BsrMatrix.

#include <heddle/copy.hpp>
#include <support/bsr_product.hpp>
#include <support/instances.hpp>
#include <support/messages.hpp>
#include <support/types.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace heddle::test
{

namespace
{

using C = DoubleCase<Device>;
using Matrix = BsrOf<C>;

template <class Call>
std::string refusal(Call const& call)
{
  return message_of<InvalidArgument>(call);
}

bool has(std::string const& text, std::string const& part)
{
  return text.find(part) != std::string::npos;
}

// Beside double, which Types has: every value type, and both kinds of offsets.
#if defined(HEDDLE_TEST_FEW_TYPES)
using OtherValues = std::tuple<Case<Device, Complex128, int, std::size_t>>;
#else
using OtherValues =
    std::tuple<Case<Device, float, int, int>, Case<Device, Complex64, int, std::size_t>,
               Case<Device, Complex128, int, int>>;
#endif

// A View with room behind it, which nobody may write to.
Kokkos::View<double*, C::space> guarded(std::size_t n, std::size_t behind)
{
  Kokkos::View<double*, C::space> const all("heddle::test::guarded", n + behind);
  Kokkos::deep_copy(all, -98765.0);
  return all;
}

Matrix on_values(Matrix const& c, Kokkos::View<double*, C::space> const& values)
{
  return Matrix(c.num_rows(), c.num_cols(), c.shape(), c.row_offsets(), c.columns(), values,
                c.nnz());
}

} // namespace

} // namespace heddle::test

using namespace heddle::test;
using heddle::BlockShape;
using heddle::Op;
using heddle::spgemm;
using heddle::SpgemmPlan;

TEMPLATE_LIST_TEST_CASE("spgemm of BSR agrees with the oracle", "[spgemm][bsr]", Types)
{
  auto const exec = instance_of_five<typename TestType::exec>();
  for (Structure const& s : small_structures())
    for (ProductBlocks const& shape : {ProductBlocks{3, 3, 3}, ProductBlocks{2, 3, 4}})
    {
      check_bsr_products<TestType>(exec, s, transposed(s), shape);
      if (s.rows == s.cols)
        check_bsr_products<TestType>(exec, s, s, shape);
    }
}

TEMPLATE_LIST_TEST_CASE("spgemm of BSR takes every value type", "[spgemm][bsr]", OtherValues)
{
  auto const exec = instance_of_five<typename TestType::exec>();
  for (char const* const name : {"power law", "wide", "blocked", "empty rows", "0 x 7"})
    for (ProductBlocks const& shape : {ProductBlocks{2, 2, 2}, ProductBlocks{3, 3, 3},
                                       ProductBlocks{5, 5, 5}, ProductBlocks{3, 2, 1}})
      check_bsr_products<TestType>(exec, structure(name), transposed(structure(name)), shape);
}

TEST_CASE("spgemm of BSR takes blocks of any shape", "[spgemm][bsr]")
{
  Device const exec{};
  std::vector<ProductBlocks> shapes{{17, 17, 17}, {1, 40, 1}, {40, 3, 5}, {1, 6, 2}, {7, 1, 9}};
  for (int n = 1; n <= 8; ++n)
    shapes.push_back({n, n, n});
  Structure const a = random_structure("10 a row", 83, 131, 10, 61);
  Structure const b = shuffled(random_structure("8 a row", 131, 95, 8, 62), 63);
  for (ProductBlocks const& shape : shapes)
    check_bsr_products<C>(exec, a, b, shape);
}

TEST_CASE("spgemm of BSR takes random matrices in random blocks", "[spgemm][bsr]")
{
  Device const exec{};
  Random random(67);
  std::vector<Op> const ops(std::begin(all_ops), std::end(all_ops));
  for (int n = 0; n < 80; ++n)
  {
    auto const size = [&] { return random.below(4) == 0 ? random.below(4) : random.below(90); };
    std::int64_t const rows = size(), inner = size(), cols = size();
    auto const op = [&] { return random.below(2) == 0 ? Op::none : ops[random.below(4)]; };
    auto const matrix = [&](std::int64_t m, std::int64_t k, Op taken_as) {
      std::int64_t const stored_rows = is_transposed(taken_as) ? k : m;
      std::int64_t const stored_cols = is_transposed(taken_as) ? m : k;
      return shuffled(random_structure("random", stored_rows, stored_cols,
                                       std::min(stored_cols, random.below(12)), random.next()),
                      random.next());
    };
    heddle::SpgemmOptions const options{.op_a = op(), .op_b = op()};
    auto const side = [&] { return static_cast<int>(1 + random.below(9)); };
    int const height = side(), depth = random.below(2) == 0 ? height : side();
    int const width = random.below(2) == 0 ? height : side();
    INFO("case " << n << ", " << to_string(options.op_a) << " " << to_string(options.op_b));
    check_bsr_products<C>(exec, matrix(rows, inner, options.op_a),
                          matrix(inner, cols, options.op_b), {height, depth, width}, options);
  }
}

// More blocks of B than are looked up at once, and more of C than a team's table in scratch has.
TEST_CASE("spgemm of BSR takes long rows of blocks", "[spgemm][bsr]")
{
  Structure const a = random_structure("5 a row", 7, 40, 5, 64);
  check_bsr_products<C>(Device{}, a, random_structure("600 a row", 40, 9000, 600, 65), {2, 2, 2});
  check_bsr_products<C>(Device{}, a, random_structure("far apart", 40, 2000000, 300, 66),
                        {2, 3, 4});
}

// On CUDA these have a native kernel, whose sums are in shared memory or, in long rows, in C
// itself.
TEMPLATE_LIST_TEST_CASE("spgemm of BSR takes square blocks that end where the matrices do",
                        "[spgemm][bsr]", OtherValues)
{
  auto const exec = instance_of_five<typename TestType::exec>();
  for (int const size : {2, 3, 4, 6})
  {
    auto const random = [size](std::int64_t block_rows, std::int64_t block_cols, std::int64_t a_row,
                               std::int64_t seed) {
      return shuffled(random_structure(std::to_string(a_row) + " a row", size * block_rows,
                                       size * block_cols, a_row, seed),
                      seed + 1);
    };
    ProductBlocks const shape{size, size, size};
    check_bsr_products<TestType>(exec, random(50, 40, 7, 70), random(40, 70, 5, 72), shape);
    check_bsr_products<TestType>(exec, random(70, 70, 12, 74), random(70, 70, 12, 74), shape,
                                 {.op_a = Op::conjugate_transpose});
    check_bsr_products<TestType>(exec, random(3, 30, 20, 76), random(30, 2500, 300, 78), shape);
    check_bsr_products<TestType>(exec, random(3, 5, 0, 80), random(5, 4, 3, 82), shape);
    check_bsr_products<TestType>(exec, random(0, 5, 0, 84), random(5, 4, 3, 86), shape);
  }
}

TEST_CASE("a native kernel takes square blocks of BSR, and says what it leaves to others",
          "[spgemm][bsr]")
{
  Device const exec{};
  std::string const native = "cuda_native::bsr_panels";
  // As many blocks in rows of C as 16 bits number, and more.
  Structure const a = random_structure("full", 2, 200, 200, 88);
  auto const in_twos = make_bsr<C>(a, {2, 2});
  for (auto const& [cols, is_native] : {std::pair{131070, true}, std::pair{140000, false}})
  {
    Structure const s = random_structure("500 a row", 200, cols, 500, 90);
    auto const b = make_bsr<C>(s, {2, 2});
    SpgemmPlan const plan(exec, in_twos, b);
    auto const c = spgemm(exec, in_twos, b);
    CHECK(difference_in_blocks(reference_product<double>(a, s, 1.0),
                               product_of_sets(block_sets(a, {2, 2}), block_sets(s, {2, 2})),
                               c) == "");
    if (bsr_product_names<C>({2, 2, 2}, 2, 200, cols).front() == native)
      CHECK((plan.implementation_name() == native) == is_native);
  }
  auto const b = make_bsr<C>(random_structure("3 a row", 200, 20, 3, 92), {2, 2});
  if (bsr_product_names<C>({2, 2, 2}, 2, 200, 20).front() == native)
  {
    CHECK(SpgemmPlan(exec, in_twos, b).implementation_name() == native);
    CHECK(has(SpgemmPlan(exec, in_twos, b).describe(), "1 nodes of 2 rows have their sums"));
    CHECK(SpgemmPlan(exec, in_twos, b, {.max_workspace_bytes = 2000}).implementation_name() !=
          native);
    CHECK(has(message_of<heddle::Unsupported>([&] {
                SpgemmPlan(exec, make_bsr<C>(a, {3, 2}), b, {.implementation = native});
              }),
              native + " for backend automatic: blocks are not square"));
    CHECK_THROWS_AS(SpgemmPlan(exec, make_bsr<C>(random_structure("odd", 3, 200, 5, 94), {2, 2}), b,
                               {.implementation = native}),
                    heddle::Unsupported);
  }
}

TEMPLATE_TEST_CASE("spgemm of BSR takes transposed and conjugated factors", "[spgemm][bsr]", double,
                   Complex128)
{
  using T = Case<Device, TestType, int, std::size_t>;
  Device const exec{};
  for (char const* const name : {"power law", "wide", "0 x 7"})
  {
    Structure const& s = structure(name);
    for (ProductBlocks const& shape : {ProductBlocks{3, 3, 3}, ProductBlocks{2, 3, 4}})
    {
      for (Op const op : {Op::transpose, Op::conjugate_transpose})
      {
        check_bsr_products<T>(exec, s, s, shape, {.op_a = op});
        check_bsr_products<T>(exec, s, s, shape, {.op_b = op});
        check_bsr_products<T>(exec, s, transposed(s), shape, {.op_a = op, .op_b = op});
      }
      check_bsr_products<T>(exec, s, transposed(s), shape,
                            {.op_a = Op::conjugate, .op_b = Op::conjugate});
    }
  }
  auto const a = make_bsr<T>(structure("wide"), {2, 3});
  SpgemmPlan const plan(exec, a, a, {.op_a = Op::transpose});
  CHECK(plan.result_rows() == a.num_cols());
  CHECK(has(plan.describe(), "C = transpose(A, "));
  CHECK_THROWS_AS(spgemm(exec, a, a, {.op_a = Op::transpose, .max_workspace_bytes = 100}),
                  heddle::OutOfMemory);
}

TEST_CASE("spgemm of BSR takes two types of values and of offsets", "[spgemm][bsr]")
{
  using Narrow = Case<Device, float, int, int>;
  Structure const& s = structure("banded");
  auto const c = spgemm(Device{}, make_bsr<C>(s, {3, 3}), make_bsr<Narrow>(s, {3, 3}));
  static_assert(std::is_same_v<std::remove_const_t<decltype(c)>, Matrix>);
  auto expected = reference_product<float>(s, s, 1.0); // of the narrower values
  for (auto& row : expected)
    for (auto& [j, entry] : row) // rounded to float, in one factor
      entry.magnitude *= 1 + std::numeric_limits<float>::epsilon() / 1e-16;
  CHECK(difference_in_blocks(
            expected, product_of_sets(block_sets(s, {3, 3}), block_sets(s, {3, 3})), c) == "");
}

TEST_CASE("a plan of BSR describes itself and knows its patterns", "[spgemm][bsr]")
{
  Device const exec{};
  // [A0 0; A1 A2] [B0; B1] in blocks of 2 x 3 and 3 x 4, with the last row and column behind the
  // edges.
  auto const a = make_bsr<C>({"a", 3, 6, {{0}, {}, {1, 5}}}, {2, 3});
  auto const b = make_bsr<C>({"b", 6, 7, {{0}, {}, {}, {6}, {}, {}}}, {3, 4});
  for (char const* const name : bsr_product_names<C>({2, 3, 4}, 3, 6, 7))
  {
    SpgemmPlan const plan(exec, a, b, {.implementation = name});
    CHECK(plan.result_rows() == 3);
    CHECK(plan.result_cols() == 7);
    CHECK(plan.result_blocks() == 3);
    CHECK(plan.result_shape() == BlockShape{2, 4});
    CHECK(plan.nnz() == 2 * 4 + 1 * 4 + 1 * 3);
    CHECK(plan.products() == 3 * 2 * 3 * 4);
    CHECK(plan.is_repeatable());
    CHECK(plan.keeps_columns());
    std::string const text = plan.describe();
    INFO(text);
    CHECK(text.find(std::string(name) + ": 3 blocks of 2 x 4 in C; ") == 0);
    CHECK(
        has(text, "\nC = A B is 3 x 7 with 15 entries from 72 products\nbitwise repeatable: yes"));
    CHECK(plan.matches(exec, a, b));
    CHECK(plan.matches(exec, heddle::clone(exec, a), b));
    CHECK_FALSE(
        plan.matches(exec, a, make_bsr<C>({"c", 6, 7, {{4}, {}, {}, {6}, {}, {}}}, {3, 4})));
    // The numeric phase fills any matrix of the pattern, over what stands there.
    auto const c = plan.make_result(exec);
    spgemm(exec, plan, a, b, c);
    auto const d = heddle::clone(exec, c);
    Kokkos::deep_copy(d.values(), 1e300);
    spgemm(exec, plan, a, b, d);
    exec.fence();
    CHECK(to_vector(c.values()) == to_vector(d.values()));
    CHECK(to_vector(c.columns()) == std::vector<int>{0, 0, 1});
    CHECK(c.columns().data() != d.columns().data());
  }
  CHECK(heddle::spgemm_products(exec, a, b) == 72);
}

TEST_CASE("spgemm of BSR keeps blocks that hold zeros", "[spgemm][bsr]")
{
  Device const exec{};
  auto const a = make_bsr<C>(structure("banded"), {3, 3});
  auto const zero = heddle::clone(exec, a);
  Kokkos::deep_copy(zero.values(), 0.0);
  auto const c = spgemm(exec, a, a), d = spgemm(exec, zero, a);
  CHECK(to_vector(c.columns()) == to_vector(d.columns()));
  CHECK(c.nnz() == d.nnz());
  auto const values = to_vector(d.values());
  CHECK(std::ranges::count(values, 0.0) == std::ssize(values));
}

TEST_CASE("default-constructed BSR matrices have a product", "[spgemm][bsr]")
{
  Matrix const a;
  for (char const* const name : bsr_product_names<C>({1, 1, 1}, 0, 0, 0))
  {
    SpgemmPlan const plan(Device{}, a, a, {.implementation = name});
    CHECK(plan.nnz() == 0);
    auto const c = plan.make_result(Device{});
    spgemm(Device{}, plan, a, a, c);
    CHECK(c.num_blocks() == 0);
    CHECK(spgemm(Device{}, a, a, {.implementation = name}).num_rows() == 0);
  }
}

TEST_CASE("spgemm of BSR gives the same bits each time", "[spgemm][bsr]")
{
  Structure const s = random_structure("9 a row", 300, 300, 9, 68);
  auto const a = make_bsr<C>(s, {3, 3});
  auto const five = instance_of_five<Device>();
  for (char const* const name : bsr_product_names<C>({3, 3, 3}, s.rows, s.rows, s.rows))
  {
    SpgemmPlan const plan(five, a, a, {.implementation = name});
    auto const c = plan.make_result(five);
    std::vector<double> first;
    for (int again = 0; again < 4; ++again)
    {
      spgemm(five, plan, a, a, c);
      five.fence();
      auto const values = to_vector(c.values());
      if (again == 0)
        first = values;
      CHECK(values == first);
    }
    CHECK(to_vector(spgemm(Device{}, a, a, {.implementation = name}).values()) == first);
  }
}

TEST_CASE("spgemm of BSR adds to what C holds", "[spgemm][bsr]")
{
  Device const exec{};
  Structure const& s = structure("power law");
  auto const a = make_bsr<C>(s, {2, 3});
  auto const b = make_bsr<C>(transposed(s), {3, 2});
  SpgemmPlan const plan(exec, a, b);
  auto const product = plan.make_result(exec), c = plan.make_result(exec);
  spgemm(exec, plan, a, b, product);
  exec.fence();
  auto const of_product = to_vector(product.values());
  for (double const alpha : {0.0, 1.0, -2.5})
    for (double const beta : {0.0, 1.0, 0.5})
    {
      INFO("alpha " << alpha << ", beta " << beta);
      Kokkos::deep_copy(c.values(), beta == 0 ? std::numeric_limits<double>::quiet_NaN() : 3.0);
      spgemm(exec, plan, alpha, a, b, beta, c);
      exec.fence();
      auto const values = to_vector(c.values());
      bool is_right = true;
      for (std::size_t n = 0; n < values.size(); ++n)
      {
        double const sum = alpha * of_product[n] + (beta == 0 ? 0 : beta * 3.0);
        is_right = is_right && std::abs(values[n] - sum) <= 1e-15 * (std::abs(sum) + 3.0);
      }
      CHECK(is_right);
    }
}

TEST_CASE("spgemm of BSR refuses what does not fit", "[spgemm][bsr]")
{
  Device const exec{};
  Structure const six{"six", 6, 6, {{0}, {1}, {2}, {3}, {4}, {5}}};
  auto const three = make_bsr<C>(six, {3, 3}), two = make_bsr<C>(six, {2, 2});
  auto const other = make_bsr<C>(structure("wide"), {3, 3});
  CHECK(refusal([&] { spgemm(exec, three, two); }) ==
        "heddle::spgemm: A has blocks of 3 x 3 but B of 2 x 2");
  CHECK(refusal([&] {
          SpgemmPlan(exec, make_bsr<C>(six, {2, 3}), make_bsr<C>(six, {2, 3}));
        }) == "heddle::spgemm: A has blocks of 2 x 3 but B of 2 x 3");
  CHECK(refusal([&] {
          SpgemmPlan(exec, make_bsr<C>(six, {2, 3}), three, {.op_a = Op::transpose});
        }) == "heddle::spgemm: A has blocks of 2 x 3, to be transposed, but B of 3 x 3");
  CHECK(refusal([&] { heddle::spgemm_products(exec, three, two); }) ==
        "heddle::spgemm: A has blocks of 3 x 3 but B of 2 x 2");
  CHECK(refusal([&] { spgemm(exec, three, other); }) ==
        "heddle::spgemm: A is 6 x 6 but B is " + std::to_string(other.num_rows()) + " x " +
            std::to_string(other.num_cols()));

  SpgemmPlan const plan(exec, three, three);
  auto const c = plan.make_result(exec);
  CHECK(refusal([&] { spgemm(exec, plan, two, three, c); }) ==
        "heddle::spgemm: the plan was made for other blocks, widths or slices than A's");
  CHECK(refusal([&] { spgemm(exec, plan, three, other, c); }).find("but B is") !=
        std::string::npos);
  CHECK(refusal([&] { spgemm(exec, plan, three, three, spgemm(exec, two, two)); }) ==
        "heddle::spgemm: C is 6 x 6, 12 entries but the product is 6 x 6, 18 entries");
  Matrix const flat(6, 6, {1, 9}, Kokkos::View<std::size_t*, C::space>("heddle::test::offsets", 7),
                    to_view<int, C::space>({0, 0}), guarded(18, 0));
  CHECK(refusal([&] { spgemm(exec, plan, three, three, flat); }) ==
        "heddle::spgemm: C has 2 blocks of 1 x 9 but the product has 2 of 3 x 3");
  CHECK(refusal([&] { spgemm(exec, plan, three, three, on_values(c, three.values())); }) ==
        "heddle::spgemm: the values of A and C share memory");
  auto const b = heddle::clone(exec, three);
  CHECK(refusal([&] { spgemm(exec, plan, three, b, on_values(c, b.values())); }) ==
        "heddle::spgemm: the values of B and C share memory");

  std::string const none = message_of<heddle::Unsupported>(
      [&] { spgemm(exec, three, three, {.implementation = "portable::dense_or_hash"}); });
  CHECK(has(none, "no implementation named portable::dense_or_hash"));
  CHECK(has(none, " portable::bsr_"));
  CHECK_THROWS_AS(
      spgemm(exec, three, three, {.accumulator = heddle::SpgemmAccumulator::esc_global}),
      heddle::Unsupported);
}

// Numbers are wrong, or the call is refused, but nothing outside of C is written.
TEST_CASE("a plan of BSR survives another pattern of the same sizes", "[spgemm][bsr]")
{
  Device const exec{};
  Structure ones{"ones", 40, 40, {}}, others{"others", 40, 40, {}};
  for (std::int64_t i = 0; i < 40; ++i)
  {
    ones.columns.push_back({i});
    others.columns.push_back({39 - i});
  }
  auto const a = make_bsr<C>(ones, {2, 2}), b = make_bsr<C>(others, {2, 2});
  for (char const* const name : bsr_product_names<C>({2, 2, 2}, 40, 40, 40))
  {
    INFO(name);
    SpgemmPlan const plan(exec, a, a, {.implementation = name});
    auto const c = plan.make_result(exec);
    std::size_t const size = c.values().extent(0), behind = 1000;
    auto const all = guarded(size, behind);
    auto const target =
        on_values(c, Kokkos::View<double*, C::space>(all.data(), c.values().extent(0)));
    auto const multiply = [&](Matrix const& left) {
      return refusal([&] {
        spgemm(exec, plan, left, a, target);
        exec.fence();
      });
    };
    std::string const first = multiply(b), later = multiply(a);
    CHECK(has(first + later, "the plan was made for another pattern"));
    CHECK(multiply(a) == "no error");
    auto const values = to_vector(all);
    CHECK(std::count(values.begin() + static_cast<std::int64_t>(size), values.end(), -98765.0) ==
          static_cast<std::int64_t>(behind));
    CHECK(difference_in_blocks(reference_product<double>(ones, ones, 1.0),
                               product_of_sets(block_sets(ones, {2, 2}), block_sets(ones, {2, 2})),
                               target) == "");
  }
}

TEST_CASE("spgemm of BSR keeps to a cap on its memory", "[spgemm][bsr]")
{
  Device const exec{};
  Structure const a_structure = random_structure("60 a row", 200, 3000, 60, 31);
  Structure const b_structure = random_structure("80 a row", 3000, 9000, 80, 32);
  auto const a = make_bsr<C>(a_structure, {2, 2}), b = make_bsr<C>(b_structure, {2, 2});
  // Enough for the columns of C, too little to keep those of all products before.
  check_bsr_products<C>(exec, a_structure, b_structure, {2, 2, 2},
                        {.max_workspace_bytes = 6000000});
  for (char const* const name : bsr_product_names<C>({2, 2, 2}, 200, 3000, 9000))
    for (std::size_t const bytes : {std::size_t(9000), std::size_t(600000)})
    {
      INFO(name << ", at most " << bytes << " bytes");
      CHECK_THROWS_AS(
          SpgemmPlan(exec, a, b, {.implementation = name, .max_workspace_bytes = bytes}),
          heddle::OutOfMemory);
    }
}

TEST_CASE("spgemm of BSR refuses blocks of more bytes than there are", "[spgemm][bsr]")
{
  Device const exec{};
  constexpr int huge = std::numeric_limits<int>::max();
  using Views = Matrix;
  Views::row_offsets_view const offsets = to_view<std::size_t, C::space>({0, 1});
  auto const column = to_view<int, C::space>({0});
  // A column of blocks times a row of them, whose values nobody reads.
  Views const tall(huge, 1, {huge, 1}, offsets, column, Views::values_view(nullptr, huge));
  Views const wide_one(1, huge, {1, huge}, offsets, column, Views::values_view(nullptr, huge));
  CHECK(refusal([&] { SpgemmPlan(exec, tall, wide_one); }) ==
        "heddle::spgemm: C has 1 blocks of 2147483647 x 2147483647, more bytes than 64 bits count");
}
