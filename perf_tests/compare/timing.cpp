// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <array>
#include <fnmatch.h>
#include <iomanip>
#include <sstream>
#include <string>
#include <vector>

#include <compare/timing.hpp>

namespace heddle::perf
{

std::string to_text(Problem const& problem)
{
  std::string text = problem.operation + " " + problem.value_type;
  if (!problem.layout.empty() || problem.k != 1)
    text += ", k = " + std::to_string(problem.k);
  if (!problem.layout.empty())
    text += problem.layout == "col"   ? ", column-major"
            : problem.layout == "row" ? ", row-major"
                                      : ", " + problem.layout;
  return text;
}

std::string ms_text(double ms)
{
  std::ostringstream text;
  text << std::setprecision(4) << ms;
  return text.str();
}

std::string family_of(std::string const& implementation)
{
  return implementation.substr(0, implementation.find_first_of(":_"));
}

std::string algorithm_of(std::string const& implementation)
{
  static constexpr std::array said_elsewhere = {"spmv", "spmm", "spgemm", "row",    "col",
                                                "R",    "T",    "pool",   "numeric"};
  std::string words = implementation.substr(family_of(implementation).size());
  std::replace_if(
      words.begin(), words.end(), [](char c) { return c == ':' || c == '_'; }, ' ');
  std::istringstream text(words);
  std::string algorithm;
  for (std::string word; text >> word;)
    if (std::find(said_elsewhere.begin(), said_elsewhere.end(), word) == said_elsewhere.end())
      algorithm += (algorithm.empty() ? "" : " ") + word;
  return algorithm;
}

bool is_like_any(std::string const& name, std::vector<std::string> const& patterns)
{
  return std::any_of(patterns.begin(), patterns.end(), [&name](std::string const& pattern) {
    return fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
  });
}

} // namespace heddle::perf
