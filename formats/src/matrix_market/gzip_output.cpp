// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/impl/descriptor.hpp>
#include <matrix_market/gzip_output.hpp>

#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <fcntl.h>
#include <new>
#include <utility>

namespace heddle::impl::matrix_market
{

namespace
{

gzFile gzip(void* file) { return static_cast<gzFile>(file); }

// errno where zlib passes that on, else a guess at what else may fail.
int error_of(int code)
{
  if (code == Z_MEM_ERROR)
    return ENOMEM;
  return code == Z_ERRNO ? errno : EIO;
}

} // namespace

GzipOutput::GzipOutput(OutputFile const& file)
    : m_file(file)
{
  Descriptor copy(fcntl(file.descriptor(), F_DUPFD_CLOEXEC, 0));
  if (copy.value() < 0)
    cannot_write(file.path(), errno);
  m_gzip = gzdopen(copy.value(), "wb");
  if (m_gzip == nullptr)
    throw std::bad_alloc();
  static_cast<void>(copy.release()); // gzclose closes it
}

GzipOutput::~GzipOutput()
{
  if (m_gzip != nullptr)
    gzclose(gzip(m_gzip));
}

void GzipOutput::write(std::string_view bytes)
{
  constexpr std::size_t max_step = std::size_t{1} << 30; // zlib counts in unsigned int
  while (!bytes.empty())
  {
    std::size_t const step = std::min(bytes.size(), max_step);
    int const done = gzwrite(gzip(m_gzip), bytes.data(), static_cast<unsigned>(step));
    if (done <= 0)
    {
      int code = Z_OK;
      gzerror(gzip(m_gzip), &code);
      cannot_write(m_file.path(), error_of(code));
    }
    bytes.remove_prefix(static_cast<std::size_t>(done));
  }
}

void GzipOutput::finish()
{
  int const code = gzclose(gzip(std::exchange(m_gzip, nullptr)));
  if (code != Z_OK)
    cannot_write(m_file.path(), error_of(code));
}

} // namespace heddle::impl::matrix_market
