// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What kernels do within a warp.

#include <heddle/accumulator.hpp>

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace heddle::cuda_native
{

inline constexpr int warp_size = 32, log_warp_size = 5;

// The value of the lane whose number differs in the bits of mask. All lanes of the warp take part.
template <class Value>
__device__ Value value_of_lane_xor(Value const& value, int mask)
{
  constexpr unsigned all_lanes = 0xffffffffU;
  if constexpr (impl::is_complex_v<Value>)
    return Value(__shfl_xor_sync(all_lanes, value.real(), mask),
                 __shfl_xor_sync(all_lanes, value.imag(), mask));
  else if constexpr (std::is_arithmetic_v<Value>)
    return __shfl_xor_sync(all_lanes, value, mask);
  else // any that is trivially copyable, word by word
  {
    constexpr int words = (sizeof(Value) + sizeof(unsigned) - 1) / sizeof(unsigned);
    unsigned bits[words] = {};
    memcpy(bits, &value, sizeof(Value));
#pragma unroll
    for (int n = 0; n < words; ++n)
      bits[n] = __shfl_xor_sync(all_lanes, bits[n], mask);
    Value other;
    memcpy(&other, bits, sizeof(Value));
    return other;
  }
}

// The value of a lane, which each lane names for itself. All lanes of the warp take part.
template <class Value>
__device__ Value value_of_lane(Value const& value, int lane)
{
  constexpr unsigned all_lanes = 0xffffffffU;
  if constexpr (impl::is_complex_v<Value>)
    return Value(__shfl_sync(all_lanes, value.real(), lane),
                 __shfl_sync(all_lanes, value.imag(), lane));
  else
    return __shfl_sync(all_lanes, value, lane);
}

// The sum over lanes that differ in the bits from `first` up to, not including, `last` (powers of
// two): each of them gets it, by additions in one order. All lanes of the warp take part.
template <class Value>
__device__ Value sum_of_lanes(Value sum, int last, int first = 1)
{
#pragma unroll
  for (int mask = warp_size / 2; mask > 0; mask /= 2)
    if (mask < last && mask >= first)
      sum += value_of_lane_xor(sum, mask);
  return sum;
}

// Halves the sums that a lane holds between the groups of a warp until each group has the totals of
// a share of its own, which begins at `start`, and stores it. One shuffle a sum and step. Where a
// single sum is left several groups get it and one of them owns it.
template <int count, class Scalar, class Store>
__device__ void share_sums(Scalar* sums, int lane_bit, int start, bool is_owner, Store const& store)
{
  if (lane_bit >= warp_size)
  {
    if (is_owner)
      store(std::integral_constant<int, count>{}, start);
    return;
  }
  bool const is_upper = (static_cast<int>(threadIdx.x) & lane_bit) != 0;
  if constexpr (count % 2 == 0)
  {
    constexpr int half = count / 2;
#pragma unroll
    for (int i = 0; i < half; ++i)
    {
      Scalar const kept = is_upper ? sums[i + half] : sums[i];
      Scalar const given = is_upper ? sums[i] : sums[i + half];
      sums[i] = kept + value_of_lane_xor(given, lane_bit);
    }
    share_sums<half>(sums, 2 * lane_bit, is_upper ? start + half : start, is_owner, store);
  }
  else
  {
#pragma unroll
    for (int i = 0; i < count; ++i)
      sums[i] += value_of_lane_xor(sums[i], lane_bit);
    share_sums<count>(sums, 2 * lane_bit, start, is_owner && !is_upper, store);
  }
}

// The sum of value over the lanes up to this one in its group of `lanes` neighbours (a power of
// two). All lanes of the warp take part.
template <int lanes, class Value>
__device__ Value inclusive_sum_of_lanes(Value value)
{
  constexpr unsigned all_lanes = 0xffffffffU;
  int const lane = static_cast<int>(threadIdx.x) % lanes;
  Value sum = value;
  for (int distance = 1; distance < lanes; distance *= 2)
  {
    Value const before = __shfl_up_sync(all_lanes, sum, static_cast<unsigned>(distance), lanes);
    if (lane >= distance)
      sum += before;
  }
  return sum;
}

// The largest value of all lanes, and the smallest, for each of them. All lanes of the warp take
// part. Ampere and later have an instruction for each, of 32 bits.
__device__ inline int largest_of_warp(int value)
{
#if __CUDA_ARCH__ >= 800
  return __reduce_max_sync(0xffffffffU, value);
#else
  for (int mask = warp_size / 2; mask > 0; mask /= 2)
    value = max(value, value_of_lane_xor(value, mask));
  return value;
#endif
}
__device__ inline int smallest_of_warp(int value)
{
#if __CUDA_ARCH__ >= 800
  return __reduce_min_sync(0xffffffffU, value);
#else
  return -largest_of_warp(-value);
#endif
}
__device__ inline std::int64_t smallest_of_warp(std::int64_t value)
{
  for (int mask = warp_size / 2; mask > 0; mask /= 2)
  {
    std::int64_t const other = value_of_lane_xor(value, mask);
    value = other < value ? other : value;
  }
  return value;
}

} // namespace heddle::cuda_native
