// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <harness/settings.hpp>

#include <nlohmann/json_fwd.hpp>

#include <set>
#include <string>
#include <vector>

namespace heddle::perf
{

class LockedFile;

// What a row is about: two rows with the same text are two measurements of one case. Throws nothing
// for keys that are not there: they count as empty.
std::string case_of(nlohmann::ordered_json const& row);

// A file of JSON objects, one a line. Without a name nothing is written.
//
// A line is whole in the file before the next case begins. A file that is made anew replaces the
// old one when its first row is there. Rows that are kept from an earlier run are replaced by those
// of the same case when the file is closed, or opened the next time: the file then has one row a
// case, and at no time fewer rows than before. What a killed run left of its last line is dropped.
// Several programs may write into one file at the same time: the rows of all stay.
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
  // A row that is written before the next one, and not at all if none comes.
  void write_with_next(nlohmann::ordered_json const& row);

  // This build has a row of the case, from an earlier run, and such cases are not run again.
  bool is_finished(nlohmann::ordered_json const& row) const;

private:
  void compact(LockedFile& file);

  std::string m_name;
  Keep m_keep;
  bool m_has_written = false;
  std::string m_waiting;            // lines that are written with the next row
  std::set<std::string> m_finished; // cases that this build has rows of from earlier runs
};

// A file of these rows alone, complete or not at all; nothing without a name. Throws FileError.
void write_json_lines(std::string const& file, std::vector<nlohmann::ordered_json> const& rows);

} // namespace heddle::perf
