// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Offsets from counts at the sizes where one thread block has them and where CUB takes over, and
// arrays that share one piece of scratch memory.

#include <heddle/cuda_native/device/scratch_arrays.cuh>
#include <heddle/cuda_native/spgemm/row_offsets.cuh>
#include <support/types.hpp>

#include <catch2/catch_test_macros.hpp>
#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace heddle::test
{

namespace
{

// Where offsets of n counts differ from their sums, or -1.
template <class Offset>
std::int64_t first_difference(std::int64_t n)
{
  Device const exec;
  auto const size = static_cast<std::size_t>(n);
  Kokkos::View<int*, Kokkos::HostSpace> const host("heddle::test::counts", size);
  for (std::int64_t i = 0; i < n; ++i)
    host(i) = static_cast<int>(i * 7919 % 61) - (i % 5 == 0 ? 0 : 1) + 1;
  auto const counts = Kokkos::create_mirror_view_and_copy(Device::memory_space{}, host);
  Kokkos::View<Offset*, Device::memory_space> const offsets("heddle::test::offsets", size + 1);
  Kokkos::deep_copy(offsets, Offset(12345));
  cuda_native::offsets_from_counts(exec, counts, offsets);
  exec.fence();
  auto const found = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, offsets);
  Offset sum = 0;
  for (std::int64_t i = 0; i <= n; ++i)
  {
    if (found(i) != sum)
      return i;
    if (i < n)
      sum += static_cast<Offset>(host(i));
  }
  return -1;
}

} // namespace

TEST_CASE("offsets are sums of the counts before, of few and of many", "[cuda_native]")
{
  std::int64_t const most = cuda_native::FewOffsets::most;
  for (std::int64_t const n : {std::int64_t(0), std::int64_t(1), std::int64_t(31), std::int64_t(32),
                               std::int64_t(33), std::int64_t(1023), std::int64_t(1024),
                               std::int64_t(1025), most - 2, most - 1, most, most + 1, 3 * most})
  {
    INFO(n << " counts");
    CHECK(first_difference<int>(n) == -1);
    CHECK(first_difference<std::size_t>(n) == -1);
  }
}

TEST_CASE("arrays in one piece of scratch memory are aligned and apart", "[cuda_native]")
{
  Device const exec;
  cuda_native::ScratchArrays<unsigned char, double, int, double2> const arrays(exec, {3, 5, 0, 7});
  auto const* const begin = reinterpret_cast<unsigned char const*>(arrays.array<0>());
  auto const at = [&](void const* array) {
    return static_cast<unsigned char const*>(array) - begin;
  };
  CHECK(at(arrays.array<1>()) >= 3);
  CHECK(at(arrays.array<1>()) % 256 == 0);
  CHECK(at(arrays.array<2>()) - at(arrays.array<1>()) >= 40);
  CHECK(at(arrays.array<3>()) >= at(arrays.array<2>()));
  CHECK(at(arrays.array<3>()) % 256 == 0);
  CHECK(arrays.size<3>() == 7);
  // All of the last one is there.
  CHECK(decltype(arrays)::bytes({3, 5, 0, 7}) - static_cast<std::size_t>(at(arrays.array<3>())) >=
        7 * sizeof(double2));
  std::size_t const bytes = decltype(arrays)::bytes({3, 5, 0, 7});
  CHECK(cudaMemset(arrays.array<0>(), 1, bytes) == cudaSuccess);
  exec.fence();
}

} // namespace heddle::test
