// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The two ways in which a plan for SpMV keeps the pattern of a CSR matrix in fewer bytes, while
// values stay the caller's: row templates (row_templates.hpp) and runs (row_runs.hpp). Here is what
// native and portable kernels share: how each is built, what a call reads with it, and when a plan
// takes it.

#include <heddle/impl/row_runs.hpp>
#include <heddle/impl/row_templates.hpp>
#include <heddle/impl/spmv_statistics.hpp>
#include <heddle/impl/text_stream.hpp>
#include <heddle/impl/verdict.hpp>
#include <heddle/spmv_options.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iomanip>
#include <string>

namespace heddle::impl
{

// What building a structure costs: the bytes that calls would move in the same time. per_call is
// for the time that a call takes besides.
struct BuildingCost
{
  double fixed, per_entry, per_call = 0;

  double calls(std::int64_t entries, double bytes_of_call) const
  {
    return (fixed + per_entry * static_cast<double>(entries)) / (bytes_of_call + per_call);
  }
};

// When a plan that was asked for no name builds such a structure.
struct CompressionPolicy
{
  BuildingCost templates, runs;
  std::int64_t assumed_calls; // that a plan serves where options do not say
  std::int64_t most_calls;    // that building may cost, however many are expected
  std::int64_t least_entries; // of the matrix
  double least_gain;          // bytes of a call on CSR over those with the structure
  std::int64_t least_entries_announced = least_entries; // where options say how many calls
};

// Bytes that a call reads and writes at least, on contiguous vectors of the matrix's value type:
// with the pattern of CSR, and with the structure.
struct BytesOfCall
{
  double csr = 0, compressed = 0;
  double gain() const { return compressed > 0 ? csr / compressed : 1.0; }
};

template <class Matrix>
struct CompressedBytes
{
  static constexpr double value = sizeof(typename Matrix::value_type);
  static constexpr double ordinal = sizeof(typename Matrix::ordinal_type);
  static constexpr double offset = sizeof(typename Matrix::offset_type);

  // Of values and vectors, whatever the pattern is read from.
  static double of_numbers(Matrix const& a)
  {
    return value * (static_cast<double>(a.nnz()) + static_cast<double>(a.num_rows()) +
                    static_cast<double>(a.num_cols()));
  }
  static double of_csr(Matrix const& a)
  {
    return ordinal * static_cast<double>(a.nnz()) +
           offset * (static_cast<double>(a.num_rows()) + 1.0);
  }
};

// The forms. Structure is what a plan holds; sample(exec, a) looks at some rows, sampled_pattern is
// how many bytes of pattern a call would read by what it saw, pattern how many it reads.
template <class Matrix>
struct TemplatesForm
{
  using Bytes = CompressedBytes<Matrix>;
  using Structure = RowTemplates<typename Matrix::ordinal_type, typename Matrix::memory_space>;
  using Sample = TemplateSample;
  static constexpr std::int64_t most_entries = INT64_MAX;
  static BuildingCost cost(CompressionPolicy const& policy) { return policy.templates; }

  template <class Exec>
  static Sample sample(Exec const& exec, Matrix const& a)
  {
    return sample_templates(exec, a.row_offsets(), a.columns(), a.num_rows());
  }
  template <class Exec>
  static Structure build(Exec const& exec, Matrix const& a, Sample const& sample)
  {
    return row_templates(exec, a.row_offsets(), a.columns(), a.num_rows(), sample);
  }
  static double sampled_pattern(Matrix const& a, Sample const& sample)
  {
    return pattern(a, (1.0 - sample.covered_share) * static_cast<double>(a.nnz()), 0.0);
  }
  static double pattern(Matrix const& a, Structure const& templates)
  {
    return pattern(a, static_cast<double>(templates.entries_left),
                   static_cast<double>(templates.starts.extent(0)) * sizeof(int) +
                       Bytes::ordinal * static_cast<double>(templates.offsets.extent(0)));
  }
  static double pattern(Matrix const& a, double entries_left, double of_lists)
  {
    auto const rows = static_cast<double>(a.num_rows());
    return rows + Bytes::offset * (rows + 1.0) + Bytes::ordinal * entries_left + of_lists;
  }
  static std::string describe(Structure const& templates)
  {
    return std::to_string(templates.count) + " row templates, " +
           std::to_string(templates.entries_left) + " entries of rows without one";
  }
};

template <class Matrix>
struct RunsForm
{
  using Bytes = CompressedBytes<Matrix>;
  using Structure = RowRuns<typename Matrix::ordinal_type, typename Matrix::memory_space>;
  using Sample = RunsSample;
  static constexpr std::int64_t most_entries = Structure::most_entries;
  static BuildingCost cost(CompressionPolicy const& policy) { return policy.runs; }

