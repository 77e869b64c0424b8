// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gallery/build.hpp>
#include <heddle/gallery.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle::impl
{

// The matrix whose row i has the columns starts[i] .. starts[i + 1] - 1 of drawn, which are in any
// order and may repeat. Sorts drawn within rows.
inline GalleryMatrix merge_repeated(std::int64_t rows, std::int64_t cols, std::uint64_t seed,
                                    std::vector<std::size_t> const& starts,
                                    std::int32_t* const drawn)
{
  std::vector<std::size_t> counts(static_cast<std::size_t>(rows));
  // Dynamic: the long rows of an R-MAT graph stand together.
  Kokkos::RangePolicy<GalleryExec, Kokkos::Schedule<Kokkos::Dynamic>,
                      Kokkos::IndexType<std::int64_t>> const policy(0, rows);
  Kokkos::parallel_for("heddle::gallery::merge_repeated", policy, [&](std::int64_t row) {
    auto const i = static_cast<std::size_t>(row);
    std::int32_t* const first = drawn + starts[i];
    std::int32_t* const last = drawn + starts[i + 1];
    std::sort(first, last);
    counts[i] = static_cast<std::size_t>(std::unique(first, last) - first);
  });
  policy.space().fence("heddle::gallery: all rows are merged");
  return build_pattern(
      rows, cols, seed, [&](std::int64_t i) { return counts[static_cast<std::size_t>(i)]; },
      [&](std::int64_t i, std::int32_t* columns) {
        auto const row = static_cast<std::size_t>(i);
        return std::copy_n(drawn + starts[row], counts[row], columns);
      });
}

} // namespace heddle::impl
