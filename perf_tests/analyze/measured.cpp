// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/result_rows.hpp>
#include <heddle/impl/require.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <analyze/measured.hpp>

namespace heddle::perf
{

namespace
{

// The multiplies, in the order of pages.
std::vector<std::string> const& operations()
{
  static std::vector<std::string> const names{"spmv", "spmm", "spgemm"};
  return names;
}

std::string text_at(nlohmann::json const& row, char const* key) { return row.value(key, ""); }

// The multiply that a row of a time or of counts is of; empty: neither.
std::string operation_of(nlohmann::json const& row)
{
  std::string const operation = text_at(row, "operation");
  if (operation == "counted")
    return text_at(row, "multiply");
  bool const is_time =
      text_at(row, "implementation") == "heddle::auto" && row.contains("median_ms");
  return is_time ? operation : "";
}

class Collector
{
public:
  Collector(MatrixAnalysis& analysis, std::string const& device)
      : m_analysis(analysis)
      , m_device(device)
  {}

  void take(nlohmann::json const& row)
  {
    std::string const operation = operation_of(row);
    auto const& names = operations();
    bool const is_multiply = std::ranges::find(names, operation) != names.end();
    bool const is_of_rows = row.value("layout", "row") == "row";
    bool const is_wanted = is_multiply && text_at(row, "matrix") == m_analysis.name &&
                           text_at(row, "value_type") == m_analysis.value_type &&
                           text_at(row, "device") == m_device && is_of_rows &&
                           (operation != "spmm" || row.value("k", std::int64_t{0}) == m_analysis.k);
    if (!is_wanted)
      return;
    MeasuredMultiply& measured = of(operation);
    if (row.contains("dram_bytes"))
      measured.memory_bytes = row.at("dram_bytes").get<double>();
    else
      measured.milliseconds = row.at("median_ms").get<double>();
  }

private:
  MeasuredMultiply& of(std::string const& operation)
  {
    auto& all = m_analysis.measured;
    auto const found = std::ranges::find_if(
        all, [&](MeasuredMultiply const& one) { return one.operation == operation; });
    if (found != all.end())
      return *found;
    all.push_back({operation});
    return all.back();
  }

  MatrixAnalysis& m_analysis;
  std::string m_device;
};

} // namespace

void add_measured(MatrixAnalysis& analysis, std::string const& device,
                  std::vector<std::string> const& paths)
{
  Collector collector(analysis, device);
  for (std::string const& path : paths)
    for (std::string const& file : result_files(path))
      for_each_row(file, [&](nlohmann::json const& row, std::int64_t) { collector.take(row); });
  impl::require(!analysis.measured.empty(), "perf", "--measured has no row of heddle::auto on ",
                analysis.name, " in ", analysis.value_type, " (SpMM with k = ", analysis.k, ") on ",
                device);
  auto const place = [](MeasuredMultiply const& measured) {
    return std::find(operations().begin(), operations().end(), measured.operation);
  };
  std::ranges::sort(analysis.measured,
                    [&](auto const& a, auto const& b) { return place(a) < place(b); });
}

} // namespace heddle::perf
