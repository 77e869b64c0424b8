// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/gallery_names.hpp>
#include <harness/nearest.hpp>
#include <harness/types.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <sstream>
#include <string>
#include <validators.hpp>
#include <vector>

namespace heddle::perf
{

namespace
{

// A finite number for which is_right holds; expected says which these are.
CLI::Validator number(std::string const& expected, std::function<bool(double)> const& is_right,
                      std::string const& description)
{
  return {[expected, is_right](std::string const& text) -> std::string {
            double value = 0;
            bool const is_number = CLI::detail::lexical_cast(text, value) && std::isfinite(value);
            return is_number && is_right(value) ? "" : "'" + text + "' is not " + expected;
          },
          description};
}

} // namespace

CLI::Validator one_of(std::vector<std::string> const& names)
{
  return {[names](std::string const& text) -> std::string {
            if (contains(names, text))
              return {};
            return "'" + text + "' is none of " + listed(names) + did_you_mean(text, names);
          },
          "{" + listed(names) + "}"};
}

CLI::Validator value_type()
{
  auto const built = built_types();
  auto const of_built = one_of(built);
  return {[of_built, built](std::string const& text) -> std::string {
            bool const is_known = text == "f32" || text == "f64";
            if (!is_known || contains(built, text))
              return of_built(text);
            return "this build has f64 alone, that of the preset openmp-release has '" + text +
                   "' as well";
          },
          "{" + listed(built) + "}"};
}

CLI::Validator gallery_name()
{
  return {[](std::string const& name) { return why_not_in_gallery(name); }, ""};
}

CLI::Validator positive()
{
  return number(
      "a finite number above 0", [](double value) { return value > 0; }, "POSITIVE");
}

CLI::Validator non_negative()
{
  return number(
      "a finite number of at least 0", [](double value) { return value >= 0; }, "NONNEGATIVE");
}

CLI::Validator in_range(double least, double most)
{
  std::ostringstream bounds;
  bounds << least << " to " << most;
  return number(
      "a number from " + bounds.str(),
      [least, most](double value) { return least <= value && value <= most; }, bounds.str());
}

} // namespace heddle::perf
