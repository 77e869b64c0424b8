// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Decision trees in the manner of C4.5, on samples whose tree is known.

#include <heddle/error.hpp>
#include <support/messages.hpp>
#include <support/structures.hpp>

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include <calibrate/train_tree.hpp>

using namespace heddle::perf;
using Catch::Approx;
using heddle::DecisionTree;
using heddle::test::message_of;

namespace
{

// Fisher's irises (The use of multiple measurements in taxonomic problems, 1936): sepal length,
// sepal width, petal length and petal width in mm, 50 of each species.
constexpr std::array<std::array<int, 4>, 150> irises = {{
    // setosa
    {51, 35, 14, 2},
    {49, 30, 14, 2},
    {47, 32, 13, 2},
    {46, 31, 15, 2},
    {50, 36, 14, 2},
    {54, 39, 17, 4},
    {46, 34, 14, 3},
    {50, 34, 15, 2},
    {44, 29, 14, 2},
    {49, 31, 15, 1},
    {54, 37, 15, 2},
    {48, 34, 16, 2},
    {48, 30, 14, 1},
    {43, 30, 11, 1},
    {58, 40, 12, 2},
    {57, 44, 15, 4},
    {54, 39, 13, 4},
    {51, 35, 14, 3},
    {57, 38, 17, 3},
    {51, 38, 15, 3},
    {54, 34, 17, 2},
    {51, 37, 15, 4},
    {46, 36, 10, 2},
    {51, 33, 17, 5},
    {48, 34, 19, 2},
    {50, 30, 16, 2},
    {50, 34, 16, 4},
    {52, 35, 15, 2},
    {52, 34, 14, 2},
    {47, 32, 16, 2},
    {48, 31, 16, 2},
    {54, 34, 15, 4},
    {52, 41, 15, 1},
    {55, 42, 14, 2},
    {49, 31, 15, 2},
    {50, 32, 12, 2},
    {55, 35, 13, 2},
    {49, 36, 14, 1},
    {44, 30, 13, 2},
    {51, 34, 15, 2},
    {50, 35, 13, 3},
    {45, 23, 13, 3},
    {44, 32, 13, 2},
    {50, 35, 16, 6},
    {51, 38, 19, 4},
    {48, 30, 14, 3},
    {51, 38, 16, 2},
    {46, 32, 14, 2},
    {53, 37, 15, 2},
    {50, 33, 14, 2},
    // versicolor
    {70, 32, 47, 14},
    {64, 32, 45, 15},
    {69, 31, 49, 15},
    {55, 23, 40, 13},
    {65, 28, 46, 15},
    {57, 28, 45, 13},
    {63, 33, 47, 16},
    {49, 24, 33, 10},
    {66, 29, 46, 13},
    {52, 27, 39, 14},
    {50, 20, 35, 10},
    {59, 30, 42, 15},
    {60, 22, 40, 10},
    {61, 29, 47, 14},
    {56, 29, 36, 13},
    {67, 31, 44, 14},
    {56, 30, 45, 15},
    {58, 27, 41, 10},
    {62, 22, 45, 15},
    {56, 25, 39, 11},
    {59, 32, 48, 18},
    {61, 28, 40, 13},
    {63, 25, 49, 15},
    {61, 28, 47, 12},
    {64, 29, 43, 13},
    {66, 30, 44, 14},
    {68, 28, 48, 14},
    {67, 30, 50, 17},
    {60, 29, 45, 15},
    {57, 26, 35, 10},
    {55, 24, 38, 11},
    {55, 24, 37, 10},
    {58, 27, 39, 12},
    {60, 27, 51, 16},
    {54, 30, 45, 15},
    {60, 34, 45, 16},
    {67, 31, 47, 15},
    {63, 23, 44, 13},
    {56, 30, 41, 13},
    {55, 25, 40, 13},
    {55, 26, 44, 12},
    {61, 30, 46, 14},
    {58, 26, 40, 12},
    {50, 23, 33, 10},
    {56, 27, 42, 13},
    {57, 30, 42, 12},
    {57, 29, 42, 13},
    {62, 29, 43, 13},
    {51, 25, 30, 11},
    {57, 28, 41, 13},
    // virginica
    {63, 33, 60, 25},
    {58, 27, 51, 19},
    {71, 30, 59, 21},
    {63, 29, 56, 18},
    {65, 30, 58, 22},
    {76, 30, 66, 21},
    {49, 25, 45, 17},
    {73, 29, 63, 18},
    {67, 25, 58, 18},
    {72, 36, 61, 25},
    {65, 32, 51, 20},
    {64, 27, 53, 19},
    {68, 30, 55, 21},
    {57, 25, 50, 20},
    {58, 28, 51, 24},
    {64, 32, 53, 23},
    {65, 30, 55, 18},
    {77, 38, 67, 22},
    {77, 26, 69, 23},
    {60, 22, 50, 15},
    {69, 32, 57, 23},
    {56, 28, 49, 20},
    {77, 28, 67, 20},
    {63, 27, 49, 18},
    {67, 33, 57, 21},
    {72, 32, 60, 18},
    {62, 28, 48, 18},
    {61, 30, 49, 18},
    {64, 28, 56, 21},
    {72, 30, 58, 16},
    {74, 28, 61, 19},
    {79, 38, 64, 20},
    {64, 28, 56, 22},
    {63, 28, 51, 15},
    {61, 26, 56, 14},
    {77, 30, 61, 23},
    {63, 34, 56, 24},
    {64, 31, 55, 18},
    {60, 30, 48, 18},
    {69, 31, 54, 21},
    {67, 31, 56, 24},
    {69, 31, 51, 23},
    {58, 27, 51, 19},
    {68, 32, 59, 23},
    {67, 33, 57, 25},
    {67, 30, 52, 23},
    {63, 25, 50, 19},
    {65, 30, 52, 20},
    {62, 34, 54, 23},
    {59, 30, 51, 18},
}};

std::vector<TreeSample> iris_samples()
{
  std::vector<TreeSample> samples;
  for (std::size_t n = 0; n < irises.size(); ++n)
    samples.push_back({{irises[n].begin(), irises[n].end()}, static_cast<int>(n / 50)});
  return samples;
}

int errors_of(DecisionTree const& tree, std::vector<TreeSample> const& samples)
{
  int errors = 0;
  for (TreeSample const& sample : samples)
    errors += tree.label_of(sample.features) == sample.label ? 0 : 1;
  return errors;
}

// Labels that follow two of three features, one in four of them changed.
std::vector<TreeSample> noisy_samples(std::uint64_t seed)
{
  heddle::test::Random random(seed);
  std::vector<TreeSample> samples;
  for (int n = 0; n < 120; ++n)
  {
    TreeSample sample{{random.uniform(), random.uniform(), random.uniform()}, 0};
    sample.label = sample.features[0] > 0.2 ? 3 : sample.features[2] > -0.3 ? 5 : 8;
    if (random.below(4) == 0)
      sample.label = static_cast<int>(1 + random.below(9));
    samples.push_back(sample);
  }
  return samples;
}

std::size_t leaf_of(DecisionTree const& tree, std::vector<double> const& features)
{
  std::size_t n = 0;
  while (!tree.nodes[n].is_leaf())
  {
    auto const& node = tree.nodes[n];
    n = static_cast<std::size_t>(
        features[static_cast<std::size_t>(node.feature)] <= node.limit ? node.at_most : node.above);
  }
  return n;
}

} // namespace

