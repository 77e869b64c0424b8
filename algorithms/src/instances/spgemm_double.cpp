// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/impl/plan/instances.hpp>
#include <heddle/spgemm.hpp>

#include <cstddef>
#include <cstdint>

namespace heddle::impl
{

template struct SpgemmInstance<Device, DeviceCsr<double, int, int>, DeviceCsr<double, int, int>>;
template struct SpgemmInstance<Device, DeviceCsr<double, int, std::size_t>,
                               DeviceCsr<double, int, std::size_t>>;
template struct SpgemmInstance<Device, DeviceCsr<double, std::int64_t, std::int64_t>,
                               DeviceCsr<double, std::int64_t, std::int64_t>>;
#if defined(HEDDLE_HOST_INSTANCES)
template struct SpgemmInstance<Host, HostCsr<double, int, std::size_t>,
                               HostCsr<double, int, std::size_t>>;
#endif

} // namespace heddle::impl
