// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/impl/plan/instances.hpp>
#include <heddle/spgemm.hpp>

#include <cstddef>

namespace heddle::impl
{

// The symbolic phase is that of spgemm_double.cpp.
extern template struct SpgemmInstance<Device, DeviceCsr<double, int, int>,
                                      DeviceCsr<double, int, int>>;
extern template struct SpgemmInstance<Device, DeviceCsr<double, int, std::size_t>,
                                      DeviceCsr<double, int, std::size_t>>;

template struct SpgemmInstance<Device, DeviceBsr<double, int, int>, DeviceBsr<double, int, int>>;
template struct SpgemmInstance<Device, DeviceBsr<double, int, std::size_t>,
                               DeviceBsr<double, int, std::size_t>>;

} // namespace heddle::impl
