// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/error.hpp>
#include <heddle/impl/descriptor.hpp>
#include <matrix_market/file_bytes.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <new>
#include <unistd.h>

#include <sys/mman.h>
#include <sys/stat.h>

namespace heddle::impl::matrix_market
{

void Buffer::reserve(std::size_t capacity)
{
  if (capacity <= m_capacity)
    return;
  char* const data = static_cast<char*>(std::realloc(m_data.get(), capacity));
  if (data == nullptr)
    throw std::bad_alloc();
  static_cast<void>(m_data.release()); // realloc has freed it
  m_data.reset(data);
  m_capacity = capacity;
}

namespace
{

[[noreturn]] void fail(std::string const& path, int error)
{
  if (error == ENOMEM)
    throw std::bad_alloc();
  throw FileError("cannot read " + path + ": " + std::strerror(error));
}

// Everything up to the end of the file; -1 and errno on failure.
ssize_t read_all(int descriptor, Buffer& buffer)
{
  constexpr std::size_t first_block = 65536; // what a pipe of Linux holds
  std::size_t size = 0;
  for (;;)
  {
    if (size == buffer.capacity())
      buffer.reserve(std::max(first_block, 2 * size));
    ssize_t const got = read(descriptor, buffer.data() + size, buffer.capacity() - size);
    if (got == 0)
      return static_cast<ssize_t>(size);
    if (got > 0)
      size += static_cast<std::size_t>(got);
    else if (errno != EINTR)
      return -1;
  }
}

} // namespace

FileBytes::FileBytes(std::string const& path)
{
  Descriptor const file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat status = {};
  if (file.value() < 0 || fstat(file.value(), &status) != 0)
    fail(path, errno);
  if (S_ISREG(status.st_mode) && status.st_size > 0)
  {
    auto const size = static_cast<std::size_t>(status.st_size);
    void* const data = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.value(), 0);
    if (data != MAP_FAILED)
    {
      m_begin = static_cast<char const*>(data);
      m_size = size;
      m_is_mapped = true;
      return;
    }
  }
  ssize_t const size = read_all(file.value(), m_buffer);
  if (size < 0)
    fail(path, errno);
  m_begin = m_buffer.data();
  m_size = static_cast<std::size_t>(size);
}

FileBytes::~FileBytes()
{
  if (m_is_mapped)
    munmap(const_cast<char*>(m_begin), m_size);
}

} // namespace heddle::impl::matrix_market
