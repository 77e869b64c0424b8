// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/csr_matrix.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>

namespace heddle::perf
{

using Exec = Kokkos::DefaultExecutionSpace;
using Space = Exec::memory_space;

template <class Value>
using HostMatrix = CsrMatrix<Value, int, std::size_t, Kokkos::HostSpace>;
template <class Value>
using Matrix32 = CsrMatrix<Value, int, int, Space>; // int32 columns and offsets

} // namespace heddle::perf
