// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/impl/plan/instances.hpp>
#include <heddle/spgemm.hpp>

#include <cstddef>
#include <cstdint>

namespace heddle::impl
{

template struct SpgemmInstance<Device, DeviceCsr<float, int, int>, DeviceCsr<float, int, int>>;
template struct SpgemmInstance<Device, DeviceCsr<float, int, std::size_t>,
                               DeviceCsr<float, int, std::size_t>>;

} // namespace heddle::impl
