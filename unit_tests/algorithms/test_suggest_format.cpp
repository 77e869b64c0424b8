// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What suggest_format estimates must be what the formats take, and what measure_formats recommends
// must have been measured.

#include <heddle/convert_bsr.hpp>
#include <heddle/convert_sell.hpp>
#include <heddle/copy.hpp>
#include <heddle/gallery.hpp>
#include <heddle/storage.hpp>
#include <heddle/suggest_format.hpp>
#include <support/instances.hpp>
#include <support/matrices.hpp>
#include <support/messages.hpp>
#include <support/structures.hpp>
#include <support/types.hpp>

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <Kokkos_Core.hpp>

#include <cstddef>
#include <string>

namespace heddle::test
{

namespace
{

using C = Case<Device, float, int, int>;
using Wide = Case<Device, double, int, std::size_t>;

using HostMatrix = CsrMatrix<float, int, int, Kokkos::HostSpace>;

constexpr FillLimit no_limit{1e9};

// What storage_bytes says of the candidate once it is made.
template <class Matrix>
std::size_t bytes_of(Device const& exec, Matrix const& a, FormatCandidate const& candidate)
{
  switch (candidate.format)
  {
  case Format::bsr:
    return storage_bytes(to_bsr(exec, a, candidate.block, no_limit));
  case Format::sell:
    return storage_bytes(to_sell(exec, a, candidate.slices, no_limit));
  default:
    return storage_bytes(a);
  }
}

} // namespace

} // namespace heddle::test

using namespace heddle::test;

TEST_CASE("suggest_format estimates the bytes of each format", "[suggest]")
{
  for (char const* name : {"blocked", "tall", "power law", "banded", "no entries", "0 x 7"})
  {
    INFO(name);
    auto const a = make_csr<Wide>(structure(name));
    auto const suggestion = heddle::suggest_format(Device{}, a, 3);
    REQUIRE(suggestion.candidates.size() == 3);
    CHECK(suggestion.candidates[0].format == heddle::Format::csr);
    double const dense = 8.0 * 3 * (a.num_rows() + a.num_cols());
    for (auto const& candidate : suggestion.candidates)
    {
      INFO(to_string(candidate.format));
      CHECK(candidate.bytes == bytes_of(Device{}, a, candidate));
      CHECK(candidate.fewer_bytes ==
            Catch::Approx((static_cast<double>(heddle::storage_bytes(a)) + dense) /
                          (static_cast<double>(candidate.bytes) + dense)));
      CHECK(candidate.fewer_bytes <= (suggestion.best == 0 ? 1.5 : 1e9));
      CHECK_FALSE(candidate.seconds.has_value());
    }
  }
}

TEST_CASE("suggest_format recommends blocks where they save a third of the bytes", "[suggest]")
{
  // Three unknowns per node: of single precision CSR has 8 bytes per entry, blocks 4 + 4 / 9.
  auto const elasticity =
      heddle::copy_to(Device{}, Device::memory_space{}, heddle::gallery<HostMatrix>("elast3_6"));
  auto const blocks = heddle::suggest_format(Device{}, elasticity);
  CHECK(blocks.recommended().format == heddle::Format::bsr);
  CHECK(blocks.recommended().block == heddle::BlockShape{3, 3});
  CHECK(blocks.recommended().reason.find("blocks of 3 x 3, 1 places per entry, ") == 0);
  CHECK(blocks.describe().find("\n* bsr: blocks of 3 x 3") != std::string::npos);
  // With many columns the operands are most of the bytes, and no format changes these.
  auto const columns = heddle::suggest_format(Device{}, elasticity, 1000);
  CHECK(columns.recommended().format == heddle::Format::csr);
  CHECK(columns.candidates[0].reason ==
        "no padding; no other format takes less than 2/3 of the bytes per call");
  CHECK(heddle::suggest_format(Device{}, make_csr<C>(structure("power law"))).best == 0);
}

TEST_CASE("measure_formats recommends what it has measured to be faster", "[suggest]")
{
  for (char const* name : {"blocked", "power law", "no entries"})
  {
    INFO(name);
    auto const a = make_csr<C>(structure(name));
    auto const suggestion = heddle::measure_formats(Device{}, a);
    REQUIRE(suggestion.candidates.size() == 4);
    auto const& best = suggestion.recommended();
    auto const& csr = suggestion.candidates[0];
    for (auto const& candidate : suggestion.candidates)
    {
      CHECK_FALSE(candidate.reason.empty());
      bool const is_tried = candidate.reason.find("not tried") == std::string::npos;
      if (&candidate != &csr)
        CHECK(candidate.seconds.has_value() == is_tried);
      if (suggestion.best != 0 && candidate.reason.find("5 of 5 rounds won") != std::string::npos)
        CHECK(*best.seconds <= *candidate.seconds);
    }
    if (suggestion.best != 0)
    {
      CHECK(best.reason.find("5 of 5 rounds won") != std::string::npos);
      CHECK(best.calls_to_pay.value_or(0) > 0);
    }
  }
  auto const none = heddle::measure_formats(Device{}, make_csr<C>(structure("no entries")));
  CHECK(none.best == 0);
  CHECK(none.candidates[1].reason.find("A has no entries") != std::string::npos);
  // Few rows of one length and one long one: slices are mostly padding.
  auto const skewed = heddle::measure_formats(Device{}, make_csr<C>(structure("dense row")));
  CHECK(skewed.candidates[2].reason.find("more than 1.25 places per entry") != std::string::npos);
}

TEST_CASE("suggest_format refuses numbers of columns that are none", "[suggest]")
{
  CHECK(message_of<heddle::InvalidArgument>([] {
          heddle::suggest_format(Device{}, make_csr<C>(structure("1 x 1")), 0);
        }) == "heddle::suggest_format: 0 columns, expected at least 1");
}
