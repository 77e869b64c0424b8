// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <string>

namespace heddle::impl::matrix_market
{

// A block of memory that grows without being written: realloc moves the pages of a large block
// instead of copying them, and pages that nobody has touched cost nothing.
class Buffer
{
public:
  char* data() { return m_data.get(); }
  char const* data() const { return m_data.get(); }
  std::size_t capacity() const { return m_capacity; }
  // Throws std::bad_alloc.
  void reserve(std::size_t capacity);

private:
  struct Free
  {
    void operator()(char* data) const { std::free(data); }
  };
  std::unique_ptr<char, Free> m_data;
  std::size_t m_capacity = 0;
};

// What is in a file, mapped where the system can do that and read where not (a pipe, say).
//
// A file that another process shortens while it is mapped ends the program (SIGBUS).
class FileBytes
{
public:
  // Throws FileError.
  explicit FileBytes(std::string const& path);
  ~FileBytes();
  FileBytes(FileBytes const&) = delete;
  FileBytes(FileBytes&&) = delete;
  FileBytes& operator=(FileBytes const&) = delete;
  FileBytes& operator=(FileBytes&&) = delete;

  char const* begin() const { return m_begin; }
  char const* end() const { return m_begin + m_size; }
  std::size_t size() const { return m_size; }

private:
  char const* m_begin = nullptr;
  std::size_t m_size = 0;
  bool m_is_mapped = false;
  Buffer m_buffer;
};

} // namespace heddle::impl::matrix_market
