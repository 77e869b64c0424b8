// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// CSR to ELL, SELL and HYB and back, with new values in between, on every structure; what the
// conversions make is valid.

#include <support/conversions.hpp>
#include <support/format_types.hpp>
#include <support/instances.hpp>
#include <support/types.hpp>

#include <catch2/catch_template_test_macros.hpp>

using namespace heddle::test;

TEMPLATE_LIST_TEST_CASE("ELL gives back the CSR it was made of", "[convert_formats]", FormatTypes)
{
  check_round_trips<AsEll, TestType>(instance_of_five<typename TestType::exec>());
}

TEMPLATE_LIST_TEST_CASE("SELL gives back the CSR it was made of", "[convert_formats]", FormatTypes)
{
  typename TestType::exec const exec{};
  auto const five = instance_of_five<typename TestType::exec>();
  check_round_trips<AsSell<32, 1, 1>, TestType>(five);
  check_round_trips<AsSell<8, 4, 1>, TestType>(exec);
  check_round_trips<AsSell<16, 2, 64>, TestType>(five);
  check_round_trips<AsSell<7, 3, 1000000>, TestType>(exec);
}

TEMPLATE_LIST_TEST_CASE("HYB gives back the CSR it was made of", "[convert_formats]", FormatTypes)
{
  typename TestType::exec const exec{};
  check_round_trips<AsHyb<-1>, TestType>(instance_of_five<typename TestType::exec>());
  check_round_trips<AsHyb<0>, TestType>(exec);
  check_round_trips<AsHyb<3>, TestType>(exec);
}
