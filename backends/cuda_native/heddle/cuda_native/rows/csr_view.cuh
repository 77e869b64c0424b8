// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// A CSR matrix as kernels read it, of all operations. What a kernel needs beside it, as whether
// loads may be wide, or where gathered values are, stands in types that derive from it
// (rows/entries.cuh).

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <type_traits>

namespace heddle::cuda_native
{

// What numbers the entries of a matrix: 32 bits where offsets have no more.
template <class Offset>
using EntryIndexOf =
    std::conditional_t<(sizeof(Offset) <= sizeof(std::int32_t)), std::int32_t, std::int64_t>;

template <class Value, class Ordinal, class Offset>
struct CsrView
{
  using value_type = Value;
  using ordinal_type = Ordinal;
  using offset_type = Offset;
  using entry_index = EntryIndexOf<Offset>;
  std::int64_t rows;
  Offset const* __restrict__ offsets;
  Ordinal const* __restrict__ columns;
  Value const* __restrict__ values;

  __device__ entry_index begin_of(std::int64_t row) const
  {
    return static_cast<entry_index>(offsets[row]);
  }
  __device__ int length_of(std::int64_t row) const
  {
    return static_cast<int>(static_cast<entry_index>(offsets[row + 1]) - begin_of(row));
  }
};

} // namespace heddle::cuda_native
