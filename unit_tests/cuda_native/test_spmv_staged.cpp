// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// SpMV with values staged in shared memory: every number of threads that share rows, blocks whose
// values fit and blocks whose values do not, wherever in a word of 16 bytes the values begin and
// end. Values lie at the end of their allocation, so that memcheck sees what is read behind it.

#include <heddle/cuda_native/spmv/csr_runs.cuh>
#include <heddle/cuda_native/spmv/csr_templates.cuh>
#include <heddle/impl/plan/statistics_of.hpp>
#include <support/matrices.hpp>
#include <support/spmv_kernel.hpp>
#include <support/structures.hpp>
#include <support/types.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace heddle::test
{

namespace
{

using StagedTypes = std::tuple<Case<Device, double, int, std::size_t>,
                               Case<Device, float, int, int>, Case<Device, Complex64, int, int>,
                               Case<Device, Complex128, std::int64_t, std::int64_t>>;

// Blocks of size x size entries in a band of blocks, of which there are 1 to 2 * half_band + 1 in a
// row, and `rest` rows more.
Structure band_of_blocks(std::int64_t blocks, int size, std::int64_t half_band, std::int64_t rest)
{
  Structure s{"band of blocks", blocks * size + rest, blocks * size, {}};
  for (std::int64_t i = 0; i < blocks * size; ++i)
  {
    s.columns.emplace_back();
    std::int64_t const block = i / size, width = block % 7 == 3 ? 0 : half_band;
    for (std::int64_t b = block - width; b <= block + width; ++b)
      for (int c = 0; 0 <= b && b < blocks && c < size; ++c)
        s.columns.back().push_back(b * size + c);
  }
  for (std::int64_t i = 0; i < rest; ++i)
    s.columns.push_back({i, i + 2});
  return s;
}

// `shift` values more before those of the matrix.
template <class C>
typename CsrOf<C>::const_type with_values_at(Structure const& s, std::size_t shift)
{
  auto const a = make_csr<C>(s);
  auto const entries = static_cast<std::size_t>(a.nnz());
  Kokkos::View<typename C::value*, typename C::space> const padded("heddle::test::values",
                                                                   shift + entries);
  auto const values = Kokkos::subview(padded, std::pair(shift, shift + entries));
  Kokkos::deep_copy(values, a.values());
  return {a.num_rows(), a.num_cols(), a.row_offsets(), a.columns(), values};
}

template <class C, class Kernel>
void check_kernel(Structure const& s, std::vector<int> const& threads)
{
  Device const exec;
  for (std::size_t const shift : {0, 1, 2, 3})
  {
    auto const a = with_values_at<C>(s, shift);
    impl::SpmvStatistics const statistics(impl::statistics_of(exec, a));
    auto tuning = Kernel::tune(exec, a, statistics);
    for (int const n : threads)
      for (int const room : {0, 20, 200, 3000})
      {
        tuning.threads = n;
        tuning.room = room;
        INFO(s.name << ", " << n << " threads, room for " << room << ", values from " << shift);
        CHECK(wrong_product<C, Kernel>(s, a, tuning) == "");
      }
  }
}

} // namespace

} // namespace heddle::test

using namespace heddle::test;

TEMPLATE_LIST_TEST_CASE("row templates multiply staged values", "[cuda_native][spmv]", StagedTypes)
{
  using Matrix = typename CsrOf<TestType>::const_type;
  using Kernel = heddle::cuda_native::CsrTemplatesKernel<Device, Matrix>;
  for (Structure const& s :
       {band_of_blocks(90, 1, 3, 2), band_of_blocks(60, 3, 4, 0), structure("unsorted"),
        structure("dense row"), structure("no entries")})
    check_kernel<TestType, Kernel>(s, {1, 2, 4, 8, 32});
}

TEMPLATE_LIST_TEST_CASE("runs multiply staged values", "[cuda_native][spmv]", StagedTypes)
{
  using Matrix = typename CsrOf<TestType>::const_type;
  using Kernel = heddle::cuda_native::CsrRunsKernel<Device, Matrix>;
  for (int const size : {2, 3, 4, 5, 6})
    for (std::int64_t const rest : {0, 1})
      check_kernel<TestType, Kernel>(band_of_blocks(70, size, size == 2 ? 30 : 5, rest),
                                     {8, 16, 32});
}
