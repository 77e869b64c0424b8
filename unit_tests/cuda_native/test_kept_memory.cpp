// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/cuda_native/device/kept_memory.cuh>
#include <heddle/impl/scratch.hpp>
#include <support/types.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cstddef>
#include <cstdint>

using heddle::cuda_native::KeptMemory;
using heddle::test::Device;

namespace
{

std::uint64_t bytes_in_use(Device const& exec)
{
  std::uint64_t bytes = 0;
  REQUIRE(cudaMemPoolGetAttribute(heddle::impl::scratch_pool(exec.cuda_device()),
                                  cudaMemPoolAttrUsedMemCurrent, &bytes) == cudaSuccess);
  return bytes;
}

} // namespace

TEST_CASE("kept memory goes back to the pool with its last copy", "[cuda_native]")
{
  constexpr std::size_t count = std::size_t(1) << 20;
  Device const exec{};
  std::uint64_t const before = bytes_in_use(exec);
  for (int n = 0; n < 3; ++n)
  {
    KeptMemory<double> copy;
    {
      KeptMemory<double> const memory(exec, count);
      REQUIRE(memory.data() != nullptr);
      CHECK(memory.size() == count);
      CHECK(memory.bytes() == count * sizeof(double));
      copy = memory;
    }
    Kokkos::deep_copy(exec, copy.view(), 1.5);
    double last = 0;
    Kokkos::deep_copy(exec, Kokkos::View<double, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(&last),
                      Kokkos::subview(copy.view(), count - 1));
    exec.fence();
    CHECK(last == 1.5);
    CHECK(bytes_in_use(exec) >= before + count * sizeof(double));
  }
  CHECK(bytes_in_use(exec) == before);
  CHECK(KeptMemory<int>(exec, 0).data() == nullptr);
}

TEST_CASE("kept memory can be written on a stream while another still reads what had it before",
          "[cuda_native]")
{
  constexpr std::size_t count = std::size_t(1) << 24;
  Device const exec{};
  for (int n = 0; n < 20; ++n)
  {
    {
      heddle::impl::Scratch<int, Device> const scratch(exec, count);
      Kokkos::deep_copy(exec, scratch.view(), 1); // at work when the next is made
    }
    KeptMemory<int> const memory(exec, count);
    Kokkos::deep_copy(exec, memory.view(), 2);
    int first = 0, last = 0;
    using Number = Kokkos::View<int, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>;
    Kokkos::deep_copy(exec, Number(&first), Kokkos::subview(memory.view(), 0));
    Kokkos::deep_copy(exec, Number(&last), Kokkos::subview(memory.view(), count - 1));
    exec.fence();
    REQUIRE(first == 2);
    REQUIRE(last == 2);
  }
}
