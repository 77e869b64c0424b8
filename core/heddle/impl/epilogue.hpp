// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// How kernels run an epilogue (row_epilogue.hpp): y is a FusedVector, whose entries do not hold a
// value but pass it through the epilogue. So a kernel that stores each row once, by store(y(i),
// ...), fuses without a line of its own; one that adds up over rows says where the sum is.

#include <heddle/impl/arithmetic.hpp>
#include <heddle/impl/dispatch.hpp>
#include <heddle/impl/divided_up.hpp>
#include <heddle/impl/exec_check.hpp>
#include <heddle/impl/operands.hpp>
#include <heddle/impl/range.hpp>
#include <heddle/impl/row_chunks.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/row_epilogue.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace heddle::impl
{

// One call, with the arguments that this epilogue takes.
HEDDLE_NO_EXEC_CHECK
template <class Epilogue, class Scalar>
KOKKOS_FUNCTION auto call_epilogue(Epilogue const& epilogue, std::int64_t row, Scalar const& value,
                                   loaded_t<Epilogue> const& loaded,
                                   sum_of_epilogue_t<Epilogue>& sum)
{
  if constexpr (is_loaded_v<Epilogue> && has_sum_v<Epilogue>)
    return epilogue(row, value, loaded, sum);
  else if constexpr (is_loaded_v<Epilogue>)
    return epilogue(row, value, loaded);
  else if constexpr (has_sum_v<Epilogue>)
    return epilogue(row, value, sum);
  else
    return epilogue(row, value);
}

// y <- what the epilogue makes of it, as y(i).
HEDDLE_NO_EXEC_CHECK
template <class Epilogue, class Scalar>
KOKKOS_FUNCTION void apply_to_row(Epilogue const& epilogue, std::int64_t i, Scalar& y,
                                  loaded_t<Epilogue> const& loaded,
                                  sum_of_epilogue_t<Epilogue>& sum)
{
  using Result = decltype(call_epilogue(epilogue, i, y, loaded, sum));
  if constexpr (std::is_void_v<Result>)
    call_epilogue(epilogue, i, Scalar(y), loaded, sum);
  else
    y = static_cast<Scalar>(call_epilogue(epilogue, i, Scalar(y), loaded, sum));
}
template <class Epilogue, class Scalar>
KOKKOS_FUNCTION void apply_to_row(Epilogue const& epilogue, std::int64_t i, Scalar& y,
                                  sum_of_epilogue_t<Epilogue>& sum)
{
  apply_to_row(epilogue, i, y, load_for_row(epilogue, i), sum);
}

// y(i) of a FusedVector.
template <class Scalar, class Epilogue>
struct FusedEntry
{
  Scalar& target;
  std::int64_t row;
  Epilogue const& epilogue;
  sum_of_epilogue_t<Epilogue>* sum;
};
template <class Scalar, class Epilogue, class Sum>
KOKKOS_INLINE_FUNCTION void store(FusedEntry<Scalar, Epilogue> const& y, Scalar const& alpha,
                                  Sum const& sum, Scalar const& beta)
{
  store(y.target, alpha, sum, beta);
  if constexpr (has_sum_v<Epilogue>)
    apply_to_row(y.epilogue, y.row, y.target, *y.sum);
  else
  {
    NoSum none;
    apply_to_row(y.epilogue, y.row, y.target, none);
  }
}

// sum: where the rows that this copy is given to store are added up; null where nothing is.
template <class Y, class Epilogue>
struct FusedVector
{
  using value_type = typename Y::value_type;
  using layout = typename Y::layout;
  using epilogue_type = Epilogue;
  Y y;
  Epilogue epilogue;
  sum_of_epilogue_t<Epilogue>* sum = nullptr;

  KOKKOS_FUNCTION FusedEntry<value_type, Epilogue> operator()(std::int64_t i) const
  {
    return {y(i), i, epilogue, sum};
  }
};

template <class Y>
struct EpilogueOf
{
  using type = void;
};
template <class Y, class Epilogue>
struct EpilogueOf<FusedVector<Y, Epilogue>>
{
  using type = Epilogue;
};
template <class Y>
inline constexpr bool is_fused_v = !std::is_void_v<typename EpilogueOf<Y>::type>;

// Implementations of A x that run epilogues themselves have fuses<Epilogue>: they store each row
// once, and see to its sums. Others are given y without, and the epilogue a pass of its own.
template <class I, class Epilogue>
constexpr bool fuses_epilogue()
{
  if constexpr (requires { I::template fuses<Epilogue>; })
    return I::template fuses<Epilogue>;
  else
    return false;
}
template <class I, class Y>
constexpr bool fuses()
{
  if constexpr (is_fused_v<Y>)
    return fuses_epilogue<I, typename EpilogueOf<Y>::type>();
  else
    return true;
}

// One of each kind.
struct AnyEpilogue
{};
struct AnyEpilogueWithSum
{
  using sum_type = int;
};

// Whether the choice of a plan fuses epilogues, those with sums or those without. Where that
// depends on what the plan holds, its State says so.
template <class I>
bool fuses_epilogues(Bound<I> const& bound, bool with_sums)
{
  if constexpr (requires { bound.state.fuses_epilogues(with_sums); })
    return bound.state.fuses_epilogues(with_sums);
  else
    return with_sums ? fuses_epilogue<I, AnyEpilogueWithSum>() : fuses_epilogue<I, AnyEpilogue>();
}

// The assertion speaks; false leaves out what would not compile either.
template <class Epilogue, class Scalar>
constexpr bool require_epilogue()
{
  constexpr bool is_one = RowEpilogue<Epilogue, Scalar>;
  static_assert(is_one,
                "heddle: an epilogue is called as epilogue(i, value), or with a sum_type as "
                "epilogue(i, value, sum), on a const object, returns what is to be stored "
                "or nothing, and with a sum_type has finish(total) (row_epilogue.hpp)");
  return is_one;
}

// An epilogue's pass over y: functors, see scan.hpp.
template <class Y, class Epilogue>
struct ApplyEpilogue
{
  Y y;
  Epilogue epilogue;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const
  {
    NoSum none;
    apply_to_row(epilogue, i, y(i), none);
  }
};
template <class Y, class Epilogue>
struct AddUpEpilogue
{
  using value_type = sum_of_epilogue_t<Epilogue>;
  Y y;
  Epilogue epilogue;

  KOKKOS_FUNCTION void operator()(std::int64_t i, value_type& sum) const
  {
    apply_to_row(epilogue, i, y(i), sum);
  }
  KOKKOS_FUNCTION void init(value_type& sum) const { sum = value_type{}; }
  KOKKOS_FUNCTION void join(value_type& sum, value_type const& other) const { sum += other; }
};
template <class Epilogue>
struct FinishEpilogue
{
  Epilogue epilogue;
  sum_of_epilogue_t<Epilogue> const* total;

  HEDDLE_NO_EXEC_CHECK
  KOKKOS_FUNCTION void operator()(std::int64_t) const { epilogue.finish(*total); }
};

// y <- epilogue(y), for a product whose kernel does not fuse it. Asynchronous.
template <class Exec, class Y, class Epilogue>
void apply_epilogue(Exec const& exec, FusedVector<Y, Epilogue> const& y)
{
  std::int64_t const rows = y.y.size;
  if constexpr (!has_sum_v<Epilogue>)
    Kokkos::parallel_for("heddle::epilogue", range(exec, rows),
                         ApplyEpilogue<Y, Epilogue>{y.y, y.epilogue});
  else
  {
    using Sum = sum_of_epilogue_t<Epilogue>;
    Scratch<Sum, Exec> const total(exec, 1);
    Kokkos::parallel_reduce(
        "heddle::epilogue", range(exec, rows), AddUpEpilogue<Y, Epilogue>{y.y, y.epilogue},
        Kokkos::View<Sum, typename Exec::memory_space, Kokkos::MemoryUnmanaged>(total.data()));
    Kokkos::parallel_for("heddle::epilogue::finish", range(exec, 1),
                         FinishEpilogue<Epilogue>{y.epilogue, total.data()});
  }
}

// Rows per block: a host thread computes a block's results, then passes them through the epilogue
// while its caches hold them. The compiler vectorises this second loop, which it cannot where each
// row's sum comes first. Where the entries of A come from memory, short blocks interleave the
// vectors' reads with those of A. Measured on AMD EPYC (Zen 5), 2026-11.
inline constexpr std::int64_t rows_per_epilogue = 4096;
inline constexpr std::int64_t rows_per_epilogue_from_memory = 64;
// Partial sums of a block of rows, used in turn: a single sum would wait for each addition.
inline constexpr std::int64_t sums_per_epilogue = 8;

// y(row) <- epilogue(y(row)) for the views first .. last - 1 (row_views.hpp). The closure has
// copies: what a reference leads to would be loaded again after every store to y.
template <class RowViews, class Y, class Epilogue>
void apply_to_rows(Epilogue const& epilogue, RowViews const& views, std::int64_t first,
                   std::int64_t last, Y const& y, sum_of_epilogue_t<Epilogue>& sum)
{
  auto const apply = [=](std::int64_t i, sum_of_epilogue_t<Epilogue>& own) {
    std::int64_t const row = views.row(i);
    apply_to_row(epilogue, row, y(row), own);
  };
  if constexpr (!has_sum_v<Epilogue>)
  {
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
#pragma GCC ivdep // as ranges of Kokkos have it: an epilogue touches no other row
#endif
    for (std::int64_t i = first; i < last; ++i)
      apply(i, sum);
  }
  else
  {
    constexpr std::int64_t n = sums_per_epilogue;
    std::array<sum_of_epilogue_t<Epilogue>, n> own{};
    std::int64_t i = first;
    for (; i + n <= last; i += n)
      for (std::int64_t t = 0; t < n; ++t)
        apply(i + t, own[t]);
    for (; i < last; ++i)
      apply(i, own[0]);
    for (auto const& share : own)
      sum += share;
  }
}

// multiply(first, last, y) for the views first .. last - 1: firsts[c] .. firsts[c + 1] - 1 by one
// thread of a host space, moved back to where a unit of views begins. comes_from_memory is of the
// entries of A.
template <class Exec, class RowViews, class Y, class Multiply>
void for_each_chunk_of_rows(Exec const& exec, std::string const& label,
                            std::vector<std::int64_t> const& firsts, RowViews const& views, bool,
                            Y const& y, Multiply const& multiply)
{
  auto const* const first = firsts.data();
  for_each_chunk(exec, label, static_cast<std::int64_t>(firsts.size()) - 1, [=](std::int64_t c) {
    multiply(begin_of_unit(views, first[c]), begin_of_unit(views, first[c + 1]), y);
  });
}
// The epilogue's sums of chunks are added up in the order of chunks.
template <class Exec, class RowViews, class Y, class Epilogue, class Multiply>
void for_each_chunk_of_rows(Exec const& exec, std::string const& label,
                            std::vector<std::int64_t> const& firsts, RowViews const& views,
                            bool comes_from_memory, FusedVector<Y, Epilogue> const& y,
                            Multiply const& multiply)
{
  using Sum = sum_of_epilogue_t<Epilogue>;
  std::int64_t const rows = comes_from_memory ? rows_per_epilogue_from_memory : rows_per_epilogue;
  std::int64_t const step = divided_up(rows, views.unit) * views.unit;
  auto const run_chunk = [=](std::int64_t first, std::int64_t last) {
    Sum sum{};
    for (std::int64_t i = first; i < last; i += step)
    {
      std::int64_t const end = std::min(i + step, last);
      multiply(i, end, y.y);
      apply_to_rows(y.epilogue, views, i, end, y.y, sum);
    }
    return sum;
  };
  auto const* const first = firsts.data();
  auto const chunks = static_cast<std::int64_t>(firsts.size()) - 1;
  if constexpr (!has_sum_v<Epilogue>)
    for_each_chunk(exec, label, chunks, [=](std::int64_t c) {
      run_chunk(begin_of_unit(views, first[c]), begin_of_unit(views, first[c + 1]));
    });
  else
  {
    Scratch<Sum, Exec> const sums(exec, static_cast<std::size_t>(chunks));
    Sum* const of_chunks = sums.data();
    for_each_chunk(exec, label, chunks, [=](std::int64_t c) {
      of_chunks[c] = run_chunk(begin_of_unit(views, first[c]), begin_of_unit(views, first[c + 1]));
    });
    exec.fence("heddle::epilogue");
    Sum total{};
    for (std::int64_t c = 0; c < chunks; ++c)
      total += of_chunks[c];
    y.epilogue.finish(total);
  }
}

// y without its epilogue.
template <class Y>
Y const& unfused(Y const& y)
{
  return y;
}
template <class Y, class Epilogue>
Y const& unfused(FusedVector<Y, Epilogue> const& y)
{
  return y.y;
}

} // namespace heddle::impl
