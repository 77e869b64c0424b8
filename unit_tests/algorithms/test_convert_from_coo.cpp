// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Coordinates to every format: duplicates and disorder by hand-made entries, then the files that
// the conversions meet outside.

#include <heddle/convert.hpp>
#include <heddle/copy.hpp>
#include <heddle/drop_zeros.hpp>
#include <heddle/matrix_market.hpp>
#include <heddle/validate.hpp>
#include <support/conversions.hpp>
#include <support/defects.hpp>
#include <support/entries.hpp>
#include <support/matrices.hpp>
#include <support/messages.hpp>
#include <support/types.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <cstddef>
#include <filesystem>
#include <string>

namespace heddle::test
{

namespace
{

// What the CSR matrix of entries has in every format; a is any matrix that make takes.
template <class As, class Coordinates, class Csr>
void check_format(Coordinates const& coordinates, Csr const& csr)
{
  Device const exec{};
  auto const there = As::make(exec, coordinates);
  CHECK(there.nnz() == csr.nnz());
  CHECK(text_of(validate(exec, there)) == "");
  auto const back = to_csr(exec, there);
  if constexpr (is_bsr_matrix_v<std::remove_const_t<decltype(there)>>)
    CHECK(to_host(drop_zeros(exec, back)) == to_host(drop_zeros(exec, csr)));
  else
    CHECK(to_host(back) == to_host(csr)); // stored zeros too
}

template <class Coordinates, class Csr>
void check_all_formats(Coordinates const& coordinates, Csr const& csr)
{
  check_format<AsCsc>(coordinates, csr);
  check_format<AsDcsr>(coordinates, csr);
  check_format<AsBsr<2, 3>>(coordinates, csr);
  check_format<AsEll>(coordinates, csr);
  check_format<AsSell<8, 2, 32>>(coordinates, csr);
  check_format<AsHyb<-1>>(coordinates, csr);
}

using C = Case<Device, double, int, std::size_t>;

} // namespace

} // namespace heddle::test

using namespace heddle::test;

TEST_CASE("coordinates go to every format, duplicates added in their order", "[convert]")
{
  for (char const* const name : {"0 x 0", "0 x 7", "7 x 0", "no entries", "1 x 1", "empty rows",
                                 "power law", "unsorted", "tall"})
  {
    INFO(name);
    auto const entries = in_random_order(repeated(entries_of(structure(name)), 5), 6);
    auto const a = make_coo<C>(entries);
    auto const csr = heddle::to_csr(Device{}, a);
    CHECK(to_host(csr) == reference_csr<double>(entries));
    check_all_formats(a, csr);
  }
}

TEST_CASE("coordinates pass parameters on to the format", "[convert]")
{
  auto const a = make_coo<C>(entries_of(structure("dense row")));
  Device const exec{};
  CHECK(heddle::to_bsr(exec, a, {4, 2}, no_limit).shape() == heddle::BlockShape{4, 2});
  CHECK(heddle::to_sell(exec, a, {4, 2, 8}, no_limit).shape() == heddle::SellShape{4, 2, 8});
  CHECK(heddle::to_hyb(exec, a, 3, no_limit).ell().width() == 3);
  CHECK(message_of<heddle::OutOfMemory>([&] {
          heddle::to_ell(exec, a);
        }).find("heddle::to_ell: 255 rows of 300 places takes 918000 bytes") == 0);
  CHECK(message_of<heddle::OutOfMemory>([&] {
          heddle::to_bsr(exec, a, {64, 64});
        }).find("heddle::to_bsr: ") == 0);
}

TEST_CASE("every format holds the small files of the shared folder", "[convert]")
{
  std::string const folder = HEDDLE_TEST_MATRICES "/small";
  if (!std::filesystem::exists(folder))
    SKIP("no folder " + folder);
  using Matrix = heddle::CooMatrix<Complex128, int, std::size_t, Kokkos::HostSpace>;
  int num_files = 0;
  for (auto const& file : std::filesystem::directory_iterator(folder))
  {
    if (file.path().extension() != ".mtx")
      continue;
    INFO(file.path().filename());
    ++num_files;
    // Two of the files have diagonals that their symmetry does not allow.
    auto const on_host =
        heddle::read_matrix_market<Matrix>(file.path().string(), {.any_diagonal = true});
    auto const a = heddle::copy_to(Device{}, Device::memory_space{}, on_host);
    check_all_formats(a, heddle::to_csr(Device{}, a));
  }
  CHECK(num_files > 0);
}
