// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/entry_range.hpp>
#include <heddle/impl/require.hpp>

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace heddle::perf
{

namespace
{

std::optional<std::int64_t> parse_entries(std::string_view text)
{
  constexpr double most = 1e18; // fits into 64 bits
  double number = 0;
  auto const [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || stop != text.data() + text.size() || !(number >= 0) || number > most)
    return std::nullopt;
  return static_cast<std::int64_t>(number);
}

} // namespace

EntryRange parse_entry_range(std::string const& text)
{
  std::string_view const whole(text);
  std::size_t const colon = whole.find(':');
  bool is_right = colon != std::string_view::npos && whole.size() > 1;
  EntryRange range;
  if (is_right && colon > 0)
  {
    auto const least = parse_entries(whole.substr(0, colon));
    is_right = least.has_value();
    range.least = least.value_or(0);
  }
  if (is_right && colon + 1 < whole.size())
  {
    auto const most = parse_entries(whole.substr(colon + 1));
    is_right = most.has_value();
    range.most = most.value_or(0);
  }
  impl::require(is_right && range.least <= range.most, "perf", "--nnz is \"", text,
                "\" but should be LEAST:MOST entries such as 1e5:2e8, of which one may be left "
                "out");
  return range;
}

} // namespace heddle::perf
