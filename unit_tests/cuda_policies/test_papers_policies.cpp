// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Numbers of the papers' kernels for any GPU.

#include <heddle/cuda_native/papers/blocks_beside.hpp>
#include <heddle/cuda_native/papers/sellp_policy.hpp>
#include <heddle/cuda_native/papers/spmm_shared_panels_policy.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cstddef>
#include <cstdint>

using heddle::cuda_native::blocks_beside;
using heddle::cuda_native::DeviceShape;
using heddle::cuda_native::SellpPaperPolicyFor;
using heddle::cuda_native::SharedPanelsPolicyFor;

TEST_CASE("blocks beside each other are as many as there is work for, or as a grid takes",
          "[cuda_native]")
{
  DeviceShape device{};
  device.most_blocks_y = 100;
  CHECK(blocks_beside(0, 8, device) == 0);
  CHECK(blocks_beside(17, 8, device) == 3);
  CHECK(blocks_beside(800, 8, device) == 100);
  CHECK(blocks_beside(std::int64_t(1) << 40, 8, device) == 100);
}

TEST_CASE("blocks of SELL-P have no more threads than a block may", "[cuda_native]")
{
  CHECK(SellpPaperPolicyFor::can_take({8, 8, 1}));
  CHECK(SellpPaperPolicyFor::can_take({1024, 1, 1}));
  CHECK(!SellpPaperPolicyFor::can_take({1025, 1, 1}));
  CHECK(!SellpPaperPolicyFor::can_take({8, 3, 1}));
  CHECK(SellpPaperPolicyFor::columns_per_block({8, 8, 1}, 5) == 5);
  CHECK(SellpPaperPolicyFor::columns_per_block({8, 8, 1}, 100) == 16);
  CHECK(SellpPaperPolicyFor::columns_per_block({1, 1, 1}, 1000) == 64);
  CHECK(SellpPaperPolicyFor::columns_per_block({1024, 1, 1}, 1000) == 1);
}

TEST_CASE("pieces of B and column numbers fit into the shared memory of a block", "[cuda_native]")
{
  CHECK(SharedPanelsPolicyFor::rows_per_block == 32);
  CHECK(SharedPanelsPolicyFor::rows<double> == 512);
  for (int const architecture : {75, 80, 86, 89, 90, 100, 120})
    for (std::size_t const ordinal_bytes : {4, 8})
      CHECK(SharedPanelsPolicyFor::fits(architecture, ordinal_bytes));
}
