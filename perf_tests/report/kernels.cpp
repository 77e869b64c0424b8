// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cstddef>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <report/grouping.hpp>
#include <report/kernels.hpp>

namespace heddle::perf
{

namespace
{

constexpr char const* our_library = "heddle";

bool is_ours(Result const& r) { return library_of(r.implementation) == our_library; }

Role role_of(Result const& r)
{
  if (r.is_serial())
    return Role::serial;
  if (!is_ours(r))
    return Role::baseline;
  return r.implementation == "heddle::auto" ? Role::automatic : Role::named;
}

int place_of(Role role)
{
  if (role == Role::serial)
    return 2;
  return role == Role::baseline ? 1 : 0;
}

// "csr" of "cusparse::csr_alg1_pre", "sell" of "cusparse::sell8": the format in cuSPARSE's names,
// before the algorithm or the size. Other libraries' names tell algorithms alone.
std::string format_in_name(Result const& r)
{
  if (library_of(r.implementation) != "cusparse" || r.operation.starts_with("spgemm"))
    return "";
  std::string const name = r.implementation.substr(r.implementation.find("::") + 2);
  return name.substr(
      0, std::min({name.find("_alg"), name.find("_default"), name.find_first_of("0123456789")}));
}

// Results with the same key are of one kernel.
auto kernel_key(Result const& r)
{
  Role const role = role_of(r);
  return role == Role::baseline ? std::tuple(role, library_of(r.implementation), format_in_name(r))
                                : std::tuple(role, series_name(r), std::string());
}

// "cuda_native" and "csr_scalar" of "heddle::cuda_native::csr_scalar"; "heddle" and "auto".
std::pair<std::string, std::string> split_name(std::string const& implementation)
{
  auto const last = implementation.rfind("::");
  if (last == std::string::npos)
    return {"", implementation};
  std::string first = implementation.substr(0, last);
  std::string const ours = std::string(our_library) + "::";
  if (first.starts_with(ours))
    first.erase(0, ours.size());
  return {first, implementation.substr(last + 2)};
}

Kernel kernel_of(std::vector<Result> const& results)
{
  Result const& first = results.front();
  auto const with_times = filtered(results, [](Result const& r) { return !r.is_skipped(); });
  Kernel kernel;
  kernel.contender.role = role_of(first);
  kernel.contender.results = best_of(with_times);
  std::size_t const algorithms = grouped(results, series_name).size();
  auto const [library, name] = split_name(first.implementation);
  kernel.contender.name = series_name(first);
  if (kernel.contender.role != Role::baseline)
    kernel.head = {first.parameters.empty() ? first.format : first.format + " " + first.parameters,
                   library, name};
  else if (algorithms == 1)
    kernel.head = {format_in_name(first), library_name(library), name};
  else
  {
    kernel.head = {format_in_name(first), library_name(library),
                   "best of " + std::to_string(algorithms)};
    kernel.contender.name = kernel.head[1] + (kernel.head[0].empty() ? "" : " ") + kernel.head[0] +
                            ", " + kernel.head[2];
  }
  for (auto const& [problem, of_problem] : grouped(results, problem_name))
    if (kernel.contender.on(problem) == nullptr)
      kernel.skipped.push_back(of_problem.front());
  return kernel;
}

} // namespace

std::vector<Kernel> kernels_of(std::vector<Result> const& results)
{
  std::vector<Kernel> kernels;
  for (auto const& [unused, of_kernel] : grouped(results, kernel_key))
    kernels.push_back(kernel_of(of_kernel));
  std::stable_sort(kernels.begin(), kernels.end(), [](Kernel const& a, Kernel const& b) {
    return place_of(a.contender.role) < place_of(b.contender.role);
  });
  for (std::size_t n = 0; n < kernels.size(); ++n)
    kernels[n].contender.look = n;
  return kernels;
}

} // namespace heddle::perf
