// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <commands.hpp>
#include <heddle/error.hpp>

#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include <report/page.hpp>
#include <report/result.hpp>

namespace heddle::perf
{

void write_report(ReportSettings const& settings)
{
  std::vector<Result> results;
  for (std::string const& file : settings.files)
    for (Result const& result : read_results(file))
      results.push_back(result);
  std::ofstream page(settings.out);
  page << page_of(results) << std::flush;
  if (!page)
    throw FileError(settings.out + ": cannot be written");
  std::cout << settings.out << ": " << results.size() << " results\n";
}

} // namespace heddle::perf
