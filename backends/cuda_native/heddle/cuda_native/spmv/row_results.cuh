// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Where the kernels of SpMV put the sum of a row: RowResults stores it, FusedRowResults passes it
// through an epilogue (core, row_epilogue.hpp) first. Sums over rows are added up by thread, block
// and grid, always in the same order: a value per block in scratch memory, then one block.
//
// A kernel takes either as its last argument, `rows`:
//
//     typename Results::Sum sum{};      // of the thread
//     results.store(i, row_sum, sum);   // once per row, by one thread
//     rows.finish<threads>(sum);     // by all threads of each block, at its end
//
// and is launched within with_results, which knows how many blocks there are.

#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/device/warp.cuh>
#include <heddle/impl/arithmetic.hpp>
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
  static constexpr bool has_sum = false;
  Scalar alpha, beta;
  Scalar* __restrict__ y;

  __device__ void store(std::int64_t i, Scalar const& row_sum, Sum&) const
  {
    impl::store(y[i], alpha, row_sum, beta);
  }
  // A row whose columns are taken in parts, one after the other, by one thread.
  __device__ void store_part(std::int64_t i, Scalar const& row_sum, bool is_first, bool, Sum&) const
  {
    impl::store(y[i], alpha, row_sum, is_first ? beta : Scalar(1));
  }
  template <int threads>
  __device__ void finish(Sum const&) const
  {}
};

// The sum over the threads of a block, in the order of threads; for thread 0.
template <int threads, class Sum>
__device__ Sum block_total(Sum const& own)
{
  static_assert((threads & (threads - 1)) == 0);
  // Not of type Sum, whose constructor would have to run.
  __shared__ alignas(Sum) unsigned char memory[threads * sizeof(Sum)];
  Sum* const sums = reinterpret_cast<Sum*>(memory);
  sums[threadIdx.x] = own;
  for (int half = threads / 2; half > 0; half /= 2)
  {
    __syncthreads();
    if (static_cast<int>(threadIdx.x) < half)
      sums[threadIdx.x] += sums[threadIdx.x + half];
  }
  return sums[0];
}

template <class Scalar, class Epilogue>
struct FusedRowResults
{
  using Sum = impl::sum_of_epilogue_t<Epilogue>;
  static constexpr bool has_sum = impl::has_sum_v<Epilogue>;
  Scalar alpha, beta;
  Scalar* __restrict__ y;
  Epilogue epilogue;
  Sum* of_blocks; // null where there is no sum

  __device__ void store(std::int64_t i, Scalar const& row_sum, Sum& sum) const
  {
    store(i, row_sum, beta, sum);
  }
  __device__ void store_part(std::int64_t i, Scalar const& row_sum, bool is_first, bool is_last,
                             Sum& sum) const
  {
    Scalar const factor = is_first ? beta : Scalar(1);
    if (is_last)
      store(i, row_sum, factor, sum);
    else
      impl::store(y[i], alpha, row_sum, factor);
  }
  template <int threads>
  __device__ void finish(Sum const& sum) const
  {
    if constexpr (has_sum)
    {
      Sum const total = block_total<threads>(sum);
      if (threadIdx.x == 0)
        of_blocks[blockIdx.x] = total;
    }
  }

private:
  __device__ void store(std::int64_t i, Scalar const& row_sum, Scalar const& factor, Sum& sum) const
  {
    Scalar value = factor == Scalar(0) ? Scalar(0) : y[i];
    impl::store(value, alpha, row_sum, factor);
    impl::apply_to_row(epilogue, i, value, sum);
    y[i] = value;
  }
};

// Adds up `count` sums of blocks and ends the epilogue. One block.
template <int threads, class Epilogue>
__global__ void __launch_bounds__(threads)
    spmv_finish_epilogue_kernel(Epilogue epilogue, impl::sum_of_epilogue_t<Epilogue> const* sums,
                                std::int64_t count)
{
  impl::sum_of_epilogue_t<Epilogue> own{};
  for (std::int64_t n = threadIdx.x; n < count; n += threads)
    own += sums[n];
  auto const total = block_total<threads>(own);
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

// Calls run(results), which launches one kernel of `blocks` blocks. Asynchronous.
template <class Exec, class Scalar, class Y, class Run>
void with_results(Exec const& exec, std::int64_t blocks, Scalar alpha, Scalar beta, Y const& y,
                  Run const& run)
{
  using Results = results_for_t<Scalar, Y>;
  if constexpr (!impl::is_fused_v<Y>)
    run(Results{alpha, beta, y.data});
  else if constexpr (!Results::has_sum)
    run(Results{alpha, beta, y.y.data, y.epilogue, nullptr});
  else
  {
    constexpr int threads = 512;
    impl::Scratch<typename Results::Sum, Exec> const sums(exec, static_cast<std::size_t>(blocks));
    run(Results{alpha, beta, y.y.data, y.epilogue, sums.data()});
    launch(exec, "heddle::spmv::finish_epilogue",
           spmv_finish_epilogue_kernel<threads, typename Y::epilogue_type>, Grid{1, threads},
           y.epilogue, sums.data(), blocks);
  }
}

} // namespace heddle::cuda_native
