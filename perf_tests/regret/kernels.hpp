// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

#include <regret/settings.hpp>

namespace heddle::perf
{

// Of what --implementation of an operation takes the names that regret compares. all stands for
// auto and the kernels among which its plan chooses: other choices (auto_size_t), parts of kernels
// (step_packets) and what heddle::papers alone has are compared where they are asked for by name.
std::vector<std::string> compared_names(std::string const& operation,
                                        std::vector<std::string> const& built,
                                        std::vector<std::string> const& asked);

// What is measured of a matrix, in one text: a matrix is finished if a row says so with this text.
std::string scope_of(RegretSettings const& settings);

} // namespace heddle::perf
