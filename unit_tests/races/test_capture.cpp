// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A thread records calls in a CUDA graph and replays it, while others call the same plans on their
// own instances. What these do must be asynchronous, since CUDA refuses to wait for a device of
// which a stream is recorded.

#include <heddle/config.hpp>

#include <catch2/catch_test_macros.hpp>

#if defined(HEDDLE_HAVE_CUDA_NATIVE)

#include <heddle/spmm.hpp>
#include <heddle/spmv.hpp>
#include <support/instances.hpp>
#include <support/matrices.hpp>
#include <support/structures.hpp>
#include <support/types.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace heddle::test
{

namespace
{

using C = DoubleCase<Kokkos::Cuda>;
using Vector = Kokkos::View<double*, Kokkos::Cuda>;
using Block = Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::Cuda>;

// The results of one thread.
struct Results
{
  Vector y;
  Block c;
};

std::string replay(Kokkos::Cuda const& exec, cudaGraph_t graph)
{
  cudaGraphExec_t recorded = nullptr;
  if (cudaGraphInstantiate(&recorded, graph, 0) != cudaSuccess)
    return "the graph cannot be made";
  cudaError_t status = cudaSuccess;
  for (int repetition = 0; repetition < 20 && status == cudaSuccess; ++repetition)
    status = cudaGraphLaunch(recorded, exec.cuda_stream());
  exec.fence();
  cudaGraphExecDestroy(recorded);
  return status == cudaSuccess ? "" : "the graph cannot be launched";
}

// What call launches on exec, recorded and replayed; "" or what went wrong.
template <class Call>
std::string record(Kokkos::Cuda const& exec, Call const& call)
{
  cudaGraph_t graph = nullptr;
  if (cudaStreamBeginCapture(exec.cuda_stream(), cudaStreamCaptureModeThreadLocal) != cudaSuccess)
    return "no capture begins";
  call();
  if (cudaStreamEndCapture(exec.cuda_stream(), &graph) != cudaSuccess)
    return "the capture was broken";
  std::string const wrong = replay(exec, graph);
  cudaGraphDestroy(graph);
  return wrong;
}

} // namespace

} // namespace heddle::test

using namespace heddle::test;

TEST_CASE("a graph is recorded while other threads call the same plans", "[races][graph]")
{
  Kokkos::Cuda const device;
  auto const a = make_csr<C>(structure("power law"));
  auto const n = static_cast<std::size_t>(a.num_rows());
  Vector const x("x", n);
  Block const b("b", n, 32);
  Kokkos::deep_copy(x, 1.5);
  Kokkos::deep_copy(b, 1.5);
  heddle::SpmvPlan const spmv_plan(device, a);
  heddle::SpmmPlan const spmm_plan(device, a);
  auto const call = [&](Kokkos::Cuda const& exec, Results const& into) {
    heddle::spmv(exec, spmv_plan, 2.0, a, x, 0.0, into.y);
    heddle::spmm(exec, spmm_plan, 2.0, a, b, 0.0, into.c);
  };
  auto const instances = instances_of<Kokkos::Cuda>(4);
  std::vector<Results> results;
  for (auto const& exec : instances)
  {
    results.push_back({Vector("y", n), Block("c", n, 32)});
    call(exec, results.back()); // what is made at the first call is there afterwards
  }
  Kokkos::fence();
  Results const expected{Vector("y", n), Block("c", n, 32)};
  Kokkos::deep_copy(expected.y, results[0].y);
  Kokkos::deep_copy(expected.c, results[0].c);
  for (Results const& result : results)
  {
    Kokkos::deep_copy(result.y, -1.0);
    Kokkos::deep_copy(result.c, -1.0);
  }
  Kokkos::fence();

  auto const found =
      at_once_on(instances, [&](Kokkos::Cuda const& exec, std::size_t thread) -> std::string {
        for (int repetition = 0; repetition < 50; ++repetition)
        {
          if (thread == 0)
          {
            std::string const wrong = record(exec, [&] { call(exec, results[0]); });
            if (!wrong.empty())
              return wrong;
          }
          else
            call(exec, results[thread]);
        }
        cudaStreamSynchronize(exec.cuda_stream());
        return "";
      });
  CHECK(found == std::vector<std::string>(instances.size()));
  for (Results const& result : results)
  {
    CHECK(to_vector(result.y) == to_vector(expected.y));
    auto const c = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, result.c);
    auto const right = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, expected.c);
    std::size_t wrong = 0;
    for (std::size_t k = 0; k < c.size(); ++k)
      wrong += c.data()[k] == right.data()[k] ? 0 : 1;
    CHECK(wrong == 0);
  }
}

#else

TEST_CASE("a graph is recorded while other threads call the same plans", "[races][graph]")
{
  SKIP("built without the native CUDA kernels");
}

#endif
