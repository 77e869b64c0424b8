// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/locked_file.hpp>
#include <harness/table.hpp>
#include <heddle/error.hpp>
#include <heddle/impl/output_file.hpp>

#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <thread>
#include <unistd.h>

#include <sys/file.h>
#include <sys/stat.h>

namespace heddle::perf
{

LockedFile::LockedFile(std::string const& path, double seconds)
    : m_path(path)
    , m_target(impl::output_target(path))
{
  using namespace std::chrono_literals;
  auto const begin = std::chrono::steady_clock::now();
  while (!lock())
  {
    std::chrono::duration<double> const waited = std::chrono::steady_clock::now() - begin;
    if (waited.count() > seconds)
      impl::cannot_write(m_path,
                         "another program has had it locked for " + to_text(seconds, 3) + " s");
    std::this_thread::sleep_for(2ms);
  }
}

// Opens the file and locks it. False where another program has it locked, or has put another file
// in its place in between.
bool LockedFile::lock()
{
  m_descriptor = impl::Descriptor(open(m_target.c_str(), O_RDWR | O_CLOEXEC));
  m_is_new = m_descriptor.value() < 0 && errno == ENOENT;
  if (m_is_new)
    m_descriptor =
        impl::Descriptor(open(m_target.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (m_descriptor.value() < 0 && m_is_new && errno == EEXIST)
    return false;
  if (m_descriptor.value() < 0)
    impl::cannot_write(m_path, errno);
  if (flock(m_descriptor.value(), LOCK_EX | LOCK_NB) == 0)
    return is_named();
  if (errno != EWOULDBLOCK && errno != EINTR)
    impl::cannot_write(m_path, std::string("it cannot be locked: ") + std::strerror(errno));
  return false;
}

// The path still names the file that is open.
bool LockedFile::is_named() const
{
  struct stat opened = {}, named = {};
  return fstat(m_descriptor.value(), &opened) == 0 && stat(m_target.c_str(), &named) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

LockedFile::~LockedFile()
{
  if (m_is_new && size() == 0 && is_named())
    unlink(m_target.c_str());
}

std::int64_t LockedFile::size() const { return lseek(m_descriptor.value(), 0, SEEK_END); }

std::string LockedFile::content() const
{
  std::string text(static_cast<std::size_t>(size()), '\0');
  std::size_t done = 0;
  while (done < text.size())
  {
    ssize_t const got = pread(m_descriptor.value(), text.data() + done, text.size() - done,
                              static_cast<off_t>(done));
    if (got == 0)
      break;
    if (got < 0 && errno != EINTR)
      throw FileError("cannot read " + m_path + ": " + std::strerror(errno));
    done += got < 0 ? 0 : static_cast<std::size_t>(got);
  }
  text.resize(done);
  return text;
}

void LockedFile::append(std::string_view lines)
{
  std::int64_t end = size();
  char last = '\n';
  if (end > 0 && pread(m_descriptor.value(), &last, 1, end - 1) != 1)
    throw FileError("cannot read " + m_path + ": " + std::strerror(errno));
  if (last != '\n')
    end = static_cast<std::int64_t>(content().rfind('\n') + 1);
  if ((last != '\n' && ftruncate(m_descriptor.value(), end) != 0) ||
      lseek(m_descriptor.value(), end, SEEK_SET) != end)
    impl::cannot_write(m_path, errno);
  if (impl::write_all(m_descriptor.value(), lines))
    return;
  int const error = errno;
  static_cast<void>(ftruncate(m_descriptor.value(), end)); // a part of a line may be there
  impl::cannot_write(m_path, error);
}

void LockedFile::replace(std::string_view lines) { impl::write_output_file(m_target, lines); }

} // namespace heddle::perf
