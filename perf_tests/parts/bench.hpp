// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <harness/json_lines.hpp>
#include <harness/load.hpp>

#include <parts/part_times.hpp>
#include <parts/settings.hpp>

namespace heddle::perf
{

// SpMV and SpMM of a matrix as a whole and in parts, in CSR and in SELL. All processes of the group
// make the same call; that of rank 0 prints and writes. False if a result was wrong.
bool bench_parts(PartsSettings const& settings, PartGroup const& group, JsonLines& json,
                 LoadedMatrix const& matrix);

} // namespace heddle::perf
