// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace heddle
{

/// A binary tree that asks at each inner node whether one feature is at most a limit, and has a
/// label at each leaf. Nodes stand in one array, the root first.
struct DecisionTree
{
  /// A question, or a leaf.
  struct Node
  {
    int feature = -1; ///< which one is compared; below 0: a leaf
    double limit = 0;
    int at_most = 0, above = 0; ///< the next node; both lie behind this one
    int label = 0;              ///< of a leaf

    bool is_leaf() const { return feature < 0; }
    friend bool operator==(Node const&, Node const&) = default;
  };

  std::vector<Node> nodes = {};

  /// A leaf alone.
  static DecisionTree leaf(int label) { return {{{.label = label}}}; }
  bool is_leaf() const { return nodes.empty() || nodes.front().is_leaf(); }
  /// The label for features that [] gives by number; 0 of a tree without nodes.
  template <class Features>
  int label_of(Features const& features) const
  {
    if (nodes.empty())
      return 0;
    std::size_t n = 0;
    while (!nodes[n].is_leaf())
    {
      Node const& node = nodes[n];
      double const value = features[static_cast<std::size_t>(node.feature)];
      n = static_cast<std::size_t>(value <= node.limit ? node.at_most : node.above);
    }
    return nodes[n].label;
  }
  /// What makes it no tree of so many features, so that label_of would not end or read elsewhere;
  /// empty if it is one.
  std::string defect(std::size_t features) const
  {
    for (std::size_t n = 0; n < nodes.size(); ++n)
    {
      Node const& node = nodes[n];
      auto const is_behind = [&](int next) {
        return std::cmp_greater(next, n) && std::cmp_less(next, nodes.size());
      };
      if (!node.is_leaf() && std::cmp_greater_equal(node.feature, features))
        return "node " + std::to_string(n) + " asks for feature " + std::to_string(node.feature) +
               " of " + std::to_string(features);
      if (!node.is_leaf() && (!is_behind(node.at_most) || !is_behind(node.above)))
        return "node " + std::to_string(n) + " goes to " + std::to_string(node.at_most) + " and " +
               std::to_string(node.above) + ", expected nodes behind it, of " +
               std::to_string(nodes.size());
    }
    return nodes.empty() ? "no nodes" : "";
  }
  friend bool operator==(DecisionTree const&, DecisionTree const&) = default;
};

} // namespace heddle
