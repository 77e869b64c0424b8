// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <formats/settings.hpp>
#include <harness/load.hpp>
#include <harness/report.hpp>
#include <harness/types.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::perf
{

// One matrix in one value type through all formats, layouts and implementations asked for; each in
// a source of its own, because each compiles the kernels of all formats.
template <class Value>
void bench_formats_spmm(FormatsSettings const& settings, Report& report, LoadedMatrix const& loaded,
                        HostMatrix<Value> const& a, std::int64_t k);
template <class Value>
void bench_formats_spmv(FormatsSettings const& settings, Report& report, LoadedMatrix const& loaded,
                        HostMatrix<Value> const& a);
template <class Value>
void bench_formats_spgemm(FormatsSettings const& settings, Report& report,
                          LoadedMatrix const& loaded, HostMatrix<Value> const& a);

// What --implementation takes.
template <class Value>
std::vector<std::string> spmm_names_of_formats();
template <class Value>
std::vector<std::string> spmv_names_of_formats();
template <class Value>
std::vector<std::string> spgemm_names_of_formats();

} // namespace heddle::perf
