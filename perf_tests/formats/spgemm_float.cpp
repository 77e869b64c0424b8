// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <formats/bench.hpp>
#include <formats/spgemm.hpp>

namespace heddle::perf
{

template <>
void bench_formats_spgemm<float>(FormatsSettings const& settings, Report& report,
                                 LoadedMatrix const& loaded, HostMatrix<float> const& a)
{
  SpgemmFormatsBench<float>(settings, report, loaded, a).run();
}

template <>
std::vector<std::string> spgemm_names_of_formats<float>()
{
  return names_of_spgemm_formats<float>();
}

} // namespace heddle::perf
