// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The first steps of SpGEMM's symbolic phase (spgemm/symbolic.cuh): bounds of rows, rows by
// symbolic class, B as column bitmasks.

#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/rows/bins.cuh>
#include <heddle/cuda_native/spgemm/operands.cuh>
#include <heddle/cuda_native/spgemm/row_bins.cuh>
#include <heddle/cuda_native/spgemm/row_bounds.cuh>
#include <heddle/cuda_native/spgemm/symbolic_choices.hpp>
#include <heddle/impl/scratch.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace heddle::cuda_native
{

// What is known of rows before there are products, on the device.
template <class Call>
struct RowBounds
{
  using Ordinal = typename Call::Ordinal;
  DeviceCounters<Ordinal> counters;
  impl::Scratch<FactorRow<Ordinal>, Kokkos::Cuda> b_rows;
  std::optional<impl::Scratch<ColumnWord<Ordinal>, Kokkos::Cuda>> bitmasks; // of B

  std::size_t bitmask_bytes() const
  {
    return bitmasks ? bitmasks->size() * sizeof(ColumnWord<Ordinal>) : 0;
  }
};

// The rows of B, with its column bitmasks if there is memory for them. Asynchronous.
template <class Call>
void bound_rows_of_b(Call const& call, std::int64_t nnz_b, RowBounds<Call> const& bounds)
{
  bound_factor_rows(call.exec, call.b, nnz_b, bounds.b_rows.data(),
                    bounds.bitmasks ? bounds.bitmasks->data() : nullptr,
                    &bounds.counters.data()->all);
}

template <class Call>
auto symbolic_class_of(Call const& call, SymbolicChoices const& choices,
                       RowBounds<Call> const& bounds)
{
  return SymbolicClassOf<typename Call::A>{call.wanted,
                                           call.by_row.rows,
                                           call.a.offsets,
                                           &bounds.counters.data()->all,
                                           choices.may_have_bitmasks,
                                           choices.limits};
}

// Writes call.by_row.rows, and counts rows by symbolic class. Asynchronous.
template <class Call>
RowBounds<Call> bound_rows(Call const& call, FactorSizes const& sizes,
                           SymbolicChoices const& choices)
{
  RowBounds<Call> bounds{{call.exec, static_cast<std::size_t>(sizes.rows_a)},
                         {call.exec, static_cast<std::size_t>(sizes.rows_b)},
                         {}};
  if (choices.bitmasks_with_rows)
    bounds.bitmasks.emplace(call.exec, static_cast<std::size_t>(sizes.nnz_b));
  bound_rows_of_b(call, sizes.nnz_b, bounds);
  bound_product_rows(call.exec, call.a, sizes.nnz_a, bounds.b_rows.data(), call.by_row.rows,
                     &bounds.counters.data()->all, symbolic_class_of(call, choices, bounds),
                     &bounds.counters.data()->symbolic);
  return bounds;
}

// Writes call.by_row.symbolic_list. Waits for the sizes of the classes.
template <class Call>
SymbolicBins bin_rows(Call const& call, SymbolicChoices const& choices,
                      RowBounds<Call> const& bounds)
{
  list_row_classes(call.exec, symbolic_class_of(call, choices, bounds), call.a.rows,
                   &bounds.counters.data()->symbolic, call.by_row.symbolic_list);
  SpgemmCounters const counters = bounds.counters.on_host();
  SymbolicBins bins{RowClasses(counters.symbolic), counters.all};
  join_small_tables(bins.classes, SymbolicClass::table, device_shape(call.exec));
  return bins;
}

// B as column bitmasks where rows have tables and it pays, else without words; they are written now
// unless they were with the bounds. Asynchronous.
template <class Call>
typename Call::Bitmasks bitmasks_of_b(Call const& call, FactorSizes const& sizes,
                                      SymbolicChoices const& choices, SymbolicBins const& bins,
                                      RowBounds<Call>& bounds)
{
  bool const are_wanted =
      choices.may_have_bitmasks && bitmasks_pay(bins.totals) && bins.has_tables();
  if (are_wanted && !bounds.bitmasks)
  {
    bounds.bitmasks.emplace(call.exec, static_cast<std::size_t>(sizes.nnz_b));
    bound_rows_of_b(call, sizes.nnz_b, bounds);
  }
  return {bounds.b_rows.data(), call.b.offsets, are_wanted ? bounds.bitmasks->data() : nullptr};
}

} // namespace heddle::cuda_native
