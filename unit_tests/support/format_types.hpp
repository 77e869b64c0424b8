// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <support/types.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>

namespace heddle::test
{

#if defined(HEDDLE_TEST_ALL_TYPES) || defined(HEDDLE_TEST_FEW_TYPES)
using FormatTypes = Types;
#else
// Types for what is compiled once for each of many formats. On CUDA every value type and index type
// at least once, and double, int, size_t on the host as well. A build for hosts alone has a complex
// type: double is that of Types and of the random cases.
using FormatTypes = std::conditional_t<
    std::is_same_v<Device, Host>, std::tuple<Case<Host, Complex128, int, std::size_t>>,
    Concatenated<std::tuple<Case<Device, double, int, std::size_t>, Case<Device, float, int, int>,
                            Case<Device, Complex64, std::int64_t, std::int64_t>,
                            Case<Device, Complex128, int, std::size_t>>,
                 OtherTypes>>;
#endif

} // namespace heddle::test
