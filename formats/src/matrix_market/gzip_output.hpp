// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/impl/output_file.hpp>

#include <string_view>

namespace heddle::impl::matrix_market
{

// Bytes compressed on their way to an output file, which has to live longer.
class GzipOutput
{
public:
  // Throws std::bad_alloc, or FileError as the file does.
  explicit GzipOutput(OutputFile const& file);
  ~GzipOutput();
  GzipOutput(GzipOutput const&) = delete;
  GzipOutput(GzipOutput&&) = delete;
  GzipOutput& operator=(GzipOutput const&) = delete;
  GzipOutput& operator=(GzipOutput&&) = delete;

  void write(std::string_view bytes); // throws FileError
  void finish();                      // throws FileError; before the file is committed

private:
  OutputFile const& m_file;
  void* m_gzip; // gzFile, with a descriptor of its own
};

} // namespace heddle::impl::matrix_market
