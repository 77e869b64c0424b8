// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <commit.hpp>
#include <harness/json_lines.hpp>
#include <heddle/error.hpp>
#include <heddle/version.hpp>

#include <Kokkos_Core.hpp>
#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <string>
#include <utility>

namespace heddle::perf
{

std::string case_of(nlohmann::ordered_json const& row)
{
  std::string text;
  for (char const* const key :
       {"operation", "matrix", "value_type", "k", "layout", "implementation", "index_types",
        "format", "parameters", "file", "threads"})
  {
    if (row.contains(key))
      text += row[key].dump();
    text += ' ';
  }
  return text;
}

JsonLines::JsonLines(std::string file, Keep keep)
    : m_name(std::move(file))
    , m_keep(keep)
{
  if (m_name.empty())
    return;
  bool const has_rows = m_keep != Keep::nothing && std::filesystem::exists(m_name);
  if (has_rows)
  {
    read();
    compact();
  }
  open(has_rows ? std::ios::app : std::ios::trunc);
}

JsonLines::~JsonLines()
{
  if (m_name.empty() || m_keep == Keep::nothing)
    return;
  m_file.close();
  try
  {
    compact();
  }
  catch (std::exception const&)
  {
    // The file still has every line, and is put in order when it is opened the next time.
  }
}

void JsonLines::open(std::ios::openmode mode)
{
  m_file.open(m_name, mode);
  if (!m_file)
    throw FileError(m_name + ": cannot be written");
}

void JsonLines::remember(nlohmann::ordered_json const& row, std::string const& line)
{
  auto const [at, is_new] = m_cases.emplace(case_of(row), m_lines.size());
  if (is_new)
    m_lines.push_back(line);
  else
    m_lines[at->second] = line;
}

void JsonLines::read()
{
  std::ifstream file(m_name);
  std::string line;
  for (std::int64_t number = 1; std::getline(file, line); ++number)
  {
    auto const row = nlohmann::ordered_json::parse(line, nullptr, false);
    bool const is_cut_off = file.eof(); // no end of line
    if (is_cut_off && row.is_discarded())
      break;
    if (!row.is_object())
      throw ParseError(m_name, number, "not a row of results");
    remember(row, line);
    m_finished[case_of(row)] = row.value("commit", "") == HEDDLE_COMMIT;
  }
  if (file.bad())
    throw FileError(m_name + ": cannot be read");
}

// Through a second file, so that there is always a whole one.
void JsonLines::compact() const
{
  std::string const next = m_name + ".next";
  std::ofstream file(next);
  for (std::string const& line : m_lines)
    file << line << '\n';
  file.close();
  if (!file)
    throw FileError(next + ": cannot be written");
  std::filesystem::rename(next, m_name);
}

void JsonLines::write(nlohmann::ordered_json const& row)
{
  if (m_name.empty())
    return;
  nlohmann::ordered_json whole = row;
  whole.update({{"version", HEDDLE_VERSION_STRING},
                {"kokkos", KOKKOS_VERSION},
                {"compiler", __VERSION__},
                {"commit", HEDDLE_COMMIT}});
  std::string const line = whole.dump();
  m_file << line << std::endl; // a line is whole even if the next case is killed
  if (!m_file)
    throw FileError(m_name + ": writing failed");
  if (m_keep != Keep::nothing)
    remember(whole, line);
}

bool JsonLines::is_finished(nlohmann::ordered_json const& row) const
{
  auto const at = m_finished.find(case_of(row));
  return m_keep == Keep::finished && at != m_finished.end() && at->second;
}

} // namespace heddle::perf
