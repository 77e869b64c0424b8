// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <fstream>
#include <string>

namespace heddle::perf
{

// A file of JSON objects, one a line. Without a name nothing is written.
class JsonLines
{
public:
  // Throws FileError where the file cannot be written, as write does.
  explicit JsonLines(std::string file);

  // Adds to the object which build its numbers come from.
  void write(nlohmann::ordered_json const& object);

private:
  std::string m_name;
  std::ofstream m_file;
};

} // namespace heddle::perf
