// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/impl/require.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include <calibrate/held_out.hpp>

namespace heddle::perf
{

namespace
{

double over_best_of(MeasuredMatrix const& matrix, Configuration const& chosen)
{
  return matrix.times.at(chosen).milliseconds / matrix.times.at(best_of(matrix.times)).milliseconds;
}

HeldOut::Choice choice_of(RowSegmentModel::OfType const& model, MeasuredMatrix const& matrix)
{
  Configuration const chosen = chosen_by(model, matrix);
  return {chosen, over_best_of(matrix, chosen)};
}

} // namespace

Configuration chosen_by(RowSegmentModel::OfType const& model, MeasuredMatrix const& matrix)
{
  Configuration const trained{model.vertical,
                              model.threshold.label_of(matrix.features.at(model.vertical)),
                              model.horizontal};
  Configuration chosen = trained;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t n = 0; n < RowSegmentModel::coarsenings.size(); ++n)
  {
    Configuration candidate = trained;
    candidate.vertical = RowSegmentModel::coarsenings[n];
    auto const measured = matrix.times.find(candidate);
    if (measured == matrix.times.end())
      continue;
    Timed const& timed = measured->second;
    double const cost = model.cost(
        n, {static_cast<double>(timed.segments), static_cast<double>(timed.heavy_nnz),
            static_cast<double>(matrix.rows), static_cast<double>(matrix.nnz - timed.heavy_nnz)});
    if (cost < least)
    {
      least = cost;
      chosen = candidate;
    }
  }
  return chosen;
}

int single_threshold(std::vector<MeasuredMatrix> const& matrices, RowSegmentModel::OfType model)
{
  impl::require(!matrices.empty(), "calibrate", "no matrix was measured");
  int best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (auto const& [configuration, timed] : matrices.front().times)
  {
    if (configuration.vertical != model.vertical || configuration.horizontal != model.horizontal)
      continue;
    model.threshold = DecisionTree::leaf(configuration.threshold);
    double sum = 0;
    for (MeasuredMatrix const& matrix : matrices)
      sum += std::log(over_best_of(matrix, chosen_by(model, matrix)));
    if (sum < least)
    {
      least = sum;
      best = configuration.threshold;
    }
  }
  return best;
}

std::vector<HeldOut> hold_out_each(std::vector<MeasuredMatrix> const& matrices,
                                   RowSegmentModel::OfType const& model)
{
  std::vector<HeldOut> all;
  if (matrices.size() < 2)
    return all;
  for (std::size_t n = 0; n < matrices.size(); ++n)
  {
    std::vector<MeasuredMatrix> others = matrices;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(n));
    RowSegmentModel::OfType learned = model;
    learned.threshold = train_thresholds(others, model.vertical, model.horizontal);
    HeldOut held{.matrix = matrices[n].name, .tree = choice_of(learned, matrices[n]), .single = {}};
    learned.threshold = DecisionTree::leaf(single_threshold(others, model));
    held.single = choice_of(learned, matrices[n]);
    all.push_back(held);
  }
  return all;
}

OverBest over_best(std::vector<HeldOut> const& matrices, HeldOut::Choice HeldOut::*choice)
{
  OverBest over;
  double sum = 0;
  for (HeldOut const& matrix : matrices)
  {
    sum += std::log((matrix.*choice).over_best);
    over.most = std::max(over.most, (matrix.*choice).over_best);
  }
  if (!matrices.empty())
    over.mean = std::exp(sum / static_cast<double>(matrices.size()));
  return over;
}

DecisionTree validated_thresholds(std::vector<MeasuredMatrix> const& matrices,
                                  RowSegmentModel::OfType const& model,
                                  std::vector<HeldOut> const& held_out)
{
  bool const is_tree_better =
      over_best(held_out, &HeldOut::tree).mean < over_best(held_out, &HeldOut::single).mean;
  return is_tree_better ? train_thresholds(matrices, model.vertical, model.horizontal)
                        : DecisionTree::leaf(single_threshold(matrices, model));
}

} // namespace heddle::perf
