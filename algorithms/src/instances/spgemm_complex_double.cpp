// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/impl/instances.hpp>
#include <heddle/spgemm.hpp>

#include <cstddef>
#include <cstdint>

namespace heddle::impl
{

template struct SpgemmInstance<Device, DeviceCsr<Complex128, int, int>,
                               DeviceCsr<Complex128, int, int>>;
template struct SpgemmInstance<Device, DeviceCsr<Complex128, int, std::size_t>,
                               DeviceCsr<Complex128, int, std::size_t>>;
#if defined(HEDDLE_HOST_INSTANCES)
template struct SpgemmInstance<Host, HostCsr<Complex128, int, int>, HostCsr<Complex128, int, int>>;
template struct SpgemmInstance<Host, HostCsr<Complex128, int, std::size_t>,
                               HostCsr<Complex128, int, std::size_t>>;
#endif

} // namespace heddle::impl