TEST_CASE("irises make the tree that Weka's J48 makes of them", "[calibrate]")
{
  // As Weka 3.8 prints it, with -C 0.25 -M 2: petalwidth <= 0.6: setosa (50); petalwidth <= 1.7:
  // petallength <= 4.9: versicolor (48/1); petalwidth <= 1.5: virginica (3); versicolor (3/1);
  // petalwidth > 1.7: virginica (46/1).
  DecisionTree const expected{{{3, 6, 1, 2, 0},
                               {.label = 0},
                               {3, 17, 3, 8, 0},
                               {2, 49, 4, 5, 0},
                               {.label = 1},
                               {3, 15, 6, 7, 0},
                               {.label = 2},
                               {.label = 1},
                               {.label = 2}}};
  auto const samples = iris_samples();
  DecisionTree const tree = train_tree(samples);
  CHECK(tree == expected);
  CHECK(tree.defect(4).empty());
  CHECK(errors_of(tree, samples) == 3);
}

TEST_CASE("the less confidence, the smaller the tree", "[calibrate]")
{
  std::vector<TreeSample> const samples = noisy_samples(1);
  std::size_t last = 0;
  for (double const confidence : {1e-6, 0.01, 0.25, 0.5})
  {
    std::size_t const nodes = train_tree(samples, {.confidence = confidence}).nodes.size();
    CHECK(nodes >= last);
    last = nodes;
  }
  CHECK(train_tree(samples, {.confidence = 1e-6}).nodes.size() < last);
}

