// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/impl/plan/instances.hpp>
#include <heddle/spmm.hpp>

#include <cstddef>
#include <cstdint>

namespace heddle::impl
{

template struct SpmmInstance<Device, DeviceCsr<float, int, int>>;
template struct SpmmInstance<Device, DeviceCsr<float, int, std::size_t>>;

} // namespace heddle::impl
