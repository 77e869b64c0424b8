// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The model of row segments, what is shipped of it, and its files.

#include <heddle/decision_tree.hpp>
#include <heddle/error.hpp>
#include <heddle/row_segment_features.hpp>
#include <heddle/row_segment_model_file.hpp>
#include <heddle/shipped_row_segment_model.hpp>
#include <support/messages.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>
#include <vector>

using heddle::RowSegmentModel;
using heddle::test::message_of;

namespace
{

// A file that goes with the test.
class ModelFile
{
public:
  ModelFile() { std::filesystem::remove(m_name); }
  explicit ModelFile(std::string const& text) { std::ofstream(m_name) << text; }
  ~ModelFile() { std::filesystem::remove(m_name); }
  ModelFile(ModelFile const&) = delete;
  ModelFile& operator=(ModelFile const&) = delete;

  std::string const& name() const { return m_name; }

private:
  std::string m_name = (std::filesystem::temp_directory_path() /
                        ("heddle_model_" + std::to_string(getpid()) + ".json"))
                           .string();
};

RowSegmentModel measured(std::string const& device)
{
  RowSegmentModel model = heddle::shipped_row_segment_model();
  model.device = device;
  model.f64.vertical = 4;
  model.f64.horizontal = 2;
  model.f64.heavy = {{{1e-7, 0.1 / 3}, {}, {0.25, 3e-9}}};
  model.f64.light = {0.5, 1.5};
  model.f64.threshold = {{{11, 1.0 / 3, 1, 2, 0}, {.label = 3}, {.label = 12}}};
  return model;
}

std::string refusal(std::string const& text, std::string const& device = "")
{
  ModelFile const file(text);
  std::string message =
      message_of<heddle::ParseError>([&] { heddle::read_row_segment_model(file.name(), device); });
  return message.starts_with(file.name()) ? message.substr(file.name().size()) : message;
}

std::string with_tree(std::string const& tree)
{
  return R"({"models": [{"device": "d", "value_type": "f64", "vertical": 2, "horizontal": 1, )"
         R"("tree": )" +
         tree + "}]}";
}

} // namespace

TEST_CASE("the shipped model is one that was measured", "[row_segmented]")
{
  RowSegmentModel const& model = heddle::shipped_row_segment_model();
  CHECK(model.device == "NVIDIA H200");
  CHECK(&model.of(4) == &model.f32);
  CHECK(&model.of(8) == &model.f64);
  CHECK(&model.of(16) == &model.f64);
  for (auto const* const of : {&model.f32, &model.f64})
  {
    CHECK(of->threshold.defect(heddle::RowSegmentFeatures::count).empty());
    for (std::size_t n = 0; n < of->heavy.size(); ++n)
    {
      CHECK(of->heavy[n].is_known());
      CHECK(of->cost(n, {10, 100, 1000, 10000}) > 0);
    }
  }
}

TEST_CASE("what is not measured is not chosen for its cost", "[row_segmented]")
{
  CHECK(std::isinf(RowSegmentModel::OfType{}.cost(0, {})));
}

TEST_CASE("the shipped model is that of its file", "[row_segmented]")
{
  if (!std::filesystem::exists(HEDDLE_TEST_MODEL))
    SKIP(HEDDLE_TEST_MODEL << " is not here");
  CHECK(heddle::read_row_segment_model(HEDDLE_TEST_MODEL) == heddle::shipped_row_segment_model());
}

TEST_CASE("a tree of decisions asks for features that there are", "[row_segmented]")
{
  std::vector<double> const features = {5, 1};
  heddle::DecisionTree const tree = {
      {{.feature = 1, .limit = 1, .at_most = 1, .above = 2}, {.label = 7}, {.label = 9}}};
  CHECK(tree.label_of(features) == 7);
  CHECK(tree.defect(2) == "");
  CHECK(tree.defect(1) == "node 0 asks for feature 1 of 1");
  CHECK(heddle::DecisionTree{}.label_of(features) == 0);
  CHECK(heddle::DecisionTree{}.defect(2) == "no nodes");
}

