// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <system_error>

namespace heddle::test
{

// A folder of its own for a test's files, removed with all that is in it.
class TemporaryFolder
{
public:
  TemporaryFolder()
  {
    m_path = (std::filesystem::temp_directory_path() / "heddle-test-XXXXXX").string();
    if (mkdtemp(m_path.data()) == nullptr)
      throw std::runtime_error("cannot make a temporary folder like " + m_path);
  }
  ~TemporaryFolder()
  {
    std::error_code ignored;
    std::filesystem::remove_all(m_path, ignored);
  }
  TemporaryFolder(TemporaryFolder const&) = delete;
  TemporaryFolder& operator=(TemporaryFolder const&) = delete;

  std::string const& path() const { return m_path; }
  std::string path(std::string const& name) const { return m_path + "/" + name; }
  // Writes a file; its path.
  std::string file(std::string const& name, std::string const& bytes) const
  {
    std::ofstream(path(name), std::ios::binary) << bytes;
    return path(name);
  }
  std::size_t num_files() const
  {
    namespace fs = std::filesystem;
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(m_path), fs::directory_iterator()));
  }

private:
  std::string m_path;
};

inline std::string bytes_of(std::string const& path)
{
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

} // namespace heddle::test
