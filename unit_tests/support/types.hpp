// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>

namespace heddle::test
{

template <class Exec, class Value, class Ordinal, class Offset>
struct Case
{
  using exec = Exec;
  using value = Value;
  using ordinal = Ordinal;
  using offset = Offset;
  using space = typename Exec::memory_space;
};

// The types that everything is tested with.
template <class Exec>
using DoubleCase = Case<Exec, double, int, std::size_t>;

using Device = Kokkos::DefaultExecutionSpace;
using Host = Kokkos::DefaultHostExecutionSpace;
using Complex64 = Kokkos::complex<float>;
using Complex128 = Kokkos::complex<double>;

template <class... Tuples>
using Concatenated = decltype(std::tuple_cat(std::declval<Tuples>()...));

#if defined(HEDDLE_TEST_ALL_TYPES)
template <class Exec, class Value>
using AllIndices = std::tuple<
    Case<Exec, Value, std::int32_t, std::int32_t>, Case<Exec, Value, std::int32_t, std::int64_t>,
    Case<Exec, Value, std::int32_t, std::size_t>, Case<Exec, Value, std::int64_t, std::int32_t>,
    Case<Exec, Value, std::int64_t, std::int64_t>, Case<Exec, Value, std::int64_t, std::size_t>>;
template <class Exec>
using AllTypes = Concatenated<AllIndices<Exec, float>, AllIndices<Exec, double>,
                              AllIndices<Exec, Complex64>, AllIndices<Exec, Complex128>>;
using DeviceTypes = AllTypes<Device>;
using OtherTypes =
    Concatenated<std::conditional_t<std::is_same_v<Device, Host>, std::tuple<>, AllTypes<Host>>,
                 std::conditional_t<std::is_same_v<Device, Kokkos::Serial>, std::tuple<>,
                                    AllTypes<Kokkos::Serial>>>;
#elif defined(HEDDLE_TEST_FEW_TYPES)
// Where a type more costs much to compile and shows little: under sanitizers, or on a machine that
// can only compile for CUDA. The library of instances has the others.
using DeviceTypes = std::tuple<Case<Device, double, int, std::size_t>>;
using OtherTypes = std::tuple<>;
#else
// On CUDA, of heddle::instances every value type but Complex64 and every index type at least once,
// and double, int, size_t on the host as well. A build for hosts alone has double here: complex
// is the type of FormatTypes, float and 64-bit indices are those of the random cases
// (unit_tests/random). The preset serial-debug has Serial.
using HostTypes = std::tuple<Case<Host, double, int, std::size_t>>;
using DeviceTypes =
    std::conditional_t<std::is_same_v<Device, Host>, HostTypes,
                       std::tuple<Case<Device, double, int, std::size_t>,
                                  Case<Device, float, int, int>, Case<Device, Complex128, int, int>,
                                  Case<Device, double, std::int64_t, std::int64_t>>>;
using OtherTypes = std::conditional_t<std::is_same_v<Device, Host>, std::tuple<>,
                                      std::tuple<Case<Host, double, int, std::size_t>>>;
#endif

using Types = Concatenated<DeviceTypes, OtherTypes>;

// Every execution space of the build, each once.
using Spaces =
    Concatenated<std::tuple<Device>,
                 std::conditional_t<std::is_same_v<Device, Host>, std::tuple<>, std::tuple<Host>>,
                 std::conditional_t<std::is_same_v<Host, Kokkos::Serial>, std::tuple<>,
                                    std::tuple<Kokkos::Serial>>>;
// The same without a space that no user calls beside another: for what takes long to compile.
using DeviceAndHost =
    std::conditional_t<std::is_same_v<Device, Host>, std::tuple<Device>, std::tuple<Device, Host>>;
// Those of the host.
using HostSpaces =
    Concatenated<std::tuple<Host>, std::conditional_t<std::is_same_v<Host, Kokkos::Serial>,
                                                      std::tuple<>, std::tuple<Kokkos::Serial>>>;

} // namespace heddle::test
