// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace heddle
{

/// Which family of kernels may serve a call. The variable HEDDLE_BACKEND (automatic, portable or
/// cuda_native) is read where an option says `automatic`, and forces like the option.
enum class Backend
{
  automatic,  ///< the fastest that takes the operands
  portable,   ///< Kokkos only
  cuda_native ///< hand-written CUDA
};

/// The name that options, HEDDLE_BACKEND and messages use.
constexpr char const* to_string(Backend backend)
{
  switch (backend)
  {
  case Backend::portable:
    return "portable";
  case Backend::cuda_native:
    return "cuda_native";
  default:
    return "automatic";
  }
}

} // namespace heddle
