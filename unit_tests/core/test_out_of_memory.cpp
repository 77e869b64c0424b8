// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/error.hpp>
#include <heddle/impl/memory.hpp>
#include <heddle/impl/out_of_memory.hpp>
#include <heddle/impl/require.hpp>
#include <heddle/impl/views.hpp>
#include <support/messages.hpp>
#include <support/sanitizers.hpp>
#include <support/types.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <Kokkos_Core.hpp>

#include <cstddef>
#include <limits>
#include <new>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

using namespace heddle::test;
using namespace heddle;

namespace
{

// A function f as the library's are.
template <class Work>
void f(Work const& work)
try
{
  work();
}
catch (...)
{
  impl::rethrow_out_of_memory("f");
}

// What it makes of an error.
template <class Thrown>
std::string reported(Thrown const& thrown)
{
  return message_of<OutOfMemory>([&] { f([&] { throw thrown; }); });
}

} // namespace

TEST_CASE("memory is asked for before it is allocated", "[out_of_memory]")
{
  Kokkos::DefaultHostExecutionSpace const exec{};
  impl::require_available(exec, "f", "x", 1);
  auto const most = std::numeric_limits<std::size_t>::max() / 2;
  std::string const refusal =
      message_of<OutOfMemory>([&] { impl::require_available(exec, "f", "x", most); });
  CHECK(refusal.starts_with("heddle::f: x needs " + std::to_string(most) + " bytes, "));
  CHECK(refusal.ends_with(" are available"));
}

TEST_CASE("memory that is not there is OutOfMemory, whoever says so", "[out_of_memory]")
{
  CHECK(reported(std::bad_alloc()) == "heddle::f: the host is out of memory");
  CHECK(reported(std::bad_array_new_length()) == "heddle::f: the host is out of memory");
  CHECK(reported(std::length_error("vector::reserve")) == "heddle::f: vector::reserve");
  CHECK(reported(OutOfMemory("heddle::g: no room", 3, 2)) == "heddle::g: no room");
  CHECK(reported(impl::FailedAllocation("columns need 8 bytes", 8, 0)) ==
        "heddle::f: columns need 8 bytes");
  CHECK(reported(std::runtime_error("cudaMalloc(p) error( cudaErrorMemoryAllocation): out")) ==
        "heddle::f: cudaMalloc(p) error( cudaErrorMemoryAllocation): out");
}

TEST_CASE("other errors stay what they are", "[out_of_memory]")
{
  CHECK_THROWS_AS(f([] { impl::throw_error<InvalidArgument>("g", "no"); }), InvalidArgument);
  CHECK_THROWS_AS(f([] { throw std::runtime_error("no"); }), std::runtime_error);
  CHECK_THROWS_AS(f([] { throw 3; }), int);
  CHECK_THROWS_AS(f([] { throw ParseError("a.mtx", 1, "cudaErrorMemoryAllocation"); }), ParseError);
}

TEST_CASE("a container beyond all memory is OutOfMemory", "[out_of_memory]")
{
  CHECK_THROWS_AS(f([] {
                    std::vector<double> all;
                    all.reserve(all.max_size() + 1);
                  }),
                  OutOfMemory);
}

#if !defined(HEDDLE_TEST_SANITIZER) // which ends the program where a host has not so much memory
// This is what fails where a new version of Kokkos says it otherwise.
TEMPLATE_LIST_TEST_CASE("a View beyond all memory is OutOfMemory", "[out_of_memory]", Spaces)
{
  using View = Kokkos::View<double*, typename TestType::memory_space>;
  constexpr std::size_t n = std::size_t(1) << 50;
  std::size_t needed = 0;
  try
  {
    f([] { impl::uninitialized<View>(TestType{}, "heddle::columns", n); });
  }
  catch (OutOfMemory const& error)
  {
    needed = error.bytes_needed();
    CHECK(std::string(error.what()) == "heddle::f: heddle::columns needs " + std::to_string(8 * n) +
                                           " bytes, which are not there");
  }
  CHECK(needed == 8 * n);
  CHECK_THROWS_AS(f([] { View("heddle::values", n); }), OutOfMemory);
  CHECK_THROWS_AS(f([] { Kokkos::kokkos_malloc<typename TestType::memory_space>(8 * n); }),
                  OutOfMemory);
}
#endif
