// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include <type_traits>

namespace heddle
{

/// The type in which terms of type Value are summed. Specialise it for a storage type that is too
/// narrow to sum in.
template <class Value>
struct Accumulator
{
  using type = Value;
};

// On hosts alone Kokkos' types of 16 bits are float itself.
#if !KOKKOS_HALF_T_IS_FLOAT
/// Sums of 16-bit values are taken in float.
template <>
struct Accumulator<Kokkos::Experimental::half_t>
{
  using type = float;
};
#endif
#if !KOKKOS_BHALF_T_IS_FLOAT
/// Sums of 16-bit values are taken in float.
template <>
struct Accumulator<Kokkos::Experimental::bhalf_t>
{
  using type = float;
};
#endif

namespace impl
{

template <class T>
inline constexpr bool is_complex_v = false;
template <class T>
inline constexpr bool is_complex_v<Kokkos::complex<T>> = true;

template <class T>
struct Real
{
  using type = T;
};
template <class T>
struct Real<Kokkos::complex<T>>
{
  using type = T;
};
template <class T>
using real_t = typename Real<T>::type;

template <class... Values>
struct Promoted
{
  using real = std::common_type_t<real_t<typename Accumulator<Values>::type>...>;
  using type = std::conditional_t<(is_complex_v<Values> || ...), Kokkos::complex<real>, real>;
};

} // namespace impl

/// The type in which a kernel sums products of these types: the widest of them, complex if one is.
/// So a matrix stored in float under double vectors is summed in double.
template <class... Values>
using accumulator_t = typename impl::Promoted<Values...>::type;

namespace impl
{

// Whether matrices and vectors may have values of this type: those that heddle is tested with, and
// types that are stored only, which have an Accumulator of another type.
template <class T>
inline constexpr bool is_value_v =
    std::is_same_v<T, float> || std::is_same_v<T, double> ||
    std::is_same_v<T, Kokkos::complex<float>> || std::is_same_v<T, Kokkos::complex<double>> ||
    !std::is_same_v<typename Accumulator<T>::type, T>;

// Whether terms of this type may be summed where values of it are stored, as atomics do.
template <class Value>
inline constexpr bool is_own_accumulator_v = std::is_same_v<accumulator_t<Value>, Value>;

} // namespace impl

} // namespace heddle
