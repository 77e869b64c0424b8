// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/impl/plan/instances.hpp>
#include <heddle/spgemm.hpp>

#include <cstddef>
#include <cstdint>

namespace heddle::impl
{

template struct SpgemmInstance<Device, DeviceCsr<Complex64, int, int>,
                               DeviceCsr<Complex64, int, int>>;
template struct SpgemmInstance<Device, DeviceCsr<Complex64, int, std::size_t>,
                               DeviceCsr<Complex64, int, std::size_t>>;

} // namespace heddle::impl
