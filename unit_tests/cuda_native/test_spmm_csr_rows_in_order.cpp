// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// SpMM of short rows in their order beside long ones: every way of a launch against the oracle,
// also those that a plan would take for larger matrices only.

#include <heddle/cuda_native/spmm/csr.cuh>
#include <heddle/cuda_native/spmm/csr_rows.cuh>
#include <heddle/cuda_native/spmm/implementations.cuh>
#include <heddle/cuda_native/spmm/row_list.cuh>
#include <heddle/impl/entry_order.hpp>
#include <heddle/impl/views.hpp>
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
#include <type_traits>

namespace heddle::test
{

namespace
{

using InOrderTypes = std::tuple<Case<Device, double, int, std::size_t>,
                                Case<Device, float, int, int>, Case<Device, Complex64, int, int>,
                                Case<Device, Complex128, std::int64_t, std::int64_t>>;

// Rows of 0 to 13 entries, and among them some of 16, of 63 to 65, of hundreds, and a full one.
Structure of_mixed_rows()
{
  Structure s{"of mixed rows", 190, 700, {}};
  std::int64_t const lengths[] = {16, 63, 64, 65, 255, 256, 400, s.cols};
  for (std::int64_t i = 0; i < s.rows; ++i)
  {
    std::int64_t const length = i % 23 == 5 ? lengths[i / 23 % 8] : (5 * i) % 14;
    s.columns.push_back(
        random_structure("", 1, s.cols, length, 60 + static_cast<std::uint64_t>(i)).columns[0]);
  }
  return s;
}

// segment: entries from which on rows are cut; 0: none is.
template <class C, class Value = typename C::value>
void check_ways(Structure const& s, int packets, std::int64_t segment, Value alpha, Value beta)
{
  using Matrix = typename CsrOf<C>::const_type;
  using Kernel = cuda_native::CsrSpmm<Device, Matrix, cuda_native::CsrKernels<Matrix>>;
  int const columns = packets * cuda_native::widest_packet<Value>;
  Device const exec;
  Matrix const a = make_csr<C>(s);
  auto const entries = Kernel::entries_of(a, false);
  cuda_native::RowListOf<std::decay_t<decltype(entries)>, Device> list{.rows = s.rows};
  list.list = impl::uninitialized<decltype(list.list)>(exec, "heddle::test::list",
                                                       static_cast<std::size_t>(s.rows));
  impl::fill_with_positions(exec, list.list);
  cuda_native::sort_list(exec, entries, list);
  if (segment > 0)
    cuda_native::cut_beside_order(exec, entries, segment, list);
  REQUIRE((segment == 0 || list.in_order.segments > list.rows_with(segment)));

  using Dense = Kokkos::View<Value**, Kokkos::LayoutRight, Device::memory_space>;
  Dense const b("heddle::test::b", static_cast<std::size_t>(s.cols),
                static_cast<std::size_t>(columns));
  Dense const c("heddle::test::c", static_cast<std::size_t>(s.rows),
                static_cast<std::size_t>(columns));
  fill_input(b);
  auto const expected = reference_multiply<Value, Value, Value>(s, Op::none, alpha, columns, beta);
  cuda_native::RowMajorOperands<Value> const all{alpha,    b.data(), columns, beta,
                                                 c.data(), columns,  columns};
  for (int const tile_bytes : {64, 256, 512})
    for (int const rounds : {1, 3})
      for (std::int64_t const long_from : {16, 64, 256})
      {
        INFO(s.name << ", " << columns << " columns, tiles of " << tile_bytes << " bytes, "
                    << rounds << " rounds, long from " << long_from << ", cut from " << segment);
        fill_output(c, beta == Value(0));
        cuda_native::multiply_rows_in_order(exec, list, entries, all,
                                            {tile_bytes, rounds, long_from});
        exec.fence();
        CHECK(first_difference_in(expected, c) == "");
      }
}

} // namespace

TEMPLATE_LIST_TEST_CASE("short rows in their order beside long ones agree with the oracle",
                        "[cuda_native]", InOrderTypes)
{
  using Value = typename TestType::value;
  for (std::int64_t const segment : {0, 256})
  {
    check_ways<TestType>(of_mixed_rows(), 64, segment, Value(1), Value(0));
    check_ways<TestType>(of_mixed_rows(), 75, segment, Value(-0.5), Value(2)); // a last tile of 11
  }
  check_ways<TestType>(random_structure("no long row", 150, 90, 5, 3), 5, 0, Value(2), Value(-1));
  for (Structure const& s : small_structures())
    check_ways<TestType>(s, 9, 0, Value(1), Value(0));
}

} // namespace heddle::test
