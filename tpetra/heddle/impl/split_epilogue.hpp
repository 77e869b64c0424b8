// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// An epilogue (row_epilogue.hpp) of a product that is taken in two passes, of a rank's own columns
// and of columns of other ranks (overlapped_product.hpp). The first pass calls it for interior
// rows, which the second does not touch, and the second for the others, the boundary rows; it
// finishes the sum of both.

#include <heddle/impl/epilogue.hpp>
#include <heddle/row_epilogue.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace heddle::impl
{

// The sum_type of an epilogue, where it has one.
template <class Epilogue>
struct HasSumOf
{
  using sum_type = sum_of_epilogue_t<Epilogue>;
};
template <class Epilogue>
requires(!has_sum_v<Epilogue>) struct HasSumOf<Epilogue>
{};

// In the first pass, of all rows: boundary rows keep what they have so far, to which the second
// pass adds. The sum over interior rows goes to *partial.
template <class Epilogue, class Offsets>
struct InteriorEpilogue : HasSumOf<Epilogue>
{
  struct Loaded
  {
    bool is_interior;
    loaded_t<Epilogue> of_row;
  };
  Epilogue epilogue;
  Offsets remote; // row offsets of the entries in columns of other ranks
  sum_of_epilogue_t<Epilogue>* partial;

  KOKKOS_FUNCTION InteriorEpilogue(Epilogue const& whole, Offsets const& offsets,
                                   sum_of_epilogue_t<Epilogue>* sum)
      : epilogue(whole)
      , remote(offsets)
      , partial(sum)
  {}
  KOKKOS_FUNCTION Loaded load(std::int64_t i) const
  {
    return {remote(i) == remote(i + 1), load_for_row(epilogue, i)};
  }
  template <class Value>
  KOKKOS_FUNCTION Value operator()(std::int64_t i, Value const& value, Loaded const& at) const
      requires(!has_sum_v<Epilogue>)
  {
    NoSum none;
    return result(i, value, at, none);
  }
  template <class Value, class Sum>
  KOKKOS_FUNCTION Value operator()(std::int64_t i, Value const& value, Loaded const& at,
                                   Sum& sum) const requires has_sum_v<Epilogue>
  {
    return result(i, value, at, sum);
  }
  template <class Sum>
  KOKKOS_FUNCTION void finish(Sum const& total) const requires has_sum_v<Epilogue>
  {
    *partial = total;
  }

private:
  template <class Value, class Sum>
  KOKKOS_FUNCTION Value result(std::int64_t i, Value value, Loaded const& at, Sum& sum) const
  {
    if (at.is_interior)
      apply_to_row(epilogue, i, value, at.of_row, sum);
    return value;
  }
};

// In the second pass, whose matrix has the boundary rows alone: row k of it is rows(k) of y, to
// which it adds. The result of the product itself, in numbers k, is of no use afterwards.
template <class Epilogue, class Rows, class Y>
struct BoundaryEpilogue : HasSumOf<Epilogue>
{
  using Entry = typename Y::non_const_value_type;
  struct Loaded
  {
    std::int64_t row;
    Entry y;
    loaded_t<Epilogue> of_row;
  };
  Epilogue epilogue;
  Rows rows;
  Y y;
  sum_of_epilogue_t<Epilogue> const* partial; // of the interior rows

  KOKKOS_FUNCTION BoundaryEpilogue(Epilogue const& whole, Rows const& numbers, Y const& result,
                                   sum_of_epilogue_t<Epilogue> const* sum)
      : epilogue(whole)
      , rows(numbers)
      , y(result)
      , partial(sum)
  {}
  KOKKOS_FUNCTION Loaded load(std::int64_t k) const
  {
    auto const i = static_cast<std::int64_t>(rows(k));
    return {i, y(i), load_for_row(epilogue, i)};
  }
  template <class Value>
  KOKKOS_FUNCTION Value operator()(std::int64_t, Value const& value, Loaded const& at) const
      requires(!has_sum_v<Epilogue>)
  {
    NoSum none;
    return result(value, at, none);
  }
  template <class Value, class Sum>
  KOKKOS_FUNCTION Value operator()(std::int64_t, Value const& value, Loaded const& at,
                                   Sum& sum) const requires has_sum_v<Epilogue>
  {
    return result(value, at, sum);
  }
  template <class Sum>
  KOKKOS_FUNCTION void finish(Sum const& total) const requires has_sum_v<Epilogue>
  {
    Sum all = *partial;
    all += total;
    epilogue.finish(all);
  }

private:
  template <class Value, class Sum>
  KOKKOS_FUNCTION Value result(Value const& value, Loaded const& at, Sum& sum) const
  {
    Value complete = at.y + value;
    apply_to_row(epilogue, at.row, complete, at.of_row, sum);
    y(at.row) = complete;
    return complete;
  }
};

} // namespace heddle::impl
