// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <map>
#include <string>
#include <vector>

namespace heddle::perf
{

// The commands that the Python package heddle_report has, and what they do.
std::map<std::string, std::string> const& python_commands();

// Becomes python3 -m heddle_report with these arguments: this process runs nothing else any more.
// The package is beside the installed program or in the source tree that it was built from, or in
// HEDDLE_REPORT_PATH; HEDDLE_PYTHON names another interpreter. Throws InvalidArgument where the
// package or the interpreter is not there.
[[noreturn]] void run_python(std::vector<std::string> arguments);

// The exit code of such a command that this process starts, with that standard input, and waits
// for. Throws what run_python does, and FileError where the input cannot be kept.
int call_python(std::vector<std::string> arguments, std::string const& input = "");

} // namespace heddle::perf
