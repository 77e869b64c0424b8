// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gallery/build.hpp>
#include <gallery/permutation.hpp>
#include <heddle/gallery.hpp>
#include <heddle/impl/out_of_memory.hpp>
#include <heddle/impl/require.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

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
        std::vector<std::pair<std::int64_t, double>> entries;
        for (std::size_t k = a.row_offsets()(row); k < a.row_offsets()(row + 1); ++k)
          entries.emplace_back(moved(new_of_old, a.columns()(k)), a.values()(k));
        std::sort(entries.begin(), entries.end());
        for (auto const& [column, value] : entries)
        {
          *columns++ = static_cast<std::int32_t>(column);
          *values++ = value;
        }
      });
}
catch (...)
{
  impl::rethrow_out_of_memory("permuted");
}

} // namespace heddle
