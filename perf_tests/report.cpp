// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <commands.hpp>
#include <heddle/impl/output_file.hpp>

#include <iostream>
#include <string>
#include <vector>

#include <report/contents.hpp>
#include <report/input.hpp>
#include <report/page.hpp>
#include <report/times.hpp>

namespace heddle::perf
{

void write_report(ReportSettings const& settings)
{
  Contents const contents = contents_of(read_input(settings.paths), settings);
  impl::write_output_file(settings.out, page_of(contents));
  if (!settings.times.empty())
  {
    std::vector<Section> sections;
    for (Part const& part : contents.parts)
      sections.push_back(part.section);
    impl::write_output_file(settings.times, times_text(sections));
  }
  std::cout << settings.out << ": " << contents.results << " results, " << contents.parts.size()
            << (contents.parts.size() == 1 ? " section\n" : " sections\n");
  for (std::string const& line : contents.about)
    std::cout << "  " << line << "\n";
  std::cout << "missing:" << (contents.missing.empty() ? " nothing" : "") << "\n";
  for (std::string const& line : contents.missing)
    std::cout << "  " << line << "\n";
}

} // namespace heddle::perf
