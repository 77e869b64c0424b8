// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/impl/plan/instances.hpp>
#include <heddle/spmv.hpp>

#include <cstddef>
#include <cstdint>

namespace heddle::impl
{

template struct SpmvInstance<Device, DeviceCsr<double, int, int>>;
template struct SpmvInstance<Device, DeviceCsr<double, int, std::size_t>>;
template struct SpmvInstance<Device, DeviceCsr<double, std::int64_t, std::int64_t>>;
#if defined(HEDDLE_HOST_INSTANCES)
template struct SpmvInstance<Host, HostCsr<double, int, std::size_t>>;
#endif

} // namespace heddle::impl
