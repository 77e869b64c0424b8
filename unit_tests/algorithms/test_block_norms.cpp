// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/block_norms.hpp>
#include <heddle/convert_bsr.hpp>
#include <support/instances.hpp>
#include <support/matrices.hpp>
#include <support/row_entries.hpp>
#include <support/structures.hpp>
#include <support/types.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <tuple>
#include <type_traits>
#include <vector>

namespace heddle::test
{

namespace
{

struct Sums
{
  double one = 0, squares = 0, largest = 0;
  double of(Norm norm) const
  {
    return norm == Norm::one ? one : norm == Norm::two ? std::sqrt(squares) : largest;
  }
};

template <class C>
void check_block_norms(typename C::exec const& exec, Structure const& s, BlockShape const& shape)
{
  using Real = impl::real_t<typename C::value>;
  INFO(s.name << ", blocks of " << shape.height << " x " << shape.width);
  auto const a = make_csr_with<C>(s, 1);
  auto const bsr = to_bsr(exec, a, shape, {.factor = 1e6});
  std::vector<std::map<std::int64_t, Sums>> expected(
      static_cast<std::size_t>((s.rows + shape.height - 1) / shape.height));
  auto const rows = row_entries(a);
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (auto const& [j, value] : rows[i])
    {
      Sums& sums = expected[i / static_cast<std::size_t>(shape.height)][j / shape.width];
      sums.one += std::abs(value);
      sums.squares += std::norm(value);
      sums.largest = std::max(sums.largest, std::abs(value));
    }
  double const eps = std::numeric_limits<Real>::epsilon() * (shape.height * shape.width + 4);
  for (Norm const norm : {Norm::one, Norm::two, Norm::infinity})
  {
    auto const result = block_norms(exec, bsr, norm);
    static_assert(std::is_same_v<typename decltype(result)::value_type, Real>);
    CHECK(result.num_rows() == bsr.num_block_rows());
    CHECK(result.num_cols() == bsr.num_block_cols());
    auto const found = row_entries(result);
    REQUIRE(found.size() == expected.size());
    std::int64_t wrong = 0;
    for (std::size_t r = 0; r < found.size(); ++r)
    {
      wrong += found[r].size() == expected[r].size() ? 0 : 1;
      for (auto const& [j, sums] : expected[r])
      {
        auto const entry = found[r].find(j);
        wrong += entry != found[r].end() &&
                         std::abs(entry->second - sums.of(norm)) <= eps * sums.of(norm)
                     ? 0
                     : 1;
      }
    }
    CHECK(wrong == 0);
  }
  CHECK(to_host(block_norms(exec, bsr)) == to_host(block_norms(exec, bsr, Norm::two)));
}

using C = DoubleCase<Device>;
using NormTypes = std::tuple<C, Case<Device, Complex128, int, int>>;

} // namespace

} // namespace heddle::test

using namespace heddle::test;
using heddle::block_norms;
using heddle::BsrMatrix;
using heddle::Norm;

TEMPLATE_LIST_TEST_CASE("block_norms agrees with the oracle", "[block_norms]", NormTypes)
{
  auto const exec = instance_of_five<typename TestType::exec>();
  for (Structure const& s : small_structures())
  {
    check_block_norms<TestType>(exec, s, {1, 1});
    check_block_norms<TestType>(exec, s, {3, 3});
    check_block_norms<TestType>(exec, s, {2, 5});
  }
}

TEST_CASE("block_norms reads neither what hangs over the edge nor loses a NaN", "[block_norms]")
{
  double const nan = std::numeric_limits<double>::quiet_NaN();
  using View = Kokkos::View<double*, C::space>;
  auto const of = [](std::vector<double> const& values, Norm norm) {
    View const view = to_view<double, C::space>(values);
    BsrMatrix<double, int, std::size_t, C::space> const a(3, 3, {2, 2},
                                                          to_view<std::size_t, C::space>({0, 1, 2}),
                                                          to_view<int, C::space>({0, 1}), view, 5);
    return to_host(block_norms(Device{}, a, norm)).values;
  };
  for (Norm const norm : {Norm::one, Norm::two, Norm::infinity})
  {
    CHECK(of({1, 0, 0, 0, -7, nan, nan, nan}, norm) == std::vector<double>{1, 7});
    CHECK(std::isnan(of({1, nan, 3, 2, -7, 0, 0, 0}, norm)[0]));
  }
  auto const none = block_norms(Device{}, BsrMatrix<double, int, std::size_t, C::space>{});
  CHECK(to_host(none) == HostCsr<double>{0, 0, {0}, {}, {}});
}
