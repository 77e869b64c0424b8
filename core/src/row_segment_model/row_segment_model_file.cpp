// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/error.hpp>
#include <heddle/impl/out_of_memory.hpp>
#include <heddle/impl/output_file.hpp>
#include <heddle/impl/require.hpp>
#include <heddle/row_segment_model_file.hpp>
#include <heddle/shipped_row_segment_model.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace heddle
{

namespace
{

using Json = nlohmann::ordered_json;

Json parsed(std::string const& name)
{
  std::ifstream file(name);
  std::string const text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (!file)
    throw FileError(name + ": cannot be read");
  try
  {
    return Json::parse(text);
  }
  catch (Json::parse_error const& problem)
  {
    auto const end =
        text.begin() + static_cast<std::ptrdiff_t>(std::min(problem.byte, text.size()));
    throw ParseError(name, 1 + std::count(text.begin(), end, '\n'), "not JSON");
  }
}

Json json_of(LinearCost const& cost)
{
  return {{"per_accumulation_ms", cost.per_accumulation}, {"per_entry_ms", cost.per_entry}};
}
LinearCost cost_of(Json const& json)
{
  return {json.at("per_accumulation_ms"), json.at("per_entry_ms")};
}

Json json_of(DecisionTree const& tree)
{
  Json nodes = Json::array();
  for (DecisionTree::Node const& node : tree.nodes)
    if (node.is_leaf())
      nodes.push_back({{"threshold", node.label}});
    else
      nodes.push_back(
          {{"feature", RowSegmentFeatures::name(static_cast<std::size_t>(node.feature))},
           {"limit", node.limit},
           {"at_most", node.at_most},
           {"above", node.above}});
  return nodes;
}

int feature_of(std::string const& name)
{
  for (std::size_t n = 0; n < RowSegmentFeatures::count; ++n)
    if (RowSegmentFeatures::name(n) == name)
      return static_cast<int>(n);
  throw InvalidArgument("no feature " + name);
}

DecisionTree tree_of(Json const& json)
{
  DecisionTree tree;
  for (Json const& node : json)
    if (node.contains("threshold"))
      tree.nodes.push_back({.label = node["threshold"]});
    else
      tree.nodes.push_back({feature_of(node.at("feature")), node.at("limit"), node.at("at_most"),
                            node.at("above"), 0});
  std::string const defect = tree.defect(RowSegmentFeatures::count);
  if (!defect.empty())
    throw InvalidArgument("tree: " + defect);
  for (DecisionTree::Node const& node : tree.nodes)
    if (node.is_leaf() && node.label < 1)
      throw InvalidArgument("tree: threshold " + std::to_string(node.label));
  return tree;
}

Json json_of(RowSegmentModel const& model, std::string const& value_type)
{
  RowSegmentModel::OfType const& of = value_type == "f32" ? model.f32 : model.f64;
  Json json{{"device", model.device},
            {"value_type", value_type},
            {"vertical", of.vertical},
            {"horizontal", of.horizontal}};
  for (std::size_t n = 0; n < of.heavy.size(); ++n)
    if (of.heavy[n].is_known())
      json["heavy"][std::to_string(RowSegmentModel::coarsenings[n])] = json_of(of.heavy[n]);
  if (of.light.is_known())
    json["light"] = json_of(of.light);
  json["tree"] = json_of(of.threshold);
  return json;
}

int coarsening_of(Json const& json, char const* name)
{
  auto const& all = RowSegmentModel::coarsenings;
  int const value = json.at(name);
  if (std::ranges::find(all, value) == all.end())
    throw InvalidArgument(std::string(name) + " " + std::to_string(value) + ", expected 1, 2 or 4");
  return value;
}

void take(RowSegmentModel& model, Json const& json)
{
  RowSegmentModel::OfType of;
  of.vertical = coarsening_of(json, "vertical");
  of.horizontal = coarsening_of(json, "horizontal");
  for (std::size_t n = 0; n < of.heavy.size(); ++n)
  {
    std::string const name = std::to_string(RowSegmentModel::coarsenings[n]);
    if (json.contains("heavy") && json["heavy"].contains(name))
      of.heavy[n] = cost_of(json["heavy"][name]);
  }
  if (json.contains("light"))
    of.light = cost_of(json["light"]);
  of.threshold = tree_of(json.at("tree"));
  std::string const type = json.at("value_type");
  if (type != "f32" && type != "f64")
    throw InvalidArgument("value_type " + type + ", expected f32 or f64");
  (type == "f32" ? model.f32 : model.f64) = std::move(of);
}

std::vector<std::string> devices_of(Json const& models)
{
  std::vector<std::string> names;
  for (Json const& model : models)
  {
    std::string const name = model.at("device");
    if (std::ranges::find(names, name) == names.end())
      names.push_back(name);
  }
  return names;
}

RowSegmentModel model_of(Json const& json, std::string const& device)
{
  Json const& models = json.at("models");
  std::vector<std::string> const devices = devices_of(models);
  std::string list;
  for (std::string const& name : devices)
    list += (list.empty() ? "" : ", ") + name;
  if (device.empty() && devices.size() != 1)
    throw InvalidArgument("models of " + std::to_string(devices.size()) +
                          " devices, say which: " + list);
  RowSegmentModel model = shipped_row_segment_model();
  model.device = device.empty() ? devices.front() : device;
  if (std::ranges::find(devices, model.device) == devices.end())
    throw InvalidArgument("no model of " + device + "; there are " + list);
  for (Json const& one : models)
    if (one.at("device") == model.device)
      take(model, one);
  return model;
}

// Calls body; what is wrong with the contents is said with the file's name.
template <class Body>
auto in_file(std::string const& name, Body const& body)
{
  try
  {
    return body();
  }
  catch (Json::exception const& problem)
  {
    throw ParseError(name, 0, problem.what());
  }
  catch (InvalidArgument const& problem)
  {
    throw ParseError(name, 0, problem.what());
  }
}

} // namespace

RowSegmentModel read_row_segment_model(std::string const& file, std::string const& device)
try
{
  Json const json = parsed(file);
  return in_file(file, [&] { return model_of(json, device); });
}
catch (...)
{
  impl::rethrow_out_of_memory("read_row_segment_model");
}

void write_row_segment_model(std::string const& file, RowSegmentModel const& model,
                             std::string const& value_type)
try
{
  impl::require(value_type == "f32" || value_type == "f64", "write_row_segment_model",
                "value type ", value_type, ", expected f32 or f64");
  Json json{{"models", Json::array()}};
  if (std::filesystem::exists(file))
    json = parsed(file);
  in_file(file, [&] {
    for (Json& one : json.at("models"))
      if (one.at("device") == model.device && one.at("value_type") == value_type)
      {
        one = json_of(model, value_type);
        return;
      }
    json["models"].push_back(json_of(model, value_type));
  });
  impl::write_output_file(file, json.dump(1) + '\n');
}
catch (...)
{
  impl::rethrow_out_of_memory("write_row_segment_model");
}

} // namespace heddle
