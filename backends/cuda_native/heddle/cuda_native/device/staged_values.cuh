// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Consecutive values of an array that a block copies to shared memory while its threads load other
// things:
//
//     extern __shared__ int4 shared[];
//     __shared__ CopyBarrier barrier;
//     StagedValues<Value> staged(shared, barrier, {values, count_of_all}, first, count);
//     ... loads ...
//     staged.wait();           // all threads of the block
//     ... staged.values()[n]   // is values[first + n]
//
// From compute capability 9.0 on one thread starts a bulk copy (PTX ISA, cp.async.bulk), which
// takes no registers and no slots of the first-level cache; before that all threads load words of
// 16 bytes. Both copy words of 16 bytes, so up to three values more at either end; where these
// would lie outside of the array only what fills whole words is copied, and threads load the rest
// one by one. Values are read past the caches.

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace heddle::cuda_native
{

using CopyBarrier = std::uint64_t; // of the block, in shared memory

template <class T>
class StagedValues
{
  static constexpr int word_bytes = sizeof(int4), per_word = word_bytes / sizeof(T);
  static_assert(per_word >= 1 && word_bytes % sizeof(T) == 0);

public:
  // Shared memory for `count` values, wherever the first of them lies in its word.
  static constexpr std::size_t bytes(std::int64_t count)
  {
    return (static_cast<std::size_t>(count) * sizeof(T) / word_bytes + 2) * word_bytes;
  }

  struct Array
  {
    T const* values;
    std::int64_t count;
  };

  // By all threads of the block, of which there are two for each value of a word at least.
  __device__ StagedValues(int4* memory, CopyBarrier& barrier, Array const& all, std::int64_t first,
                          int count)
      : m_barrier(&barrier)
  {
    T const* const from = all.values + first;
    auto const place = static_cast<int>(reinterpret_cast<std::uintptr_t>(from) % word_bytes);
    int const before = place / static_cast<int>(sizeof(T)); // values of the first word
    int const words = (before + count + per_word - 1) / per_word;
    m_values = reinterpret_cast<T*>(memory) + before;
    if (count == 0 || (first >= before && first - before + words * per_word <= all.count))
      start_copy(reinterpret_cast<T*>(memory), from - before, count > 0 ? words : 0);
    else
    {
      int const head = min(count, (per_word - before) % per_word);
      int const whole = (count - head) / per_word * per_word;
      start_copy(m_values + head, from + head, whole / per_word);
      int const thread = static_cast<int>(threadIdx.x);
      if (int const n = thread < head ? thread : thread + whole; n < count)
        m_values[n] = from[n];
    }
    __syncthreads(); // the barrier is there
  }

  // Until all values are there.
  __device__ void wait() const
  {
#if __CUDA_ARCH__ >= 900
    asm volatile("{\n"
                 ".reg .pred is_there;\n"
                 "again:\n"
                 "mbarrier.try_wait.parity.shared.b64 is_there, [%0], 0;\n"
                 "@!is_there bra again;\n"
                 "}" ::"r"(shared_address(m_barrier))
                 : "memory");
#else
    __syncthreads();
#endif
  }

  __device__ T const* values() const { return m_values; }

private:
  CopyBarrier* m_barrier;
  T* m_values;

  __device__ static unsigned shared_address(void const* pointer)
  {
    return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
  }

  // Both begin at a word.
  __device__ void start_copy(T* to, T const* from, int words)
  {
#if __CUDA_ARCH__ >= 900
    if (threadIdx.x != 0)
      return;
    unsigned const barrier = shared_address(m_barrier);
    asm volatile("mbarrier.init.shared.b64 [%0], 1;\n"
                 "fence.mbarrier_init.release.cluster;\n"
                 "fence.proxy.async.shared::cta;" ::"r"(barrier)
                 : "memory");
    unsigned const bytes = static_cast<unsigned>(words) * word_bytes;
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes)
                 : "memory");
    if (words == 0)
      return;
    std::uint64_t read_once;
    asm volatile("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(read_once));
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint "
                 "[%0], [%1], %2, [%3], %4;" ::"r"(shared_address(to)),
                 "l"(__cvta_generic_to_global(from)), "r"(bytes), "r"(barrier), "l"(read_once)
                 : "memory");
#else
    constexpr int at_once = 4;
    auto* const to_words = reinterpret_cast<int4*>(to);
    auto const* const from_words = reinterpret_cast<int4 const*>(from);
    int const threads = static_cast<int>(blockDim.x);
    for (int first = static_cast<int>(threadIdx.x); first < words; first += at_once * threads)
    {
      int4 word[at_once];
#pragma unroll
      for (int n = 0; n < at_once; ++n)
        if (first + n * threads < words)
          word[n] = __ldcs(from_words + first + n * threads);
#pragma unroll
      for (int n = 0; n < at_once; ++n)
        if (first + n * threads < words)
          to_words[first + n * threads] = word[n];
    }
#endif
  }
};

} // namespace heddle::cuda_native
