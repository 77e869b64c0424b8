// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Rows sorted into a few classes, a list of each, so that a launch takes rows of one kind: one
// kernel counts, a second fills the lists. Within a list rows are about in their order; what is
// done with them must not depend on it.

#include <heddle/cuda_native/launch.cuh>

#include <Kokkos_Core.hpp>

#include <array>
#include <cstdint>

namespace heddle::cuda_native
{

inline constexpr int most_row_classes = 16;

// What the two kernels leave behind, on the device.
struct RowClassCounts
{
  unsigned long long rows[most_row_classes];
  unsigned long long cursors[most_row_classes];
  unsigned long long weight; // summed over all rows
  unsigned long long most;   // the largest of what rows have
};

// Which rows of the list are of a class.
struct RowRange
{
  std::int64_t first, count;
};

// The same on the host.
struct RowClasses
{
  std::array<RowRange, most_row_classes> ranges = {};
  std::int64_t weight = 0, most = 0;

  RowClasses() = default;
  explicit RowClasses(RowClassCounts const& counts)
      : weight(static_cast<std::int64_t>(counts.weight))
      , most(static_cast<std::int64_t>(counts.most))
  {
    std::int64_t first = 0;
    for (int n = 0; n < most_row_classes; ++n)
    {
      auto const count = static_cast<std::int64_t>(counts.rows[n]);
      ranges[n] = {first, count};
      first += count;
    }
  }
};

// Of: class_of(i); weight_of(i), which is summed and whose largest is found.
template <class Of>
__global__ void count_row_classes_kernel(Of of, std::int64_t rows, RowClassCounts* counts)
{
  __shared__ unsigned int here[most_row_classes];
  __shared__ unsigned long long weight, most;
  if (threadIdx.x < most_row_classes)
    here[threadIdx.x] = 0;
  if (threadIdx.x == 0)
    weight = most = 0;
  __syncthreads();
  std::int64_t const i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < rows)
  {
    atomicAdd(&here[of.class_of(i)], 1U);
    auto const mine = static_cast<unsigned long long>(of.weight_of(i));
    atomicAdd(&weight, mine);
    atomicMax(&most, mine);
  }
  __syncthreads();
  if (threadIdx.x < most_row_classes && here[threadIdx.x] != 0)
    atomicAdd(&counts->rows[threadIdx.x], static_cast<unsigned long long>(here[threadIdx.x]));
  if (threadIdx.x == 0 && weight != 0)
  {
    atomicAdd(&counts->weight, weight);
    atomicMax(&counts->most, most);
  }
}

template <class Of, class Ordinal>
__global__ void list_row_classes_kernel(Of of, std::int64_t rows, RowClassCounts* counts,
                                        Ordinal* list)
{
  __shared__ unsigned int here[most_row_classes];
  __shared__ unsigned long long first[most_row_classes];
  if (threadIdx.x < most_row_classes)
    here[threadIdx.x] = 0;
  __syncthreads();
  std::int64_t const i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  int const row_class = i < rows ? of.class_of(i) : 0;
  unsigned int const place = i < rows ? atomicAdd(&here[row_class], 1U) : 0;
  __syncthreads();
  if (threadIdx.x < most_row_classes && here[threadIdx.x] != 0)
  {
    unsigned long long before = 0;
    for (unsigned int n = 0; n < threadIdx.x; ++n)
      before += counts->rows[n];
    first[threadIdx.x] = before + atomicAdd(&counts->cursors[threadIdx.x],
                                            static_cast<unsigned long long>(here[threadIdx.x]));
  }
  __syncthreads();
  if (i < rows)
    list[first[row_class] + place] = static_cast<Ordinal>(i);
}

// Rows and cursors of counts are zero before; weights are added. Asynchronous.
template <class Of, class Ordinal>
void list_row_classes(Kokkos::Cuda const& exec, Of const& of, std::int64_t rows,
                      RowClassCounts* counts, Ordinal* list)
{
  Grid const grid = one_thread_each(rows, 256);
  launch(exec, "heddle::row_classes::count", count_row_classes_kernel<Of>, grid, of, rows, counts);
  launch(exec, "heddle::row_classes::list", list_row_classes_kernel<Of, Ordinal>, grid, of, rows,
         counts, list);
}

} // namespace heddle::cuda_native
