// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What the one place that launches promises, with kernels of its own and with one of the library.

#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/device/team.cuh>
#include <heddle/error.hpp>
#include <heddle/spmv.hpp>
#include <support/instances.hpp>
#include <support/matrices.hpp>
#include <support/messages.hpp>
#include <support/types.hpp>

#include <catch2/catch_test_macros.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace heddle::test
{

namespace
{

using C = Case<Device, double, int, std::size_t>;
using Numbers = Kokkos::View<int*, C::space>;

// sums[block] = 0 + 1 + ... + words - 1, by way of dynamic shared memory.
__global__ void sum_shared_kernel(int words, int* sums)
{
  int* const shared = reinterpret_cast<int*>(cuda_native::dynamic_shared());
  for (int n = static_cast<int>(threadIdx.x); n < words; n += static_cast<int>(blockDim.x))
    shared[n] = n;
  __syncthreads();
  if (threadIdx.x == 0)
  {
    sums[blockIdx.x] = 0;
    for (int n = 0; n < words; ++n)
      sums[blockIdx.x] += shared[n];
  }
}

void launch_sum(Device const& exec, int words, Numbers const& sums)
{
  cuda_native::Grid grid{static_cast<std::int64_t>(sums.extent(0)), 128};
  grid.shared_bytes = static_cast<std::size_t>(words) * sizeof(int);
  cuda_native::launch(exec, "heddle::test::sum_shared", sum_shared_kernel, grid, words,
                      sums.data());
}

std::string wrong_sum(Numbers const& sums, int words)
{
  std::vector<int> const expected(sums.extent(0), words / 2 * (words - 1));
  return to_vector(sums) == expected ? "" : "a sum is wrong";
}

// Every row has three entries that are far apart.
Structure scattered(std::int64_t rows, std::int64_t cols)
{
  Structure s{"scattered", rows, cols, {}};
  for (std::int64_t i = 0; i < rows; ++i)
    s.columns.push_back({i * 7 % (cols / 3), cols / 3 + i * 5 % (cols / 3), cols - 1});
  return s;
}

} // namespace

} // namespace heddle::test

using namespace heddle::test;

TEST_CASE("host threads launch one kernel with no and with much shared memory", "[launch]")
{
  constexpr int calls = 10000, much = 24 << 10; // 96 KiB
  std::atomic<int> next = 0;
  auto const results = at_once<Device>([&](Device const& exec) -> std::string {
    int const words = next++ == 0 ? 0 : much;
    Numbers const sums("heddle::test::sums", 2);
    for (int n = 0; n < calls; ++n)
      launch_sum(exec, words, sums);
    exec.fence();
    return wrong_sum(sums, words);
  });
  CHECK(results == both_right);
}

TEST_CASE("host threads multiply by one kernel with little and with much shared memory", "[launch]")
{
  constexpr int calls = 10000;
  auto const narrow = make_csr<C>(scattered(300, 60)), wide = make_csr<C>(scattered(300, 24000));
  std::atomic<int> next = 0;
  auto const results = at_once<Device>([&](Device const& exec) -> std::string {
    auto const& a = next++ == 0 ? narrow : wide;
    heddle::SpmvPlan const plan(exec, a, {.implementation = "cuda_native::csr_panels"});
    Kokkos::View<double*, C::space> const x("heddle::test::x", a.num_cols());
    Kokkos::View<double*, C::space> const y("heddle::test::y", 300), z("heddle::test::z", 300);
    Kokkos::deep_copy(exec, x, 1.0);
    heddle::spmv(exec, plan, 1.0, a, x, 0.0, z);
    for (int n = 0; n < calls; ++n)
      heddle::spmv(exec, plan, 1.0, a, x, 0.0, y);
    exec.fence();
    return to_vector(y) == to_vector(z) ? "" : "results differ";
  });
  CHECK(results == both_right);
}

TEST_CASE("a launch that cannot be leaves the kernel as it was", "[launch]")
{
  Device const exec{};
  Numbers const sums("heddle::test::sums", 3);
  constexpr int much = 24 << 10;
  std::string const text =
      message_of<heddle::DeviceError>([&] { launch_sum(exec, 1 << 20, sums); });
  INFO(text);
  CHECK(text.find("heddle::launch: heddle::test::sum_shared: ") == 0);
  CHECK(text.find("(3 blocks of 128 threads, 4194304 bytes of shared memory)") !=
        std::string::npos);
  CHECK(cudaPeekAtLastError() == cudaSuccess); // Kokkos' next launch would throw it
  for (int const words : {much, 0, 1024, much})
  {
    launch_sum(exec, words, sums);
    exec.fence();
    CHECK(wrong_sum(sums, words) == "");
  }
}

TEST_CASE("an empty grid is no launch", "[launch]")
{
  launch_sum(Device{}, 1 << 20, Numbers("heddle::test::sums", 0));
  CHECK(cudaPeekAtLastError() == cudaSuccess);
}

TEST_CASE("clusters are those of the code and of the device", "[launch]")
{
  Device const exec{};
  bool const expected = HEDDLE_CUDA_ARCH >= 90 && exec.cuda_device_prop().major >= 9;
  CHECK(heddle::cuda_native::has_clusters(exec, "heddle::test::sum_shared", sum_shared_kernel) ==
        expected);
}

TEST_CASE("the shape of the device is what the runtime says", "[launch]")
{
  Device const exec{};
  auto const attribute = [&](cudaDeviceAttr which) {
    int value = -1;
    REQUIRE(cudaDeviceGetAttribute(&value, which, exec.cuda_device()) == cudaSuccess);
    return value;
  };
  heddle::cuda_native::DeviceShape const shape = heddle::cuda_native::device_shape(exec);
  CHECK(shape.multiprocessors == attribute(cudaDevAttrMultiProcessorCount));
  CHECK(32 * shape.warps() == static_cast<std::int64_t>(shape.multiprocessors) *
                                  attribute(cudaDevAttrMaxThreadsPerMultiProcessor));
  CHECK(static_cast<int>(shape.shared_bytes_of_multiprocessor) ==
        attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor));
  CHECK(static_cast<int>(shape.shared_bytes_of_block) ==
        attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin));
  CHECK(static_cast<int>(shape.reserved_shared_bytes) ==
        attribute(cudaDevAttrReservedSharedMemoryPerBlock));
  CHECK(static_cast<int>(shape.l2_bytes) == attribute(cudaDevAttrL2CacheSize));
  CHECK(shape.most_blocks == attribute(cudaDevAttrMaxGridDimX));
  CHECK(shape.most_blocks_y == attribute(cudaDevAttrMaxGridDimY));
  // What kernels were compiled for is no more than that.
  auto const compiled = heddle::cuda_native::architecture_shape(HEDDLE_CUDA_ARCH);
  CHECK(compiled.shared_kib_of_block <= attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin) >> 10);
}