  template <class Exec>
  static Sample sample(Exec const& exec, Matrix const& a)
  {
    return sample_runs(exec, a.row_offsets(), a.columns(), a.num_rows());
  }
  template <class Exec>
  static Structure build(Exec const& exec, Matrix const& a, Sample const& sample)
  {
    return row_runs(exec, a.row_offsets(), a.columns(), a.num_rows(), sample.size);
  }
  static double sampled_pattern(Matrix const& a, Sample const& sample)
  {
    double const left = 1.0 - sample.covered_share;
    return pattern(a, sample.size, left * static_cast<double>(a.num_rows()),
                   left * static_cast<double>(a.nnz()), 0.0);
  }
  static double pattern(Matrix const& a, Structure const& runs)
  {
    return pattern(a, runs.size, static_cast<double>(runs.rows_left),
                   static_cast<double>(runs.entries_left), static_cast<double>(runs.wide_entries));
  }
  static double pattern(Matrix const& a, int size, double rows_left, double entries_left,
                        double wide_entries)
  {
    double const blocks = static_cast<double>(a.num_rows()) / size;
    double const groups = blocks / RowRunsView<typename Matrix::ordinal_type>::group;
    double const narrow = static_cast<double>(a.nnz()) - entries_left - wide_entries;
    return sizeof(std::uint32_t) * blocks + 2 * Bytes::ordinal * groups +
           sizeof(std::uint16_t) * narrow / (size * size) + Bytes::ordinal * wide_entries / size +
           Bytes::ordinal * entries_left + Bytes::offset * rows_left;
  }
  static std::string describe(Structure const& runs)
  {
    std::string const size = std::to_string(runs.size);
    return "blocks of " + size + " x " + size + " entries with an index each, " +
           std::to_string(runs.entries_left) + " entries outside of them, " +
           std::to_string(runs.wide_entries) + " in groups too wide for 16-bit indices";
  }
};

// A structure with what a plan tells of it.
template <class Form>
struct Compressed
{
  typename Form::Structure structure = {};
  BytesOfCall bytes_of_call = {};
  double entries = 0, seconds = 0;

  std::size_t bytes() const { return structure.bytes(); }
  // Built in so much time, which the plan's maker waited for.
  std::string describe() const
  {
    TextStream text;
    text << Form::describe(structure) << "; " << std::setprecision(3)
         << bytes_of_call.csr / std::max(entries, 1.0) << " bytes per entry of a call on CSR, "
         << bytes_of_call.compressed / std::max(entries, 1.0) << " of this; built in "
         << seconds * 1e3 << " ms";
    return text.str();
  }
};

// Waits for exec.
template <class Form, class Exec, class Matrix>
Compressed<Form> build_compressed(Exec const& exec, Matrix const& a,
                                  typename Form::Sample const& sample)
{
  using Clock = std::chrono::steady_clock;
  auto const start = Clock::now();
  Compressed<Form> result{Form::build(exec, a, sample)};
  exec.fence("heddle::compressed_pattern");
  result.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  double const numbers = Form::Bytes::of_numbers(a);
  result.bytes_of_call = {numbers + Form::Bytes::of_csr(a),
                          numbers + Form::pattern(a, result.structure)};
  result.entries = static_cast<double>(a.nnz());
  return result;
}

// Whether a plan takes the form: asked for by name, wherever its numbers can count the entries;
// else where as many calls are expected as building costs and bytes say that it pays, first by a
// sample, then by the structure itself, which statistics keep. Waits for exec.
template <class Form, class Exec, class Matrix>
Verdict compression_pays(Exec const& exec, Matrix const& a, SpmvStatistics const& statistics,
                         SpmvOptions const& options, CompressionPolicy const& policy)
{
  if (statistics.nonzeros > Form::most_entries)
    return {false, "A has % entries, % can be counted", statistics.nonzeros, Form::most_entries};
  if (!options.implementation.empty())
    return true;
  std::int64_t const least =
      options.expected_calls > 0 ? policy.least_entries_announced : policy.least_entries;
  if (statistics.nonzeros < least)
    return {false, "A has % entries, it pays from % on", statistics.nonzeros, least};
  std::int64_t const expected =
      options.expected_calls > 0 ? options.expected_calls : policy.assumed_calls;
  double const numbers = Form::Bytes::of_numbers(a);
  BuildingCost const cost = Form::cost(policy);
  double const calls = cost.calls(statistics.nonzeros, numbers); // less than these bytes none moves
  if (calls > static_cast<double>(std::min(expected, policy.most_calls)))
    return {false, "building costs % calls, % are expected (expected_calls) and % are allowed",
            std::llround(calls), expected, policy.most_calls};
  auto const sample = Form::sample(exec, a);
  BytesOfCall const sampled{numbers + Form::Bytes::of_csr(a),
                            numbers + Form::sampled_pattern(a, sample)};
  if (sampled.gain() < policy.least_gain)
    return {false,
            "by a sample of rows, CSR takes % times the bytes of a call with it, % are asked",
            sampled.gain(), policy.least_gain};
  auto const& built =
      statistics.built<Compressed<Form>>([&] { return build_compressed<Form>(exec, a, sample); });
  return {built.bytes_of_call.gain() >= policy.least_gain,
          "CSR takes % times the bytes of a call with it, % are asked", built.bytes_of_call.gain(),
          policy.least_gain};
}

// What compression_pays has built, else built now. Waits for exec.
template <class Form, class Exec, class Matrix>
Compressed<Form> compressed(Exec const& exec, Matrix const& a, SpmvStatistics const& statistics)
{
  return statistics.built<Compressed<Form>>(
      [&] { return build_compressed<Form>(exec, a, Form::sample(exec, a)); });
}

} // namespace heddle::impl
