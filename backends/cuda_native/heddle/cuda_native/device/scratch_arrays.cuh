// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/impl/divided_up.hpp>
#include <heddle/impl/scratch.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>

namespace heddle::cuda_native
{

// Uninitialised arrays of a call in one piece of scratch memory: each piece takes two calls of the
// driver, and small products wait for these more than for kernels.
template <class... Types>
class ScratchArrays
{
  static constexpr std::size_t count = sizeof...(Types);
  std::array<std::size_t, count> m_sizes;
  std::array<std::size_t, count + 1> m_begins;
  impl::Scratch<unsigned char, Kokkos::Cuda> m_memory;

public:
  ScratchArrays(Kokkos::Cuda const& exec, std::array<std::size_t, count> const& sizes)
      : m_sizes(sizes)
      , m_begins(begins_of(sizes))
      , m_memory(exec, m_begins[count])
  {}
  template <std::size_t n>
  auto* array() const
  {
    return reinterpret_cast<std::tuple_element_t<n, std::tuple<Types...>>*>(m_memory.data() +
                                                                            m_begins[n]);
  }
  template <std::size_t n>
  std::size_t size() const
  {
    return m_sizes[n];
  }
  static std::size_t bytes(std::array<std::size_t, count> const& sizes)
  {
    return begins_of(sizes)[count];
  }

private:
  static std::array<std::size_t, count + 1> begins_of(std::array<std::size_t, count> const& sizes)
  {
    constexpr std::int64_t alignment = 256; // as of memory by itself
    constexpr std::array<std::size_t, count> of_type = {sizeof(Types)...};
    std::array<std::size_t, count + 1> begins = {};
    for (std::size_t n = 0; n < count; ++n)
      begins[n + 1] =
          begins[n] +
          static_cast<std::size_t>(
              impl::divided_up(static_cast<std::int64_t>(sizes[n] * of_type[n]), alignment) *
              alignment);
    return begins;
  }
};

} // namespace heddle::cuda_native
