// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/result_rows.hpp>

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <report/result.hpp>

namespace heddle::perf
{

namespace
{

double number_of(nlohmann::json const& object, char const* key)
{
  bool const is_there = object.contains(key) && !object.at(key).is_null(); // JSON has no infinity
  return is_there ? object.at(key).get<double>() : std::numeric_limits<double>::quiet_NaN();
}

void set_layouts(Result& r, nlohmann::json const& object)
{
  r.layout = take_layout(object, r.operation, r.implementation);
  r.layout_c = object.value("layout_c", r.layout);
}

void set_numbers(Result& r, nlohmann::json const& object)
{
  r.plan_ms = number_of(object, "plan_ms");
  r.mean_ms = number_of(object, "mean_ms");
  r.runs = number_of(object, "runs");
  r.gflops = number_of(object, "gflops");
  r.gbytes_per_s = number_of(object, "gbytes_per_s");
  r.prologue_ms = number_of(object, "prologue_ms");
  r.epilogue_ms = number_of(object, "epilogue_ms");
  r.serial_ms = number_of(object, "serial_ms");
  r.machine_gbytes_per_s = number_of(object, "machine_gbytes_per_s");
  r.machine_gflops = number_of(object, "machine_gflops");
  r.roofline_gflops = number_of(object, "roofline_gflops");
  r.products_nnz = number_of(object, "products_nnz");
  r.heavy_share = number_of(object, "heavy_share");
}

Result result_of(nlohmann::json const& object)
{
  Result r;
  object.at("operation").get_to(r.operation);
  if (r.operation == "read")
    return r;
  object.at("implementation").get_to(r.implementation);
  r.device = object.value("device", "");
  r.commit = object.value("commit", "");
  r.warning = object.value("warning", "");
  r.skipped = object.value("skipped", "");
  set_numbers(r, object);
  if (r.is_self_check())
    return r;
  object.at("matrix").get_to(r.matrix);
  object.at("value_type").get_to(r.value_type);
  object.at("rows").get_to(r.rows);
  object.at("cols").get_to(r.cols);
  object.at("nnz").get_to(r.nnz);
  object.at("k").get_to(r.k);
  r.index_types = object.value("index_types", "");
  r.format = object.value("format", "");
  r.parameters = object.value("parameters", "");
  set_layouts(r, object);
  if (!r.is_skipped())
    object.at("median_ms").get_to(r.median_ms);
  return r;
}

} // namespace

double Result::bound_gflops() const
{
  if (std::isfinite(roofline_gflops))
    return roofline_gflops;
  double const of_memory = intensity() * machine_gbytes_per_s;
  return machine_gflops < of_memory ? machine_gflops : of_memory;
}

double Result::value_bytes() const
{
  if (value_type == "f32")
    return 4;
  return value_type == "c64" ? 16 : 8; // f64, c32
}

std::vector<Result> read_results(std::string const& file)
{
  std::vector<Result> results;
  for_each_row(file, [&results](nlohmann::json const& object, std::int64_t) {
    Result const result = result_of(object);
    if (result.operation != "read")
      results.push_back(result);
  });
  return results;
}

} // namespace heddle::perf
