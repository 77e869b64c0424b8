// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

// A folder for the files of one test, gone at its end; ctest runs several processes at once.
class TemporaryFolder
{
public:
  explicit TemporaryFolder(std::string const& name)
      : m_path(std::filesystem::temp_directory_path() /
               ("heddle_" + name + "_" + std::to_string(getpid())))
  {
    std::filesystem::remove_all(m_path);
    std::filesystem::create_directories(m_path);
  }
  TemporaryFolder(TemporaryFolder const&) = delete;
  TemporaryFolder& operator=(TemporaryFolder const&) = delete;
  ~TemporaryFolder() { std::filesystem::remove_all(m_path); }

  std::string path() const { return m_path.string(); }

  // Writes a file and says where it is.
  std::string file(std::string const& name, std::string const& content) const
  {
    std::ofstream(m_path / name, std::ios::binary) << content;
    return (m_path / name).string();
  }

private:
  std::filesystem::path m_path;
};
