// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

namespace heddle
{

/// Sizes or values that do not fit together. The message has the function, the names and the
/// numbers.
class InvalidArgument : public std::invalid_argument
{
public:
  using std::invalid_argument::invalid_argument;
};

/// A backend or implementation was asked for that cannot serve the call.
class Unsupported : public std::runtime_error
{
public:
  using std::runtime_error::runtime_error;
};

/// A call into the device's runtime failed.
class DeviceError : public std::runtime_error
{
public:
  using std::runtime_error::runtime_error;
};

/// A call needs more memory than a cap allows, or than host or device have. Whatever public call
/// runs out of memory throws this, be it in heddle, in Kokkos or in the standard library.
class OutOfMemory : public std::bad_alloc
{
public:
  /// Each number is 0 where nothing tells it.
  OutOfMemory(std::string const& message, std::size_t bytes_needed, std::size_t bytes_available)
      : m_bytes_needed(bytes_needed)
      , m_bytes_available(bytes_available)
  {
    try
    {
      m_message = std::make_shared<std::string const>(message);
    }
    catch (std::bad_alloc const&) // then what() does without
    {}
  }
  char const* what() const noexcept override
  {
    return m_message ? m_message->c_str() : "heddle: out of memory";
  }
  std::size_t bytes_needed() const { return m_bytes_needed; }
  std::size_t bytes_available() const { return m_bytes_available; }

private:
  std::shared_ptr<std::string const> m_message; // copies of an exception must not throw
  std::size_t m_bytes_needed, m_bytes_available;
};

/// A file that cannot be read or written: missing, no permission, disk full.
class FileError : public std::runtime_error
{
public:
  using std::runtime_error::runtime_error;
};

/// A malformed file; what() starts with "file:line: ". Line 0: the whole file.
class ParseError : public std::runtime_error
{
public:
  /// what() becomes "file:line: problem".
  ParseError(std::string file, std::int64_t line, std::string const& problem)
      : std::runtime_error(place(file, line).append(": ").append(problem))
      , m_file(std::move(file))
      , m_line(line)
  {}
  std::string const& file() const { return m_file; }
  std::int64_t line() const { return m_line; }

private:
  static std::string place(std::string text, std::int64_t line)
  {
    return line > 0 ? text.append(":").append(std::to_string(line)) : text;
  }

  std::string m_file;
  std::int64_t m_line;
};

} // namespace heddle
