// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <commands.hpp>
#include <formats/bench.hpp>
#include <harness/for_each_type.hpp>
#include <harness/interrupt.hpp>
#include <harness/machine_file.hpp>
#include <heddle/impl/memory.hpp>
#include <heddle/impl/require.hpp>

#include <algorithm>
#include <names.hpp>
#include <string>
#include <type_traits>
#include <vector>

namespace heddle::perf
{

namespace
{

void bench_matrix(FormatsSettings const& settings, Report& report, LoadedMatrix const& loaded,
                  std::int64_t k)
{
  for_each_type(settings.common, loaded, [&]<class Value>(HostMatrix<Value> const& a) {
    if constexpr (impl::is_complex_v<Value>)
    {
      Record record = record_of("formats_" + settings.operation, loaded, a, k);
      record.skipped = "a complex matrix; formats runs real ones";
      record.format = "all";
      record.implementation = "heddle::auto";
      report.add(record);
      report.end_group();
    }
    else if (settings.operation == "spmv")
      bench_formats_spmv<Value>(settings, report, loaded, a);
    else if (settings.operation == "spgemm")
      bench_formats_spgemm<Value>(settings, report, loaded, a);
    else
      bench_formats_spmm<Value>(settings, report, loaded, a, k);
  });
}

template <class Value>
std::vector<std::string> names_of(std::string const& operation)
{
  if (operation == "spmv")
    return spmv_names_of_formats<Value>();
  return operation == "spgemm" ? spgemm_names_of_formats<Value>() : spmm_names_of_formats<Value>();
}

} // namespace

ImplementationNames formats_implementations(std::string const& operation)
{
  ImplementationNames names;
  add_names(names.built, names_of<double>(operation));
  if constexpr (is_built_v<float>)
    add_names(names.built, names_of<float>(operation));
  return names;
}

bool bench_formats(FormatsSettings settings)
{
  auto const experiments = experiments_of(settings);
  if (settings.operation == "spgemm")
    for (std::string const& format : settings.formats)
      impl::require(format == "csr" || format == "bsr", "perf", "--format is ", format,
                    ", spgemm takes csr and bsr");
  if (settings.max_bytes == 0)
    settings.max_bytes = std::min(impl::available_bytes(Exec{}), impl::available_host_bytes()) / 2;
  Report report(settings.common, known_machine());
  catch_interrupts();
  for (Experiment const& experiment : experiments)
  {
    if (interrupted_by() != 0)
      break;
    Report::progress(experiment.source);
    bench_matrix(settings, report,
                 experiment.is_file ? load_file(experiment.source)
                                    : load_gallery(experiment.source),
                 experiment.k);
  }
  return !report.has_wrong_results();
}

} // namespace heddle::perf
