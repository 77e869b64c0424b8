// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/start.hpp>
#include <heddle/config.hpp>
#include <heddle/error.hpp>
#include <support/environment.hpp>
#include <support/messages.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <Kokkos_Core.hpp>

#include <string>
#include <vector>

using namespace heddle::perf;
using Catch::Matchers::StartsWith;
using heddle::test::EnvironmentVariable;

namespace
{

template <class Call>
std::string refusal(Call const& call)
{
  return heddle::test::message_of<heddle::InvalidArgument>(call);
}

// The threads that these arguments of Kokkos ask for.
int threads_of(std::vector<std::string> arguments)
{
  std::vector<char*> pointers;
  pointers.reserve(arguments.size());
  for (std::string& argument : arguments)
    pointers.push_back(argument.data());
  return thread_count(pointers);
}

} // namespace

TEST_CASE("variables with values that heddle does not know are refused", "[start]")
{
  auto const with_backend = [](std::string const& value) {
    EnvironmentVariable const backend("HEDDLE_BACKEND", value);
    return refusal(check_environment);
  };
  CHECK(with_backend("automatic") == "no error");
  CHECK(with_backend("portable") == "no error");
  CHECK(with_backend("nonsense") == "heddle::perf: HEDDLE_BACKEND is 'nonsense', expected "
                                    "automatic, portable or cuda_native");
#if defined(HEDDLE_HAVE_CUDA_NATIVE)
  CHECK(with_backend("cuda_native") == "no error");
#else
  CHECK(with_backend("cuda_native") ==
        "heddle::perf: HEDDLE_BACKEND is 'cuda_native', which this build does not have");
#endif
  EnvironmentVariable const backend("HEDDLE_BACKEND", {});
  auto const with_profile = [](std::string const& value) {
    EnvironmentVariable const profile("HEDDLE_PERF_PROFILE", value);
    return refusal(check_environment);
  };
  CHECK(with_profile("spgemm_numeric") == "no error");
  CHECK(with_profile("SpMV") ==
        "heddle::perf: HEDDLE_PERF_PROFILE is 'SpMV', expected one of spmv, spmv_t, spmv_dot, "
        "spmv_residual, spmv_jacobi, spmv_chebyshev, spmv_cg, spmm, spmm_t, spmm_both, spgemm, "
        "spgemm_numeric, formats_spmv, formats_spmm, formats_spgemm, formats_spgemm_numeric");
}

TEST_CASE("the number of threads is what Kokkos would start", "[start]")
{
  EnvironmentVariable const unset("KOKKOS_NUM_THREADS", {});
  CHECK(threads_of({}) >= 1);
  CHECK(threads_of({"--kokkos-num-threads=3"}) == 3);
  CHECK(threads_of({"--kokkos-num-threads=3", "--kokkos-num-threads=700"}) == 700);
  for (std::string const value : {"0", "-5", "abc", "9999999999", "4x", ""})
    CHECK_THAT(refusal([&] { threads_of({"--kokkos-num-threads=" + value}); }),
               StartsWith("heddle::perf: --kokkos-num-threads is '" + value +
                          "', expected a whole number from 1 to "));
  CHECK_THAT(refusal([&] { threads_of({"--kokkos-num-threads"}); }),
             StartsWith("heddle::perf: --kokkos-num-threads is ''"));
  EnvironmentVariable const set("KOKKOS_NUM_THREADS", "600");
  CHECK(threads_of({}) == 600);
  CHECK(threads_of({"--kokkos-num-threads=3"}) == 3);
}

TEST_CASE("more threads than Kokkos has room for are refused", "[start]")
{
#if defined(KOKKOS_ENABLE_OPENMP)
  CHECK(refusal([] { check_thread_count(512); }) == "no error");
  CHECK(refusal([] { check_thread_count(513); }) ==
        "heddle::perf: 513 threads, but Kokkos' OpenMP has room for 512; set OMP_NUM_THREADS, or "
        "--threads of heddle-perf-parts");
#else
  CHECK(refusal([] { check_thread_count(1 << 20); }) == "no error");
#endif
}
