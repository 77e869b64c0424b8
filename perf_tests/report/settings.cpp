// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <report/settings.hpp>

namespace heddle::perf
{

bool ReportSettings::keeps(Result const& result) const
{
  return (!is_square_only || result.rows == result.cols) && entries.has(result.nnz);
}

} // namespace heddle::perf
