// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/nearest.hpp>
#include <heddle/error.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <usage.hpp>
#include <vector>

namespace heddle::perf
{

namespace
{

std::vector<std::string> command_names(CLI::App const& app)
{
  std::vector<std::string> names;
  for (CLI::App const* const command : app.get_subcommands([](CLI::App const*) { return true; }))
    names.push_back(command->get_name());
  return names;
}

std::vector<std::string> option_names(CLI::App const& app)
{
  std::vector<std::string> names;
  for (CLI::Option const* const option : app.get_options())
  {
    for (std::string const& name : option->get_lnames())
      names.push_back("--" + name);
    for (std::string const& name : option->get_snames())
      names.push_back("-" + name);
  }
  return names;
}

// The first of the words that looks like an option, without its value; else empty.
std::string first_option(std::vector<std::string> const& words)
{
  auto const found = std::ranges::find_if(
      words, [](std::string const& word) { return word.size() > 1 && word.front() == '-'; });
  return found == words.end() ? "" : found->substr(0, found->find('='));
}

std::string unknown_option(std::string const& option, CLI::App const& app, std::string const& path)
{
  std::string const guess = did_you_mean(option, option_names(app));
  return "unknown option '" + option + "'" + (guess.empty() ? ";" : guess) + " " + path +
         " --help lists them";
}

// Where no command was found.
std::string without_command(CLI::App const& app)
{
  std::vector<std::string> const words = app.remaining();
  std::vector<std::string> const commands = command_names(app);
  if (words.empty())
    return "no command; there are: " + listed(commands);
  if (std::string const option = first_option({words.front()}); !option.empty())
    return unknown_option(option, app, app.get_name());
  std::string const guess = did_you_mean(words.front(), commands);
  return "unknown command '" + words.front() + "'" +
         (guess.empty() ? "; there are: " : guess + " There are: ") + listed(commands);
}

// CLI11 says "--runs: 1 required INT:INT in [1 - 1000000] missing" of an option without its value.
std::string in_plain_words(std::string text)
{
  std::size_t const where = text.find(": 1 required ");
  if (where == std::string::npos || !text.ends_with(" missing"))
    return text;
  return text.substr(0, where) + " needs a value";
}

std::string explanation(CLI::App const& app, CLI::ParseError const& problem)
{
  auto const chosen = app.get_subcommands();
  if (chosen.empty() && !command_names(app).empty())
    return without_command(app);
  CLI::App const& command = chosen.empty() ? app : *chosen.front();
  std::string const path = app.get_name() + (chosen.empty() ? "" : " " + command.get_name());
  if (std::string const option = first_option(command.remaining()); !option.empty())
    return unknown_option(option, command, path);
  if (std::string const option = first_option(app.remaining()); !option.empty())
  {
    if (contains(option_names(command), option))
      return "the option '" + option + "' stands behind its command: " + path + " " + option;
    return unknown_option(option, app, app.get_name());
  }
  return in_plain_words(problem.what());
}

} // namespace

void parse(CLI::App& app, std::vector<std::string> const& arguments)
{
  try
  {
    std::vector<std::string> words = arguments; // CLI11 takes them out
    app.parse(words);
  }
  catch (CLI::Success const&)
  {
    throw;
  }
  catch (CLI::ParseError const& problem)
  {
    throw InvalidArgument(explanation(app, problem));
  }
}

} // namespace heddle::perf
