// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <formats/settings.hpp>
#include <heddle/impl/require.hpp>
#include <heddle/row_segment_model.hpp>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace heddle::perf
{

namespace
{

// Of matrices for which no width was given. Paper 002, Table 1 and section 2: the seeded matrix has
// the size of the one that is not public, and the width of its B; the sweep is square.
constexpr std::int64_t usual_width = 32, seeded_width = 4096, sweep_width = 2048;
constexpr char const* seeded_matrix = "sampled_2372_4096_933343";

// "4x2" as {4, 2}; nothing where it is no list of positive numbers.
template <class Number>
std::vector<Number> parse_numbers(std::string_view text, char separator)
{
  std::vector<Number> numbers;
  for (;;)
  {
    std::size_t const length = std::min(text.find(separator), text.size());
    Number number = 0;
    auto const [stop, error] = std::from_chars(text.data(), text.data() + length, number);
    if (error != std::errc() || stop != text.data() + length || number < 1)
      return {};
    numbers.push_back(number);
    if (length == text.size())
      return numbers;
    text.remove_prefix(length + 1);
  }
}

} // namespace

bool FormatsSettings::wants_format(std::string const& name) const
{
  return formats.empty() || std::ranges::find(formats, name) != formats.end();
}

std::vector<Experiment> experiments_of(FormatsSettings const& settings)
{
  std::vector<Experiment> all;
  all.reserve(settings.common.files.size() + settings.common.gallery.size());
  for (std::string const& file : settings.common.files)
    all.push_back({file, true, usual_width});
  for (std::string const& name : settings.common.gallery)
    all.push_back({name, false, usual_width});
  bool const is_for_all = settings.widths.size() == 1;
  impl::require(settings.widths.empty() || is_for_all || settings.widths.size() == all.size(),
                "perf", "--k has ", settings.widths.size(), " values for ", all.size(),
                " matrices; expected one, or one for each");
  if (!is_for_all)
    for (std::size_t n = 0; n < settings.widths.size(); ++n)
      all[n].k = settings.widths[n];
  if (settings.has_seeded)
    all.push_back({seeded_matrix, false, seeded_width});
  if (settings.has_density_sweep)
    for (int pruned_percent = 90; pruned_percent > 0; pruned_percent -= 10)
      all.push_back({"pruned_2048_2048_" + std::to_string(pruned_percent), false, sweep_width});
  impl::require(!all.empty(), "perf",
                "no matrix: name files, gallery matrices with --gallery, --seeded or "
                "--density-sweep");
  if (is_for_all)
    for (Experiment& experiment : all)
      experiment.k = settings.widths.front();
  if (settings.operation == "spmv")
    for (Experiment& experiment : all)
      experiment.k = 1;
  return all;
}

BlockShape parse_block(std::string const& text)
{
  auto const numbers = parse_numbers<int>(text, 'x');
  impl::require(numbers.size() == 1 || numbers.size() == 2, "perf", "--block is \"", text,
                "\", expected a size such as 3 or height and width such as 4x2");
  return {numbers.front(), numbers.back()};
}

SellShape parse_slice(std::string const& text)
{
  auto const numbers = parse_numbers<std::int64_t>(text, ',');
  constexpr std::int64_t most = 1 << 20;
  impl::require(!numbers.empty() && numbers.size() <= 3 && numbers[0] <= most &&
                    (numbers.size() < 2 || numbers[1] <= most),
                "perf", "--sell is \"", text,
                "\", expected height, alignment and sigma such as 32,1,256");
  SellShape shape{static_cast<int>(numbers[0])};
  if (numbers.size() > 1)
    shape.alignment = static_cast<int>(numbers[1]);
  if (numbers.size() > 2)
    shape.sigma = numbers[2];
  return shape;
}

Configuration parse_segments(std::string const& text)
{
  Configuration const configuration = parse_configuration(text);
  auto const& known = RowSegmentModel::coarsenings;
  for (int const coarsening : {configuration.vertical, configuration.horizontal})
    impl::require(std::ranges::find(known, coarsening) != known.end(), "perf", "--segments is \"",
                  text, "\", expected CF_V and CF_H to be 1, 2 or 4");
  return configuration;
}

SpmmOptions spmm_options_of(std::string const& format, std::string const& parameters)
{
  if (format != "row_segmented" || parameters.empty())
    return {};
  Configuration const asked = parse_segments(parameters);
  return {.tuning = {.row_segments = {.vertical_coarsening = asked.vertical,
                                      .horizontal_coarsening = asked.horizontal}}};
}

std::string to_text(BlockShape const& shape)
{
  return std::to_string(shape.height) + "x" + std::to_string(shape.width);
}

std::string to_text(SellShape const& shape)
{
  return std::to_string(shape.height) + "," + std::to_string(shape.alignment) + "," +
         std::to_string(shape.sigma);
}

} // namespace heddle::perf
