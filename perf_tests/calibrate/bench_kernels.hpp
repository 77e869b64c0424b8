// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What calibration measures on the device.

#include <harness/check.hpp>
#include <harness/machine.hpp>
#include <harness/operands.hpp>
#include <harness/report.hpp>
#include <harness/stopwatch.hpp>
#include <heddle/convert_row_segmented.hpp>
#include <heddle/gallery.hpp>
#include <heddle/impl/convert/row_segment_choice.hpp>
#include <heddle/impl/convert/row_segment_features.hpp>
#include <heddle/spmm.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <calibrate/bench.hpp>
#include <calibrate/synthetic.hpp>
#include <calibrate/wrong_result.hpp>

namespace heddle::perf
{

// A matrix on the device with B and C.
template <class Value>
class CalibrateBench
{
public:
  using Dense = Kokkos::View<Value**, Kokkos::LayoutRight, Space>;
  using Segmented = decltype(to_row_segmented(Exec{}, Matrix32<Value>{}));
  using Plan = SpmmPlan<Exec, typename Segmented::const_type>;

  CalibrateBench(CalibrateSettings const& settings, HostMatrix<Value> const& a)
      : m_effort{settings.runs, settings.budget_s, 1}
      , m_a(on_device<int>(a))
      , m_b("heddle::perf::b", static_cast<std::size_t>(a.num_cols()),
            static_cast<std::size_t>(settings.k))
      , m_c("heddle::perf::c", static_cast<std::size_t>(a.num_rows()),
            static_cast<std::size_t>(settings.k))
  {
    fill_dense(m_b);
  }

  Segmented in_shape(RowSegmentShape const& shape) const
  {
    return to_row_segmented(Exec{}, m_a, shape);
  }

  // Milliseconds of a call; check gets C of the first.
  template <class Check>
  double milliseconds(Segmented const& a, int vertical, int horizontal,
                      std::string const& implementation, Check const& check) const
  {
    Plan const plan(Exec{}, a,
                    {.implementation = implementation,
                     .tuning = {.row_segments = {.vertical_coarsening = vertical,
                                                 .horizontal_coarsening = horizontal}}});
    auto const call = [&] { spmm(Exec{}, plan, Value(1), a, m_b, Value(0), m_c); };
    Kokkos::deep_copy(m_c, Value(std::numeric_limits<float>::quiet_NaN()));
    call();
    check(m_c);
    return median(time_calls(Exec{}, m_effort, call));
  }

private:
  Effort m_effort;
  Matrix32<Value> m_a;
  Dense m_b, m_c;
};

template <class Value>
void measure_features_of(Measurements& rows, std::string const& name, HostMatrix<Value> const& a)
{
  auto const on_this = on_device<int>(a);
  for (int const vertical : grid_of(type_name<Value>()).verticals)
  {
    auto row = features_row(name, type_name<Value>(), vertical);
    if (rows.find(row) != nullptr)
      continue;
    RowSegmentFeatures const features =
        impl::with_ordered_entries(Exec{}, on_this, [&](auto const& entries) {
          return impl::features_of(
              Exec{}, entries.in_shape(impl::panel_width_of(vertical, sizeof(Value)), 0));
        });
    row.update({{"rows", a.num_rows()}, {"cols", a.num_cols()}, {"nnz", a.nnz()}});
    for (std::size_t n = 0; n < RowSegmentFeatures::count; ++n)
      row["features"][RowSegmentFeatures::name(n)] = features[n];
    row["device"] = device_name();
    rows.write(row);
  }
}

template <class Value>
bool measure_grid_of(CalibrateSettings const& settings, Deadline const& deadline,
                     Measurements& rows, MatrixName const& name, HostMatrix<Value> const& a)
{
  CalibrateBench<Value> const bench(settings, a);
  Grid const grid = grid_of(type_name<Value>());
  std::optional<DenseReference<Value>> reference;
  for (int const vertical : grid.verticals)
    for (int threshold = 1; threshold <= Grid::thresholds; ++threshold)
    {
      std::optional<typename CalibrateBench<Value>::Segmented> segmented;
      for (int const horizontal : grid.horizontals)
      {
        Configuration const configuration{vertical, threshold, horizontal};
        auto row = time_row(name.name, type_name<Value>(), settings.k, configuration);
        if (rows.find(row) != nullptr)
          continue;
        if (deadline.is_over())
          return false;
        if (!segmented)
          segmented = bench.in_shape({impl::panel_width_of(vertical, sizeof(Value)), threshold});
        Report::progress(name.name + " " + type_name<Value>() + " " + to_text(configuration));
        // One threshold of each pair of coarsenings is enough: kernels do not see it.
        double const ms = bench.milliseconds(
            *segmented, vertical, horizontal, grid.implementation, [&](auto const& c) {
              if (threshold != 1)
                return;
              if (!reference)
                reference.emplace(a, Op::none, settings.k);
              std::string const wrong = reference->check(c).wrong;
              if (!wrong.empty())
                throw WrongResult(name.name + " " + type_name<Value>() + " with parameters " +
                                  to_text(configuration) + ": " + wrong);
            });
        row.update({{"rows", a.num_rows()},
                    {"cols", a.num_cols()},
                    {"nnz", a.nnz()},
                    {"training", name.is_training},
                    {"panel_width", segmented->shape().panel_width},
                    {"segments", segmented->num_segments()},
                    {"heavy_nnz", segmented->heavy_nnz()},
                    {"median_ms", ms},
                    {"device", device_name()}});
        rows.write(row);
      }
    }
  return true;
}

// Both matrices of section 4.3 in panels as wide as go with CF_V, all heavy, or all light.
template <class Value>
bool measure_cost_of(CalibrateSettings const& settings, Deadline const& deadline,
                     Measurements& rows, bool is_heavy, int coarsening)
{
  constexpr int per_segment = 8;
  Grid const grid = grid_of(type_name<Value>());
  std::int64_t const width = impl::panel_width_of(coarsening, sizeof(Value));
  std::string const part = (is_heavy ? "heavy," : "light,") + std::to_string(coarsening);
  for (std::string const matrix : {"dense", "clustered"})
  {
    auto row = cost_row(matrix, type_name<Value>(), settings.k, settings.synthetic, part);
    if (rows.find(row) != nullptr)
      continue;
    if (deadline.is_over())
      return false;
    auto const a =
        clustered_matrix<Value>(settings.synthetic, width, matrix == "dense" ? width : per_segment);
    CalibrateBench<Value> const bench(settings, a);
    auto const segmented = bench.in_shape({width, is_heavy ? 1 : width});
    double const ms =
        bench.milliseconds(segmented, is_heavy ? coarsening : 1, is_heavy ? 1 : coarsening,
                           grid.implementation, [](auto const&) {});
    row.update({{"accumulations",
                 is_heavy ? segmented.num_segments() : static_cast<std::size_t>(a.num_rows())},
                {"entries", is_heavy ? segmented.heavy_nnz() : a.nnz()},
                {"median_ms", ms},
                {"device", device_name()}});
    rows.write(row);
  }
  return true;
}

template <class Value>
bool measure_costs_of(CalibrateSettings const& settings, Deadline const& deadline,
                      Measurements& rows, int horizontal)
{
  for (int const vertical : grid_of(type_name<Value>()).verticals)
    if (!measure_cost_of<Value>(settings, deadline, rows, true, vertical))
      return false;
  return measure_cost_of<Value>(settings, deadline, rows, false, horizontal);
}

} // namespace heddle::perf
