// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/cuda_native/device/device_shape.hpp>
#include <heddle/impl/divided_up.hpp>

#include <algorithm>
#include <cstdint>

namespace heddle::cuda_native
{

// Blocks in the second direction of a grid whose kernel goes round where there is more work.
inline int blocks_beside(std::int64_t work, std::int64_t per_block, DeviceShape const& device)
{
  return static_cast<int>(std::min(impl::divided_up(work, per_block), device.most_blocks_y));
}

} // namespace heddle::cuda_native
