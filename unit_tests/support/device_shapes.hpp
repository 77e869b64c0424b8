// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// GPUs for which hosts test what policies choose.

#include <heddle/cuda_native/device/device_shape.hpp>

namespace heddle::test
{

inline constexpr cuda_native::DeviceShape h200{.multiprocessors = 132,
                                               .warps_of_multiprocessor = 64,
                                               .shared_bytes_of_multiprocessor = 228 << 10,
                                               .shared_bytes_of_block = 227 << 10,
                                               .reserved_shared_bytes = 1 << 10,
                                               .l2_bytes = 60 << 20,
                                               .most_blocks = 0x7fffffff,
                                               .most_blocks_y = cuda_native::most_grid_blocks_y};

} // namespace heddle::test
