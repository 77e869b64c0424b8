// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <commit.hpp>
#include <harness/json_lines.hpp>
#include <harness/locked_file.hpp>
#include <harness/result_rows.hpp>
#include <heddle/error.hpp>
#include <heddle/impl/output_file.hpp>
#include <heddle/version.hpp>

#include <Kokkos_Core.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace heddle::perf
{

namespace
{

using Json = nlohmann::ordered_json;

// Text that is not UTF-8, such as a message of another library, gets replacement characters.
std::string to_text(Json const& json)
{
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// The row with the build that its numbers come from.
std::string line_of(Json row)
{
  row.update({{"version", HEDDLE_VERSION_STRING},
              {"kokkos", KOKKOS_VERSION},
              {"compiler", __VERSION__},
              {"commit", HEDDLE_COMMIT}});
  return to_text(row) + '\n';
}

} // namespace

std::string case_of(Json const& row)
{
  std::string text;
  for (char const* const key :
       {"operation", "matrix", "value_type", "k", "layout", "implementation", "index_types",
        "format", "parameters", "file", "threads"})
  {
    if (row.contains(key))
      text += to_text(row[key]);
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
  LockedFile locked(m_name);
  impl::OutputFile const trial(m_name); // says now what the first row would meet after hours
  if (m_keep != Keep::nothing)
    compact(locked);
}

JsonLines::~JsonLines()
{
  if (m_name.empty() || m_keep == Keep::nothing)
    return;
  try
  {
    LockedFile locked(m_name);
    compact(locked);
  }
  catch (std::exception const&)
  {
    // The file still has every line, and is put in order when it is opened the next time.
  }
}

// Leaves one row a case, the last one in the place of the first, through a second file, so that
// there is always a whole one.
void JsonLines::compact(LockedFile& file)
{
  std::string const old = file.content();
  std::vector<std::string_view> lines; // in their order
  std::map<std::string, std::size_t> line_of_case;
  std::int64_t number = 1;
  for (std::size_t begin = 0, end = 0; begin < old.size(); begin = end + 1, ++number)
  {
    end = std::min(old.find('\n', begin), old.size());
    std::string_view const line = std::string_view(old).substr(begin, end - begin);
    Json const row = parse_row(line);
    if (row.is_discarded() && end == old.size() && line.front() == '{')
      break; // a killed run has not finished it
    if (!row.is_object())
      throw ParseError(m_name, number, "not a row of results");
    std::string const name = case_of(row);
    auto const [at, is_new] = line_of_case.emplace(name, lines.size());
    if (is_new)
      lines.push_back(line);
    else
      lines[at->second] = line;
    if (auto const commit = row.find("commit"); commit != row.end() && *commit == HEDDLE_COMMIT)
      m_finished.insert(name);
    else
      m_finished.erase(name);
  }
  std::string compacted;
  for (std::string_view const line : lines)
    compacted.append(line).append(1, '\n');
  if (compacted != old)
    file.replace(compacted);
}

void JsonLines::write_with_next(Json const& row) { m_waiting += line_of(row); }

void JsonLines::write(Json const& row)
{
  if (m_name.empty())
    return;
  LockedFile file(m_name);
  std::string const lines = m_waiting + line_of(row);
  if (m_keep == Keep::nothing && !m_has_written)
    file.replace(lines);
  else
    file.append(lines);
  m_has_written = true;
  m_waiting.clear();
}

bool JsonLines::is_finished(Json const& row) const
{
  return m_keep == Keep::finished && m_finished.contains(case_of(row));
}

void write_json_lines(std::string const& file, std::vector<Json> const& rows)
{
  std::string text;
  for (Json const& row : rows)
    text += line_of(row);
  if (!file.empty())
    LockedFile(file).replace(text);
}

} // namespace heddle::perf
