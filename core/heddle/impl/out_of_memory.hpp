// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// One exception for memory that is not there. Containers throw std::bad_alloc or, where a size is
// beyond counting, std::length_error; Kokkos (5.0) throws a std::runtime_error of which only the
// text says so (impl/Kokkos_Error.cpp, Cuda/Kokkos_Cuda_Instance.cpp). Every public function ends
// in
//
//   catch (...)
//   {
//     impl::rethrow_out_of_memory("name of the function");
//   }
//
// which makes heddle::OutOfMemory of all of them.

#include <heddle/error.hpp>

#include <cstddef>
#include <cstring>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <typeinfo>

namespace heddle::impl
{

// An allocation that failed, below the public function that will be named in its message.
class FailedAllocation : public OutOfMemory
{
public:
  using OutOfMemory::OutOfMemory;
};

// Where not even the message finds memory, the exception has a shorter one.
[[noreturn]] inline void throw_out_of_memory(char const* function, char const* what,
                                             std::size_t needed, std::size_t available)
{
  std::string message;
  try
  {
    message = std::string("heddle::") + function + ": " + what;
  }
  catch (std::bad_alloc const&)
  {
    message = "out of memory"; // so short that it needs none
  }
  throw OutOfMemory(message, needed, available);
}

// The words of Kokkos' views and of the device's runtime. What derives from std::runtime_error is
// not Kokkos', and may have these words from a file.
inline bool tells_of_no_memory(std::runtime_error const& error)
{
  return typeid(error) == typeid(std::runtime_error) &&
         (std::strstr(error.what(), "failed to allocate") != nullptr ||
          std::strstr(error.what(), "cudaErrorMemoryAllocation") != nullptr);
}

// In a handler: throws what is handled once more, as OutOfMemory with the function where it tells
// of memory.
[[noreturn]] inline void rethrow_out_of_memory(char const* function)
{
  try
  {
    throw;
  }
  catch (FailedAllocation const& error)
  {
    throw_out_of_memory(function, error.what(), error.bytes_needed(), error.bytes_available());
  }
  catch (OutOfMemory const&)
  {
    throw;
  }
  catch (std::bad_alloc const&)
  {
    throw_out_of_memory(function, "the host is out of memory", 0, 0);
  }
  catch (std::length_error const& error)
  {
    throw_out_of_memory(function, error.what(), 0, 0);
  }
  catch (std::runtime_error const& error)
  {
    if (tells_of_no_memory(error))
      throw_out_of_memory(function, error.what(), 0, 0);
    throw;
  }
}

} // namespace heddle::impl
