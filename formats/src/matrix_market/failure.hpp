// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <matrix_market/entry.hpp>
#include <matrix_market/header.hpp>
#include <matrix_market/text_file.hpp>

namespace heddle::impl::matrix_market
{

// Throws the ParseError that says what is wrong at failure.place.
[[noreturn]] void report(TextFile const& text, MatrixMarketHeader const& header,
                         Failure const& failure, int bits_of_value);

} // namespace heddle::impl::matrix_market
