// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Neighbouring entries of a row of a dense matrix, moved at once.

#include <Kokkos_Core.hpp>

#include <cstring>
#include <type_traits>

namespace heddle::cuda_native
{

// The machine word of so many bytes.
template <int bytes>
using Word = std::conditional_t<
    bytes == 16, int4,
    std::conditional_t<
        bytes == 8, int2,
        std::conditional_t<bytes == 4, int, std::conditional_t<bytes == 2, short, char>>>>;

// size neighbours: one word of at most 16 bytes.
template <class Scalar, int entries>
struct Packet
{
  static constexpr int size = entries;
  using word = Word<entries* static_cast<int>(sizeof(Scalar))>;
  static_assert(sizeof(word) == entries * sizeof(Scalar));
  Scalar at[entries];

  __device__ static Packet of(word const& bits)
  {
    Packet packet;
    std::memcpy(static_cast<void*>(packet.at), &bits, sizeof bits);
    return packet;
  }
  __device__ word bits() const
  {
    word result;
    std::memcpy(&result, static_cast<void const*>(at), sizeof result);
    return result;
  }
};

// From memory that no kernel of the moment writes; `from` is a multiple of the packet's bytes.
template <class Packet>
__device__ Packet load_packet(void const* from)
{
  return Packet::of(__ldg(static_cast<typename Packet::word const*>(from)));
}

// Past the caches: the results are not read again.
template <class Packet>
__device__ void store_packet(void* to, Packet const& packet)
{
  __stcs(static_cast<typename Packet::word*>(to), packet.bits());
}

// The widest word of which so many bytes are a number.
template <int bytes>
using WidestWord = Word<bytes % 16 == 0  ? 16
                        : bytes % 8 == 0 ? 8
                        : bytes % 4 == 0 ? 4
                        : bytes % 2 == 0 ? 2
                                         : 1>;

// to[0 .. count - 1] from shared memory, in the widest words that divide the bytes; `from` begins
// at a multiple of such a word.
template <int count, class Value>
__device__ void read_shared(Value* to, Value const* from)
{
  constexpr int bytes = count * static_cast<int>(sizeof(Value));
  using word = WidestWord<bytes>;
  word bits[bytes / sizeof(word)];
#pragma unroll
  for (int n = 0; n < static_cast<int>(bytes / sizeof(word)); ++n)
    bits[n] = reinterpret_cast<word const*>(from)[n];
  std::memcpy(static_cast<void*>(to), bits, bytes);
}

} // namespace heddle::cuda_native
