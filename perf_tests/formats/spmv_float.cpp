// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <formats/bench.hpp>
#include <formats/bench_format.hpp>

namespace heddle::perf
{

template <>
void bench_formats_spmv<float>(FormatsSettings const& settings, Report& report,
                               LoadedMatrix const& loaded, HostMatrix<float> const& a)
{
  bench_formats<SpmvOperation>(settings, report, loaded, a, 1);
}

template <>
std::vector<std::string> spmv_names_of_formats<float>()
{
  return names_of_formats<SpmvOperation, float>();
}

} // namespace heddle::perf
