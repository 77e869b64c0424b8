// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Whether a copy of a CSR matrix in slices is worth its memory: which shapes are tried, how much
// padding they may have, and what the times of a trial say.

#include <heddle/impl/plan/trial.hpp>
#include <heddle/impl/row_statistics.hpp>
#include <heddle/impl/text_stream.hpp>
#include <heddle/sell_matrix.hpp>
#include <heddle/suggest.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace heddle::impl
{

// Slots per entry. Where memory sets the speed, padding costs time like entries: with a quarter
// more slots slices would have to be read a quarter faster than CSR to draw even, so beyond that
// no copy is made to see.
inline constexpr double largest_trial_fill = 1.25;
// Heights of 32 are a warp, and a strip of slices on hosts (spmv/slices.hpp). Rows are sorted only
// where their lengths differ, within the windows that suggest_sell tries.
inline std::vector<SellShape> trial_shapes(RowStatistics const& rows)
{
  if (rows.longest * rows.rows == rows.nonzeros)
    return {{32, 1, 1}};
  return {{32, 1, 1}, {32, 1, 128}, {32, 1, 4096}};
}

// "" or why no copy of this size is made.
template <class Offset>
std::string trial_refusal(Candidate<SellShape> const& candidate)
{
  TextStream text;
  if (candidate.fill_ratio > largest_trial_fill)
    text << "slices of " << candidate.shape.height << " rows have " << candidate.fill_ratio
         << " places an entry, at most " << largest_trial_fill << " are allowed";
  else if (!std::in_range<Offset>(candidate.places))
    text << candidate.places << " places do not fit the offset type";
  return text.str();
}

// Times in seconds.
struct SellTrial
{
  double choice = 0;                  // of the shape
  double conversion = 0;              // to it
  double rounds = 0;                  // all calls of the trial
  double csr_call = 0, sell_call = 0; // of the fastest round
  int rounds_won = 0;                 // by the copy

  // The copy must win every round.
  bool is_faster() const { return rounds_won == trial_rounds; }
  // After which the calls have gained what the plan has cost; none where a call gains nothing.
  std::optional<std::int64_t> calls_to_pay() const
  {
    return calls_to_gain(choice + conversion + rounds, csr_call - sell_call);
  }
  std::string describe() const
  {
    auto const calls = calls_to_pay();
    return readable_time(sell_call) + " a call, from CSR " + readable_time(csr_call) +
           "; shape found in " + readable_time(choice) + ", converted in " +
           readable_time(conversion) + ", both tried in " + readable_time(rounds) + ", " +
           std::to_string(rounds_won) + " of " + std::to_string(trial_rounds) + " rounds won: " +
           (calls ? "pays after " + std::to_string(*calls) + " calls" : "does not pay");
  }
};

} // namespace heddle::impl
