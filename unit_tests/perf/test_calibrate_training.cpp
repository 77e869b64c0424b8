// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What calibration makes of times, on times made up so that the answer is known.

#include <heddle/error.hpp>
#include <support/messages.hpp>

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <string>
#include <vector>

#include <calibrate/fit_cost.hpp>
#include <calibrate/held_out.hpp>
#include <calibrate/training.hpp>

using namespace heddle::perf;
using Catch::Approx;
using heddle::DecisionTree;
using heddle::LinearCost;
using heddle::RowSegmentModel;
using heddle::test::message_of;

namespace
{

// Of paper 000's two matrices, 4096 x 4096 in 16 panels: dense, and threshold entries a segment.
std::vector<CostSample> paper_samples(LinearCost const& cost, double threshold)
{
  double const segments = 4096 * 16;
  std::vector<CostSample> samples{{segments, 4096.0 * 4096, 0},
                                  {segments, segments * threshold, 0}};
  for (CostSample& s : samples)
    s.milliseconds = cost.of(s.accumulations, s.entries);
  return samples;
}

// Its best threshold is 2 where neighbours stand together, else 12; every configuration is slower
// the further it is from (vertical, threshold, horizontal).
MeasuredMatrix matrix(double neighbours, int vertical, int horizontal)
{
  MeasuredMatrix m;
  m.rows = 100;
  m.nnz = 1000;
  int const best = neighbours > 0.5 ? 2 : 12;
  for (int const v : RowSegmentModel::coarsenings)
  {
    m.features[v].gaps[0] = neighbours;
    for (int const h : RowSegmentModel::coarsenings)
      for (int t = 1; t <= 16; ++t)
        m.times[{v, t, h}] = {1.0 + (t - best) * (t - best) + (v != vertical ? 500 : 0) +
                                  (h != horizontal ? 1000 : 0),
                              10 * v, 1000 - t};
  }
  return m;
}

} // namespace

TEST_CASE("costs are those of the two matrices that they were measured on", "[calibrate]")
{
  LinearCost const cost{2.5e-6, 3.25e-8};
  LinearCost const fitted = fit_cost(paper_samples(cost, 8));
  CHECK(fitted.per_accumulation == Approx(cost.per_accumulation).epsilon(1e-9));
  CHECK(fitted.per_entry == Approx(cost.per_entry).epsilon(1e-9));
}

TEST_CASE("costs of more samples are nearest to all of them", "[calibrate]")
{
  // x + y = 2, x + 2 y = 3 and, off by the same either side of 5, 2 x + 3 y = 5 +- 0.5.
  LinearCost const fitted = fit_cost({{1, 1, 2}, {1, 2, 3}, {2, 3, 5.5}, {2, 3, 4.5}});
  CHECK(fitted.per_accumulation == Approx(1));
  CHECK(fitted.per_entry == Approx(1));
}

TEST_CASE("no part of a cost is negative", "[calibrate]")
{
  LinearCost const entries = fit_cost({{1, 1, 1}, {1, 2, 4}});
  CHECK(entries.per_accumulation == 0);
  CHECK(entries.per_entry == Approx(9.0 / 5)); // of 1 y = 1 and 2 y = 4
  LinearCost const additions = fit_cost({{1, 1, 2}, {1, 2, 1}});
  CHECK(additions.per_accumulation == Approx(1.5));
  CHECK(additions.per_entry == 0);
  CHECK(message_of<heddle::InvalidArgument>([] {
          fit_cost({{1, 2, 3}, {2, 4, 5}});
        }) == "heddle::fit_cost: 2 samples whose accumulations and entries are in one proportion");
}

TEST_CASE("coarsenings are those most often best", "[calibrate]")
{
  // Alone, each would be best with another CF_V where CF_H is not fixed.
  std::vector<MeasuredMatrix> matrices = {matrix(0.9, 4, 2), matrix(0.9, 4, 2), matrix(0.1, 1, 1)};
  CHECK(most_frequent_horizontal(matrices) == 2);
  CHECK(most_frequent_vertical(matrices, 2) == 4);
  matrices.push_back(matrix(0.2, 1, 1));
  CHECK(most_frequent_horizontal(matrices) == 1); // of several the least
  // With CF_H fixed to 4 another CF_V is the fastest of the first.
  for (auto& [configuration, time] : matrices[0].times)
    if (configuration.horizontal == 4 && configuration.vertical == 1)
      time.milliseconds = 0.5;
  CHECK(most_frequent_vertical(matrices, 4) == 1);
  CHECK(message_of<heddle::InvalidArgument>([] { most_frequent_horizontal({}); }) ==
        "heddle::calibrate: no matrix was measured");
}

TEST_CASE("thresholds are learned from the best of each matrix", "[calibrate]")
{
  std::vector<MeasuredMatrix> matrices;
  for (int n = 0; n < 5; ++n)
  {
    matrices.push_back(matrix(0.8 + 0.01 * n, 2, 1));
    matrices.push_back(matrix(0.1 + 0.01 * n, 2, 1));
  }
  DecisionTree const tree = train_thresholds(matrices, 2, 1);
  REQUIRE(tree.nodes.size() == 3);
  CHECK(tree.nodes[0].feature == 0);
  CHECK(tree.nodes[0].limit == Approx(0.14));
  CHECK(tree.nodes[1].label == 12);
  CHECK(tree.nodes[2].label == 2);
  // Of other coarsenings the labels are others.
  for (MeasuredMatrix& m : matrices)
    m.times[{4, 16, 1}].milliseconds = 0;
  CHECK(train_thresholds(matrices, 4, 1) == DecisionTree::leaf(16));
  CHECK(train_thresholds(matrices, 2, 1) == tree);
}

