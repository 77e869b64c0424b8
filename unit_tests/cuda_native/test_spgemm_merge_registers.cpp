// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/device/warp.cuh>
#include <heddle/cuda_native/spgemm/merge_registers.cuh>
#include <heddle/cuda_native/spgemm/row_bounds.cuh>

#include <catch2/catch_test_macros.hpp>
#include <Kokkos_Core.hpp>

#include <array>
#include <cstddef>
#include <vector>

namespace heddle::cuda_native
{

// What one of the two threads has in a step.
struct MergeStep
{
  int own_column; // intra-thread min
  int column;     // inter-thread min
  double own;     // what the thread's rows of B have there
  double sum;     // inter-thread add
};

using Factor = CsrView<double, int, int>;

__global__ void record_merge(Factor a, Factor b, int steps, MergeStep* recorded)
{
  constexpr int lanes = 2, rows = 2;
  int const lane = static_cast<int>(threadIdx.x) % lanes;
  MergedRows<rows, true, Factor, Factor, double> merged(a, b, lane, a.offsets[1], lanes);
  for (int n = 0; n < steps; ++n)
  {
    MergeStep step{};
    step.own_column = merged.next(1);
    step.column = merged.next(lanes);
    step.own = merged.take(b, step.column);
    step.sum = sum_of_lanes(step.own, lanes);
    if (threadIdx.x < lanes)
      recorded[n * lanes + lane] = step;
  }
}

} // namespace heddle::cuda_native

using namespace heddle::cuda_native;

namespace
{

template <class T>
Kokkos::View<T*, Kokkos::CudaSpace> on_device(std::vector<T> const& values)
{
  Kokkos::View<T*, Kokkos::CudaSpace> const view("values", values.size());
  Kokkos::deep_copy(view, Kokkos::View<T const*, Kokkos::HostSpace>(values.data(), values.size()));
  return view;
}

} // namespace

// Paper 001, Fig. 1: four rows of B are merged by two threads. Letters are powers of two, so that a
// sum says what it is made of; the rows of A are ones.
TEST_CASE("four rows are merged by two threads, step by step", "[cuda_native][spgemm]")
{
  constexpr double a = 1, b = 2, d = 4, e = 8, g = 16, k = 32, w = 64, x = 128, y = 256;
  constexpr int none = WidestRange<int>::first;
  auto const a_offsets = on_device<int>({0, 4}), a_columns = on_device<int>({0, 1, 2, 3});
  auto const ones = on_device<double>({1, 1, 1, 1});
  // Thread 0 has rows 0 and 2, thread 1 has rows 1 and 3.
  auto const b_offsets = on_device<int>({0, 3, 5, 7, 9});
  auto const b_columns = on_device<int>({0, 1, 4, 0, 2, 1, 4, 0, 1});
  auto const b_values = on_device<double>({a, d, b, w, x, e, y, g, k});
  Factor const of_a{1, a_offsets.data(), a_columns.data(), ones.data()};
  Factor const of_b{4, b_offsets.data(), b_columns.data(), b_values.data()};
  constexpr int steps = 5;
  Kokkos::View<MergeStep*, Kokkos::CudaSpace> const recorded("recorded", 2 * steps);
  Kokkos::Cuda const exec;
  launch(exec, "test::merge", record_merge, one_thread_each(warp_size, warp_size), of_a, of_b,
         steps, recorded.data());
  auto const found = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, recorded);
  std::array<std::array<MergeStep, 2>, steps> const expected{
      {{{{0, 0, a, a + w + g}, {0, 0, w + g, a + w + g}}},
       {{{1, 1, d + e, d + e + k}, {1, 1, k, d + e + k}}},
       {{{4, 2, 0, x}, {2, 2, x, x}}},
       {{{4, 4, b + y, b + y}, {none, 4, 0, b + y}}},
       {{{none, none, 0, 0}, {none, none, 0, 0}}}}};
  for (std::size_t n = 0; n < steps; ++n)
    for (std::size_t thread = 0; thread < 2; ++thread)
    {
      INFO("step " << n + 1 << ", thread " << thread);
      MergeStep const& step = found(2 * n + thread);
      CHECK(step.own_column == expected[n][thread].own_column);
      CHECK(step.column == expected[n][thread].column);
      CHECK(step.own == expected[n][thread].own);
      CHECK(step.sum == expected[n][thread].sum);
    }
}
