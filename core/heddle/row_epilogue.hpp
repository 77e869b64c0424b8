// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include <concepts>
#include <cstdint>
#include <type_traits>

namespace heddle
{

namespace impl
{

// What an epilogue adds up over the rows: its sum_type, or nothing.
struct NoSum
{};
template <class Epilogue>
struct SumOfEpilogue
{
  using type = NoSum;
};
template <class Epilogue>
requires requires { typename Epilogue::sum_type; }
struct SumOfEpilogue<Epilogue>
{
  using type = typename Epilogue::sum_type;
};
template <class Epilogue>
using sum_of_epilogue_t = typename SumOfEpilogue<Epilogue>::type;
template <class Epilogue>
inline constexpr bool has_sum_v = !std::is_same_v<sum_of_epilogue_t<Epilogue>, NoSum>;

template <class T, class Scalar>
concept VoidOrConvertible = std::is_void_v<T> || std::convertible_to<T, Scalar>;

template <class Epilogue, class Scalar>
concept EpilogueWithoutSum =
    !has_sum_v<Epilogue> && requires(Epilogue const& epilogue, std::int64_t row, Scalar value)
{
  {
    epilogue(row, value)
    } -> VoidOrConvertible<Scalar>;
};
template <class Epilogue, class Scalar>
concept EpilogueWithSum = has_sum_v<Epilogue> &&
    std::is_trivially_copyable_v<sum_of_epilogue_t<Epilogue>> &&
    std::default_initializable<sum_of_epilogue_t<Epilogue>> &&
    requires(Epilogue const& epilogue, std::int64_t row, Scalar value,
             sum_of_epilogue_t<Epilogue> sum)
{
  {
    epilogue(row, value, sum)
    } -> VoidOrConvertible<Scalar>;
  sum += sum;
  epilogue.finish(sum);
};

} // namespace impl

/// What a product computes with each row's result before it stores it: a functor, called once per
/// row i of A on the execution space of the call as
///
///     epilogue(i, value)        with value = alpha (A x)(i) + beta y(i), complete
///
/// What it returns is stored in y(i); one that returns nothing leaves value there. It may read and
/// write other memory at i, but not x, which other rows still read. Rows are called in any order
/// and side by side.
///
/// An epilogue that adds up over the rows has a type sum_type: trivially copyable, zero where it is
/// value-initialised, with +=. It is called as epilogue(i, value, sum), adds row i's share to sum,
/// a sum_type&, and after all rows epilogue.finish(total) is called once, on the execution space.
/// Shares are added in the same order at every call with one plan: bitwise repeatable.
///
/// operator() and finish are const, and KOKKOS_FUNCTIONs where the execution space is a device's.
template <class E, class Scalar>
concept RowEpilogue = std::copy_constructible<E> &&
    (impl::EpilogueWithoutSum<E, Scalar> || impl::EpilogueWithSum<E, Scalar>);

} // namespace heddle
