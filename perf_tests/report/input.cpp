// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/result_rows.hpp>
#include <heddle/error.hpp>

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <report/input.hpp>

namespace heddle::perf
{

namespace
{

std::vector<std::string> files_of(std::string const& path)
{
  auto files = result_files(path);
  if (files.empty())
    throw FileError(path + ": the folder has no *.jsonl");
  return files;
}

// Pages may go elsewhere: without the folders of this machine.
std::string name_of(std::string const& file)
{
  return std::filesystem::path(file).filename().string();
}

auto case_of(Result const& r)
{
  return std::tuple(r.operation, r.matrix, r.value_type, r.k, r.layout, r.layout_c,
                    r.implementation, r.index_types, r.format, r.parameters, r.device);
}

// Takes results in, and counts between which files cases came again.
class Collector
{
public:
  void take(std::string const& file)
  {
    std::size_t rows = 0;
    ++m_input.files;
    for (Result& result : read_results(file))
    {
      if (result.is_self_check())
      {
        m_input.self_checks.push_back(std::move(result));
        continue;
      }
      ++rows;
      take(std::move(result), file);
    }
    if (rows == 0)
      m_input.notes.push_back(name_of(file) + ": no results in it");
  }

  Input finish()
  {
    for (auto const& [files, count] : m_replaced)
      m_input.notes.push_back(std::to_string(count) + (count == 1 ? " row of " : " rows of ") +
                              name_of(files.first) + ": replaced by later ones of " +
                              name_of(files.second));
    return std::move(m_input);
  }

private:
  void take(Result result, std::string const& file)
  {
    auto const [place, is_new] = m_places.try_emplace(case_of(result), m_input.results.size());
    if (is_new)
    {
      m_input.results.push_back(std::move(result));
      m_files.push_back(file);
      return;
    }
    ++m_replaced[{m_files[place->second], file}];
    m_input.results[place->second] = std::move(result);
    m_files[place->second] = file;
  }

  Input m_input;
  std::vector<std::string> m_files; // of each result
  std::map<decltype(case_of(Result{})), std::size_t> m_places;
  std::map<std::pair<std::string, std::string>, std::size_t> m_replaced;
};

} // namespace

Input read_input(std::vector<std::string> const& paths)
{
  Collector collector;
  for (std::string const& path : paths)
    for (std::string const& file : files_of(path))
      collector.take(file);
  return collector.finish();
}

} // namespace heddle::perf
