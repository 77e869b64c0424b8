// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The columns of a CSR matrix by row templates. Rows whose columns, counted from the row's own
// number, are the same list share one copy of it, and each keeps one byte, the number of its list.
// Stencils and regular meshes have few such lists. A sample of the rows tells the lists, of which
// the most frequent are kept, at most 255. Every row is then compared entry by entry with the list
// that has its hash, so a row has a list only where this is exactly its columns. The columns of all
// other rows are read from the matrix.
//
// Cost of building: a pass over a sample and one over the pattern; it waits for exec twice.
// Memory: one byte per row, and the lists.

#include <heddle/impl/on_host.hpp>
#include <heddle/impl/range.hpp>
#include <heddle/impl/sampled.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/search.hpp>
#include <heddle/impl/views.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace heddle::impl
{

// What kernels see: list t is offsets[starts[t]] .. offsets[starts[t + 1] - 1], and row i has list
// of_row[i], or none.
template <class Ordinal>
struct RowTemplatesView
{
  static constexpr unsigned none = 255;
  std::uint8_t const* __restrict__ of_row;
  int const* __restrict__ starts;
  Ordinal const* __restrict__ offsets; // column - row
};

template <class Ordinal, class Space>
struct RowTemplates
{
  static constexpr std::int64_t most = RowTemplatesView<Ordinal>::none; // lists
  static constexpr std::int64_t longest = 1024;                         // entries of a list
  Kokkos::View<std::uint8_t*, Space> of_row = {};
  Kokkos::View<int*, Space> starts = {};
  Kokkos::View<Ordinal*, Space> offsets = {};
  std::int64_t count = 0;        // lists
  std::int64_t entries_left = 0; // of rows without a list

  std::size_t bytes() const
  {
    return of_row.span() + starts.span() * sizeof(int) + offsets.span() * sizeof(Ordinal);
  }
  RowTemplatesView<Ordinal> view() const { return {of_row.data(), starts.data(), offsets.data()}; }
};

// A list as the sample tells it: of `length` entries, first seen in `row`.
struct SampledTemplate
{
  std::uint64_t hash;
  std::int64_t row, length;
};

// Templates by their hashes, ascending, and the share of the sampled entries that they cover.
struct TemplateSample
{
  std::vector<SampledTemplate> templates = {};
  double covered_share = 0;
};

// Of the columns of a row, counted from its number, in their order.
template <class RowOffsets, class Columns>
KOKKOS_INLINE_FUNCTION std::uint64_t template_hash(RowOffsets const& row_offsets,
                                                   Columns const& columns, std::int64_t row)
{
  auto const first = static_cast<std::int64_t>(row_offsets(row));
  auto const last = static_cast<std::int64_t>(row_offsets(row + 1));
  std::uint64_t hash = 0x9E3779B97F4A7C15ULL ^ static_cast<std::uint64_t>(last - first);
  for (std::int64_t k = first; k < last; ++k)
  {
    hash ^= static_cast<std::uint64_t>(static_cast<std::int64_t>(columns(k)) - row);
    hash *= 0xBF58476D1CE4E5B9ULL; // a step of mix() for each column would be of no more use
    hash ^= hash >> 29;
  }
  return hash;
}

// Two words per sampled row, its hash and its length. Rows too long for a list have hash 0.
template <class RowOffsets, class Columns, class Words>
struct SampleTemplate
{
  RowOffsets row_offsets;
  Columns columns;
  Words words;
  std::int64_t rows, samples, longest;

  KOKKOS_FUNCTION void operator()(std::int64_t n) const
  {
    std::int64_t const row = sampled(n, samples, rows);
    auto const length = static_cast<std::int64_t>(row_offsets(row + 1) - row_offsets(row));
    words(2 * n) = length > longest ? 0 : template_hash(row_offsets, columns, row);
    words(2 * n + 1) = static_cast<std::uint64_t>(length);
  }
};

// Whether an eighth of the entries, among every eighth sample, is of lists that occur there twice.
// Lists that cover half of a matrix do, and this is known in a tenth of the time that counting the
// lists of an irregular matrix takes.
inline bool are_rows_alike(std::uint64_t const* words, std::int64_t samples)
{
  constexpr std::int64_t stride = 8;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> some; // hash and length
  some.reserve(static_cast<std::size_t>(samples / stride + 1));
  for (std::int64_t n = 0; n < samples; n += stride)
    some.emplace_back(words[2 * n], words[2 * n + 1]);
  std::ranges::sort(some);
  std::uint64_t entries = 0, repeated = 0;
  for (std::size_t n = 0; n < some.size(); ++n)
  {
    bool const is_repeated = (n > 0 && some[n - 1].first == some[n].first) ||
                             (n + 1 < some.size() && some[n + 1].first == some[n].first);
    entries += some[n].second;
    if (some[n].first != 0 && is_repeated)
      repeated += some[n].second;
  }
  return repeated * 8 >= entries;
}

// The best `most` of what is in words: those that cover the most entries of rows, and of rows that
// occur more than once in the whole matrix. None where few rows are alike.
inline TemplateSample chosen_templates(std::uint64_t const* words, std::int64_t samples,
                                       std::int64_t rows, std::int64_t most)
{
  struct Seen
  {
    SampledTemplate list;
    std::int64_t count;
    std::int64_t gain() const { return count * (list.length + 1); }
  };
  if (samples < rows && !are_rows_alike(words, samples))
    return {};
  std::unordered_map<std::uint64_t, std::size_t> index;
  index.reserve(static_cast<std::size_t>(samples));
  std::vector<Seen> seen;
  std::int64_t entries = 0;
  for (std::int64_t n = 0; n < samples; ++n)
  {
    std::uint64_t const hash = words[2 * n];
    auto const length = static_cast<std::int64_t>(words[2 * n + 1]);
    entries += length;
    if (hash == 0)
      continue;
    auto const [found, is_new] = index.try_emplace(hash, seen.size());
    if (is_new)
      seen.push_back({{hash, sampled(n, samples, rows), length}, 0});
    ++seen[found->second].count;
  }
  // A list of a single row saves nothing; of many lists, one that was seen once saves little, and
  // on irregular matrices these are nearly all.
  if (samples == rows || std::ssize(seen) > most)
    std::erase_if(seen, [](Seen const& list) { return list.count < 2; });
  std::ranges::stable_sort(seen, [](Seen const& a, Seen const& b) { return a.gain() > b.gain(); });
  if (std::ssize(seen) > most)
    seen.resize(static_cast<std::size_t>(most));
  TemplateSample result;
  std::int64_t covered = 0;
  for (Seen const& list : seen)
  {
    covered += list.count * list.list.length;
    result.templates.push_back(list.list);
  }
  std::ranges::sort(result.templates, [](SampledTemplate const& a, SampledTemplate const& b) {
    return a.hash < b.hash;
  });
  result.covered_share =
      entries > 0 ? static_cast<double>(covered) / static_cast<double>(entries) : 0.0;
  return result;
}

// Waits for exec.
template <class Exec, class RowOffsets, class Columns>
TemplateSample sample_templates(Exec const& exec, RowOffsets const& row_offsets,
                                Columns const& columns, std::int64_t rows)
{
  using Templates =
      RowTemplates<typename Columns::non_const_value_type, typename Columns::memory_space>;
  constexpr std::int64_t most_samples = 4096;
  std::int64_t const samples = std::min(rows, most_samples);
  if (samples == 0)
    return {};
  Scratch<std::uint64_t, Exec> const words(exec, 2 * static_cast<std::size_t>(samples));
  Kokkos::parallel_for("heddle::row_templates::sample", range(exec, samples),
                       SampleTemplate<RowOffsets, Columns, decltype(words.view())>{
                           row_offsets, columns, words.view(), rows, samples, Templates::longest});
  auto const host = copied_to_host(exec, words.view());
  return chosen_templates(host.data(), samples, rows, Templates::most);
}

// Offsets of list t, from the row that it was first seen in.
template <class RowOffsets, class Columns, class Rows, class Starts, class Offsets>
struct CopyTemplate
{
  RowOffsets row_offsets;
  Columns columns;
  Rows rows;
  Starts starts;
  Offsets offsets;

  KOKKOS_FUNCTION void operator()(std::int64_t t) const
  {
    using Ordinal = typename Offsets::non_const_value_type;
    std::int64_t const row = rows(t);
    auto const first = static_cast<std::int64_t>(row_offsets(row));
    for (int n = starts(t); n < starts(t + 1); ++n)
      offsets(n) = columns(first + n - starts(t)) - static_cast<Ordinal>(row);
  }
};

// The list of each row, and how many entries have none.
template <class RowOffsets, class Columns, class Hashes, class Starts, class Offsets, class OfRow>
struct AssignTemplate
{
  RowOffsets row_offsets;
  Columns columns;
  Hashes hashes;
  Starts starts;
  Offsets offsets;
  OfRow of_row;
  std::int64_t count, longest, none;

  KOKKOS_FUNCTION void operator()(std::int64_t row, std::int64_t& entries_left) const
  {
    auto const length = static_cast<std::int64_t>(row_offsets(row + 1) - row_offsets(row));
    std::int64_t list = none;
    if (length <= longest)
    {
      std::uint64_t const hash = template_hash(row_offsets, columns, row);
      std::int64_t const found = lower_bound(hashes, std::int64_t(0), count, hash);
      if (found < count && hashes(found) == hash && has_list(row, length, found))
        list = found;
    }
    of_row(row) = static_cast<std::uint8_t>(list);
    if (list == none)
      entries_left += length;
  }
  KOKKOS_FUNCTION bool has_list(std::int64_t row, std::int64_t length, std::int64_t list) const
  {
    auto const first = static_cast<std::int64_t>(row_offsets(row));
    std::int64_t const start = starts(list);
    bool is_same = starts(list + 1) - start == length;
    for (std::int64_t n = 0; is_same && n < length; ++n)
      is_same = static_cast<std::int64_t>(columns(first + n)) - row ==
                static_cast<std::int64_t>(offsets(start + n));
    return is_same;
  }
};

// Waits for exec.
template <class Exec, class RowOffsets, class Columns>
auto row_templates(Exec const& exec, RowOffsets const& row_offsets, Columns const& columns,
                   std::int64_t rows, TemplateSample const& sample)
{
  using Ordinal = typename Columns::non_const_value_type;
  using Space = typename Columns::memory_space;
  using Templates = RowTemplates<Ordinal, Space>;
  Templates result;
  std::size_t const count = sample.templates.size();
  auto const numbers = static_cast<std::size_t>(rows);
  std::vector<std::uint64_t> hashes(count);
  std::vector<std::int64_t> first_rows(count);
  std::vector<int> starts(count + 1, 0);
  for (std::size_t t = 0; t < count; ++t)
  {
    hashes[t] = sample.templates[t].hash;
    first_rows[t] = sample.templates[t].row;
    starts[t + 1] = starts[t] + static_cast<int>(sample.templates[t].length);
  }
  result.count = static_cast<std::int64_t>(count);
  result.of_row =
      uninitialized<decltype(result.of_row)>(exec, "heddle::row_templates::of_row", numbers);
  result.starts =
      uninitialized<decltype(result.starts)>(exec, "heddle::row_templates::starts", count + 1);
  result.offsets = uninitialized<decltype(result.offsets)>(exec, "heddle::row_templates::offsets",
                                                           static_cast<std::size_t>(starts[count]));
  Scratch<std::uint64_t, Exec> const device_hashes(exec, count);
  Scratch<std::int64_t, Exec> const device_rows(exec, count);
  // The sum below is waited for before these vectors end.
  auto const copy = [&exec]<class To, class T>(To const& to, std::vector<T>& from) {
    if (!from.empty())
      Kokkos::deep_copy(exec, to, HostNumbers<T>(from.data(), from.size()));
  };
  copy(result.starts, starts);
  copy(device_hashes.view(), hashes);
  copy(device_rows.view(), first_rows);
  using Rows = typename Scratch<std::int64_t, Exec>::view_type;
  using Hashes = typename Scratch<std::uint64_t, Exec>::view_type;
  using Starts = decltype(result.starts);
  using Offsets = decltype(result.offsets);
  Kokkos::parallel_for(
      "heddle::row_templates::copy", range(exec, count),
      CopyTemplate<RowOffsets, Columns, Rows, Starts, Offsets>{
          row_offsets, columns, device_rows.view(), result.starts, result.offsets});
  Kokkos::parallel_reduce(
      "heddle::row_templates::assign", range(exec, rows),
      AssignTemplate<RowOffsets, Columns, Hashes, Starts, Offsets, decltype(result.of_row)>{
          row_offsets, columns, device_hashes.view(), result.starts, result.offsets, result.of_row,
          result.count, Templates::longest, Templates::most},
      result.entries_left);
  return result;
}

} // namespace heddle::impl
