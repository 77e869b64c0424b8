// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// CSR to CSC, DCSR and BSR and back, with new values in between, on every structure; what the
// conversions make is valid.

#include <support/conversions.hpp>
#include <support/format_types.hpp>
#include <support/instances.hpp>
#include <support/types.hpp>

#include <catch2/catch_template_test_macros.hpp>

using namespace heddle::test;

TEMPLATE_LIST_TEST_CASE("CSC gives back the CSR it was made of, sorted", "[convert_formats]",
                        FormatTypes)
{
  check_round_trips<AsCsc, TestType>(instance_of_five<typename TestType::exec>());
}

TEMPLATE_LIST_TEST_CASE("DCSR gives back the CSR it was made of", "[convert_formats]", FormatTypes)
{
  check_round_trips<AsDcsr, TestType>(instance_of_five<typename TestType::exec>());
}

TEMPLATE_LIST_TEST_CASE("BSR gives back the CSR it was made of, sorted and filled",
                        "[convert_formats]", FormatTypes)
{
  typename TestType::exec const exec{};
  check_round_trips<AsBsr<1, 1>, TestType>(exec);
  check_round_trips<AsBsr<2, 3>, TestType>(instance_of_five<typename TestType::exec>());
  check_round_trips<AsBsr<3, 2>, TestType>(exec);
}
