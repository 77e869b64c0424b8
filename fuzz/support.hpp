// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What all targets share: an input as a file, a folder for what is written, and a check that ends
// the program, which is how libFuzzer learns of a failure.

#include <formats/matrix_market_support.hpp>
#include <heddle/accumulator.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <unistd.h>

#include <sys/mman.h>

namespace heddle::fuzz
{

inline void check(bool ok, char const* expected)
{
  if (ok) [[likely]]
    return;
  std::fprintf(stderr, "fuzz: not so: %s\n", expected);
  std::abort();
}

inline bool is_same_real(double a, double b)
{
  return (a != a && b != b) || std::memcmp(&a, &b, sizeof a) == 0; // a NaN has no payload in a text
}

// Bit by bit, but for NaN.
template <class Value>
bool is_same(Value const& a, Value const& b)
{
  if constexpr (impl::is_complex_v<Value>)
    return is_same_real(a.real(), b.real()) && is_same_real(a.imag(), b.imag());
  else
    return is_same_real(a, b);
}

// Memory that has a path.
class InputFile
{
public:
  InputFile()
      : m_descriptor(memfd_create("input", 0))
      , m_path("/proc/self/fd/" + std::to_string(m_descriptor))
  {
    check(m_descriptor >= 0, "the system makes a file in memory");
  }
  ~InputFile() { close(m_descriptor); }
  InputFile(InputFile const&) = delete;
  InputFile(InputFile&&) = delete;
  InputFile& operator=(InputFile const&) = delete;
  InputFile& operator=(InputFile&&) = delete;

  std::string const& hold(std::string_view bytes) const
  {
    bool const is_empty = ftruncate(m_descriptor, 0) == 0 && lseek(m_descriptor, 0, SEEK_SET) == 0;
    ssize_t const written = write(m_descriptor, bytes.data(), bytes.size());
    check(is_empty && written == static_cast<ssize_t>(bytes.size()), "the input is in its file");
    return m_path;
  }

private:
  int m_descriptor;
  std::string m_path;
};

// What a target has from its first input on. Where a run is stopped the folder stays:
// scripts/fuzz.sh gives each run a TMPDIR that it removes.
struct Files
{
  Kokkos::ScopeGuard kokkos;
  InputFile input, second_input;
  test::TemporaryFolder folder;
};

inline Files& files()
{
  static Files all;
  return all;
}

} // namespace heddle::fuzz
