// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What Tpetra's headers declare for CUDA beside templates, and a library for hosts has not: the
// instances of Kokkos::Cuda that parts of a distributed product may run on, and the event by which
// one waits for another.
#include <Tpetra_Details_ExecutionSpaces.hpp>
#include <Tpetra_KokkosCompat_ClassicNodeAPI_Wrapper.hpp>

template <>
std::string Tpetra::KokkosCompat::KokkosCudaWrapperNode::name()
{
  return "Cuda/Wrapper";
}

namespace Tpetra::Details::Spaces
{

CudaInfo::CudaInfo()
    : initialized_(false)
    , lowPrio_(0)
    , mediumPrio_(0) // the priority of CUDA's own streams
    , highPrio_(0)
    , execSpaceWaitEvent_(nullptr)
{}

CudaInfo cudaInfo;
InstanceLifetimeManager<Kokkos::Cuda> cudaSpaces;

// In front of the function of this name in the library for hosts, which knows nothing of CUDA.
void lazy_init()
{
  if (cudaInfo.initialized_)
    return;
  TPETRA_DETAILS_SPACES_CUDA_RUNTIME(
      cudaDeviceGetStreamPriorityRange(&cudaInfo.lowPrio_, &cudaInfo.highPrio_));
  TPETRA_DETAILS_SPACES_CUDA_RUNTIME(
      cudaEventCreateWithFlags(&cudaInfo.execSpaceWaitEvent_, cudaEventDisableTiming));
  cudaInfo.initialized_ = true;
}

} // namespace Tpetra::Details::Spaces
