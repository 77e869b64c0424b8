// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/error.hpp>
#include <matrix_market/output_file.hpp>

#include <zlib.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <new>
#include <system_error>
#include <unistd.h>
#include <utility>

#include <sys/stat.h>

namespace heddle::impl::matrix_market
{

namespace
{

gzFile gzip(void* file) { return static_cast<gzFile>(file); }

// errno where zlib passes that on, else a guess at what else may fail.
int error_of(gzFile file)
{
  int code = Z_OK;
  gzerror(file, &code);
  return code == Z_ERRNO ? errno : EIO;
}

} // namespace

OutputFile::OutputFile(std::string const& path, Compression compression)
    : m_path(path)
{
  std::error_code error;
  m_target = std::filesystem::weakly_canonical(path, error).string();
  if (error)
    fail(error.value());
  struct stat status = {};
  bool const is_there = stat(m_target.c_str(), &status) == 0;
  if (is_there && !S_ISREG(status.st_mode))
    throw FileError("cannot write " + m_path + ": it is not a plain file");
  open_temporary();
  if (is_there)
    static_cast<void>(fchmod(m_descriptor, status.st_mode & 07777U)); // as well as may be
  if (compression == Compression::none)
    return;
  m_gzip = gzdopen(m_descriptor, "wb");
  if (m_gzip == nullptr)
  {
    close(m_descriptor);
    unlink(m_temporary.c_str());
    throw std::bad_alloc();
  }
}

// A name that nobody has; mkstemp would ignore the umask.
void OutputFile::open_temporary()
{
  static std::atomic<unsigned> counter = 0;
  do
  {
    m_temporary = m_target + ".part-" + std::to_string(getpid()) + "-" + std::to_string(counter++);
    m_descriptor = open(m_temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  } while (m_descriptor < 0 && errno == EEXIST);
  if (m_descriptor < 0)
    fail(errno);
}

OutputFile::~OutputFile()
{
  if (m_gzip != nullptr)
    gzclose(gzip(m_gzip));
  else if (m_descriptor >= 0)
    close(m_descriptor);
  if (!m_temporary.empty())
    unlink(m_temporary.c_str());
}

void OutputFile::write(std::string_view bytes)
{
  constexpr std::size_t max_step = std::size_t{1} << 30; // zlib counts in unsigned int
  while (!bytes.empty())
  {
    std::size_t const step = std::min(bytes.size(), max_step);
    ssize_t done = 0;
    if (m_gzip != nullptr)
    {
      done = gzwrite(gzip(m_gzip), bytes.data(), static_cast<unsigned>(step));
      if (done <= 0)
        fail(error_of(gzip(m_gzip)));
    }
    else
    {
      done = ::write(m_descriptor, bytes.data(), step);
      if (done < 0 && errno == EINTR)
        continue;
      if (done < 0)
        fail(errno);
    }
    bytes.remove_prefix(static_cast<std::size_t>(done));
  }
}

void OutputFile::commit()
{
  int const descriptor = std::exchange(m_descriptor, -1);
  if (void* const file = std::exchange(m_gzip, nullptr); file != nullptr)
  {
    int const result = gzclose(gzip(file));
    if (result != Z_OK)
      fail(result == Z_ERRNO ? errno : EIO);
  }
  else if (close(descriptor) != 0)
    fail(errno);
  if (std::rename(m_temporary.c_str(), m_target.c_str()) != 0)
    fail(errno);
  m_temporary.clear();
}

void OutputFile::fail(int error) const
{
  throw FileError("cannot write " + m_path + ": " + std::strerror(error));
}

} // namespace heddle::impl::matrix_market
