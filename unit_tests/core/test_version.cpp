// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/config.hpp>
#include <heddle/version.hpp>

#include <catch2/catch_test_macros.hpp>
#include <Kokkos_Core.hpp>

#include <string>

#if HEDDLE_VERSION < 100
#error "heddle is at least 0.1.0, and the preprocessor can tell"
#endif
#if defined(HEDDLE_HAVE_CUDA_NATIVE)
#if !defined(KOKKOS_ENABLE_CUDA)
#error "native CUDA kernels need Kokkos with CUDA"
#endif
static_assert(HEDDLE_CUDA_ARCH >= 70);
#endif

TEST_CASE("the version is one number, three numbers and a text", "[version]")
{
  CHECK(HEDDLE_VERSION ==
        HEDDLE_VERSION_MAJOR * 10000 + HEDDLE_VERSION_MINOR * 100 + HEDDLE_VERSION_PATCH);
  CHECK(std::string(HEDDLE_VERSION_STRING) == std::to_string(HEDDLE_VERSION_MAJOR) + "." +
                                                  std::to_string(HEDDLE_VERSION_MINOR) + "." +
                                                  std::to_string(HEDDLE_VERSION_PATCH));
}
