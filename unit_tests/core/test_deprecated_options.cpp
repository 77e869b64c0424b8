// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Options of one kernel that have moved to a tuning struct still reach it under their old names.

#include <heddle/row_segment_model.hpp>
#include <heddle/spgemm_options.hpp>
#include <heddle/spmm_options.hpp>

#include <catch2/catch_test_macros.hpp>

#include <memory>

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

using heddle::RowSegmentModel;
using heddle::SpgemmOptions;
using heddle::SpmmOptions;
using heddle::impl::with_tuning;

TEST_CASE("deprecated options of row segments go to their tuning", "[options]")
{
  auto const model = std::make_shared<RowSegmentModel const>();
  auto const old = with_tuning(SpmmOptions{.vertical_coarsening = 2,
                                           .horizontal_coarsening = 4,
                                           .row_segment_model = model,
                                           .order_trial = 8});
  CHECK(old.tuning.row_segments.vertical_coarsening == 2);
  CHECK(old.tuning.row_segments.horizontal_coarsening == 4);
  CHECK(old.tuning.row_segments.model == model);
  CHECK(old.order_trial == 8);

  auto const none = with_tuning(SpmmOptions{});
  CHECK(none.tuning.row_segments.vertical_coarsening == 0);
  CHECK(none.tuning.row_segments.horizontal_coarsening == 0);
  CHECK(none.tuning.row_segments.model == nullptr);
}

TEST_CASE("tuning of row segments is read before deprecated options", "[options]")
{
  auto const model = std::make_shared<RowSegmentModel const>();
  SpmmOptions options{
      .tuning = {
          .row_segments = {.vertical_coarsening = 1, .horizontal_coarsening = 2, .model = model}}};
  options.vertical_coarsening = 4;
  options.horizontal_coarsening = 4;
  options.row_segment_model = std::make_shared<RowSegmentModel const>();
  options = with_tuning(options);
  CHECK(options.tuning.row_segments.vertical_coarsening == 1);
  CHECK(options.tuning.row_segments.horizontal_coarsening == 2);
  CHECK(options.tuning.row_segments.model == model);
}

TEST_CASE("deprecated virtual warps go to the tuning of their accumulator", "[options]")
{
  SpgemmOptions options{.virtual_warps = 4, .reuse = true};
  CHECK(with_tuning(options).tuning.scatter_vector_paper.virtual_warps == 4);
  CHECK(with_tuning(options).reuse);
  options.tuning.scatter_vector_paper.virtual_warps = 8;
  CHECK(with_tuning(options).tuning.scatter_vector_paper.virtual_warps == 8);
  CHECK(with_tuning(SpgemmOptions{}).tuning.scatter_vector_paper.virtual_warps == 0);
}
