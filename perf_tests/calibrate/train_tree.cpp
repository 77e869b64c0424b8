// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/impl/require.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <memory>
#include <numbers>
#include <optional>
#include <utility>
#include <vector>

#include <calibrate/train_tree.hpp>

namespace heddle::perf
{

namespace
{

using Samples = std::vector<TreeSample const*>;
using Counts = std::map<int, double>; // of samples by label

// While it is made; what is pruned changes place.
struct Branch
{
  int feature = -1;
  double limit = 0;
  int label = 0;
  std::unique_ptr<Branch> at_most, above;

  bool is_leaf() const { return feature < 0; }
};

struct Question
{
  int feature = -1;
  double limit = 0, gain = 0, ratio = 0;
};

Counts counts_of(Samples const& samples)
{
  Counts counts;
  for (TreeSample const* const sample : samples)
    ++counts[sample->label];
  return counts;
}

// The label of most samples; of several the lowest.
Counts::value_type most_frequent(Counts const& counts)
{
  Counts::value_type const none{0, 0};
  auto const best = std::ranges::max_element(
      counts, [](auto const& a, auto const& b) { return a.second < b.second; });
  return best == counts.end() ? none : *best;
}

double errors_of(Counts const& counts, double total)
{
  return total - most_frequent(counts).second;
}

double information(double part) { return part > 0 ? -part * std::log2(part) : 0; }

// Bits that say the labels of so many samples, times their number.
double bits(Counts const& counts, double total)
{
  double sum = 0;
  for (auto const& [label, count] : counts)
    sum += information(count / total);
  return sum * total;
}

std::pair<Samples, Samples> divided(Samples const& samples, int feature, double limit)
{
  std::pair<Samples, Samples> parts;
  for (TreeSample const* const sample : samples)
    (sample->features[static_cast<std::size_t>(feature)] <= limit ? parts.first : parts.second)
        .push_back(sample);
  return parts;
}

double pessimistic(Samples const& samples, double confidence)
{
  auto const total = static_cast<double>(samples.size());
  double const errors = errors_of(counts_of(samples), total);
  return errors + pessimistic_errors(total, errors, confidence);
}

// NOLINTBEGIN(misc-no-recursion): a tree is gone through branch by branch; it is no deeper than
// there are samples
class Trainer
{
public:
  Trainer(Samples all, std::size_t features, TreeOptions const& options)
      : m_all(std::move(all))
      , m_features(features)
      , m_options(options)
  {}

  std::unique_ptr<Branch> train() const
  {
    auto root = grow(m_all);
    collapse(*root, m_all);
    prune(*root, m_all);
    return root;
  }

private:
  std::unique_ptr<Branch> grow(Samples const& samples) const
  {
    auto branch = std::make_unique<Branch>();
    branch->label = most_frequent(counts_of(samples)).first;
    auto const question = best_question(samples);
    if (!question)
      return branch;
    branch->feature = question->feature;
    branch->limit = value_at_most(question->feature, question->limit);
    auto const [at_most, above] = divided(samples, branch->feature, branch->limit);
    branch->at_most = grow(at_most);
    branch->above = grow(above);
    return branch;
  }

  // By gain ratio, of those that gain as much as they do on average: the ratio alone favours
  // questions that split off next to nothing.
  std::optional<Question> best_question(Samples const& samples) const
  {
    constexpr double rounding = 1e-3; // of J48's averages
    if (samples.size() < 2 * m_options.least || counts_of(samples).size() < 2)
      return std::nullopt;
    std::vector<Question> questions;
    for (std::size_t feature = 0; feature < m_features; ++feature)
      if (auto const question = best_limit(samples, static_cast<int>(feature)))
        questions.push_back(*question);
    double sum = 0;
    for (Question const& question : questions)
      sum += question.gain;
    std::optional<Question> best;
    for (Question const& question : questions)
      if (question.gain >= sum / static_cast<double>(questions.size()) - rounding &&
          question.ratio > (best ? best->ratio : 0))
        best = question;
    return best;
  }

  std::optional<Question> best_limit(Samples samples, int feature) const
  {
    auto const value = [feature](TreeSample const* sample) {
      return sample->features[static_cast<std::size_t>(feature)];
    };
    std::ranges::stable_sort(samples,
                             [&](auto const* a, auto const* b) { return value(a) < value(b); });
    auto const total = static_cast<double>(samples.size());
    Counts low, high = counts_of(samples);
    double const before = bits(high, total);
    double const least =
        std::max(static_cast<double>(m_options.least),
                 std::min(25.0, 0.1 * total / static_cast<double>(m_labels.size())));
    int tried = 0;
    Question best{feature, 0, 0, 0};
    for (std::size_t n = 1; n < samples.size(); ++n)
    {
      ++low[samples[n - 1]->label];
      --high[samples[n - 1]->label];
      auto const below = static_cast<double>(n);
      if (!(value(samples[n - 1]) < value(samples[n])) || below < least || total - below < least)
        continue;
      ++tried;
      double const gain = (before - bits(low, below) - bits(high, total - below)) / total;
      if (gain <= best.gain)
        continue;
      best.gain = gain;
      best.limit = 0.5 * (value(samples[n - 1]) + value(samples[n]));
      best.ratio = information(below / total) + information(1 - below / total);
    }
    if (tried == 0)
      return std::nullopt;
    best.gain -= std::log2(tried) / total; // what it costs to say which limit it is
    if (best.gain <= 0)
      return std::nullopt;
    best.ratio = best.gain / best.ratio;
    return best;
  }

