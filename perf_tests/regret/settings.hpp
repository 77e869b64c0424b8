// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <harness/settings.hpp>

#include <string>
#include <vector>

#include <zoo/settings.hpp>

namespace heddle::perf
{

// What the command line of regret asks for.
struct RegretSettings
{
  Settings common; // its files and gallery are not used
  ZooSettings zoo; // its files to write are not used
  std::vector<std::string> operations{"spmv", "spmm", "spgemm"};
};

// Few calls per case, since there are many: as the command begins before options change it.
inline Settings brief(Settings settings)
{
  settings.is_brief = true;
  settings.has_tables = false;
  settings.budget_s = 0.005;
  settings.widths = {8, 32, 128, 512};
  settings.implementations = {"all"};
  return settings;
}

} // namespace heddle::perf
