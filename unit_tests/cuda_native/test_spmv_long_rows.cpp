// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// SpMV kernels that leave long rows to a kernel before, which cuts them into parts: with rows
// around every limit, one long row among short ones, only long ones, and rows of many parts; plans
// whose rows are alike but for a few long ones.

#include <heddle/cuda_native/spmv/csr_rows.cuh>
#include <heddle/cuda_native/spmv/csr_runs.cuh>
#include <heddle/cuda_native/spmv/csr_templates.cuh>
#include <heddle/cuda_native/spmv/csr_tiles.cuh>
#include <heddle/epilogues.hpp>
#include <heddle/impl/plan/statistics_of.hpp>
#include <heddle/op.hpp>
#include <heddle/spmv.hpp>
#include <support/matrices.hpp>
#include <support/messages.hpp>
#include <support/spmv_kernel.hpp>
#include <support/structures.hpp>
#include <support/types.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

namespace heddle::test
{

namespace
{

using LongRowTypes = std::tuple<Case<Device, double, int, std::size_t>,
                                Case<Device, float, int, int>, Case<Device, Complex64, int, int>,
                                Case<Device, Complex128, std::int64_t, std::int64_t>>;

// A band of 2 * half_band + 1 entries, but rows `from`, from + step, ... have every column from
// their number modulo 3 on.
Structure band_with_long_rows(std::int64_t n, std::int64_t half_band, std::int64_t from,
                              std::int64_t step)
{
  Structure s{"band with long rows", n, n, {}};
  for (std::int64_t i = 0; i < n; ++i)
  {
    s.columns.emplace_back();
    bool const is_long = i >= from && (i - from) % step == 0;
    std::int64_t const first = is_long ? i % 3 : std::max<std::int64_t>(0, i - half_band);
    std::int64_t const last = is_long ? n - 1 : std::min(n - 1, i + half_band);
    for (std::int64_t j = first; j <= last; ++j)
      s.columns.back().push_back(j);
  }
  return s;
}

template <class Tuning>
auto& long_rows_of(Tuning& tuning)
{
  if constexpr (requires { tuning.longest_rows; })
    return tuning.longest_rows;
  else
    return tuning.long_rows;
}

template <class C, class Kernel>
void check_kernel(Structure const& s, std::vector<std::int64_t> const& limits)
{
  Device const exec;
  typename CsrOf<C>::const_type const a = make_csr<C>(s);
  impl::SpmvStatistics const statistics(impl::statistics_of(exec, a));
  for (std::int64_t const most : limits)
  {
    auto tuning = Kernel::tune(exec, a, statistics);
    long_rows_of(tuning) = {exec, a.row_offsets(), statistics, most};
    INFO(Kernel::name << ", " << s.name << ", parts for rows of more than " << most);
    CHECK(wrong_product<C, Kernel>(s, a, tuning) == "");
    std::int64_t entries = 0;
    for (auto const& columns : s.columns)
      entries += static_cast<std::int64_t>(columns.size()) > most
                     ? static_cast<std::int64_t>(columns.size())
                     : 0;
    CHECK(statistics.nonzeros - long_rows_of(tuning).others(statistics).nonzeros == entries);
  }
}

bool has(std::string const& text, std::string const& part)
{
  return text.find(part) != std::string::npos;
}

} // namespace

} // namespace heddle::test

using namespace heddle::test;

TEMPLATE_LIST_TEST_CASE("kernels add up the parts of long rows", "[cuda_native][spmv]",
                        LongRowTypes)
{
  using Matrix = typename CsrOf<TestType>::const_type;
  std::vector<std::int64_t> const limits{0, 1, 4, 5, 6, 7, 100, 1'000'000};
  for (Structure const& s :
       {band_with_long_rows(300, 3, 7, 50), band_with_long_rows(270, 2, 0, 1),
        band_with_long_rows(40, 1, 39, 7), structure("unsorted"), structure("dense row"),
        structure("no entries"), structure("empty rows")})
  {
    check_kernel<TestType, heddle::cuda_native::CsrVectorKernel<Device, Matrix>>(s, limits);
    check_kernel<TestType, heddle::cuda_native::CsrTemplatesKernel<Device, Matrix>>(s, limits);
    check_kernel<TestType, heddle::cuda_native::CsrRunsKernel<Device, Matrix>>(s, limits);
  }
}

TEMPLATE_LIST_TEST_CASE("rows of many parts, and tiles that end with one", "[cuda_native][spmv]",
                        LongRowTypes)
{
  using Matrix = typename CsrOf<TestType>::const_type;
  std::int64_t const part = heddle::cuda_native::SpmvLongRowsPolicy::least_entries;
  Structure s{"long rows", 9, 3 * part + 1, {}};
  for (std::int64_t const length : {part - 1, part, part + 1, std::int64_t(3), 2 * part,
                                    2 * part + 1, 3 * part, 3 * part + 1, std::int64_t(1024)})
  {
    s.columns.emplace_back();
    for (std::int64_t j = 0; j < length; ++j)
      s.columns.back().push_back(j);
  }
  std::vector<std::int64_t> const limits{1023, 1024, part - 1, part, 2 * part, 3 * part};
  check_kernel<TestType, heddle::cuda_native::CsrVectorKernel<Device, Matrix>>(s, limits);
  check_kernel<TestType, heddle::cuda_native::CsrTilesKernel<Device, Matrix>>(
      s, {std::int64_t(1'000'000)});
}

TEST_CASE("plans cut few long rows of a regular matrix into parts", "[cuda_native][spmv][plans]")
{
  using C = Case<Device, float, int, int>;
  Structure const s = band_with_long_rows(150'000, 7, 70'000, 70'000);
  Structure rough = s; // of every other pair of rows one is longer
  for (std::size_t i = 0; i < rough.columns.size(); i += 4)
    rough.columns[i].resize(std::min<std::size_t>(rough.columns[i].size(), 5));
  auto const a = make_csr<C>(s);
  heddle::SpmvPlan const plan(Device{}, a, {.expected_calls = 1});
  INFO(plan.describe());
  CHECK(has(plan.describe(), "cuda_native::csr_vector"));
  CHECK(has(plan.describe(), "2 rows of more than"));
  CHECK(plan.is_repeatable(heddle::Op::none));
  heddle::SpmvPlan const other(Device{}, make_csr<C>(rough), {.expected_calls = 1});
  INFO(other.describe());
  CHECK(has(other.describe(), "cuda_native::csr_tiles"));

  // The same with an epilogue, which sees each row once.
  Device const exec;
  Kokkos::View<float*, C::space> const x("x", s.cols), y("y", s.rows), fused("fused", s.rows);
  Kokkos::deep_copy(x, 0.5F);
  Kokkos::View<float, C::space> const norm("norm");
  heddle::spmv(exec, plan, 1.0F, a, x, 0.0F, y);
  heddle::spmv(exec, plan, 1.0F, a, x, 0.0F, fused, heddle::epilogues::SquaredNorm{norm});
  exec.fence();
  auto const expected = to_vector(y);
  CHECK(to_vector(fused) == expected);
  double sum = 0;
  for (float const value : expected)
    sum += static_cast<double>(value) * static_cast<double>(value);
  float found = 0;
  Kokkos::deep_copy(found, norm);
  CHECK(std::abs(static_cast<double>(found) - sum) <= 1e-4 * sum);
  CHECK(sum > 0);
}
