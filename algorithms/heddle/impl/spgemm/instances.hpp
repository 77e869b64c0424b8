// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/impl/plan/instances.hpp>
#include <heddle/spgemm.hpp>

#include <cstddef>
#include <cstdint>

#if defined(HEDDLE_USE_INSTANCES)
namespace heddle::impl
{

extern template struct SpgemmInstance<Device, DeviceCsr<double, int, int>,
                                      DeviceCsr<double, int, int>>;
extern template struct SpgemmInstance<Device, DeviceCsr<double, int, std::size_t>,
                                      DeviceCsr<double, int, std::size_t>>;
extern template struct SpgemmInstance<Device, DeviceCsr<double, std::int64_t, std::int64_t>,
                                      DeviceCsr<double, std::int64_t, std::int64_t>>;
extern template struct SpgemmInstance<Device, DeviceBsr<double, int, int>,
                                      DeviceBsr<double, int, int>>;
extern template struct SpgemmInstance<Device, DeviceBsr<double, int, std::size_t>,
                                      DeviceBsr<double, int, std::size_t>>;
#if !defined(HEDDLE_INSTANCES_OF_DOUBLE)
extern template struct SpgemmInstance<Device, DeviceCsr<float, int, int>,
                                      DeviceCsr<float, int, int>>;
extern template struct SpgemmInstance<Device, DeviceCsr<float, int, std::size_t>,
                                      DeviceCsr<float, int, std::size_t>>;
extern template struct SpgemmInstance<Device, DeviceCsr<Complex64, int, int>,
                                      DeviceCsr<Complex64, int, int>>;
extern template struct SpgemmInstance<Device, DeviceCsr<Complex64, int, std::size_t>,
                                      DeviceCsr<Complex64, int, std::size_t>>;
extern template struct SpgemmInstance<Device, DeviceCsr<Complex128, int, int>,
                                      DeviceCsr<Complex128, int, int>>;
extern template struct SpgemmInstance<Device, DeviceCsr<Complex128, int, std::size_t>,
                                      DeviceCsr<Complex128, int, std::size_t>>;
#endif
#if defined(HEDDLE_HOST_INSTANCES)
extern template struct SpgemmInstance<Host, HostCsr<double, int, std::size_t>,
                                      HostCsr<double, int, std::size_t>>;
#endif

} // namespace heddle::impl
#endif
