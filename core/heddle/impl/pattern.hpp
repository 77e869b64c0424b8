// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What a plan remembers of the matrix it was made for. Rows, columns and entries are compared at
// every call; the fingerprint, a 64-bit hash of offsets and columns, only where someone asks for a
// pass over the pattern: debug builds of Kokkos, and sources that define HEDDLE_CHECK_PATTERN, ask
// at every call.

#include <heddle/impl/range.hpp>
#include <heddle/impl/require.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>

namespace heddle::impl
{

// The finaliser of splitmix64 (Steele, Lea and Flood, OOPSLA 2014).
KOKKOS_INLINE_FUNCTION std::uint64_t mix(std::uint64_t x)
{
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
  return x ^ (x >> 31);
}

// What hash_of_view does with one entry: a functor, see scan.hpp.
template <class View>
struct AddHash
{
  View view;
  std::uint64_t seed;
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::uint64_t& sum) const
  {
    sum += mix(mix(static_cast<std::uint64_t>(i) + seed) ^ static_cast<std::uint64_t>(view(i)));
  }
};

// A sum of hashes of (position, content), so the order of summation does not matter. Waits for
// exec.
template <class Exec, class View>
std::uint64_t hash_of_view(Exec const& exec, View const& view, std::uint64_t seed)
{
  std::uint64_t hash = 0;
  Kokkos::parallel_reduce("heddle::fingerprint", range(exec, view.extent(0)),
                          AddHash<View>{view, seed}, hash);
  return hash;
}

// visit(view, seed) for all index arrays of a format, each with a seed of its own.
template <class Matrix, class Visit>
void for_each_index_array(Matrix const& a, Visit const& visit)
{
  std::uint64_t seed = 0;
  auto const next = [&](auto const& view) {
    seed = mix(seed + 0x9E3779B97F4A7C15ULL);
    visit(view, seed);
  };
  std::apply([&](auto const&... views) { (next(views), ...); }, a.index_arrays());
}

// The fingerprint from the hashes of the arrays.
template <class... Hashes>
KOKKOS_FUNCTION std::uint64_t combined_fingerprint(Hashes... hashes)
{
  return mix((hashes ^ ...));
}

// Of all index arrays of a format. Waits for exec.
template <class Exec, class Matrix>
std::uint64_t fingerprint(Exec const& exec, Matrix const& a)
{
  std::uint64_t hash = 0;
  for_each_index_array(
      a, [&](auto const& view, std::uint64_t seed) { hash ^= hash_of_view(exec, view, seed); });
  return combined_fingerprint(hash);
}

// The hashes of the arrays, one after the other, in memory of exec's. Asynchronous.
template <class Exec, class Matrix>
void fingerprint_parts(Exec const& exec, Matrix const& a, std::uint64_t* parts)
{
  using Part = Kokkos::View<std::uint64_t, typename Exec::memory_space, Kokkos::MemoryUnmanaged>;
  for_each_index_array(a, [&](auto const& view, std::uint64_t seed) {
    Kokkos::parallel_reduce("heddle::fingerprint", range(exec, view.extent(0)),
                            AddHash<std::remove_cvref_t<decltype(view)>>{view, seed},
                            Part(parts++));
  });
}

// Numbers on the host that tell how a format with padding or blocks lies in its arrays; others have
// none.
using PatternLayout = std::array<std::int64_t, 4>;
template <class Matrix>
PatternLayout layout_of(Matrix const& a)
{
  PatternLayout layout{};
  if constexpr (requires { a.layout(); })
  {
    auto const own = a.layout();
    static_assert(own.size() <= std::tuple_size_v<PatternLayout>);
    std::copy(own.begin(), own.end(), layout.begin());
  }
  return layout;
}

// Sizes and fingerprint of the pattern a plan was made for.
struct Pattern
{
  std::int64_t rows = 0, cols = 0;
  std::size_t nnz = 0;
  PatternLayout layout{};
  std::uint64_t hash = 0;
  bool has_hash = true;

  template <class Matrix>
  bool has_size_of(Matrix const& a) const
  {
    return rows == static_cast<std::int64_t>(a.num_rows()) &&
           cols == static_cast<std::int64_t>(a.num_cols()) && nnz == a.nnz();
  }
  template <class Exec, class Matrix>
  bool matches(Exec const& exec, Matrix const& a) const
  {
    return has_hash && has_size_of(a) && layout == layout_of(a) && hash == fingerprint(exec, a);
  }
};

// Waits for exec.
template <class Exec, class Matrix>
Pattern pattern_of(Exec const& exec, Matrix const& a)
{
  return {static_cast<std::int64_t>(a.num_rows()), static_cast<std::int64_t>(a.num_cols()), a.nnz(),
          layout_of(a), fingerprint(exec, a)};
}

// The same for a plan that serves one call, with the matrix it is made for: without a fingerprint.
template <class Exec, class Matrix>
Pattern pattern_of_one_call(Exec const&, Matrix const& a)
{
  return {static_cast<std::int64_t>(a.num_rows()),
          static_cast<std::int64_t>(a.num_cols()),
          a.nnz(),
          layout_of(a),
          0,
          false};
}

// Refuses a matrix of other sizes than the plan's. Where calls compare the fingerprint as well,
// this waits for exec. Translation units of one program should agree on HEDDLE_CHECK_PATTERN; where
// they do not, the linker takes one of both forms, and either works with every plan.
template <class Exec, class Matrix>
void require_pattern(Exec const& exec, char const* function, char const* name,
                     Pattern const& pattern, Matrix const& a)
{
  require(pattern.has_size_of(a), function, "the plan was made for ", pattern.rows, " x ",
          pattern.cols, ", ", pattern.nnz, " entries but ", name, " is ", a.num_rows(), " x ",
          a.num_cols(), ", ", a.nnz(), " entries");
  require(pattern.layout == layout_of(a), function,
          "the plan was made for other blocks, widths or "
          "slices than ",
          name, "'s");
#if defined(KOKKOS_ENABLE_DEBUG) || defined(HEDDLE_CHECK_PATTERN)
  require(!pattern.has_hash || pattern.hash == fingerprint(exec, a), function,
          "the plan was made for another pattern than ", name, "'s, of the same sizes");
#else
  static_cast<void>(exec);
#endif
}

} // namespace heddle::impl
