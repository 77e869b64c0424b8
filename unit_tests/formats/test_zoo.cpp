// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <formats/gallery_support.hpp>
#include <heddle/error.hpp>
#include <heddle/gallery.hpp>
#include <heddle/impl/gallery_hash.hpp>
#include <heddle/validate.hpp>
#include <heddle/zoo.hpp>

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

// The names of the zoo, what they stand for, and that sizes are known before matrices are made.

namespace heddle::test
{

namespace
{

using Catch::Matchers::Message;

std::string name_of(ZooFamily const& family, std::int64_t number)
{
  return "zoo_" + family.name + "_" + std::to_string(number);
}

} // namespace

TEST_CASE("a matrix of the zoo is known before it is made", "[zoo]")
{
  // The least of the first five of each family: what it takes to make all is no test.
  for (ZooFamily const& family : zoo_families())
  {
    ZooMatrix least = zoo_matrix(name_of(family, 1));
    for (std::int64_t number = 2; number <= 5; ++number)
      if (ZooMatrix const other = zoo_matrix(name_of(family, number));
          other.entries < least.entries)
        least = other;
    CAPTURE(least.name, least.stands_for);
    CHECK(least.family == family.name);
    CHECK(least.entries < 700000);
    GalleryMatrix const a = gallery(least.name);
    check_rows(a);
    CHECK_FALSE(validate(Kokkos::DefaultHostExecutionSpace{}, a).has_value());
    CHECK(a.num_rows() == least.rows);
    CHECK(a.num_cols() == least.cols);
    auto const entries = static_cast<std::int64_t>(a.nnz());
    if (least.is_exact)
      CHECK(entries == least.entries);
    else
      CHECK(static_cast<double>(entries) ==
            Catch::Approx(static_cast<double>(least.entries)).epsilon(0.1));
    CHECK(are_equal(a, gallery(least.stands_for)));
  }
}

TEST_CASE("sizes of the zoo are spread over the range of their family", "[zoo]")
{
  std::int64_t large = 0;
  for (ZooFamily const& family : zoo_families())
  {
    CAPTURE(family.name);
    CHECK(family.description.size() > 10);
    std::vector<double> sizes;
    std::set<std::string> different;
    for (std::int64_t number = 1; number <= 40; ++number)
    {
      ZooMatrix const matrix = zoo_matrix(name_of(family, number));
      // The least boxes of six unknowns, or of wide rows, are a few nodes.
      CHECK(matrix.entries > 0.15 * static_cast<double>(family.least_entries));
      CHECK(matrix.entries < 3.2 * static_cast<double>(family.most_entries));
      sizes.push_back(static_cast<double>(matrix.entries));
      different.insert(matrix.stands_for);
    }
    CHECK(different.size() >= 20);
    std::sort(sizes.begin(), sizes.end());
    double const middle = std::sqrt(static_cast<double>(family.least_entries) *
                                    static_cast<double>(family.most_entries));
    CHECK(sizes[8] < middle);
    CHECK(sizes[32] > middle);
    if (!family.has_large)
      continue;
    ++large;
    for (std::int64_t const number : {100, 101, 199})
    {
      ZooMatrix const matrix = zoo_matrix(name_of(family, number));
      CHECK(matrix.entries > 25000000);
      CHECK(matrix.entries < 300000000);
    }
  }
  CHECK(large == 6);
}

TEST_CASE("names of the zoo stand for the same matrices everywhere", "[zoo]")
{
  // No outside source: recorded when the zoo was made. Results name these matrices, so a change
  // here makes all of them worthless.
  std::uint64_t sum = 0, place = 0;
  auto const add = [&](std::string const& text) {
    for (char const letter : text + "\n")
      sum += impl::mix64(impl::mix64(place++) + static_cast<unsigned char>(letter));
  };
  for (ZooFamily const& family : zoo_families())
  {
    for (std::int64_t number = 1; number <= 10; ++number)
      add(zoo_matrix(name_of(family, number)).stands_for);
    if (family.has_large)
      add(zoo_matrix(name_of(family, 100)).stands_for);
  }
  CHECK(sum == 0x12e41a2b78212e1bU);
}

TEST_CASE("names that are not of the zoo are refused", "[zoo]")
{
  CHECK_THROWS_MATCHES(
      zoo_matrix("stencil5_9"), InvalidArgument,
      Message("heddle::zoo_matrix: \"stencil5_9\" does not have the form zoo_FAMILY_NUMBER"));
  for (std::string const name : {"zoo_", "zoo_net_1", "zoo__1", "zoo_3"})
    CHECK_THROWS_MATCHES(
        gallery(name), InvalidArgument,
        Message("heddle::gallery: the zoo has no family \"" +
                name.substr(4, name.rfind('_') < 4 ? std::string::npos : name.rfind('_') - 4) +
                "\", as \"" + name + "\" asks for"));
  for (std::string const rest : {"0", "-1", "01", "x", "1x", "", "100", "99999999999999999999"})
    CHECK_THROWS_MATCHES(
        gallery("zoo_nets_" + rest), InvalidArgument,
        Message("heddle::gallery: \"zoo_nets_" + rest +
                "\" does not have the form zoo_nets_NUMBER with a number of 1 to 99"));
  CHECK_THROWS_MATCHES(zoo_matrix("zoo_rmat_200"), InvalidArgument,
                       Message("heddle::gallery: \"zoo_rmat_200\" does not have the form "
                               "zoo_rmat_NUMBER with a number of 1 to 199"));
}

} // namespace heddle::test
