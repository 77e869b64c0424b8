// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/machine.hpp>
#include <harness/machine_file.hpp>
#include <heddle/error.hpp>
#include <heddle/impl/output_file.hpp>

#include <nlohmann/json.hpp>

#include <cstdint>
#include <fstream>
#include <string>

namespace heddle::perf
{

namespace
{

double positive(nlohmann::json const& json, char const* key, std::string const& file)
{
  if (!json.contains(key) || !json[key].is_number() || json[key] <= 0)
    throw ParseError(file, 0, std::string(key) + " is not a positive number");
  return json[key];
}

// 0 where the key is not there, as in files of before it was measured.
double optional(nlohmann::json const& json, char const* key, std::string const& file)
{
  return json.contains(key) ? positive(json, key, file) : 0;
}

} // namespace

MachineDescription description_of(Machine const& machine)
{
  return {.device = machine.device,
          .gbytes_per_s = machine.gbytes_per_s,
          .gflops_f32 = machine.gflops_f32,
          .gflops_f64 = machine.gflops_f64,
          .cache_bytes = machine.caches.empty() ? 0 : machine.caches.back().bytes};
}

MachineDescription read_machine(std::string const& file)
{
  std::ifstream stream(file);
  if (!stream)
    throw FileError(file + ": cannot be read");
  auto const json = nlohmann::json::parse(stream, nullptr, false);
  if (!json.is_object())
    throw ParseError(file, 0, "not a JSON object");
  if (!json.contains("device") || !json["device"].is_string())
    throw ParseError(file, 0, "device is not a text");
  MachineDescription machine{
      .device = json["device"],
      .gbytes_per_s = positive(json, "gbytes_per_s", file),
      .gflops_f32 = positive(json, "gflops_f32", file),
      .gflops_f64 = positive(json, "gflops_f64", file),
      .cache_bytes = static_cast<std::int64_t>(positive(json, "cache_bytes", file)),
      .l1_gwords_per_s = optional(json, "l1_gwords_per_s", file),
      .shared_gwords_per_s = optional(json, "shared_gwords_per_s", file),
      .swept_cache_bytes = static_cast<std::int64_t>(optional(json, "swept_cache_bytes", file))};
  if (!json.contains("cache_sweep"))
    return machine;
  if (!json["cache_sweep"].is_array())
    throw ParseError(file, 0, "cache_sweep is not an array");
  for (auto const& point : json["cache_sweep"])
    machine.cache_sweep.push_back({static_cast<std::int64_t>(positive(point, "bytes", file)),
                                   positive(point, "gwords_per_s", file)});
  return machine;
}

void write_machine(MachineDescription const& machine, std::string const& file)
{
  nlohmann::ordered_json json{{"device", machine.device},
                              {"gbytes_per_s", machine.gbytes_per_s},
                              {"gflops_f32", machine.gflops_f32},
                              {"gflops_f64", machine.gflops_f64},
                              {"cache_bytes", machine.cache_bytes}};
  if (machine.l1_gwords_per_s > 0)
    json["l1_gwords_per_s"] = machine.l1_gwords_per_s;
  if (machine.shared_gwords_per_s > 0)
    json["shared_gwords_per_s"] = machine.shared_gwords_per_s;
  if (machine.swept_cache_bytes > 0)
    json["swept_cache_bytes"] = machine.swept_cache_bytes;
  for (CachePoint const& point : machine.cache_sweep)
    json["cache_sweep"].push_back({{"bytes", point.bytes}, {"gwords_per_s", point.gwords_per_s}});
  impl::write_output_file(file, json.dump(2) + '\n');
}

} // namespace heddle::perf
