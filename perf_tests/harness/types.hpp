// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/csr_matrix.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

namespace heddle::perf
{

using Exec = Kokkos::DefaultExecutionSpace;
using Space = Exec::memory_space;

// Whether this build multiplies matrices of such values: with HEDDLE_DOUBLE_ONLY, as
// scripts/quickstart.sh sets it, double alone, which is half of what there is to compile.
#if defined(HEDDLE_PERF_DOUBLE_ONLY)
template <class Value>
inline constexpr bool is_built_v = std::is_same_v<Value, double>;
#else
template <class Value>
inline constexpr bool is_built_v = true;
#endif

// What --type takes in this build.
inline std::vector<std::string> built_types()
{
  if constexpr (is_built_v<float>)
    return {"f32", "f64"};
  else
    return {"f64"};
}

template <class Value>
using HostMatrix = CsrMatrix<Value, int, std::size_t, Kokkos::HostSpace>;
template <class Value>
using Matrix32 = CsrMatrix<Value, int, int, Space>; // int32 columns and offsets

} // namespace heddle::perf
