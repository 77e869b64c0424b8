// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Binary searches, for hosts and devices. partition_point may find nothing; last_not_above has
// something to find, and takes as many steps for every key, so that lanes of a warp stay together.

#include <Kokkos_Core.hpp>

namespace heddle::impl
{

// The first n in begin .. end - 1 for which is_before(n) does not hold, else end. It holds for a
// first part of them and for no others.
#if defined(__CUDACC__)
#pragma nv_exec_check_disable // on hosts it may be called with what no device can call
#endif
template <class Number, class IsBefore>
KOKKOS_INLINE_FUNCTION Number partition_point(Number begin, Number end, IsBefore const& is_before)
{
  while (begin < end)
  {
    Number const middle = begin + (end - begin) / 2;
    if (is_before(middle))
      begin = middle + 1;
    else
      end = middle;
  }
  return begin;
}

// The last n in 0 .. count - 1 for which values(n) <= key, else 0; values do not fall.
#if defined(__CUDACC__)
#pragma nv_exec_check_disable // on hosts it may be called with what no device can call
#endif
template <class Values, class Number, class Key>
KOKKOS_INLINE_FUNCTION Number last_not_above(Values const& values, Number count, Key key)
{
  Number first = 0;
  while (count > 1)
  {
    Number const step = count / 2;
    if (values(first + step) <= key)
    {
      first += step;
      count -= step;
    }
    else
      count = step;
  }
  return first;
}

// The same among from .. count - 1, where values(from) <= key: in few steps if it is near.
#if defined(__CUDACC__)
#pragma nv_exec_check_disable // on hosts it may be called with what no device can call
#endif
template <class Values, class Number, class Key>
KOKKOS_INLINE_FUNCTION Number last_not_above_from(Number from, Values const& values, Number count,
                                                  Key key)
{
  Number step = 1;
  while (step < count - from && values(from + step) <= key)
  {
    from += step;
    step *= 2;
  }
  return from + last_not_above([&](Number n) { return values(from + n); },
                               step < count - from ? step : count - from, key);
}

// The first position in begin .. end - 1 whose index is not less than key, else end; indices
// ascend.
#if defined(__CUDACC__)
#pragma nv_exec_check_disable // on hosts it may be called with what no device can call
#endif
template <class Indices, class Offset, class Ordinal>
KOKKOS_INLINE_FUNCTION Offset lower_bound(Indices const& indices, Offset begin, Offset end,
                                          Ordinal key)
{
  return partition_point(begin, end, [&](Offset n) { return indices(n) < key; });
}

// The position of key, else end.
template <class Indices, class Offset, class Ordinal>
KOKKOS_INLINE_FUNCTION Offset find_ascending(Indices const& indices, Offset begin, Offset end,
                                             Ordinal key)
{
  Offset const found = lower_bound(indices, begin, end, key);
  return found < end && indices(found) == key ? found : end;
}

} // namespace heddle::impl
