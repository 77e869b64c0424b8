// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

namespace heddle::perf
{

// With about so many digits; very large and very small numbers with an exponent.
std::string to_text(double value, int digits);
// "0.25", "12.35", "1,234,567": four digits, and all that stand before the point.
std::string short_number(double value);

// The first column left, the others right; a line of two is a name and a remark as long as it
// likes.
std::string table_text(std::vector<std::vector<std::string>> const& lines);
// The same on standard output.
void print_table(std::vector<std::vector<std::string>> const& lines);

} // namespace heddle::perf
