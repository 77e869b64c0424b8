// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cmath>
#include <cstdint>

#include <report/iterative.hpp>

namespace heddle::perf
{

namespace
{

// Of all products of the operation.
std::int64_t rows_of_c(Result const& r)
{
  if (r.operation == "spmm_both")
    return r.rows + r.cols;
  return r.operation == "spmm_t" ? r.cols : r.rows;
}

} // namespace

double transposition_ms(Result const& result)
{
  if (result.layout == result.layout_c)
    return 0;
  double const values = static_cast<double>(rows_of_c(result)) * static_cast<double>(result.k);
  return 2 * values * result.value_bytes() / result.machine_gbytes_per_s * 1e-6;
}

Result charged(Result result)
{
  if (result.is_skipped())
    return result;
  double const transposition = transposition_ms(result);
  if (!std::isfinite(transposition))
  {
    result.skipped = "--iterative: no machine_gbytes_per_s to charge a transposition by";
    return result;
  }
  double const slower = (result.median_ms + transposition) / result.median_ms;
  result.median_ms += transposition;
  result.gflops /= slower;
  result.gbytes_per_s /= slower;
  return result;
}

} // namespace heddle::perf
