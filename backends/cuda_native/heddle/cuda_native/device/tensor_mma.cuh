// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Products of small matrices on tensor cores. Those of 16-bit values are summed in f32: a warp
// holds a 16 x 16 factor, a 16 x 8 factor and the 16 x 8 result in registers, as NVIDIA's PTX ISA
// lays them out
// ("Matrix Fragments for mma.m16n8k16 with floating point type"): lane 4 g + t has
//   of the left factor   the columns 2 t, 2 t + 1 and 2 t + 8, 2 t + 9 of the rows g and g + 8,
//   of the right factor  the same numbers of rows of column g,
//   of the result        the columns 2 t, 2 t + 1 of the rows g and g + 8.

#include <heddle/config.hpp>
#include <heddle/cuda_native/device/device_shape.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <type_traits>

namespace heddle::cuda_native
{

namespace detail
{

// Kokkos' own types of 16 bits; where they are float there are none.
template <class Value, class Half>
inline constexpr bool is_half_v = std::is_same_v<Value, Half> && !std::is_same_v<Half, float>;

} // namespace detail

// What tensor cores take.
template <class Value>
inline constexpr bool is_tensor_value_v = architecture_shape(HEDDLE_CUDA_ARCH).has_16_bit_mma &&
                                          (detail::is_half_v<Value, Kokkos::Experimental::half_t> ||
                                           detail::is_half_v<Value, Kokkos::Experimental::bhalf_t>);

struct TensorShape
{
  static constexpr int rows = 16, columns = 8, depth = 16;
  static constexpr int lanes_of_depth = 4, depth_of_lane = 4;
};

// sums += left * right. Registers have two neighbours each, the one with the smaller number of
// column (row) in the lower half: of `left` rows g and g + 8 with 2 t, then both with 2 t + 8; of
// `right` 2 t, then 2 t + 8. Sums: row g, then g + 8. All lanes of the warp take part.
template <class Value>
__device__ void multiply_add(float (&sums)[4], std::uint32_t const (&left)[4],
                             std::uint32_t const (&right)[2])
{
  static_assert(is_tensor_value_v<Value>);
  if constexpr (std::is_same_v<Value, Kokkos::Experimental::half_t>)
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
                 : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "r"(right[0]),
                   "r"(right[1]));
  else
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
                 : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "r"(right[0]),
                   "r"(right[1]));
}

// Products of doubles: a 16 x 8 factor, an 8 x 8 factor and the 16 x 8 result ("Matrix Fragments
// for mma.m16n8k8" there). Lane 4 g + t has
//   of the left factor   the columns t and t + 4 of the rows g and g + 8,
//   of the right factor  the rows t and t + 4 of column g,
//   of the result        the columns 2 t, 2 t + 1 of the rows g and g + 8.
struct TensorShapeOfDoubles
{
  static constexpr int rows = 16, columns = 8, depth = 8;
  static constexpr int lanes_of_depth = 4;
};
inline constexpr bool has_tensor_doubles = architecture_shape(HEDDLE_CUDA_ARCH).has_f64_mma;

// sums += left * right: sums of row g (upper) and of row g + 8 (lower); of `left` rows g and g + 8
// with column t, then both with t + 4; of `right` t, then t + 4. All lanes of the warp take part.
// Without the instructions (has_tensor_doubles) nothing is done.
__device__ inline void multiply_add(double (&upper)[2], double (&lower)[2], double const (&left)[4],
                                    double const (&right)[2])
{
#if __CUDA_ARCH__ >= 900
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, "
               "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
               : "+d"(upper[0]), "+d"(upper[1]), "+d"(lower[0]), "+d"(lower[1])
               : "d"(left[0]), "d"(left[1]), "d"(left[2]), "d"(left[3]), "d"(right[0]),
                 "d"(right[1]));
#elif __CUDA_ARCH__ >= 800
  auto const multiply = [](double(&sums)[2], double of_left, double of_right) {
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
                 : "+d"(sums[0]), "+d"(sums[1])
                 : "d"(of_left), "d"(of_right));
  };
  multiply(upper, left[0], right[0]);
  multiply(lower, left[1], right[0]);
  multiply(upper, left[2], right[1]);
  multiply(lower, left[3], right[1]);
#endif
}

// The lower, or the upper, halves of two words beside each other.
__device__ inline std::uint32_t lower_halves(std::uint32_t first, std::uint32_t second)
{
  return __byte_perm(first, second, 0x5410);
}
__device__ inline std::uint32_t upper_halves(std::uint32_t first, std::uint32_t second)
{
  return __byte_perm(first, second, 0x7632);
}

} // namespace heddle::cuda_native
