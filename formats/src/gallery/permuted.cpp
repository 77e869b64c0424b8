// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gallery/build.hpp>
#include <gallery/limits.hpp>
#include <gallery/permutation.hpp>
#include <heddle/gallery.hpp>
#include <heddle/impl/out_of_memory.hpp>
#include <heddle/impl/require.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace heddle
{

GalleryMatrix generate::permuted(GalleryMatrix const& a, std::int64_t group, std::uint64_t seed)
try
{
  constexpr char const* function = "generate::permuted";
  impl::require(a.num_rows() == a.num_cols(), function, "a matrix of ", a.num_rows(), " x ",
                a.num_cols(), " is not square");
  impl::require(group >= 1 && a.num_rows() % group == 0, function, "groups of ", group,
                " rows do not divide ", a.num_rows(), " rows");
  auto const nnz = static_cast<std::int64_t>(a.nnz());
  constexpr std::int64_t entry_bytes = sizeof(double) + sizeof(std::int32_t); // of a itself
  impl::require_size(function, {a.num_rows(), a.num_cols(), nnz, entry_bytes * nnz});
  impl::Permutation const old_of_new = impl::random_permutation(a.num_rows() / group, seed);
  impl::Permutation const new_of_old = impl::inverse(old_of_new);
  auto const moved = [group](impl::Permutation const& to, std::int64_t i) {
    return to[static_cast<std::size_t>(i / group)] * group + i % group;
  };
  return impl::build_matrix(
      a.num_rows(), a.num_cols(),
      [&](std::int64_t i) {
        std::int64_t const row = moved(old_of_new, i);
        return a.row_offsets()(row + 1) - a.row_offsets()(row);
      },
      [&](std::int64_t i, std::int32_t* columns, double* values) {
        std::int64_t const row = moved(old_of_new, i);
        std::int32_t const* const begin = a.columns().data() + a.row_offsets()(row);
        std::int32_t const* const end = a.columns().data() + a.row_offsets()(row + 1);
        auto const new_column = [&](std::int32_t column) {
          return static_cast<std::int32_t>(moved(new_of_old, column));
        };
        std::int32_t* const last = std::transform(begin, end, columns, new_column);
        std::sort(columns, last);
        for (; columns != last; ++columns, ++values) // nothing is allocated in a parallel region
        {
          auto const* const old = std::lower_bound(begin, end, moved(old_of_new, *columns));
          *values = a.values()(a.row_offsets()(row) + static_cast<std::size_t>(old - begin));
        }
      });
}
catch (...)
{
  impl::rethrow_out_of_memory("permuted");
}

} // namespace heddle
