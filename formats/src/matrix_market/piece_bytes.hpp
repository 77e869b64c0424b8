// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

namespace heddle::impl::matrix_market
{

// How much text a thread takes at a time: half of a second-level cache, and ten times what a thread
// needs to forget the cost of fetching work. Fuzz targets vary it: small inputs then have many
// pieces.
#if defined(HEDDLE_MATRIX_MARKET_VARIABLE_PIECES)
inline std::int64_t piece_bytes = 262144;
#else
inline constexpr std::int64_t piece_bytes = 262144;
#endif

} // namespace heddle::impl::matrix_market
