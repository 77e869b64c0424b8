// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// HEDDLE_TEST_ADDRESS_SANITIZER: whether AddressSanitizer is compiled in, as g++ and clang say it.
#if defined(__SANITIZE_ADDRESS__)
#define HEDDLE_TEST_ADDRESS_SANITIZER
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HEDDLE_TEST_ADDRESS_SANITIZER
#endif
#endif
