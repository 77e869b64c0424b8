// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Rows named by strided ranges, made into lists on the device.

#include <heddle/impl/range.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/search.hpp>
#include <heddle/impl/views.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle::cuda_native
{

// Rows first, first + step, ..., so many of them.
struct StridedRowRange
{
  std::int64_t first = 0, count = 0;
  friend bool operator==(StridedRowRange const&, StridedRowRange const&) = default;
};

// Row n of all ranges together.
template <class Numbers, class List>
struct RowOfStridedRanges
{
  Numbers firsts, before; // rows; how many rows the ranges before have
  std::int64_t step;
  List list;

  KOKKOS_FUNCTION void operator()(std::int64_t n) const
  {
    auto const count = static_cast<std::int64_t>(firsts.extent(0));
    std::int64_t const s = impl::lower_bound(before, std::int64_t(0), count, n + 1) - 1;
    list(n) = static_cast<typename List::non_const_value_type>(firsts(s) + (n - before(s)) * step);
  }
};

// All rows of the ranges, one after the other. Waits for exec.
template <class List, class Exec>
List rows_of(Exec const& exec, std::vector<StridedRowRange> const& ranges, int step)
{
  using Numbers = impl::Scratch<std::int64_t, Exec>;
  using OnHost = Kokkos::View<std::int64_t const*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>;
  std::vector<std::int64_t> firsts_on_host, before_on_host;
  std::int64_t count = 0;
  for (StridedRowRange const& range : ranges)
  {
    firsts_on_host.push_back(range.first);
    before_on_host.push_back(count);
    count += range.count;
  }
  Numbers const firsts(exec, ranges.size());
  Numbers const before(exec, ranges.size());
  Kokkos::deep_copy(exec, firsts.view(), OnHost(firsts_on_host.data(), firsts_on_host.size()));
  Kokkos::deep_copy(exec, before.view(), OnHost(before_on_host.data(), before_on_host.size()));
  auto const list = impl::uninitialized<List>(exec, "heddle::strided_row_ranges::rows",
                                              static_cast<std::size_t>(count));
  Kokkos::parallel_for("heddle::strided_row_ranges", impl::range(exec, count),
                       RowOfStridedRanges<typename Numbers::view_type, List>{
                           firsts.view(), before.view(), step, list});
  exec.fence("heddle::strided_row_ranges");
  return list;
}

} // namespace heddle::cuda_native
