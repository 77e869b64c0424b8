// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace heddle::perf
{

// Parses arguments, the last one first. Throws InvalidArgument, with one line about what is wrong
// with them: of an option or a command that is not known also the one that is nearest. Help and
// version pass as CLI::Success.
void parse(CLI::App& app, std::vector<std::string> const& arguments);

} // namespace heddle::perf
