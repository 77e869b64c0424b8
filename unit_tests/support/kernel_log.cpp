// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Which native kernels each test case launches: linked into the tests of a CUDA build, and silent
// unless HEDDLE_KERNEL_LOG names a file. To that file each case appends lines of its name, a kernel
// with its template arguments, which are the branches of its policy, and the seconds that the case
// took, with tabs between. scripts/kernel_tests.py makes a table of them.
//
// Kokkos Tools would tell labels, which name no template arguments, and fence for whoever listens.
// So the call of the runtime is replaced that launch.cuh, the only place that launches, makes (ld
// --wrap; cmake/tests.cmake).

#include <catch2/catch_test_case_info.hpp>
#include <catch2/interfaces/catch_interfaces_reporter.hpp>
#include <catch2/reporters/catch_reporter_event_listener.hpp>
#include <catch2/reporters/catch_reporter_registrars.hpp>
#include <cuda_runtime_api.h>

#include <chrono>
#include <cstdlib>
#include <cxxabi.h>
#include <fstream>
#include <memory>
#include <mutex>
#include <set>
#include <string>

namespace heddle::test
{

namespace
{

struct Launched
{
  std::mutex mutex;
  std::set<void const*> kernels; // of the case that runs
};
Launched& launched()
{
  static Launched all;
  return all;
}

char const* log_file() { return std::getenv("HEDDLE_KERNEL_LOG"); }

// As the source has it, with template arguments.
std::string name_of(void const* kernel)
{
  char const* mangled = nullptr;
  if (cudaFuncGetName(&mangled, kernel) != cudaSuccess)
    return "a kernel without a name";
  int status = 0;
  std::unique_ptr<char, void (*)(void*)> const name(
      abi::__cxa_demangle(mangled, nullptr, nullptr, &status), std::free);
  return status == 0 ? name.get() : mangled;
}

class KernelLog : public Catch::EventListenerBase
{
public:
  using EventListenerBase::EventListenerBase;

  void testCaseStarting(Catch::TestCaseInfo const&) override
  {
    start = std::chrono::steady_clock::now();
  }
  void testCaseEnded(Catch::TestCaseStats const& stats) override
  {
    std::chrono::duration<double> const seconds = std::chrono::steady_clock::now() - start;
    std::lock_guard const lock(launched().mutex);
    if (log_file() == nullptr || launched().kernels.empty())
      return;
    std::ofstream log(log_file(), std::ios::app);
    for (void const* const kernel : launched().kernels)
      log << stats.testInfo->name << '\t' << name_of(kernel) << '\t' << seconds.count() << '\n';
    launched().kernels.clear();
  }

private:
  std::chrono::steady_clock::time_point start;
};
CATCH_REGISTER_LISTENER(KernelLog)

} // namespace

} // namespace heddle::test

extern "C" {
cudaError_t __real_cudaLaunchKernelExC(cudaLaunchConfig_t const* config, void const* kernel,
                                       void** arguments);
cudaError_t __wrap_cudaLaunchKernelExC(cudaLaunchConfig_t const* config, void const* kernel,
                                       void** arguments)
{
  if (heddle::test::log_file() != nullptr)
  {
    std::lock_guard const lock(heddle::test::launched().mutex);
    heddle::test::launched().kernels.insert(kernel);
  }
  return __real_cudaLaunchKernelExC(config, kernel, arguments);
}
}