TEST_CASE("every leaf says what most of its samples have", "[calibrate]")
{
  for (std::uint64_t seed = 0; seed < 50; ++seed)
  {
    INFO("seed " << seed);
    auto const samples = noisy_samples(seed);
    DecisionTree const tree = train_tree(samples);
    REQUIRE(tree.defect(3).empty());
    std::map<std::size_t, std::map<int, int>> counts;
    for (TreeSample const& sample : samples)
      ++counts[leaf_of(tree, sample.features)][sample.label];
    for (auto const& [leaf, labels] : counts)
      for (auto const& [label, count] : labels)
        CHECK(count <= labels.at(tree.nodes[leaf].label));
  }
}

TEST_CASE("a question has as many samples on either side as are asked for", "[calibrate]")
{
  std::vector<TreeSample> const samples = {{{1}, 1}, {{2}, 2}, {{3}, 2}, {{4}, 2}};
  CHECK(train_tree(samples, {.confidence = 0.5, .least = 1}) ==
        DecisionTree{{{0, 1, 1, 2, 0}, {.label = 1}, {.label = 2}}});
  CHECK(train_tree(samples) == DecisionTree::leaf(2));
}

TEST_CASE("what says nothing makes a leaf of the most frequent label", "[calibrate]")
{
  CHECK(train_tree({{{1, 2}, 7}}) == DecisionTree::leaf(7));
  CHECK(train_tree({{{1}, 9}, {{1}, 4}, {{1}, 4}, {{1}, 9}, {{1}, 4}}) == DecisionTree::leaf(4));
  CHECK(train_tree({{{1}, 9}, {{1}, 4}}) == DecisionTree::leaf(4)); // of several the lowest
  CHECK(message_of<heddle::InvalidArgument>([] { train_tree({}); }) ==
        "heddle::train_tree: no samples");
  CHECK(message_of<heddle::InvalidArgument>([] {
          train_tree({{{1}, 1}, {{1, 2}, 1}});
        }) == "heddle::train_tree: a sample has 2 features, another 1");
}

TEST_CASE("pessimistic errors are those of C4.5", "[calibrate]")
{
  // The book's example (section 4.2): U25%(0, 6) = 0.206, U25%(0, 9) = 0.143, U25%(0, 1) = 0.750.
  CHECK(6 * 0.206 == Approx(pessimistic_errors(6, 0, 0.25)).epsilon(3e-3));
  CHECK(9 * 0.143 == Approx(pessimistic_errors(9, 0, 0.25)).epsilon(3e-3));
  CHECK(pessimistic_errors(1, 0, 0.25) == Approx(0.75));
  // U25%(1, 16) = 0.157.
  CHECK(16 * 0.157 == Approx(1 + pessimistic_errors(16, 1, 0.25)).epsilon(0.02));
  CHECK(pessimistic_errors(3, 3, 0.25) == 0);
}

TEST_CASE("a tree is refused that would not end", "[calibrate]")
{
  CHECK(DecisionTree::leaf(3).defect(0).empty());
  CHECK(DecisionTree{}.defect(4) == "no nodes");
  CHECK(DecisionTree{{{4, 0, 1, 2, 0}, {}, {}}}.defect(4) == "node 0 asks for feature 4 of 4");
  CHECK(DecisionTree{{{1, 0, 1, 0, 0}, {}}}.defect(4) ==
        "node 0 goes to 1 and 0, expected nodes behind it, of 2");
  CHECK(DecisionTree{{{1, 0, 1, 2, 0}, {}}}.defect(4) ==
        "node 0 goes to 1 and 2, expected nodes behind it, of 2");
}
