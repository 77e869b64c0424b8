// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

namespace heddle::impl
{

// The first place in begin .. end - 1 whose index is not less than key, else end; indices ascend.
template <class Indices, class Offset, class Ordinal>
KOKKOS_INLINE_FUNCTION Offset lower_bound(Indices const& indices, Offset begin, Offset end,
                                          Ordinal key)
{
  while (begin < end)
  {
    Offset const middle = begin + (end - begin) / 2;
    if (indices(middle) < key)
      begin = middle + 1;
    else
      end = middle;
  }
  return begin;
}

// The place of key, else end.
template <class Indices, class Offset, class Ordinal>
KOKKOS_INLINE_FUNCTION Offset find_ascending(Indices const& indices, Offset begin, Offset end,
                                             Ordinal key)
{
  Offset const place = lower_bound(indices, begin, end, key);
  return place < end && indices(place) == key ? place : end;
}

} // namespace heddle::impl
