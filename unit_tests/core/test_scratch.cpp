// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/impl/memory.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/views.hpp>
#include <support/instances.hpp>
#include <support/matrices.hpp>
#include <support/sanitizers.hpp>
#include <support/types.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace heddle::test
{

namespace
{

template <class T, class Exec>
bool is_aligned(Exec const& exec, std::size_t count)
{
  impl::Scratch<T, Exec> const scratch(exec, count);
  return scratch.size() == count && reinterpret_cast<std::uintptr_t>(scratch.data()) % 64 == 0;
}

// What is read back after value was written to all of it.
template <class T, class Exec>
std::vector<T> written_and_read(Exec const& exec, impl::Scratch<T, Exec> const& scratch, T value)
{
  Kokkos::View<T*, typename Exec::memory_space> const copy("heddle::test::copy", scratch.size());
  Kokkos::deep_copy(exec, scratch.view(), value);
  Kokkos::deep_copy(exec, copy, scratch.view());
  exec.fence();
  return to_vector(copy);
}

static_assert(!std::is_copy_constructible_v<impl::Scratch<int, Device>>);
static_assert(!std::is_copy_assignable_v<impl::Scratch<int, Device>>);
static_assert(std::is_nothrow_move_constructible_v<impl::Scratch<int, Device>>);

} // namespace

} // namespace heddle::test

using namespace heddle::test;
using heddle::impl::Scratch;

TEMPLATE_LIST_TEST_CASE("scratch is aligned for vector instructions", "[scratch]", Spaces)
{
  TestType const exec{};
  for (std::size_t const count : {1, 2, 3, 7, 64, 65, 1000, 100003})
  {
    INFO(count);
    CHECK(is_aligned<char>(exec, count));
    CHECK(is_aligned<double>(exec, count));
    CHECK(is_aligned<Complex128>(exec, count));
  }
}

TEMPLATE_LIST_TEST_CASE("scratch may be empty", "[scratch]", Spaces)
{
  Scratch<double, TestType> const scratch(TestType{}, 0);
  CHECK(scratch.size() == 0);
  CHECK(scratch.data() == nullptr);
  CHECK(scratch.view().extent(0) == 0);
}

TEMPLATE_LIST_TEST_CASE("scratch can be written and read", "[scratch]", Spaces)
{
  TestType const exec{};
  Scratch<int, TestType> const scratch(exec, 1001);
  CHECK(scratch.view().data() == scratch.data());
  CHECK(scratch.view().extent(0) == 1001);
  CHECK(written_and_read(exec, scratch, 42) == std::vector<int>(1001, 42));
}

TEMPLATE_LIST_TEST_CASE("scratch moves", "[scratch]", Spaces)
{
  TestType const exec{};
  Scratch<int, TestType> first(exec, 10);
  int* const memory = first.data();
  Scratch<int, TestType> const second(std::move(first));
  CHECK(second.data() == memory);
  CHECK(second.size() == 10);
  CHECK(first.data() == nullptr); // NOLINT(bugprone-use-after-move): what a move leaves is promised
  CHECK(first.size() == 0);
  CHECK(written_and_read(exec, second, 7) == std::vector<int>(10, 7));
}

TEMPLATE_LIST_TEST_CASE("scratch of two instances is apart", "[scratch]", Spaces)
{
  auto const [one, two] = two_instances<TestType>();
  Scratch<int, TestType> const a(one, 5000), b(two, 5000);
  CHECK(a.data() != b.data());
  CHECK(written_and_read(one, a, 1) == std::vector<int>(5000, 1));
  CHECK(written_and_read(two, b, 2) == std::vector<int>(5000, 2));
  Kokkos::View<int*, typename TestType::memory_space> const copy("heddle::test::copy", 5000);
  Kokkos::deep_copy(one, copy, a.view());
  one.fence();
  CHECK(to_vector(copy) == std::vector<int>(5000, 1));
}

#if !defined(HEDDLE_TEST_SANITIZER) // which ends the program where a host has not so much memory
TEMPLATE_LIST_TEST_CASE("scratch that nobody has is OutOfMemory", "[scratch]", Spaces)
{
  TestType const exec{};
  std::size_t const count = std::size_t(1) << 59;
  std::size_t needed = 0;
  std::string message;
  try
  {
    Scratch<double, TestType> const scratch(exec, count);
  }
  catch (heddle::OutOfMemory const& error)
  {
    needed = error.bytes_needed();
    message = error.what();
  }
  CHECK(needed == 8 * count);
  CHECK(message.find("heddle::scratch needs 4611686018427387904 bytes, ") == 0);
}
#endif

#if defined(KOKKOS_ENABLE_CUDA)
TEST_CASE("scratch that nothing uses is available to Views", "[scratch]")
{
  Kokkos::Cuda const exec{};
  std::size_t const before = heddle::impl::free_device_bytes(), most = before / 8 * 7;
  {
    Scratch<char, Kokkos::Cuda> const scratch(exec, most);
    CHECK(heddle::impl::available_bytes(exec) < before - most + before / 100);
  }
  exec.fence();
  CHECK(heddle::impl::free_device_bytes() < before / 2); // the pool keeps it
  CHECK(heddle::impl::available_bytes(exec) > before - before / 100);
  using Bytes = Kokkos::View<char*, Kokkos::CudaSpace>;
  SECTION("to those that ask before they allocate")
  {
    heddle::impl::require_available(exec, "test", "a View", most);
    CHECK(heddle::impl::free_device_bytes() > most);
  }
  CHECK(heddle::impl::uninitialized<Bytes>(exec, "heddle::test::bytes", most).extent(0) == most);
}

TEST_CASE("scratch in pieces is made anew as one", "[scratch]")
{
  Kokkos::Cuda const exec{};
  std::size_t const part = heddle::impl::free_device_bytes() / 8;
  {
    Scratch<char, Kokkos::Cuda> const a(exec, 2 * part), b(exec, 2 * part), c(exec, 2 * part);
  }
  CHECK(Scratch<char, Kokkos::Cuda>(exec, 7 * part).size() == 7 * part);
  exec.fence();
  heddle::impl::return_idle_scratch(exec);
  CHECK(heddle::impl::idle_scratch_bytes(exec.cuda_device()) == 0);
}
#endif
