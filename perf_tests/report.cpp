// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <commands.hpp>
#include <heddle/error.hpp>

#include <fstream>
#include <iostream>
#include <string>

#include <report/contents.hpp>
#include <report/input.hpp>
#include <report/page.hpp>

namespace heddle::perf
{

void write_report(ReportSettings const& settings)
{
  Contents const contents = contents_of(read_input(settings.paths), settings);
  std::ofstream page(settings.out);
  page << page_of(contents) << std::flush;
  if (!page)
    throw FileError(settings.out + ": cannot be written");
  std::cout << settings.out << ": " << contents.results << " results, " << contents.parts.size()
            << (contents.parts.size() == 1 ? " section\n" : " sections\n");
  for (std::string const& line : contents.about)
    std::cout << "  " << line << "\n";
  std::cout << "missing:" << (contents.missing.empty() ? " nothing" : "") << "\n";
  for (std::string const& line : contents.missing)
    std::cout << "  " << line << "\n";
}

} // namespace heddle::perf
