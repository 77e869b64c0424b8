// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/bsr_matrix.hpp>
#include <heddle/concepts.hpp>
#include <heddle/convert_bsr.hpp>
#include <heddle/convert_sell.hpp>
#include <heddle/csr_matrix.hpp>
#include <heddle/fill_limit.hpp>
#include <heddle/impl/out_of_memory.hpp>
#include <heddle/impl/plan/trial.hpp>
#include <heddle/impl/require.hpp>
#include <heddle/impl/row_statistics.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/spmv/sell_trial.hpp>
#include <heddle/impl/text_stream.hpp>
#include <heddle/sell_matrix.hpp>
#include <heddle/spmv.hpp>
#include <heddle/storage.hpp>
#include <heddle/suggest.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace heddle
{

/// The formats that suggest_format compares.
enum class Format
{
  csr,
  bsr,
  sell
};

/// Its name, in small letters.
constexpr char const* to_string(Format format)
{
  return format == Format::bsr ? "bsr" : format == Format::sell ? "sell" : "csr";
}

/// One format for a matrix, in the shape that takes the fewest bytes.
struct FormatCandidate
{
  Format format = Format::csr;
  BlockShape block = {1, 1}; ///< for to_bsr, of Format::bsr
  SellShape slices = {};     ///< for to_sell, of Format::sell
  std::size_t bytes = 0;     ///< of all arrays, as storage_bytes counts them
  double fill_ratio = 1;     ///< places stored for values over entries
  double fewer_bytes = 1;    ///< bytes of a call on CSR over those of a call on this format
  std::optional<double> seconds = {}; ///< of a call y = A x, where measure_formats has measured it
  std::optional<std::int64_t> calls_to_pay = {}; ///< after which its conversion has paid
  std::string reason = {};                       ///< why it is or is not recommended: a sentence
};

/// CSR first, then the others; and the one to take.
struct FormatSuggestion
{
  std::vector<FormatCandidate> candidates;
  std::size_t best = 0;

  FormatCandidate const& recommended() const { return candidates[best]; }
  /// A line for each candidate, the recommended one marked by an asterisk.
  std::string describe() const
  {
    impl::TextStream text;
    for (FormatCandidate const& candidate : candidates)
      text << (&candidate == &recommended() ? "* " : "  ") << to_string(candidate.format) << ": "
           << candidate.reason << '\n';
    return text.str();
  }
};

namespace impl
{

// Bytes of a call on CSR over those of another format, from which on that is recommended. On one
// H200 calls on blocks of 3 x 3 were 1.01 to 1.06 times as fast as on CSR where they had 1.4 times
// fewer bytes (f64), and 1.40 to 1.56 times where they had 1.8 times fewer (f32):
// perf_tests/results/h200/formats_spmv_native.jsonl, docs/spmv.md.
inline constexpr double least_byte_ratio = 1.5;

inline std::string text_of(FormatCandidate const& candidate)
{
  TextStream text;
  if (candidate.format == Format::bsr)
    text << "blocks of " << candidate.block.height << " x " << candidate.block.width;
  else if (candidate.format == Format::sell)
    text << "slices of " << candidate.slices.height << " rows, sigma " << candidate.slices.sigma;
  else
    text << "no padding";
  text.precision(3);
  if (candidate.format != Format::csr)
    text << ", " << candidate.fill_ratio << " places per entry, " << 1 / candidate.fewer_bytes
         << " of the bytes per call of CSR";
  return text.str();
}

// CSR, the best blocks, and of each list of slices the best, with their bytes; no reasons yet.
// Waits for exec.
template <class Exec, class Matrix>
std::vector<FormatCandidate> format_candidates(Exec const& exec, Matrix const& a,
                                               std::int64_t columns,
                                               std::vector<std::vector<SellShape>> const& slices)
{
  std::vector<FormatCandidate> candidates(2);
  candidates[0].bytes = storage_bytes(a);
  auto const blocks = suggest_block_size(exec, a).recommended();
  candidates[1].format = Format::bsr;
  candidates[1].block = blocks.shape;
  candidates[1].bytes = blocks.bytes;
  candidates[1].fill_ratio = blocks.fill_ratio;
  for (auto const& shapes : slices)
  {
    auto const best = suggest_sell(exec, a, shapes).recommended();
    FormatCandidate& candidate = candidates.emplace_back();
    candidate.format = Format::sell;
    candidate.slices = best.shape;
    candidate.bytes = best.bytes;
    candidate.fill_ratio = best.fill_ratio;
  }
  double const dense = (static_cast<double>(a.num_rows()) + static_cast<double>(a.num_cols())) *
                       static_cast<double>(columns) *
                       static_cast<double>(sizeof(typename Matrix::value_type));
  double const of_csr = static_cast<double>(candidates[0].bytes) + dense;
  for (FormatCandidate& candidate : candidates)
    candidate.fewer_bytes = of_csr / (static_cast<double>(candidate.bytes) + dense);
  return candidates;
}

// Why a candidate is not measured, or "".
template <class Offset>
char const* refusal_of(FormatCandidate const& candidate, std::size_t nnz)
{
  if (nnz == 0)
    return ": not tried, A has no entries";
  if (candidate.format == Format::bsr && candidate.block == BlockShape{1, 1})
    return ": not tried, no larger blocks take fewer bytes";
  if (candidate.fill_ratio > largest_trial_fill)
    return ": not tried, more than 1.25 places per entry";
  if (!(candidate.fill_ratio * static_cast<double>(nnz) <=
        static_cast<double>(std::numeric_limits<Offset>::max())))
    return ": not tried, its places do not fit the offset type";
  return "";
}

// Calls measure with a function that converts a into the candidate.
template <class Exec, class Matrix, class Measure>
void with_conversion(Exec const& exec, Matrix const& a, FormatCandidate const& candidate,
                     Measure const& measure)
{
  if (candidate.format == Format::bsr)
    measure([&] { return to_bsr(exec, a, candidate.block, FillLimit{largest_trial_fill}); });
  else
    measure([&] { return to_sell(exec, a, candidate.slices, FillLimit{largest_trial_fill}); });
}

} // namespace impl

/// Estimates which format suits products of a with dense operands of `columns` columns (1: SpMV),
/// by the bytes of a call: those of the matrix in its best blocks (suggest_block_size) and slices
/// (suggest_sell), and those of the operands. Another format than CSR is recommended where that
/// saves a third of the bytes; the reason of each candidate has its numbers. What an estimate by
/// bytes does not see, such as the chain of additions of a row on hosts, measure_formats does.
/// Converts nothing; cost and scratch are those of suggest_block_size and suggest_sell. Throws
/// InvalidArgument where columns is not positive. Waits for exec.
template <ExecutionSpace Exec, Csr Matrix>
FormatSuggestion suggest_format(Exec const& exec, Matrix const& a, std::int64_t columns = 1)
try
{
  impl::require(columns > 0, "suggest_format", columns, " columns, expected at least 1");
  FormatSuggestion suggestion;
  suggestion.candidates = impl::format_candidates(exec, a, columns, {sell_candidates()});
  auto& candidates = suggestion.candidates;
  for (std::size_t n = 1; n < candidates.size(); ++n)
    if (candidates[n].fewer_bytes >= impl::least_byte_ratio &&
        candidates[n].fewer_bytes > candidates[suggestion.best].fewer_bytes)
      suggestion.best = n;
  for (FormatCandidate& candidate : candidates)
  {
    impl::TextStream text;
    text << impl::text_of(candidate);
    if (candidate.format == Format::csr)
      text << (suggestion.best == 0 ? "; no other format takes less than 2/3 of the bytes per call"
                                    : "; another format takes less than 2/3 of the bytes per call");
    candidate.reason = text.str();
  }
  return suggestion;
}
catch (...)
{
  impl::rethrow_out_of_memory("suggest_format");
}

/// The same for y = A x by measurement: converts a into each candidate that has at most 1.25 places
/// per entry, and times calls on it and on CSR in turns. A format is recommended where it is faster
/// in every round, the fastest if several are; calls_to_pay says after how many calls its
/// conversion has paid. Takes the memory of one candidate at a time and scratch of x and y, and
/// compiles SpMV for three formats. Waits for exec.
template <ExecutionSpace Exec, Csr Matrix>
FormatSuggestion measure_formats(Exec const& exec, Matrix const& a)
try
{
  using Value = typename Matrix::value_type;
  FormatSuggestion suggestion;
  // Slices as SpmvOptions::may_convert tries them, and of 8 rows, which suit hosts
  // (docs/performance.md).
  auto const rows = impl::row_statistics(exec, a.row_offsets(), a.num_rows(), a.nnz());
  suggestion.candidates =
      impl::format_candidates(exec, a, 1, {impl::trial_shapes(rows), {{8, 1, 1}, {8, 1, 128}}});
  auto& candidates = suggestion.candidates;
  impl::Scratch<Value, Exec> const in(exec, static_cast<std::size_t>(a.num_cols()));
  impl::Scratch<Value, Exec> const out(exec, static_cast<std::size_t>(a.num_rows()));
  auto const x = in.view(), y = out.view();
  Kokkos::deep_copy(exec, x, Value(1));
  SpmvPlan const of_csr(exec, a);
  for (std::size_t n = 1; n < candidates.size(); ++n)
  {
    FormatCandidate& candidate = candidates[n];
    candidate.reason = impl::text_of(candidate);
    if (char const* const refusal =
            impl::refusal_of<typename Matrix::offset_type>(candidate, a.nnz());
        *refusal != '\0')
    {
      candidate.reason += refusal;
      continue;
    }
    impl::with_conversion(exec, a, candidate, [&](auto const& convert) {
      decltype(convert()) converted;
      double const conversion = impl::seconds_on(exec, [&] { converted = convert(); });
      SpmvPlan const plan(exec, converted);
      auto const times = impl::time_in_turns(
          exec, [&] { spmv(exec, of_csr, Value(1), a, x, Value(0), y); },
          [&] { spmv(exec, plan, Value(1), converted, x, Value(0), y); });
      FormatCandidate& csr = candidates[0];
      csr.seconds = csr.seconds ? std::min(*csr.seconds, times.first) : times.first;
      candidate.seconds = times.second;
      candidate.calls_to_pay = impl::calls_to_gain(conversion, times.first - times.second);
      candidate.reason += "; " + impl::readable_time(times.second) + " per call, CSR " +
                          impl::readable_time(times.first) + ", " +
                          std::to_string(times.rounds_won) + " of " +
                          std::to_string(impl::trial_rounds) + " rounds won";
      if (candidate.calls_to_pay)
        candidate.reason +=
            ", the conversion pays after " + std::to_string(*candidate.calls_to_pay) + " calls";
      bool const is_faster = times.rounds_won == impl::trial_rounds;
      if (is_faster && (suggestion.best == 0 || times.second < *suggestion.recommended().seconds))
        suggestion.best = n;
    });
  }
  candidates[0].reason =
      impl::text_of(candidates[0]) + (suggestion.best == 0 ? "; no other format won every round"
                                                           : "; another format won every round");
  return suggestion;
}
catch (...)
{
  impl::rethrow_out_of_memory("measure_formats");
}

} // namespace heddle
