// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// SpGEMM by tables of words: a word of 32 bits notes which of 32 neighbouring columns a row of C
// has. A table in shared memory has a word for each block of columns between the row's first and
// last, or is a hash table whose keys are blocks. The index of a column in the row is the number of
// entries before its block and the bits below its own, so that rows come out sorted and sums need
// no more room than the row has entries (after the bitmaps of paper 003's symbolic phase and the
// windows of its section VII; hashing in shared memory after nsparse, spECK and OpSparse).

#include <heddle/cuda_native/spgemm/word_tables.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace heddle::cuda_native
{

template <class Team, class Visit>
__device__ void for_each_of(std::int64_t count, Visit const& visit)
{
  for (std::int64_t n = Team::rank(); n < count; n += Team::size)
    visit(n);
}

// Slots by block of columns, in shared memory. A direct table has a slot for each block from the
// first on, a hashed one any, by their distance from the first.
template <class Slot>
struct TableView
{
  static constexpr std::uint32_t no_key = 0xffffffffU;
  Slot* slots;
  std::uint32_t* keys; // of a hashed table, else null
  int size;

  __device__ std::uint32_t hash(std::uint32_t key) const
  {
    return (key * 2654435769U >> 7) & static_cast<std::uint32_t>(size - 1); // Knuth, vol. 3, 6.4
  }
  // Makes a slot for key if there is none.
  __device__ int insert(std::uint32_t key) const
  {
    if (keys == nullptr)
      return static_cast<int>(key);
    for (std::uint32_t slot = hash(key);; slot = (slot + 1) & static_cast<std::uint32_t>(size - 1))
    {
      std::uint32_t found = static_cast<std::uint32_t volatile*>(keys)[slot];
      if (found == no_key)
        found = atomicCAS(&keys[slot], no_key, key);
      if (found == no_key || found == key)
        return static_cast<int>(slot);
    }
  }
  // The slot of key, which was inserted; of another key some slot, of a hashed table an empty one,
  // as a third of its slots at least are.
  template <bool is_hashed>
  __device__ std::uint32_t find(std::uint32_t key) const
  {
    if constexpr (!is_hashed)
      return min(key, static_cast<std::uint32_t>(size - 1));
    else
      for (std::uint32_t slot = hash(key);;
           slot = (slot + 1) & static_cast<std::uint32_t>(size - 1))
        if (std::uint32_t const found = keys[slot]; found == key || found == no_key)
          return slot;
  }
};

// A slot of the symbolic phase is a word; of the numeric phase a word and the number of entries of
// the row before its block.
struct alignas(8) RankedWord
{
  std::uint32_t word, before;
};

} // namespace heddle::cuda_native
