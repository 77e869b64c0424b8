// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace heddle::perf
{

// What options accept beside CLI11's own checks. Those let inf and nan pass as numbers, and print
// the largest double with all of its digits.

// One of the names; the nearest one is suggested.
CLI::Validator one_of(std::vector<std::string> const& names);
// A value type that this build has.
CLI::Validator value_type();
// The name of a matrix that the gallery makes.
CLI::Validator gallery_name();
// Finite numbers.
CLI::Validator positive();
CLI::Validator non_negative();
CLI::Validator in_range(double least, double most);

} // namespace heddle::perf
