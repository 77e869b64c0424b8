// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// SpMM on column-major operands as they stand: every shape of the launch against the oracle, and
// that a plan takes it.

#include <heddle/cuda_native/spmm/column_major.cuh>
#include <heddle/cuda_native/spmm/csr.cuh>
#include <heddle/cuda_native/spmm/implementations.cuh>
#include <heddle/op.hpp>
#include <heddle/spmm.hpp>
#include <support/dense.hpp>
#include <support/matrices.hpp>
#include <support/reference.hpp>
#include <support/spmm.hpp>
#include <support/structures.hpp>
#include <support/tool_log.hpp>
#include <support/types.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

namespace heddle::test
{

namespace
{

using cuda_native::ColumnMajorOperands;
using cuda_native::ColumnMajorPolicy;
using cuda_native::ColumnMajorShape;
using ColumnMajorTypes =
    std::tuple<Case<Device, double, int, std::size_t>, Case<Device, float, int, int>,
               Case<Device, Complex64, int, int>,
               Case<Device, Complex128, std::int64_t, std::int64_t>>;

template <class Value>
using ColumnMajor = Kokkos::View<Value**, Kokkos::LayoutLeft, Device::memory_space>;

// Rows of one entry and of so many that they are left to the whole warp, side by side.
Structure of_extreme_rows()
{
  Structure s{"of extreme rows", 70, 1500, {}};
  for (std::int64_t i = 0; i < s.rows; ++i)
    s.columns.push_back(random_structure("", 1, s.cols, i % 3 == 0 ? 1200 : i % 2,
                                         70 + static_cast<std::uint64_t>(i))
                            .columns[0]);
  return s;
}

// The long ones by warps, or by blocks.
template <class C, class Value = typename C::value>
void check_shapes(Structure const& s, std::int64_t columns, Value alpha, Value beta)
{
  using Ordinal = typename C::ordinal;
  using Kernel = cuda_native::CsrSpmm<Device, typename CsrOf<C>::const_type,
                                      cuda_native::CsrKernels<typename CsrOf<C>::const_type>>;
  Device const exec;
  typename CsrOf<C>::const_type const a = make_csr<C>(s);
  ColumnMajor<Value> const b("heddle::test::b", static_cast<std::size_t>(s.cols),
                             static_cast<std::size_t>(columns));
  ColumnMajor<Value> const c("heddle::test::c", static_cast<std::size_t>(s.rows),
                             static_cast<std::size_t>(columns));
  fill_input(b);
  auto const expected = reference_multiply<Value, Value, Value>(s, Op::none, alpha, columns, beta);
  constexpr std::int64_t least = 64;
  std::vector<Ordinal> found;
  for (std::int64_t i = 0; i < s.rows; ++i)
    if (static_cast<std::int64_t>(s.columns[static_cast<std::size_t>(i)].size()) >= least)
      found.push_back(static_cast<Ordinal>(i));
  auto const list = to_view<Ordinal, typename C::space>(found);
  using Rows = cuda_native::LongRows<Ordinal>;
  for (Rows const& long_rows :
       {Rows{}, Rows{.rows = list.data(), .count = std::ssize(found), .least = least}})
    for (int const width : {ColumnMajorPolicy::narrow, ColumnMajorPolicy::wide})
      for (int lanes = 1; lanes <= 32; lanes *= 2)
      {
        INFO(s.name << ", " << columns << " columns, " << width << " of a lane, " << lanes
                    << " lanes, " << long_rows.count << " rows of blocks");
        fill_output(c, beta == Value(0));
        cuda_native::multiply_column_major(
            exec, Kernel::entries_of(a, false),
            ColumnMajorOperands<Value>{alpha, b.data(), static_cast<std::int64_t>(b.stride(1)),
                                       beta, c.data(), static_cast<std::int64_t>(c.stride(1)),
                                       columns},
            long_rows, ColumnMajorShape{width, lanes});
        exec.fence();
        CHECK(first_difference_in(expected, c) == "");
      }
}

bool takes_as_it_stands(std::vector<ToolEvent> const& events)
{
  return std::any_of(events.begin(), events.end(), [](ToolEvent const& event) {
    return event.label == "heddle::spmm::column_major";
  });
}

} // namespace

TEMPLATE_LIST_TEST_CASE("every shape of a column-major SpMM agrees with the oracle",
                        "[cuda_native]", ColumnMajorTypes)
{
  using Value = typename TestType::value;
  for (Structure const& s : small_structures())
    check_shapes<TestType>(s, 5, Value(1), Value(0));
  for (std::int64_t const columns : {1, 4, 7})
    check_shapes<TestType>(of_extreme_rows(), columns, Value(-0.5), Value(2));
}

TEST_CASE("a plan multiplies small column-major operands as they stand", "[cuda_native]")
{
  using C = Case<Device, double, int, std::size_t>;
  Device const exec;
  Structure const s = random_structure("", 300, 300, 6, 9);
  auto const a = make_csr<C>(s);
  ColumnMajor<double> const b("heddle::test::b", 300, 9), c("heddle::test::c", 300, 9);
  Kokkos::View<double**, Kokkos::LayoutRight, C::space> const rows_of_b("heddle::test::b", 300, 9);
  fill_input(b);
  ToolLog log;
  auto const calls_it = [&](SpmmOptions const& options, Op op, auto const& in) {
    SpmmPlan const plan(exec, a, options);
    static_cast<void>(log.take());
    spmm(exec, plan, op, 1.0, a, in, 0.0, c);
    exec.fence();
    return takes_as_it_stands(log.take());
  };
  CHECK(calls_it({}, Op::none, b));
  CHECK(calls_it({.transposed = true}, Op::transpose, b));
  CHECK_FALSE(calls_it({}, Op::transpose, b)); // atomics
  CHECK_FALSE(calls_it({.implementation = "cuda_native::csr_rows"}, Op::none, b));
  CHECK_FALSE(calls_it({}, Op::none, rows_of_b)); // a mixture of layouts
}

// C is read, so that a row that is multiplied twice is seen.
TEST_CASE("a plan gives each long row of a column-major product to one block", "[cuda_native]")
{
  using C = Case<Device, double, int, std::size_t>;
  Device const exec;
  Structure const s = of_extreme_rows();
  SpmmPlan const plan(exec, make_csr<C>(s));
  ColumnMajor<double> const b("heddle::test::b", static_cast<std::size_t>(s.cols), 6),
      c("heddle::test::c", static_cast<std::size_t>(s.rows), 6);
  fill_input(b);
  fill_output(c, false);
  ToolLog log;
  spmm(exec, plan, -0.5, make_csr<C>(s), b, 2.0, c);
  exec.fence();
  CHECK(takes_as_it_stands(log.take()));
  CHECK(first_difference_in(reference_multiply<double, double, double>(s, Op::none, -0.5, 6, 2.0),
                            c) == "");
}

} // namespace heddle::test
