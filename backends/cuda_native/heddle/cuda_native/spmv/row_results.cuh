// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Where the kernels of SpMV put the sum of a row: RowResults stores it, FusedRowResults passes it
// through an epilogue (core, row_epilogue.hpp) first. Sums over rows are added up by thread, warp
// and grid, always in the same order: each warp leaves a value in scratch memory, which a second
// kernel adds up. No block waits for its warps: these kernels live on how many loads are under way.
//
// A kernel takes either as its last argument, `results`:
//
//     typename Results::Sum sum{};            // of the thread
//     auto const loaded = results.load(i);    // early, where one thread has one row
//     results.store(i, row_sum, loaded, sum); // once per row, by one thread
//     results.finish(sum);                    // by all threads, at their end
//     results.finish(sum, last, first);       // where of each warp only lane 0 and those have a
//     sum
//                                             // whose numbers are sums of first, 2 first, ...,
//                                             last / 2
//
// and is launched within with_results, which has to know the grid.

#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/device/team.cuh>
#include <heddle/cuda_native/device/warp.cuh>
#include <heddle/cuda_native/spmv/policy.hpp>
#include <heddle/impl/arithmetic.hpp>
#include <heddle/impl/divided_up.hpp>
#include <heddle/impl/epilogue.hpp>
#include <heddle/impl/operands.hpp>
#include <heddle/impl/scratch.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace heddle::cuda_native
{

// y(i) <- alpha sum + beta y(i).
template <class Scalar>
struct RowResults
{
  using Sum = impl::NoSum;
  using Loaded = impl::NothingLoaded;
  static constexpr bool has_sum = false;
  Scalar alpha, beta;
  Scalar* __restrict__ y;

  __device__ static Loaded load(std::int64_t) { return {}; }
  __device__ void store(std::int64_t i, Scalar const& row_sum, Loaded, Sum&) const
  {
    impl::store(y[i], alpha, row_sum, beta);
  }
  __device__ void store(std::int64_t i, Scalar const& row_sum, Sum& sum) const
  {
    store(i, row_sum, {}, sum);
  }
  // A row whose columns are taken in parts, one after the other, by one thread.
  __device__ void store_part(std::int64_t i, Scalar const& row_sum, bool is_first, bool, Sum&) const
  {
    impl::store(y[i], alpha, row_sum, is_first ? beta : Scalar(1));
  }
  __device__ void finish(Sum const&, int = warp_size, int = 1) const {}
};

// What the warps of the first kernel leave for the second: a sum for each warp, then one for each
// block of the second kernel, and how many of these blocks are done.
template <class Sum>
struct SumsOfWarps
{
  std::int64_t count; // warps
  Sum* sums;
  unsigned* done;
};

template <class Scalar, class Epilogue>
struct FusedRowResults
{
  using Sum = impl::sum_of_epilogue_t<Epilogue>;
  using Loaded = impl::loaded_t<Epilogue>;
  static constexpr bool has_sum = impl::has_sum_v<Epilogue>;
  Scalar alpha, beta;
  Scalar* __restrict__ y;
  Epilogue epilogue;
  SumsOfWarps<Sum> sums; // empty where there is no sum

  __device__ Loaded load(std::int64_t i) const { return impl::load_for_row(epilogue, i); }
  __device__ void store(std::int64_t i, Scalar const& row_sum, Loaded const& loaded, Sum& sum) const
  {
    store(i, row_sum, beta, loaded, sum);
  }
  __device__ void store(std::int64_t i, Scalar const& row_sum, Sum& sum) const
  {
    store(i, row_sum, beta, load(i), sum);
  }
  __device__ void store_part(std::int64_t i, Scalar const& row_sum, bool is_first, bool is_last,
                             Sum& sum) const
  {
    Scalar const factor = is_first ? beta : Scalar(1);
    if (is_last)
      store(i, row_sum, factor, load(i), sum);
    else
      impl::store(y[i], alpha, row_sum, factor);
  }
  __device__ void finish(Sum const& sum, int last = warp_size, int first = 1) const
  {
    if constexpr (has_sum)
    {
      let_next_start(); // spmv_finish_epilogue_kernel
      Sum const total = sum_of_lanes(sum, last, first);
      std::int64_t const thread = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
      if (thread % warp_size == 0)
        sums.sums[thread / warp_size] = total;
      if (thread == 0)
        *sums.done = 0;
    }
  }

private:
  __device__ void store(std::int64_t i, Scalar const& row_sum, Scalar const& factor,
                        Loaded const& loaded, Sum& sum) const
  {
    Scalar value = factor == Scalar(0) ? Scalar(0) : y[i];
    impl::store(value, alpha, row_sum, factor);
    impl::apply_to_row(epilogue, i, value, loaded, sum);
    y[i] = value;
  }
};

// Adds up the sums of warps, each block those of a piece, and the last block to come to its end
// what the blocks have found, in their order; that one ends the epilogue. It starts while the last
// blocks of the kernel before still run.
template <int threads, class Epilogue, class Sum>
__global__ void __launch_bounds__(threads)
    spmv_finish_epilogue_kernel(Epilogue epilogue, SumsOfWarps<Sum> of_warps)
{
  __shared__ bool is_last;
  // Not of type Sum, whose constructor would have to run.
  __shared__ alignas(Sum) unsigned char memory[threads / warp_size * sizeof(Sum)];
  Sum* const shared_sums = reinterpret_cast<Sum*>(memory);
  wait_for_previous();
  std::int64_t const piece = impl::divided_up(of_warps.count, static_cast<std::int64_t>(gridDim.x));
  std::int64_t const first = blockIdx.x * piece;
  std::int64_t const last = min(first + piece, of_warps.count);
  Sum own{};
#pragma unroll 4
  for (std::int64_t n = first + threadIdx.x; n < last; n += threads)
    own += of_warps.sums[n];
  Sum total = sum_of_block<threads>(own, shared_sums);
  Sum* const of_blocks = of_warps.sums + of_warps.count;
  if (threadIdx.x == 0)
  {
    of_blocks[blockIdx.x] = total;
    __threadfence();
    is_last = atomicAdd(of_warps.done, 1U) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (!is_last)
    return;
  own = Sum{};
  for (unsigned n = threadIdx.x; n < gridDim.x; n += threads)
    own += of_blocks[n];
  total = sum_of_block<threads>(own, shared_sums);
  if (threadIdx.x == 0)
    epilogue.finish(total);
}

// What goes with y: the results of a VectorOperand, or of a FusedVector.
template <class Scalar, class Y>
struct ResultsFor
{
  using type = RowResults<Scalar>;
};
template <class Scalar, class Y, class Epilogue>
struct ResultsFor<Scalar, impl::FusedVector<Y, Epilogue>>
{
  using type = FusedRowResults<Scalar, Epilogue>;
};
template <class Scalar, class Y>
using results_for_t = typename ResultsFor<Scalar, Y>::type;

// Calls run(results), which launches one kernel on this grid. Asynchronous.
template <class Exec, class Scalar, class Y, class Run>
void with_results(Exec const& exec, Grid const& grid, Scalar alpha, Scalar beta, Y const& y,
                  Run const& run)
{
  using Results = results_for_t<Scalar, Y>;
  if constexpr (!impl::is_fused_v<Y>)
    run(Results{alpha, beta, y.data});
  else if constexpr (!Results::has_sum)
    run(Results{alpha, beta, y.y.data, y.epilogue, {}});
  else
  {
    constexpr int threads = SpmvFinishPolicy::threads_per_block;
    using Sum = typename Results::Sum;
    std::int64_t const warps = grid.blocks * (grid.threads_per_block / warp_size);
    std::int64_t const blocks = SpmvFinishPolicy::blocks(warps);
    impl::Scratch<Sum, Exec> const sums(exec, static_cast<std::size_t>(warps + blocks));
    impl::Scratch<unsigned, Exec> const done(exec, 1);
    SumsOfWarps<Sum> const of_warps{warps, sums.data(), done.data()};
    if (warps == 0) // no kernel runs that could do so
      Kokkos::deep_copy(exec, done.view(), 0U);
    run(Results{alpha, beta, y.y.data, y.epilogue, of_warps});
    Grid finish{blocks, threads};
    finish.starts_early = warps > 0;
    launch(exec, "heddle::spmv::finish_epilogue",
           spmv_finish_epilogue_kernel<threads, typename Y::epilogue_type, Sum>, finish, y.epilogue,
           of_warps);
  }
}

} // namespace heddle::cuda_native
