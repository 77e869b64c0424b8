// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <commit.hpp>
#include <harness/json_lines.hpp>
#include <heddle/error.hpp>
#include <heddle/version.hpp>

#include <Kokkos_Core.hpp>
#include <nlohmann/json.hpp>

#include <string>
#include <utility>

namespace heddle::perf
{

JsonLines::JsonLines(std::string file)
    : m_name(std::move(file))
{
  if (m_name.empty())
    return;
  m_file.open(m_name);
  if (!m_file)
    throw FileError(m_name + ": cannot be written");
}

void JsonLines::write(nlohmann::ordered_json const& object)
{
  if (m_name.empty())
    return;
  nlohmann::ordered_json line = object;
  line.update({{"version", HEDDLE_VERSION_STRING},
               {"kokkos", KOKKOS_VERSION},
               {"compiler", __VERSION__},
               {"commit", HEDDLE_COMMIT}});
  m_file << line.dump() << std::endl; // a line is whole even if the next case is killed
  if (!m_file)
    throw FileError(m_name + ": writing failed");
}

} // namespace heddle::perf
