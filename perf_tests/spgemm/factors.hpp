// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <harness/load.hpp>

#include <string>

#include <spgemm/settings.hpp>

namespace heddle::perf
{

// The rows and columns below n, of which "_top_N" at the end of the name tells; the matrix itself
// where it has no others.
LoadedMatrix top_left(LoadedMatrix const& whole, int n);

// Why the settings leave a matrix out, with the numbers; empty where they take it.
std::string why_left_out(SpgemmSettings const& settings, LoadedMatrix const& a);

// Why there is no product A B, with the numbers; empty where there is one.
std::string why_no_product(LoadedMatrix const& a, LoadedMatrix const& b);

} // namespace heddle::perf
