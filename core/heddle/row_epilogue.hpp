// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/impl/exec_check.hpp>

#include <Kokkos_Core.hpp>

#include <concepts>
#include <cstdint>
#include <type_traits>
#include <utility>

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

// What an epilogue reads before it knows the row's result, or nothing.
struct NothingLoaded
{};
HEDDLE_NO_EXEC_CHECK
template <class Epilogue>
KOKKOS_FUNCTION auto load_for_row(Epilogue const& epilogue, std::int64_t row)
{
  if constexpr (requires { epilogue.load(row); })
    return epilogue.load(row);
  else
    return NothingLoaded{};
}
template <class Epilogue>
using loaded_t = decltype(load_for_row(std::declval<Epilogue const&>(), std::int64_t{}));

template <class Epilogue>
inline constexpr bool is_loaded_v = !std::is_same_v<loaded_t<Epilogue>, NothingLoaded>;

template <class T, class Scalar>
concept VoidOrConvertible = std::is_void_v<T> || std::convertible_to<T, Scalar>;

// Whether it can be called with these after row and value.
template <class Epilogue, class Scalar, class... Rest>
concept TakesRow = requires(Epilogue const& epilogue, std::int64_t row, Scalar value, Rest... rest)
{
  {
    epilogue(row, value, rest...)
    } -> VoidOrConvertible<Scalar>;
};
template <class Epilogue, class Scalar>
constexpr bool is_callable_epilogue()
{
  if constexpr (is_loaded_v<Epilogue> && has_sum_v<Epilogue>)
    return TakesRow<Epilogue, Scalar, loaded_t<Epilogue>, sum_of_epilogue_t<Epilogue>&>;
  else if constexpr (is_loaded_v<Epilogue>)
    return TakesRow<Epilogue, Scalar, loaded_t<Epilogue>>;
  else if constexpr (has_sum_v<Epilogue>)
    return TakesRow<Epilogue, Scalar, sum_of_epilogue_t<Epilogue>&>;
  else
    return TakesRow<Epilogue, Scalar>;
}
template <class Epilogue>
concept HasSumOrNone =
    !has_sum_v<Epilogue> || (std::is_trivially_copyable_v<sum_of_epilogue_t<Epilogue>> &&
                             std::default_initializable<sum_of_epilogue_t<Epilogue>> &&
                             requires(Epilogue const& epilogue, sum_of_epilogue_t<Epilogue> sum) {
                               sum += sum;
                               epilogue.finish(sum);
                             });

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
/// One that reads other vectors may have load(i), which returns what it reads at i. CUDA kernels
/// call that before they have the row's sum, so that memory is waited for once, and then
/// epilogue(i, value, loaded) or epilogue(i, value, loaded, sum).
///
/// operator(), load and finish are const, and KOKKOS_FUNCTIONs where the execution space is a
/// device's.
template <class E, class Scalar>
concept RowEpilogue = std::copy_constructible<E> && impl::HasSumOrNone<E> &&
    impl::is_callable_epilogue<E, Scalar>();

} // namespace heddle