  // The greatest value that any sample has there, so that limits are values seen.
  double value_at_most(int feature, double limit) const
  {
    double best = std::numeric_limits<double>::lowest();
    for (TreeSample const* const sample : m_all)
    {
      double const value = sample->features[static_cast<std::size_t>(feature)];
      if (value <= limit)
        best = std::max(best, value);
    }
    return best;
  }

  static void make_leaf(Branch& branch, Samples const& samples)
  {
    branch = Branch{};
    branch.label = most_frequent(counts_of(samples)).first;
  }

  // Subtrees that err no less than a leaf become one; returns the errors that are left.
  static double collapse(Branch& branch, Samples const& samples)
  {
    constexpr double rounding = 1e-3;
    double const as_leaf = errors_of(counts_of(samples), static_cast<double>(samples.size()));
    if (branch.is_leaf())
      return as_leaf;
    auto const [at_most, above] = divided(samples, branch.feature, branch.limit);
    double const errors = collapse(*branch.at_most, at_most) + collapse(*branch.above, above);
    if (errors < as_leaf - rounding)
      return errors;
    make_leaf(branch, samples);
    return as_leaf;
  }

  double estimated(Branch const& branch, Samples const& samples) const
  {
    if (branch.is_leaf())
      return samples.empty() ? 0 : pessimistic(samples, m_options.confidence);
    auto const [at_most, above] = divided(samples, branch.feature, branch.limit);
    return estimated(*branch.at_most, at_most) + estimated(*branch.above, above);
  }

  void prune(Branch& branch, Samples const& samples) const
  {
    constexpr double tolerance = 0.1; // of J48: a smaller tree is worth that many errors
    if (branch.is_leaf())
      return;
    auto const [at_most, above] = divided(samples, branch.feature, branch.limit);
    prune(*branch.at_most, at_most);
    prune(*branch.above, above);
    auto& larger = at_most.size() >= above.size() ? branch.at_most : branch.above;
    double const as_leaf = pessimistic(samples, m_options.confidence);
    double const as_larger = estimated(*larger, samples), as_is = estimated(branch, samples);
    if (as_leaf <= as_is + tolerance && as_leaf <= as_larger + tolerance)
      make_leaf(branch, samples);
    else if (as_larger <= as_is + tolerance)
    {
      Branch raised = std::move(*larger);
      branch = std::move(raised);
      relabel(branch, samples);
      prune(branch, samples);
    }
  }

  // Leaves that got other samples say what most of these have.
  static void relabel(Branch& branch, Samples const& samples)
  {
    if (!samples.empty())
      branch.label = most_frequent(counts_of(samples)).first;
    if (branch.is_leaf())
      return;
    auto const [at_most, above] = divided(samples, branch.feature, branch.limit);
    relabel(*branch.at_most, at_most);
    relabel(*branch.above, above);
  }

  Samples m_all;
  std::size_t m_features;
  TreeOptions m_options;
  Counts m_labels = counts_of(m_all);
};

int append(DecisionTree& tree, Branch const& branch)
{
  std::size_t const place = tree.nodes.size();
  tree.nodes.push_back({.label = branch.is_leaf() ? branch.label : 0});
  if (!branch.is_leaf())
  {
    int const at_most = append(tree, *branch.at_most), above = append(tree, *branch.above);
    tree.nodes[place] = {branch.feature, branch.limit, at_most, above, 0};
  }
  return static_cast<int>(place);
}
// NOLINTEND(misc-no-recursion)

// x with so much of the normal distribution below it, above the middle.
double normal_quantile(double share)
{
  double low = 0, high = 40;
  for (int step = 0; step < 200; ++step)
  {
    double const middle = 0.5 * (low + high);
    (0.5 * std::erfc(-middle / std::numbers::sqrt2) < share ? low : high) = middle;
  }
  return low;
}

// Of at least one error: the normal distribution stands for the binomial one.
double errors_above(double cases, double errors, double confidence)
{
  if (errors + 0.5 >= cases)
    return std::max(cases - errors, 0.0);
  double const z = normal_quantile(1 - confidence);
  double const share = (errors + 0.5) / cases;
  double const root =
      std::sqrt(share / cases - share * share / cases + z * z / (4 * cases * cases));
  double const upper = (share + z * z / (2 * cases) + z * root) / (1 + z * z / cases);
  return upper * cases - errors;
}

} // namespace

double pessimistic_errors(double cases, double errors, double confidence)
{
  if (errors >= 1)
    return errors_above(cases, errors, confidence);
  // Of no errors the binomial distribution says it exactly; in between on a line.
  double const none = cases * (1 - std::pow(confidence, 1 / cases));
  return errors == 0 ? none : none + errors * (errors_above(cases, 1, confidence) - none);
}

DecisionTree train_tree(std::vector<TreeSample> const& samples, TreeOptions const& options)
{
  impl::require(!samples.empty(), "train_tree", "no samples");
  std::size_t const features = samples.front().features.size();
  Samples all;
  for (TreeSample const& sample : samples)
  {
    impl::require(sample.features.size() == features, "train_tree", "a sample has ",
                  sample.features.size(), " features, another ", features);
    all.push_back(&sample);
  }
  DecisionTree tree;
  append(tree, *Trainer(std::move(all), features, options).train());
  return tree;
}

} // namespace heddle::perf
