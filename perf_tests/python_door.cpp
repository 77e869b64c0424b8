// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/error.hpp>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <map>
#include <python_door.hpp>
#include <string>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace heddle::perf
{

namespace
{

// Of the environment; empty where it is not set.
std::string variable(char const* name)
{
  char const* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// The folder that has heddle_report; both definitions are paths from that of the program.
std::filesystem::path package_folder()
{
  std::error_code none;
  auto const program = std::filesystem::read_symlink("/proc/self/exe", none).parent_path();
  std::vector<std::filesystem::path> folders = {program / HEDDLE_PERF_INSTALLED_REPORT,
                                                program / HEDDLE_PERF_SOURCE_REPORT};
  if (std::string const named = variable("HEDDLE_REPORT_PATH"); !named.empty())
    folders = {named};
  for (std::filesystem::path const& folder : folders)
    if (std::filesystem::exists(folder / "heddle_report", none))
      return folder.lexically_normal();
  throw InvalidArgument("the Python package heddle_report is not in " +
                        folders.front().lexically_normal().string() +
                        ": set HEDDLE_REPORT_PATH to the folder that has it");
}

} // namespace

std::map<std::string, std::string> const& python_commands()
{
  static std::map<std::string, std::string> const commands = {
      {"compare", "fails (6) where cases got slower between two sets of results"},
      {"peers", "sets results beside tables of what others measured"},
      {"report", "makes an HTML page with charts of files that --json wrote"}};
  return commands;
}

void run_python(std::vector<std::string> arguments)
{
  std::string path = package_folder().string();
  if (std::string const before = variable("PYTHONPATH"); !before.empty())
    path += ":" + before;
  std::string python = variable("HEDDLE_PYTHON");
  if (python.empty())
    python = "python3";
  arguments.insert(arguments.begin(), {python, "-B", "-m", "heddle_report"});
  std::vector<char*> pointers;
  pointers.reserve(arguments.size() + 1);
  for (std::string& argument : arguments)
    pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  std::cout.flush();
  std::fflush(nullptr);
  setenv("PYTHONPATH", path.c_str(), 1);
  execvp(pointers.front(), pointers.data());
  throw InvalidArgument(python + ": " + std::strerror(errno) +
                        "; this command needs Python: apt-get install python3 "
                        "python3-matplotlib python3-jinja2, or set HEDDLE_PYTHON");
}

} // namespace heddle::perf
