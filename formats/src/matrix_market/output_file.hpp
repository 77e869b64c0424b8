// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace heddle::impl::matrix_market
{

// A file that appears under its name when it is complete, or never: it is written beside its place,
// where renaming is atomic, and removed unless committed. Replaces an old file and keeps its
// permissions; where the path is a link, replaces what that points to.
class OutputFile
{
public:
  enum class Compression
  {
    none,
    gzip
  };

  // Throws FileError, also where something that is no plain file stands in the way.
  OutputFile(std::string const& path, Compression compression);
  ~OutputFile();
  OutputFile(OutputFile const&) = delete;
  OutputFile(OutputFile&&) = delete;
  OutputFile& operator=(OutputFile const&) = delete;
  OutputFile& operator=(OutputFile&&) = delete;

  void write(std::string_view bytes); // throws FileError
  void commit();                      // throws FileError

private:
  void open_temporary();
  [[noreturn]] void fail(int error) const;

  std::string m_path, m_target, m_temporary; // as given, what it names, what is written
  int m_descriptor = -1;
  void* m_gzip = nullptr; // gzFile; owns the descriptor
};

} // namespace heddle::impl::matrix_market
