// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/error.hpp>
#include <heddle/impl/require.hpp>
#include <support/messages.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cstddef>
#include <cstdint>
#include <new>
#include <stdexcept>
#include <string>
#include <type_traits>

using namespace heddle::test;
using namespace heddle;

static_assert(std::is_base_of_v<std::invalid_argument, InvalidArgument>);
static_assert(std::is_base_of_v<std::runtime_error, Unsupported>);
static_assert(std::is_base_of_v<std::runtime_error, DeviceError>);
static_assert(std::is_base_of_v<std::bad_alloc, OutOfMemory>);
static_assert(std::is_base_of_v<std::runtime_error, FileError>);
static_assert(std::is_base_of_v<std::runtime_error, ParseError>);
static_assert(std::is_nothrow_copy_constructible_v<InvalidArgument>);
static_assert(std::is_nothrow_copy_constructible_v<OutOfMemory>);

TEST_CASE("ParseError begins with file and line", "[error]")
{
  ParseError const error("a/b.mtx", 17, "expected a number");
  CHECK(std::string(error.what()) == "a/b.mtx:17: expected a number");
  CHECK(error.file() == "a/b.mtx");
  CHECK(error.line() == 17);
}

TEST_CASE("ParseError of a whole file has no line", "[error]")
{
  ParseError const error("b.mtx.gz", 0, "cut off");
  CHECK(std::string(error.what()) == "b.mtx.gz: cut off");
  CHECK(error.line() == 0);
}

TEST_CASE("ParseError counts lines above 2^31", "[error]")
{
  ParseError const error("b.mtx", 5000000000, "no");
  CHECK(std::string(error.what()) == "b.mtx:5000000000: no");
  CHECK(error.line() == 5000000000);
}

TEST_CASE("OutOfMemory has the bytes", "[error]")
{
  OutOfMemory const error("heddle::spgemm: no room", 5000000000, 7);
  CHECK(std::string(error.what()) == "heddle::spgemm: no room");
  CHECK(error.bytes_needed() == 5000000000);
  CHECK(error.bytes_available() == 7);
}

TEST_CASE("require puts a message together from its parts", "[error]")
{
  CHECK(message_of<InvalidArgument>([] { impl::require(true, "f", "no"); }) == "no error");
  CHECK(message_of<InvalidArgument>([] {
          impl::require(false, "spmv", "x has ", std::size_t(5), " entries but A has ",
                        std::int64_t(2), " columns");
        }) == "heddle::spmv: x has 5 entries but A has 2 columns");
  CHECK(message_of<DeviceError>([] {
          impl::require<DeviceError>(false, "cudaFree", std::string("failed"), " (error ", 2, ")");
        }) == "heddle::cudaFree: failed (error 2)");
  CHECK(message_of<Unsupported>([] { impl::throw_error<Unsupported>("f", "never"); }) ==
        "heddle::f: never");
}
