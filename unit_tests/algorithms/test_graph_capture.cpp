// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Calls with a plan in a CUDA graph: recorded once, replayed with new values of the matrices.

#include <heddle/config.hpp>

#include <catch2/catch_test_macros.hpp>

#if defined(HEDDLE_HAVE_CUDA_NATIVE)

#include <heddle/papers/spgemm.hpp>
#include <heddle/spgemm.hpp>
#include <heddle/spmm.hpp>
#include <heddle/spmv.hpp>
#include <support/matrices.hpp>
#include <support/mixtures.hpp>
#include <support/structures.hpp>
#include <support/types.hpp>

#include <Kokkos_Core.hpp>

namespace heddle::test
{

namespace
{

using C = Case<Kokkos::Cuda, double, int, int>;

// A stream of its own: what is recorded must not wait for the default one.
class Stream
{
public:
  Stream() { REQUIRE(cudaStreamCreateWithFlags(&m_stream, cudaStreamNonBlocking) == cudaSuccess); }
  ~Stream() { cudaStreamDestroy(m_stream); }
  Stream(Stream const&) = delete;
  Stream& operator=(Stream const&) = delete;
  cudaStream_t get() const { return m_stream; }

private:
  cudaStream_t m_stream = nullptr;
};

// What call(exec) puts into `result`, once at once and once more from a graph after values were
// doubled.
template <class Values, class Result, class Call>
void check_replay(Kokkos::Cuda const& exec, Values const& values, Result const& result,
                  double factor, Call const& call)
{
  call(); // what is made at the first call is there afterwards
  exec.fence();
  auto const expected = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, result);

  cudaGraph_t graph = nullptr;
  REQUIRE(cudaStreamBeginCapture(exec.cuda_stream(), cudaStreamCaptureModeThreadLocal) ==
          cudaSuccess);
  call();
  REQUIRE(cudaStreamEndCapture(exec.cuda_stream(), &graph) == cudaSuccess);
  cudaGraphExec_t recorded = nullptr;
  REQUIRE(cudaGraphInstantiate(&recorded, graph, 0) == cudaSuccess);

  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, values);
  for (std::size_t k = 0; k < host.extent(0); ++k)
    host(k) *= 2;
  Kokkos::deep_copy(values, host);
  for (int replay = 0; replay < 2; ++replay)
  {
    Kokkos::deep_copy(result, -1.0);
    REQUIRE(cudaGraphLaunch(recorded, exec.cuda_stream()) == cudaSuccess);
    exec.fence();
    auto const again = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, result);
    std::size_t wrong = 0;
    for (std::size_t k = 0; k < again.size(); ++k)
      wrong += again.data()[k] == factor * expected.data()[k] ? 0 : 1;
    CHECK(wrong == 0);
  }
  cudaGraphExecDestroy(recorded);
  cudaGraphDestroy(graph);
}

} // namespace

} // namespace heddle::test

using namespace heddle::test;

// "power law" has short and long rows, so that plans take several kernels.
TEST_CASE("calls with a plan can be recorded in a CUDA graph", "[graph][spmv][spmm][spgemm]")
{
  Stream const stream;
  Kokkos::Cuda const exec(stream.get());
  auto const a = make_csr<C>(structure("power law"));
  auto const n = static_cast<std::size_t>(a.num_rows());
  SECTION("spmv")
  {
    Kokkos::View<double*, Kokkos::Cuda> const x("x", n), y("y", n);
    Kokkos::deep_copy(x, 1.5);
    heddle::SpmvPlan const plan(exec, a);
    check_replay(exec, a.values(), y, 2.0, [&] { heddle::spmv(exec, plan, 1.0, a, x, 0.0, y); });
  }
  SECTION("spmm")
  {
    Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::Cuda> const b("b", n, 32), c("c", n, 32);
    Kokkos::deep_copy(b, 1.5);
    heddle::SpmmPlan const plan(exec, a);
    check_replay(exec, a.values(), c, 2.0, [&] { heddle::spmm(exec, plan, 1.0, a, b, 0.0, c); });
  }
  SECTION("spmm on several streams")
  {
    auto const m = make_csr<C>(mixtures().front());
    Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::Cuda> const b("b", m.num_cols(), 32),
        c("c", m.num_rows(), 32);
    Kokkos::deep_copy(b, 1.5);
    heddle::SpmmPlan const plan(exec, m, {.implementation = "cuda_native::csr_mixed"});
    check_replay(exec, m.values(), c, 2.0, [&] { heddle::spmm(exec, plan, 1.0, m, b, 0.0, c); });
  }
  SECTION("spgemm")
  {
    for (bool const reuse : {false, true})
    {
      heddle::SpgemmPlan const plan(exec, a, a,
                                    {.implementation = "cuda_native::binned",
                                     .reuse = reuse,
                                     .op_a = heddle::Op::transpose,
                                     .deterministic = true});
      auto const c = plan.make_result(exec);
      check_replay(exec, a.values(), c.values(), 4.0, [&] { heddle::spgemm(exec, plan, a, a, c); });
    }
  }
  SECTION("spgemm by virtual warps")
  {
    heddle::papers::SpgemmPlan const plan(exec, a, a,
                                          {.implementation = "cuda_native::scatter_or_esc"});
    auto const c = plan.make_result(exec);
    check_replay(exec, a.values(), c.values(), 4.0,
                 [&] { heddle::papers::spgemm(exec, plan, a, a, c); });
  }
}

#else

TEST_CASE("calls with a plan can be recorded in a CUDA graph", "[graph]")
{
  SKIP("built without the native CUDA kernels");
}

#endif