TEST_CASE("the cost of row segments is linear in additions and entries", "[row_segmented]")
{
  RowSegmentModel::OfType of;
  of.heavy[1] = {2, 3};
  of.light = {5, 7};
  CHECK(of.cost(1, {10, 100, 1000, 10000}) == 2 * 10 + 3 * 100 + 5 * 1000 + 7 * 10000);
  CHECK(std::isinf(of.cost(0, {10, 100, 1000, 10000})));
}

TEST_CASE("a model in a file is read as it was written", "[row_segmented]")
{
  ModelFile const file;
  RowSegmentModel const one = measured("one");
  heddle::write_row_segment_model(file.name(), one, "f64");
  CHECK(heddle::read_row_segment_model(file.name()) == one);
  CHECK(heddle::read_row_segment_model(file.name(), "one") == one);

  // Another device and another type leave it as it is.
  RowSegmentModel other = measured("other");
  other.f32.vertical = 1;
  heddle::write_row_segment_model(file.name(), other, "f32");
  CHECK(heddle::read_row_segment_model(file.name(), "one") == one);
  other.f64 = heddle::shipped_row_segment_model().f64; // was not written
  CHECK(heddle::read_row_segment_model(file.name(), "other") == other);

  // The same replaces it.
  RowSegmentModel again = one;
  again.f64.threshold = heddle::DecisionTree::leaf(5);
  heddle::write_row_segment_model(file.name(), again, "f64");
  CHECK(heddle::read_row_segment_model(file.name(), "one") == again);
}

TEST_CASE("a file that is no model is refused, with what is wrong", "[row_segmented]")
{
  CHECK(refusal(with_tree(R"([{"threshold": 3}])")) == "no error");
  CHECK(refusal("{\n\n\"models\": [,]}") == ":3: not JSON");
  CHECK(refusal("{}").find("key 'models' not found") != std::string::npos);
  CHECK(refusal(R"({"models": []})") == ": models of 0 devices, say which: ");
  CHECK(refusal(with_tree(R"([{"threshold": 3}])"), "e") == ": no model of e; there are d");
  CHECK(refusal(with_tree(R"([{"threshold": 0}])")) == ": tree: threshold 0");
  CHECK(refusal(with_tree("[]")) == ": tree: no nodes");
  CHECK(refusal(with_tree(R"([{"feature": "colour", "limit": 1, "at_most": 1, "above": 2}])")) ==
        ": no feature colour");
  CHECK(refusal(with_tree(R"([{"feature": "gaps_4", "limit": 1, "at_most": 0, "above": 2}])")) ==
        ": tree: node 0 goes to 0 and 2, expected nodes behind it, of 1");
  std::string wrong = with_tree(R"([{"threshold": 3}])");
  wrong.replace(wrong.find("\"vertical\": 2"), 13, "\"vertical\": 3");
  CHECK(refusal(wrong) == ": vertical 3, expected 1, 2 or 4");
  wrong = with_tree(R"([{"threshold": 3}])");
  wrong.replace(wrong.find("f64"), 3, "f16");
  CHECK(refusal(wrong) == ": value_type f16, expected f32 or f64");
  CHECK(message_of<heddle::FileError>([] { heddle::read_row_segment_model("no/model.json"); }) ==
        "no/model.json: cannot be read");
  CHECK(message_of<heddle::FileError>([] {
          heddle::write_row_segment_model("no/model.json", {}, "f64");
        }) == "cannot write no/model.json: No such file or directory");
  CHECK(message_of<heddle::InvalidArgument>([] {
          heddle::write_row_segment_model("model.json", {}, "c64");
        }) == "heddle::write_row_segment_model: value type c64, expected f32 or f64");
}
