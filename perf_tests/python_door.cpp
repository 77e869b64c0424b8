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
#include <memory>
#include <python_door.hpp>
#include <spawn.h>
#include <string>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

#include <sys/wait.h>

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

// python3 -m heddle_report with arguments, as exec takes it; PYTHONPATH of this process has the
// package from then on.
class Call
{
public:
  explicit Call(std::vector<std::string> arguments)
      : m_words(std::move(arguments))
  {
    std::string const folder = package_folder().string(), before = variable("PYTHONPATH");
    if (before != folder && !before.starts_with(folder + ":"))
      setenv("PYTHONPATH", (before.empty() ? folder : folder + ":" + before).c_str(), 1);
    std::string const python = variable("HEDDLE_PYTHON");
    m_words.insert(m_words.begin(),
                   {python.empty() ? "python3" : python, "-B", "-m", "heddle_report"});
    for (std::string& word : m_words)
      m_pointers.push_back(word.data());
    m_pointers.push_back(nullptr);
  }

  char const* program() const { return m_words.front().c_str(); }
  char* const* pointers() { return m_pointers.data(); }
  std::string refusal(int error) const
  {
    return m_words.front() + ": " + std::strerror(error) +
           "; this command needs Python: apt-get install python3 python3-matplotlib "
           "python3-jinja2, or set HEDDLE_PYTHON";
  }

private:
  std::vector<std::string> m_words;
  std::vector<char*> m_pointers;
};

} // namespace

std::map<std::string, std::string> const& python_commands()
{
  static std::map<std::string, std::string> const commands = {
      {"analysis", "makes the page of analyze of what its --json wrote"},
      {"compare", "fails (6) where cases got slower between two sets of results"},
      {"model-chart", "makes an HTML page of what calibrate measured (paper 000, Fig. 7)"},
      {"peers", "compares results with published timings"},
      {"regret-report", "says of what regret measured how good the automatic choice is"},
      {"report", "makes an HTML page with charts of files that --json wrote"}};
  return commands;
}

void run_python(std::vector<std::string> arguments)
{
  Call call(std::move(arguments));
  std::cout.flush();
  std::fflush(nullptr);
  execvp(call.program(), call.pointers());
  throw InvalidArgument(call.refusal(errno));
}

int call_python(std::vector<std::string> arguments, std::string const& input)
{
  Call call(std::move(arguments));
  std::cout.flush();
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> const file(std::tmpfile(), std::fclose);
  if (!file || std::fwrite(input.data(), 1, input.size(), file.get()) != input.size() ||
      std::fflush(file.get()) != 0 || std::fseek(file.get(), 0, SEEK_SET) != 0)
    throw FileError(std::string("cannot write a temporary file: ") + std::strerror(errno));
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, fileno(file.get()), STDIN_FILENO);
  pid_t child = 0;
  int const error =
      posix_spawnp(&child, call.program(), &actions, nullptr, call.pointers(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0)
    throw InvalidArgument(call.refusal(error));
  int status = 0;
  while (waitpid(child, &status, 0) == -1 && errno == EINTR)
    continue;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

} // namespace heddle::perf
