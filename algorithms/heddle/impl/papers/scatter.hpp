// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Rows of C by scatter vectors (papers/scatter_rows.hpp) in as much memory as there may be: as many
// virtual warps as have room for theirs go over the rows.

#include <heddle/impl/mismatch_flag.hpp>
#include <heddle/impl/papers/scatter_rows.hpp>
#include <heddle/impl/papers/virtual_warps.hpp>
#include <heddle/impl/require.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/spgemm_pattern.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace heddle::impl
{

// Rows that have so many virtual warps per team.
struct ScatteredRows
{
  int warps;
  std::int64_t first, last; // of the list
};

// The rows of a list, of which some have more virtual warps per team than others. All calls are
// asynchronous.
template <class Exec, class A, class B>
class ScatterVectors
{
public:
  using Ordinal = typename A::ordinal_type;
  using Sum = typename SpgemmResult<A, B>::value_type;
  using List = Kokkos::View<Ordinal const*, typename Exec::memory_space>;
  static constexpr std::size_t groups = 4; // 1, 2, 4 and 8 virtual warps

  ScatterVectors() = default;
  // Vectors take no more than max_bytes at a time: OutOfMemory where that is too little for a team.
  ScatterVectors(Exec const& exec, B const& b, List const& list,
                 std::array<ScatteredRows, groups> const& rows, std::size_t max_bytes)
      : m_list(list)
      , m_rows(rows)
      , m_max_bytes(max_bytes)
  {
    for (ScatteredRows const& of : rows)
      if (of.last > of.first && teams(exec, of, vector_bytes(b)) == 0)
      {
        std::size_t const needed =
            vector_bytes(b) * static_cast<std::size_t>(Teams::warps(of.warps));
        throw OutOfMemory("heddle::spgemm: " + std::to_string(Teams::warps(of.warps)) +
                              " scatter vectors for " + std::to_string(b.num_cols()) +
                              " columns need " + std::to_string(needed) + " bytes, " +
                              std::to_string(max_bytes) + " are allowed",
                          needed, max_bytes);
      }
  }

  bool has_rows() const
  {
    return std::any_of(m_rows.begin(), m_rows.end(),
                       [](ScatteredRows const& of) { return of.last > of.first; });
  }

  // counts(i), zero before, = entries of each listed row i of C.
  template <class Counts>
  void count(Exec const& exec, A const& a, B const& b, Counts const& counts) const
  {
    with_bitmaps(exec, b, [&](ScatteredRows const& of, std::int64_t teams, Words const& words) {
      run(exec, "heddle::spgemm::scatter::count", of, teams,
          CountInBitmap<A, B, Counts>{a, b, words.data(), words_each(b), counts});
    });
  }
  template <class Offsets>
  void write_columns(Exec const& exec, A const& a, B const& b, Offsets const& offsets,
                     Ordinal* columns) const
  {
    with_bitmaps(exec, b, [&](ScatteredRows const& of, std::int64_t teams, Words const& words) {
      run(exec, "heddle::spgemm::scatter::columns", of, teams,
          WriteFromBitmap<A, B, Offsets, Ordinal>{a, b, words.data(), words_each(b), offsets,
                                                  columns});
    });
  }
  template <bool in_order, class Offsets>
  void sum(Exec const& exec, A const& a, B const& b, Offsets const& offsets, Ordinal const* columns,
           Sum* values, MismatchReport const& report) const
  {
    for (ScatteredRows const& of : m_rows)
      if (of.last > of.first)
      {
        std::int64_t const count = teams(exec, of, vector_bytes(b));
        Scratch<Ordinal, Exec> const vectors(exec, workers(of, count) *
                                                       static_cast<std::size_t>(b.num_cols()));
        run(exec, "heddle::spgemm::scatter::sum", of, count,
            AddToScattered<in_order, A, B, Offsets, Ordinal, Sum>{
                a, b, vectors.data(), static_cast<std::int64_t>(b.num_cols()), offsets, columns,
                values, report});
      }
  }

private:
  using Teams = VirtualWarpTeams<Exec>;
  using Words = Scratch<std::uint32_t, Exec>;

  static std::int64_t words_each(B const& b)
  {
    return Bitmap::words_for(static_cast<std::int64_t>(b.num_cols()));
  }
  static std::size_t vector_bytes(B const& b)
  {
    return static_cast<std::size_t>(b.num_cols()) * sizeof(Ordinal);
  }
  static std::size_t workers(ScatteredRows const& of, std::int64_t teams)
  {
    return static_cast<std::size_t>(teams * Teams::warps(of.warps));
  }
  std::int64_t teams(Exec const& exec, ScatteredRows const& of, std::size_t bytes_of_group) const
  {
    return Teams::count(exec, of.last - of.first, Teams::warps(of.warps), bytes_of_group,
                        m_max_bytes);
  }
  // use(rows, teams, bitmaps) for each group of rows; bitmaps are zero.
  template <class Use>
  void with_bitmaps(Exec const& exec, B const& b, Use const& use) const
  {
    auto const each = static_cast<std::size_t>(words_each(b));
    for (ScatteredRows const& of : m_rows)
      if (of.last > of.first)
      {
        std::int64_t const count = teams(exec, of, each * sizeof(std::uint32_t));
        Words const words(exec, workers(of, count) * each);
        Kokkos::deep_copy(exec, words.view(), 0U);
        use(of, count, words);
      }
  }
  template <class Body>
  void run(Exec const& exec, char const* label, ScatteredRows const& of, std::int64_t teams,
           Body const& body) const
  {
    using Run = RunVirtualWarps<List, Body>;
    int const warps = Teams::warps(of.warps);
    typename Teams::Policy policy(exec, static_cast<int>(teams), Teams::threads, 1);
    policy.set_scratch_size(0, Kokkos::PerTeam(warps * Run::bytes_each));
    Kokkos::parallel_for(label, policy, Run{m_list, of.first, of.last, warps, body});
  }

  List m_list;
  std::array<ScatteredRows, groups> m_rows{};
  std::size_t m_max_bytes = 0;
};

} // namespace heddle::impl
