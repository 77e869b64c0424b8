// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <formats/bench.hpp>
#include <formats/bench_format.hpp>

namespace heddle::perf
{

template <>
void bench_formats_spmm<double>(FormatsSettings const& settings, Report& report,
                                LoadedMatrix const& loaded, HostMatrix<double> const& a,
                                std::int64_t k)
{
  bench_formats<SpmmOperation>(settings, report, loaded, a, k);
}

template <>
std::vector<std::string> spmm_names_of_formats<double>()
{
  return names_of_formats<SpmmOperation, double>();
}

} // namespace heddle::perf
