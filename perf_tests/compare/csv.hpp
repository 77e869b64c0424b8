// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heddle::perf
{

struct CsvRow
{
  std::int64_t line = 0; // of the file, where the row begins
  std::vector<std::string> fields;
};

// A table of comma-separated values whose first row names the columns.
struct CsvTable
{
  std::string file;
  std::vector<std::string> columns;
  std::vector<CsvRow> rows; // each with a field a column

  std::optional<std::size_t> find_column(std::string const& name) const;
};

// Reads what RFC 4180 describes: fields in double quotes may hold commas, line breaks and, doubled,
// quotes. Lines may end in LF or CRLF, empty ones are skipped. Throws FileError where the file
// cannot be read, ParseError with file and line where it is malformed.
CsvTable read_csv(std::string const& file);

} // namespace heddle::perf
