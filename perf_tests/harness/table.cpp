// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/table.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

namespace heddle::perf
{

std::string to_text(double value, int digits)
{
  std::ostringstream text;
  text << std::setprecision(digits);
  if (value != 0.0 && (value >= 1e6 || value < 1e-3))
    text << std::scientific << std::setprecision(1) << value;
  else
    text << std::fixed
         << std::setprecision(value >= 100  ? 1
                              : value >= 10 ? 2
                              : value >= 1  ? 3
                                            : 4)
         << value;
  return text.str();
}

std::string short_number(double value)
{
  constexpr double first_long = 999.95, last_long = 1e15; // above the last, digits mean nothing
  std::ostringstream text;
  if (std::abs(value) < first_long || !(std::abs(value) < last_long))
  {
    text << std::setprecision(4) << value;
    return text.str();
  }
  text << std::fixed << std::setprecision(0) << value;
  std::string digits = text.str();
  std::size_t const sign = value < 0 ? 1 : 0;
  for (std::size_t place = digits.size(); place > 3 + sign; place -= 3)
    digits.insert(place - 3, ",");
  return digits;
}

std::string table_text(std::vector<std::vector<std::string>> const& lines)
{
  std::vector<std::size_t> widths(lines.front().size(), 0);
  for (auto const& line : lines)
    for (std::size_t c = 0; c < (line.size() == 2 ? 1 : line.size()); ++c)
      widths[c] = std::max(widths[c], line[c].size());
  std::ostringstream text;
  for (auto const& line : lines)
  {
    text << "  " << std::left << std::setw(static_cast<int>(widths[0])) << line[0];
    for (std::size_t c = 1; c < line.size(); ++c)
      text << "  " << std::right << std::setw(line.size() == 2 ? 0 : static_cast<int>(widths[c]))
           << line[c];
    text << "\n";
  }
  return text.str();
}

void print_table(std::vector<std::vector<std::string>> const& lines)
{
  std::cout << table_text(lines) << std::flush;
}

} // namespace heddle::perf
