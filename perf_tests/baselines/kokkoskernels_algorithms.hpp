// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <KokkosSparse_spgemm_handle.hpp>

#include <string>
#include <utility>
#include <vector>

namespace heddle::perf::kokkoskernels
{

using Algorithm = KokkosSparse::SPGEMMAlgorithm;

// Those of its own, without a vendor's library behind them.
inline std::vector<std::pair<std::string, Algorithm>> spgemm_algorithms()
{
  return {{"SPGEMM_KK", Algorithm::SPGEMM_KK},
          {"SPGEMM_KK_MEMORY", Algorithm::SPGEMM_KK_MEMORY},
          {"SPGEMM_KK_SPEED", Algorithm::SPGEMM_KK_SPEED}};
}

} // namespace heddle::perf::kokkoskernels
