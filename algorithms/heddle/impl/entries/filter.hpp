// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The steps of filter: a limit per row, what an entry is compared with, and the sum of what a row
// loses, which goes to its diagonal entry.

#include <heddle/accumulator.hpp>
#include <heddle/filter_options.hpp>
#include <heddle/impl/entries/diagonal.hpp>
#include <heddle/impl/entries/norms.hpp>
#include <heddle/impl/entries/rows.hpp>
#include <heddle/impl/require.hpp>
#include <heddle/impl/scratch.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace heddle::impl
{

// limits(i) = sqrt(|a_ii|).
template <class Values, class Limits>
struct StoreRootOfDiagonal
{
  Values values;
  Limits limits;
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t position) const
  {
    using Real = typename Limits::non_const_value_type;
    limits(i) = position < 0 ? Real(0) : Kokkos::sqrt(magnitude_of(values(position)));
  }
};

// What an entry of a row is compared with, without the tolerance: sqrt(|a_ii|), its norm or 1.
// Asynchronous.
template <class Exec, class Matrix, class Limits>
void limits_of_rows(Exec const& exec, Matrix const& a, FilterOptions const& options,
                    Limits const& limits)
{
  using Real = typename Limits::non_const_value_type;
  if (options.criterion == FilterCriterion::diagonal)
    for_each_diagonal(
        exec, "heddle::filter::diagonal", a,
        StoreRootOfDiagonal<typename Matrix::values_view, Limits>{a.values(), limits});
  else if (options.criterion == FilterCriterion::row_norm)
    norms_of_rows(exec, "heddle::filter::norms", a, options.norm, limits);
  else
    Kokkos::deep_copy(exec, limits, Real(1));
}

template <class Matrix, class Rows, class Limits>
struct PassesFilter
{
  using Real = typename Limits::non_const_value_type;

  Rows rows;
  typename Matrix::columns_view columns;
  typename Matrix::values_view values;
  Limits limits;
  Real tolerance;
  bool compares_with_column; // as FilterCriterion::diagonal does

  KOKKOS_FUNCTION int operator()(std::int64_t k) const
  {
    if (columns(k) == rows(k))
      return 1;
    Real const magnitude = magnitude_of(values(k)), limit = tolerance * limits(rows(k));
    bool const is_dropped =
        compares_with_column ? magnitude <= limit * limits(columns(k)) : magnitude < limit;
    return is_dropped ? 0 : 1;
  }
};

// What a row loses, and where its diagonal entry was.
template <class Value>
struct RowLoss
{
  Value sum{};
  EntryPosition diagonal;
  std::int64_t count = 0;
};

// Adds what a row lost to its diagonal entry in the new values. The first row that has none is kept
// in first_without.
template <class Matrix, class Before, class NewValues, class First>
struct AddLossToDiagonal
{
  using Wide = accumulator_t<typename Matrix::value_type>;
  using Sum = RowLoss<Wide>;

  typename Matrix::columns_view columns;
  typename Matrix::values_view values;
  Before before;
  NewValues new_values;
  First first_without;

  KOKKOS_FUNCTION void add(std::int64_t i, std::int64_t k, Sum& loss) const
  {
    if (static_cast<std::int64_t>(columns(k)) == i)
      loss.diagonal.number = k;
    if (before(k + 1) != before(k))
      return;
    loss.sum += Wide(values(k));
    ++loss.count;
  }
  KOKKOS_FUNCTION static void join(Sum& to, Sum const& from)
  {
    to.sum += from.sum;
    to.count += from.count;
    to.diagonal.number = Kokkos::max(to.diagonal.number, from.diagonal.number);
  }
  KOKKOS_FUNCTION void finish(std::int64_t i, Sum const& loss) const
  {
    if (loss.count == 0)
      return;
    if (loss.diagonal.number < 0)
    {
      Kokkos::atomic_min(&first_without(0), i);
      return;
    }
    auto& target = new_values(before(loss.diagonal.number));
    target = static_cast<typename NewValues::non_const_value_type>(Wide(target) + loss.sum);
  }
};

// Throws InvalidArgument where a row lost entries but has no diagonal entry. Waits for exec.
template <class Exec, class Matrix, class Before, class Result>
void add_losses_to_diagonal(Exec const& exec, Matrix const& a, Before const& before,
                            Result const& result)
{
  Scratch<std::int64_t, Exec> const first_without(exec, 1);
  auto const first = first_without.view();
  using First = typename Scratch<std::int64_t, Exec>::view_type;
  Kokkos::deep_copy(exec, first, static_cast<std::int64_t>(a.num_rows()));
  fold_rows(exec, "heddle::filter::row_sums", a,
            AddLossToDiagonal<Matrix, Before, typename Result::values_view, First>{
                a.columns(), a.values(), before, result.values(), first});
  std::int64_t row = 0;
  Kokkos::deep_copy(exec, row, Kokkos::subview(first, 0));
  exec.fence("heddle::filter");
  require(row == static_cast<std::int64_t>(a.num_rows()), "filter", "row ", row,
          " has no diagonal entry to which what it loses could be added");
}

} // namespace heddle::impl
