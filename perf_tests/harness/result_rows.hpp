// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::perf
{

// The files that a path names: itself, or the *.jsonl of a folder by name, which may be none.
std::vector<std::string> result_files(std::string const& path);

// A line of a file of results: discarded where it is not JSON, null where it is nested deeper than
// any row is. nlohmann-json copies and writes values recursively, as deep as they are nested.
nlohmann::ordered_json parse_row(std::string_view line);

// Calls take with each row of a file that --json wrote, and the number of its line. Throws
// FileError where the file cannot be read, ParseError with file and line where a line is not JSON,
// is nested deeper than any row, or take misses a key or finds a value of another type.
void for_each_row(std::string const& file,
                  std::function<void(nlohmann::json const&, std::int64_t)> const& take);

} // namespace heddle::perf
