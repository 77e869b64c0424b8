// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// SpMM of short rows: every way of a launch through rows and tiles of B against the oracle, also
// those that a plan would take for larger matrices only.

#include <heddle/cuda_native/spmm/csr.cuh>
#include <heddle/cuda_native/spmm/csr_short_kernel.cuh>
#include <heddle/cuda_native/spmm/implementations.cuh>
#include <heddle/op.hpp>
#include <support/dense.hpp>
#include <support/matrices.hpp>
#include <support/reference.hpp>
#include <support/structures.hpp>
#include <support/types.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

namespace heddle::test
{

namespace
{

using ShortTypes = std::tuple<Case<Device, double, int, std::size_t>, Case<Device, float, int, int>,
                              Case<Device, Complex64, int, int>,
                              Case<Device, Complex128, std::int64_t, std::int64_t>>;

// Rows of 0 to 13 entries, so that there are turns of all lengths, and of none.
Structure of_short_rows()
{
  Structure s{"of short rows", 150, 90, {}};
  for (std::int64_t i = 0; i < s.rows; ++i)
    s.columns.push_back(
        random_structure("", 1, s.cols, (5 * i) % 14, 40 + static_cast<std::uint64_t>(i))
            .columns[0]);
  return s;
}

// shapes(lanes, tiles): what to launch, by the lanes of a group and the tiles of B.
template <class C, class Shapes, class Value = typename C::value>
void check_shapes(Structure const& s, int packets, Value alpha, Value beta, Shapes const& shapes)
{
  using Kernel = cuda_native::CsrSpmm<Device, typename CsrOf<C>::const_type,
                                      cuda_native::CsrKernels<typename CsrOf<C>::const_type>>;
  constexpr int width = cuda_native::widest_packet<Value>;
  int const columns = packets * width;
  Device const exec;
  typename CsrOf<C>::const_type const a = make_csr<C>(s);
  using Dense = Kokkos::View<Value**, Kokkos::LayoutRight, Device::memory_space>;
  Dense const b("heddle::test::b", static_cast<std::size_t>(s.cols),
                static_cast<std::size_t>(columns));
  Dense const c("heddle::test::c", static_cast<std::size_t>(s.rows),
                static_cast<std::size_t>(columns));
  fill_input(b);
  auto const expected = reference_multiply<Value, Value, Value>(s, Op::none, alpha, columns, beta);
  cuda_native::RowMajorOperands<Value> const all{alpha,    b.data(), columns, beta,
                                                 c.data(), columns,  columns};
  auto operands = cuda_native::tiled<cuda_native::TileShape<width, 1>>(all);
  auto const check = [&](cuda_native::ShortRowsShape const& shape) {
    INFO(s.name << ", " << columns << " columns, " << operands.lanes << " lanes, exact "
                << shape.is_exact << ", " << shape.tiles << " tiles, " << shape.packets
                << " at once, " << shape.rounds << " rounds, " << shape.shares << " shares");
    fill_output(c, beta == Value(0));
    cuda_native::launch_short_rows(exec, Kernel::entries_of(a, false), operands, shape);
    exec.fence();
    CHECK(first_difference_in(expected, c) == "");
  };
  for (operands.lanes = packets <= 2 ? 2 : 4; operands.lanes <= 32; operands.lanes *= 2)
    for (auto const& shape : shapes(operands.lanes, cuda_native::tiles_of(operands)))
      check(shape);
}

// A group for each row.
std::vector<cuda_native::ShortRowsShape> shapes_of_single_groups(int, int)
{
  std::vector<cuda_native::ShortRowsShape> shapes;
  for (int const rounds : {1, 3})
  {
    shapes.push_back({false, 1, rounds});
    for (int const tiles : {1, 2, 8})
      shapes.push_back({true, tiles, rounds});
    for (int const tiles : {2, 4, 8})
      shapes.push_back({true, tiles, rounds, 1, 2});
  }
  return shapes;
}
// Groups that share a row.
std::vector<cuda_native::ShortRowsShape> shapes_of_shared_rows(int lanes, int tiles)
{
  std::vector<cuda_native::ShortRowsShape> shapes;
  for (int shares = 2; shares * lanes <= 32 && tiles == 1; shares *= 2)
    shapes.push_back({false, 1, 1, shares});
  return shapes;
}

} // namespace

TEMPLATE_LIST_TEST_CASE("every way through short rows and tiles agrees with the oracle",
                        "[cuda_native]", ShortTypes)
{
  using Value = typename TestType::value;
  auto const check = [](Structure const& s, int packets, Value alpha, Value beta) {
    check_shapes<TestType>(s, packets, alpha, beta, shapes_of_single_groups);
  };
  check(of_short_rows(), 2, Value(1), Value(0));
  check(of_short_rows(), 75, Value(-0.5), Value(2)); // a last tile of 11 packets
  for (Structure const& s : small_structures())
    check(s, 9, Value(1), Value(0));
}

TEMPLATE_LIST_TEST_CASE("short rows that groups share agree with the oracle", "[cuda_native]",
                        ShortTypes)
{
  using Value = typename TestType::value;
  auto const check = [](Structure const& s, int packets, Value alpha, Value beta) {
    check_shapes<TestType>(s, packets, alpha, beta, shapes_of_shared_rows);
  };
  check(of_short_rows(), 2, Value(1), Value(0));
  check(of_short_rows(), 1, Value(2), Value(-1)); // a lane of two has no column
  check(of_short_rows(), 3, Value(1), Value(0));
  check(random_structure("longer rows", 40, 300, 150, 41), 2, Value(1), Value(0));
  for (Structure const& s : small_structures())
    check(s, 2, Value(1), Value(0));
}

} // namespace heddle::test
