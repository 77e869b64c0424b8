// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <harness/load.hpp>
#include <harness/report.hpp>
#include <harness/settings.hpp>

namespace heddle::perf
{

// One matrix through all types, ops and widths asked for.
void bench_spmv(Settings const& settings, Report& report, LoadedMatrix const& matrix);
void bench_spmm(Settings const& settings, Report& report, LoadedMatrix const& matrix);
void bench_spgemm(Settings const& settings, Report& report, LoadedMatrix const& matrix);

// Reads each file a few times and prints MB/s; to the JSON file too, if one is asked for.
void bench_read(Settings const& settings);

} // namespace heddle::perf
