// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/impl/descriptor.hpp>

#include <string>
#include <string_view>

namespace heddle::impl
{

// Throws the FileError that says why a path cannot be written: "cannot write PATH: reason".
[[noreturn]] void cannot_write(std::string const& path, std::string const& reason);
[[noreturn]] void cannot_write(std::string const& path, int error); // an errno

// The file that a path for output names: symbolic links are followed, also where the file is yet to
// be made. Throws FileError where it is there but not a regular file, and where it is the one that
// standard output or standard error go to, whose text would be mixed with it or lost.
std::string output_target(std::string const& path);

// Writes all bytes where the descriptor stands. False, with errno, where it cannot: then some of
// them may be written.
bool write_all(int descriptor, std::string_view bytes);

// A file that appears under its name when it is complete, or never: it is written under another
// name in the same folder, where renaming is atomic, and removed unless committed. Replaces an old
// file and keeps its permissions; the path is an output_target.
class OutputFile
{
public:
  explicit OutputFile(std::string const& path); // throws FileError, as all members do
  ~OutputFile();
  OutputFile(OutputFile const&) = delete;
  OutputFile(OutputFile&&) = delete;
  OutputFile& operator=(OutputFile const&) = delete;
  OutputFile& operator=(OutputFile&&) = delete;

  void write(std::string_view bytes);
  // Returns when the bytes and the new name have reached the device.
  void commit();

  std::string const& path() const { return m_path; } // as it was given
  int descriptor() const { return m_descriptor.value(); }

private:
  void open_temporary();

  std::string m_path, m_target, m_temporary; // as given, the file it names, what is written
  Descriptor m_descriptor;
};

// A whole file in one call. Throws FileError; then the old file is as it was.
void write_output_file(std::string const& path, std::string_view bytes);

} // namespace heddle::impl
