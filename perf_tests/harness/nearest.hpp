// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::perf
{

// The Damerau-Levenshtein distance in its restricted form: the least number of letters inserted,
// deleted, replaced, or exchanged with their neighbour, where none is edited twice.
std::size_t edit_distance(std::string_view a, std::string_view b);

// The name at the least distance from text, the first of several; empty where that is more than a
// third of the longer of both.
std::string nearest(std::string const& text, std::vector<std::string> const& names);

// "; did you mean 'NAME'?" with the nearest name, or nothing.
std::string did_you_mean(std::string const& text, std::vector<std::string> const& names);

bool contains(std::vector<std::string> const& names, std::string const& name);

// The names with commas between them.
std::string listed(std::vector<std::string> const& names);

// Throws InvalidArgument where one of asked is not among names: "unknown KIND 'X'", the nearest
// name and all that there are.
void require_known(std::string const& kind, std::vector<std::string> const& asked,
                   std::vector<std::string> const& names);

} // namespace heddle::perf
