// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/cold_cache.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace heddle::perf
{

namespace
{

std::size_t words_of(std::int64_t cache_bytes)
{
  constexpr std::int64_t times = 4, least = std::int64_t(64) << 20;
  return static_cast<std::size_t>(std::max(times * cache_bytes, least)) / sizeof(std::uint64_t);
}

} // namespace

ColdCache::ColdCache(std::int64_t cache_bytes)
    : m_words("heddle::perf::cold_cache", words_of(cache_bytes))
{}

void ColdCache::write_over() const
{
  using Range = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>;
  auto const words = m_words;
  Kokkos::parallel_for(
      "heddle::perf::write_over", Range(Exec{}, 0, static_cast<std::int64_t>(words.size())),
      KOKKOS_LAMBDA(std::int64_t i) { ++words(i); });
}

} // namespace heddle::perf
