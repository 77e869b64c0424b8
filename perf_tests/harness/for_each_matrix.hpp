// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <harness/interrupt.hpp>
#include <harness/load.hpp>
#include <harness/report.hpp>
#include <harness/settings.hpp>

#include <string>

namespace heddle::perf
{

// take(matrix) with each matrix that the command line names, files before the gallery, until a
// signal comes.
template <class Take>
void for_each_matrix(Settings const& settings, Take const& take)
{
  for (std::string const& file : settings.files)
  {
    if (interrupted_by() != 0)
      return;
    Report::progress("reading " + file);
    take(load_file(file));
  }
  for (std::string const& name : settings.gallery)
  {
    if (interrupted_by() != 0)
      return;
    Report::progress("making " + name);
    take(load_gallery(name));
  }
}

} // namespace heddle::perf