TEST_CASE("the model's CF_V is the one of the least cost that was measured", "[calibrate]")
{
  MeasuredMatrix const one = matrix(0.9, 2, 1); // threshold 2 is best
  RowSegmentModel::OfType model;
  model.vertical = 2;
  model.threshold = DecisionTree::leaf(3);
  CHECK(chosen_by(model, one) == Configuration{2, 3, 1}); // no cost is known
  // 10, 20 and 40 segments: with CF_V 1 and 4 known the fewest, unless one of CF_V 1 takes longer.
  model.heavy[0] = {1, 0};
  model.heavy[2] = {1, 0};
  CHECK(chosen_by(model, one) == Configuration{1, 3, 1});
  model.heavy[0] = {5, 0};
  CHECK(chosen_by(model, one) == Configuration{4, 3, 1});
  MeasuredMatrix without = one;
  without.times.erase({4, 3, 1});
  CHECK(chosen_by(model, without) == Configuration{1, 3, 1});
}

TEST_CASE("one threshold for all is that of the least product of times over the best",
          "[calibrate]")
{
  RowSegmentModel::OfType model;
  model.vertical = 2;
  // 1 + (t - 2)^2 and 1 + (t - 12)^2: the product is least near one of both, of several the least.
  std::vector<MeasuredMatrix> matrices = {matrix(0.9, 2, 1), matrix(0.1, 2, 1)};
  CHECK(single_threshold(matrices, model) == 2);
  matrices.push_back(matrix(0.2, 2, 1));
  CHECK(single_threshold(matrices, model) == 12);
  CHECK(message_of<heddle::InvalidArgument>([&] { single_threshold({}, model); }) ==
        "heddle::calibrate: no matrix was measured");
}

TEST_CASE("a tree is taken where it is better on matrices held out", "[calibrate]")
{
  RowSegmentModel::OfType model;
  model.vertical = 2;
  std::vector<MeasuredMatrix> matrices;
  for (int n = 0; n < 4; ++n)
  {
    matrices.push_back(matrix(0.8 + 0.01 * n, 2, 1));
    matrices.push_back(matrix(0.1 + 0.01 * n, 2, 1));
    matrices[matrices.size() - 2].name = "near" + std::to_string(n);
    matrices.back().name = "far" + std::to_string(n);
  }
  auto const held_out = hold_out_each(matrices, model);
  REQUIRE(held_out.size() == 8);
  CHECK(held_out[3].matrix == "far1");
  CHECK(held_out[3].tree.configuration == Configuration{2, 12, 1});
  CHECK(held_out[3].tree.over_best == 1);
  // Four others are near and three far.
  CHECK(held_out[3].single.configuration == Configuration{2, 2, 1});
  CHECK(held_out[3].single.over_best == 101);
  // A limit is a value that the tree has seen: 0.12 where far3, with 0.13, is held out.
  CHECK(held_out[7].tree.over_best == 101);
  CHECK(over_best(held_out, &HeldOut::tree).mean == Approx(std::pow(101, 1. / 8)));
  CHECK(over_best(held_out, &HeldOut::single).mean == Approx(101));
  CHECK(over_best(held_out, &HeldOut::single).most == 101);
  CHECK(validated_thresholds(matrices, model, held_out).nodes.size() == 3);

  // Where features say nothing of the best threshold a tree has nothing to say of others.
  for (std::size_t n = 0; n < matrices.size(); ++n)
    matrices[n].features[2].gaps[0] = 0.1 * static_cast<double>((3 * n) % 8);
  matrices.push_back(matrix(0.9, 2, 1));
  matrices.back().features[2].gaps[0] = 0.35;
  auto const told_nothing = hold_out_each(matrices, model);
  CHECK(over_best(told_nothing, &HeldOut::tree).mean >=
        over_best(told_nothing, &HeldOut::single).mean);
  CHECK(validated_thresholds(matrices, model, told_nothing) == DecisionTree::leaf(2));

  CHECK(hold_out_each({matrices[0]}, model).empty());
  CHECK(validated_thresholds({matrices[0]}, model, {}) == DecisionTree::leaf(2));
}

TEST_CASE("every n-th matrix is for training", "[calibrate]")
{
  using Set = std::vector<bool>;
  CHECK(training_set(5, 2) == Set{false, true, false, true, false});
  CHECK(training_set(3, 1) == Set{true, true, true});
  CHECK(training_set(2, 3) == Set{false, false});
}

TEST_CASE("parameters of row segments are three numbers", "[calibrate]")
{
  CHECK(to_text(Configuration{4, 16, 2}) == "4,16,2");
  CHECK(parse_configuration("4,16,2") == Configuration{4, 16, 2});
  for (std::string const text : {"", "4", "4,16", "4,16,", "4,16,2,", "4,0,2", "a,1,2", "4;16;2"})
    CHECK(message_of<heddle::InvalidArgument>([&] { parse_configuration(text); }) ==
          "heddle::calibrate: parameters \"" + text +
              "\", expected CF_V, threshold and CF_H such as 2,8,1");
}
