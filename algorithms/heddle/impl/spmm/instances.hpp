// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/impl/plan/instances.hpp>
#include <heddle/spmm.hpp>

#include <cstddef>
#include <cstdint>

#if defined(HEDDLE_USE_INSTANCES)
namespace heddle::impl
{

extern template struct SpmmInstance<Device, DeviceCsr<double, int, int>>;
extern template struct SpmmInstance<Device, DeviceCsr<double, int, std::size_t>>;
extern template struct SpmmInstance<Device, DeviceCsr<double, std::int64_t, std::int64_t>>;
#if !defined(HEDDLE_INSTANCES_OF_DOUBLE)
extern template struct SpmmInstance<Device, DeviceCsr<float, int, int>>;
extern template struct SpmmInstance<Device, DeviceCsr<float, int, std::size_t>>;
extern template struct SpmmInstance<Device, DeviceCsr<Complex64, int, int>>;
extern template struct SpmmInstance<Device, DeviceCsr<Complex64, int, std::size_t>>;
extern template struct SpmmInstance<Device, DeviceCsr<Complex128, int, int>>;
extern template struct SpmmInstance<Device, DeviceCsr<Complex128, int, std::size_t>>;
#endif
#if defined(HEDDLE_HOST_INSTANCES)
extern template struct SpmmInstance<Host, HostCsr<double, int, std::size_t>>;
#endif

} // namespace heddle::impl
#endif
