// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/impl/out_of_memory.hpp>
#include <heddle/impl/plan/trial.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace heddle
{

/// What another order of rows and columns costs and what it gains, in seconds.
struct OrderCost
{
  double order = 0;      ///< finding it
  double conversion = 0; ///< moving the matrix
  double before = 0;     ///< a call with the matrix as it was; 0: not measured
  double after = 0;      ///< a call in the new order, with what moves its operands

  /// After which the order has gained what it cost; none where it gains nothing or nobody has
  /// measured.
  std::optional<std::int64_t> calls_to_pay() const
  {
    return impl::calls_to_gain(order + conversion, before - after);
  }
  /// The costs, and after how many calls they pay.
  std::string describe() const
  try
  {
    using impl::readable_time;
    std::string const costs =
        "order found in " + readable_time(order) + ", matrix moved in " + readable_time(conversion);
    if (before == 0)
      return costs + ", calls not timed";
    auto const calls = calls_to_pay();
    return costs + ", " + readable_time(after) + " a call, before " + readable_time(before) + ": " +
           (calls ? "pays after " + std::to_string(*calls) + " calls" : "does not pay");
  }
  catch (...)
  {
    impl::rethrow_out_of_memory("describe");
  }
};

} // namespace heddle
