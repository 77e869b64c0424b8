// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/impl/sort.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace heddle::impl
{

template struct SortByKey<Kokkos::DefaultExecutionSpace, int, int>;
template struct SortByKey<Kokkos::DefaultExecutionSpace, int, std::size_t>;
template struct SortByKey<Kokkos::DefaultExecutionSpace, std::int64_t, std::int64_t>;
#if defined(KOKKOS_ENABLE_CUDA)
template struct SortPairs<std::uint32_t, int>;
template struct SortPairs<std::uint64_t, int>;
#endif

} // namespace heddle::impl
