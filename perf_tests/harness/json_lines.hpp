// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <harness/settings.hpp>

#include <nlohmann/json_fwd.hpp>

#include <fstream>
#include <map>
#include <string>
#include <vector>

namespace heddle::perf
{

// What a row is about: two rows with the same text are two measurements of one case. Throws nothing
// for keys that are not there: they count as empty.
std::string case_of(nlohmann::ordered_json const& row);

// A file of JSON objects, one a line. Without a name nothing is written.
//
// A line is whole in the file before the next case begins. Rows that are kept from an earlier run
// are replaced by those of the same case when the file is closed, or opened the next time: the
// file then has one row a case, and at no time fewer rows than before. What a killed run left of
// its last line is dropped.
class JsonLines
{
public:
  // Throws FileError where the file cannot be read or written, as write does; ParseError where a
  // line that is to be kept is not a row.
  explicit JsonLines(std::string file, Keep keep = Keep::nothing);
  ~JsonLines();
  JsonLines(JsonLines const&) = delete;
  JsonLines& operator=(JsonLines const&) = delete;

  // Adds to the object which build its numbers come from.
  void write(nlohmann::ordered_json const& row);

  // This build has a row of the case, from an earlier run, and such cases are not run again.
  bool is_finished(nlohmann::ordered_json const& row) const;

private:
  void read();
  void compact() const;
  void open(std::ios::openmode mode);
  void remember(nlohmann::ordered_json const& row, std::string const& line);

  std::string m_name;
  Keep m_keep;
  std::ofstream m_file;
  std::vector<std::string> m_lines;           // in their order
  std::map<std::string, std::size_t> m_cases; // where in it the row of a case is
  std::map<std::string, bool> m_finished;     // cases of earlier runs, true if of this build
};

} // namespace heddle::perf
