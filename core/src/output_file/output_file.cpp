// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/error.hpp>
#include <heddle/impl/output_file.hpp>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <new>
#include <system_error>
#include <unistd.h>

#include <sys/stat.h>

namespace heddle::impl
{

namespace
{

bool is_same_file(struct stat const& a, struct stat const& b)
{
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

// The last component alone: the system follows links to folders.
std::filesystem::path without_links(std::string const& path)
{
  constexpr int most_links = 40; // as many as Linux follows
  std::filesystem::path target = path;
  std::error_code error;
  for (int n = 0; std::filesystem::is_symlink(std::filesystem::symlink_status(target, error)); ++n)
  {
    if (n == most_links)
      cannot_write(path, ELOOP);
    std::filesystem::path const link = std::filesystem::read_symlink(target, error);
    if (error)
      cannot_write(path, error.value());
    target = target.parent_path() / link; // which is the link itself where that is absolute
  }
  return target;
}

// The entry in the folder, too, has to outlive a crash. Folders that cannot be read, and systems
// that do not do this to folders, are let be.
void sync_folder(std::string const& path, std::string const& target)
{
  std::string const folder = std::filesystem::path(target).parent_path().string();
  Descriptor const descriptor(
      open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (descriptor.value() >= 0 && fsync(descriptor.value()) != 0 && errno != EINVAL)
    cannot_write(path, errno);
}

} // namespace

void cannot_write(std::string const& path, std::string const& reason)
{
  throw FileError("cannot write " + path + ": " + reason);
}

void cannot_write(std::string const& path, int error)
{
  if (error == ENOMEM)
    throw std::bad_alloc();
  cannot_write(path, std::strerror(error));
}

std::string output_target(std::string const& path)
{
  struct stat status = {}, standard = {};
  if (stat(path.c_str(), &status) == 0)
  {
    if (!S_ISREG(status.st_mode))
      cannot_write(path, "it is not a regular file");
    for (int const descriptor : {STDOUT_FILENO, STDERR_FILENO})
      if (fstat(descriptor, &standard) == 0 && is_same_file(status, standard))
        cannot_write(path, descriptor == STDOUT_FILENO ? "standard output goes to this file"
                                                       : "standard error goes to this file");
  }
  return without_links(path).string();
}

bool write_all(int descriptor, std::string_view bytes)
{
  while (!bytes.empty())
  {
    ssize_t const done = ::write(descriptor, bytes.data(), bytes.size());
    if (done < 0 && errno != EINTR)
      return false;
    bytes.remove_prefix(done < 0 ? 0 : static_cast<std::size_t>(done));
  }
  return true;
}

OutputFile::OutputFile(std::string const& path)
    : m_path(path)
    , m_target(output_target(path))
{
  open_temporary();
  struct stat status = {};
  if (stat(m_target.c_str(), &status) == 0)
    static_cast<void>(fchmod(descriptor(), status.st_mode & 07777U)); // as well as may be
}

// A name that nobody has; mkstemp would ignore the umask. Names have at most 255 bytes.
void OutputFile::open_temporary()
{
  static std::atomic<unsigned> counter = 0;
  constexpr std::size_t most_bytes = 200;
  std::filesystem::path const target = m_target;
  std::string const name = target.filename().string().substr(0, most_bytes) + ".part-";
  do
  {
    m_temporary =
        (target.parent_path() / (name + std::to_string(getpid()) + "-" + std::to_string(counter++)))
            .string();
    m_descriptor =
        Descriptor(open(m_temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  } while (descriptor() < 0 && errno == EEXIST);
  if (descriptor() < 0)
    cannot_write(m_path, errno);
}

OutputFile::~OutputFile()
{
  if (!m_temporary.empty())
    unlink(m_temporary.c_str());
}

void OutputFile::write(std::string_view bytes)
{
  if (!write_all(descriptor(), bytes))
    cannot_write(m_path, errno);
}

void OutputFile::commit()
{
  if (fsync(descriptor()) != 0 || close(m_descriptor.release()) != 0 ||
      std::rename(m_temporary.c_str(), m_target.c_str()) != 0)
    cannot_write(m_path, errno);
  m_temporary.clear();
  sync_folder(m_path, m_target);
}

void write_output_file(std::string const& path, std::string_view bytes)
{
  OutputFile file(path);
  file.write(bytes);
  file.commit();
}

} // namespace heddle::impl
