// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Streams beside that of an instance, where calls to the CUDA runtime fail: the linker sends a few
// of these calls here (--wrap in CMakeLists.txt).

#include <heddle/cuda_native/device/side_streams.cuh>
#include <heddle/error.hpp>
#include <support/matrices.hpp>
#include <support/messages.hpp>
#include <support/types.hpp>

#include <catch2/catch_test_macros.hpp>

#include <string>
#include <vector>

namespace
{

int calls_until_failure = -1; // of the wrapped functions that may fail; < 0: none does
int streams_alive = 0;

bool fails_now() { return calls_until_failure >= 0 && calls_until_failure-- == 0; }

} // namespace

extern "C" {
cudaError_t __real_cudaEventRecord(cudaEvent_t event, cudaStream_t stream);
cudaError_t __wrap_cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
  return fails_now() ? cudaErrorUnknown : __real_cudaEventRecord(event, stream);
}
cudaError_t __real_cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags);
cudaError_t __wrap_cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags)
{
  if (fails_now())
    return cudaErrorMemoryAllocation;
  ++streams_alive;
  return __real_cudaStreamCreateWithFlags(stream, flags);
}
cudaError_t __real_cudaStreamDestroy(cudaStream_t stream);
cudaError_t __wrap_cudaStreamDestroy(cudaStream_t stream)
{
  --streams_alive;
  return __real_cudaStreamDestroy(stream);
}
}

namespace heddle::test
{

namespace
{

using Numbers = Kokkos::View<int*, Device::memory_space>;

// number = 1 after about so many cycles of a multiprocessor.
__global__ void write_late_kernel(long long cycles, int* number)
{
  long long const begin = clock64();
  while (clock64() - begin < cycles)
    ;
  *number = 1;
}

constexpr long long tenth_of_second = 150000000;

// Both kernels have ended for whoever works on exec afterwards.
std::vector<int> written_on_side_streams(Device const& exec, int calls_before_failure)
{
  Numbers const numbers("heddle::test::numbers", 2), copy("heddle::test::copy", 2);
  {
    cuda_native::SideStreams side(exec, 2);
    for (int n = 0; n < 2; ++n)
      cuda_native::launch(side, "heddle::test::write_late", write_late_kernel,
                          cuda_native::Grid{1, 1}, n == 0 ? 0LL : tenth_of_second,
                          numbers.data() + n);
    calls_until_failure = calls_before_failure;
  }
  calls_until_failure = -1;
  Kokkos::deep_copy(exec, copy, numbers);
  exec.fence();
  return to_vector(copy);
}

} // namespace

} // namespace heddle::test

using namespace heddle::test;

TEST_CASE("an instance waits for its side streams", "[side_streams]")
{
  CHECK(written_on_side_streams(Device{}, -1) == std::vector<int>{1, 1});
}

TEST_CASE("where events fail the host waits for side streams", "[side_streams]")
{
  CHECK(written_on_side_streams(Device{}, 0) == std::vector<int>{1, 1});
  CHECK(cudaPeekAtLastError() == cudaSuccess);
  CHECK(written_on_side_streams(Device{}, -1) == std::vector<int>{1, 1}); // and goes on as before
}

TEST_CASE("streams that cannot all be made leave none behind", "[side_streams]")
{
  int const before = streams_alive;
  for (int const made : {0, 1, 2})
  {
    INFO(made << " streams can be made");
    calls_until_failure = made;
    CHECK(message_of<heddle::OutOfMemory>([] { heddle::cuda_native::detail::StreamsOfDevice{}; }) ==
          "cudaStreamCreate: the device is out of memory");
    calls_until_failure = -1;
    CHECK(streams_alive == before);
  }
  CHECK(cudaPeekAtLastError() == cudaSuccess);
}

TEST_CASE("another device is the current one for a scope", "[side_streams]")
{
  int before = -1, inside = -1, after = -1;
  REQUIRE(cudaGetDevice(&before) == cudaSuccess);
  {
    heddle::cuda_native::detail::DeviceScope const scope(0);
    REQUIRE(cudaGetDevice(&inside) == cudaSuccess);
  }
  REQUIRE(cudaGetDevice(&after) == cudaSuccess);
  CHECK(inside == 0);
  CHECK(after == before);
  CHECK(message_of<heddle::DeviceError>([] {
          heddle::cuda_native::detail::DeviceScope const scope(-1);
        }).find("heddle::cudaSetDevice: ") == 0);
  REQUIRE(cudaGetDevice(&after) == cudaSuccess);
  CHECK(after == before);
}
