// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <commands.hpp>
#include <harness/load.hpp>
#include <harness/machine.hpp>
#include <harness/operands.hpp>
#include <harness/report.hpp>
#include <heddle/impl/require.hpp>
#include <heddle/row_segment_model_file.hpp>
#include <heddle/shipped_row_segment_model.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include <calibrate/bench.hpp>
#include <calibrate/fit_cost.hpp>
#include <calibrate/held_out.hpp>
#include <calibrate/measurements.hpp>
#include <calibrate/training.hpp>

namespace heddle::perf
{

namespace
{

// A matrix that is not loaded yet.
struct Source
{
  std::string name, place;
  bool is_file = false;
};

bool is_matrix_file(std::filesystem::path const& file)
{
  std::string const name = file.filename().string();
  return name.ends_with(".mtx") || name.ends_with(".mtx.gz") || name.ends_with(".bin");
}

// Each matrix once, by name: a folder may have it in several formats.
std::vector<Source> sources_of(CalibrateSettings const& settings)
{
  std::map<std::string, Source> sources;
  auto const add = [&](std::string const& file) {
    sources.try_emplace(matrix_name(file), Source{matrix_name(file), file, true});
  };
  for (std::string const& path : settings.paths)
    if (std::filesystem::is_directory(path))
    {
      std::vector<std::string> files;
      for (auto const& entry : std::filesystem::directory_iterator(path))
        if (is_matrix_file(entry.path()))
          files.push_back(entry.path().string());
      std::ranges::sort(files);
      std::ranges::for_each(files, add);
    }
    else
      add(path);
  for (std::string const& name : settings.gallery)
    sources.try_emplace(name, Source{name, name, false});
  std::vector<Source> list;
  list.reserve(sources.size());
  for (auto& [name, source] : sources)
    list.push_back(std::move(source));
  impl::require(!list.empty(), "perf",
                "no matrix: name files or folders, or gallery matrices with "
                "--gallery");
  return list;
}

// With one value type.
template <class Value>
class Calibration
{
public:
  Calibration(CalibrateSettings const& settings, Deadline const& deadline, Measurements& rows,
              std::vector<Source> const& sources)
      : m_settings(settings)
      , m_deadline(deadline)
      , m_rows(rows)
      , m_sources(sources)
  {}

  // False where the deadline came first.
  bool run()
  {
    if (!list_matrices())
      return false;
    if (!measure(true))
      return false;
    if (!learn())
      return false;
    return !m_settings.has_evaluation || measure(false);
  }

private:
  struct Listed
  {
    Source source;
    std::int64_t nnz = 0;
    bool is_training = false;
  };

  static std::string type() { return type_name<Value>(); }

  // Nothing where the matrix is complex.
  static std::optional<HostMatrix<Value>> load(Source const& source)
  {
    LoadedMatrix const loaded =
        source.is_file ? load_file(source.place) : load_gallery(source.place);
    auto const* const real = std::get_if<HostMatrix<double>>(&loaded.matrix);
    if (real == nullptr)
      return std::nullopt;
    if constexpr (std::is_same_v<Value, double>)
      return *real;
    else
      return rounded<Value>(*real);
  }

  bool list_matrices()
  {
    int const vertical = grid_of(type()).verticals.back();
    for (Source const& source : m_sources)
    {
      auto const key = features_row(source.name, type(), vertical);
      if (m_rows.find(key) == nullptr)
      {
        if (m_deadline.is_over())
          return false;
        Report::progress("features of " + source.name);
        auto const a = load(source);
        if (!a)
          continue;
        measure_features<Value>(m_rows, source.name, *a);
      }
      std::int64_t const nnz = m_rows.find(key)->at("nnz");
      if (nnz >= m_settings.least_nnz)
        m_matrices.push_back({source, nnz});
    }
    std::sort(m_matrices.begin(), m_matrices.end(), [](Listed const& a, Listed const& b) {
      return std::tie(a.nnz, a.source.name) < std::tie(b.nnz, b.source.name);
    });
    auto const every = static_cast<std::size_t>(m_settings.every);
    auto const is_training = training_set(m_matrices.size(), every);
    for (std::size_t n = 0; n < m_matrices.size(); ++n)
      m_matrices[n].is_training = is_training[n];
    impl::require(m_matrices.size() >= every, "calibrate", m_matrices.size(),
                  " real matrices of at least ", m_settings.least_nnz, " entries, but one of ",
                  every, " trains: see --every and --least-nnz");
    return true;
  }

  bool is_measured(std::string const& name) const
  {
    auto const all = grid_of(type()).all();
    return std::all_of(all.begin(), all.end(), [&](Configuration const& configuration) {
      return m_rows.find(time_row(name, type(), m_settings.k, configuration)) != nullptr;
    });
  }

  bool measure(bool is_training)
  {
    return std::all_of(m_matrices.begin(), m_matrices.end(), [&](Listed const& listed) {
      std::string const& name = listed.source.name;
      return listed.is_training != is_training || is_measured(name) ||
             (!m_deadline.is_over() &&
              measure_grid<Value>(m_settings, m_deadline, m_rows, {name, is_training},
                                  *load(listed.source)));
    });
  }

  std::vector<MeasuredMatrix> measured(bool is_training) const
  {
    auto all = measured_matrices(m_rows.rows(), type());
    std::erase_if(all, [&](MeasuredMatrix const& matrix) {
      auto const listed =
          std::find_if(m_matrices.begin(), m_matrices.end(),
                       [&](Listed const& one) { return one.source.name == matrix.name; });
      return listed == m_matrices.end() || listed->is_training != is_training;
    });
    return all;
  }

  LinearCost cost_of(std::string const& part) const
  {
    std::vector<CostSample> samples;
    for (std::string const matrix : {"dense", "clustered"})
    {
      auto const& row =
          *m_rows.find(cost_row(matrix, type(), m_settings.k, m_settings.synthetic, part));
      samples.push_back({row.at("accumulations"), row.at("entries"), row.at("median_ms")});
    }
    return fit_cost(samples);
  }

  bool learn()
  {
    RowSegmentModel model = shipped_row_segment_model();
    model.device = device_name();
    RowSegmentModel::OfType of;
    auto const matrices = measured(true);
    of.horizontal = most_frequent_horizontal(matrices);
    of.vertical = most_frequent_vertical(matrices, of.horizontal);
    if (!measure_costs<Value>(m_settings, m_deadline, m_rows, of.horizontal))
      return false;
    auto const verticals = grid_of(type()).verticals;
    for (std::size_t n = 0; n < of.heavy.size(); ++n)
    {
      int const vertical = RowSegmentModel::coarsenings[n];
      if (std::ranges::find(verticals, vertical) != verticals.end())
        of.heavy[n] = cost_of("heavy," + std::to_string(vertical));
    }
    of.light = cost_of("light," + std::to_string(of.horizontal));
    auto const held_out = hold_out_each(matrices, of);
    of.threshold = validated_thresholds(matrices, of, held_out);
    (type() == "f32" ? model.f32 : model.f64) = of;
    write_row_segment_model(m_settings.out, model, type());
    write_held_out(held_out);
    say(of, matrices.size(), held_out);
    return true;
  }

  void write_held_out(std::vector<HeldOut> const& held_out)
  {
    for (HeldOut const& matrix : held_out)
      for (auto const& [way, choice] :
           {std::pair("tree", matrix.tree), std::pair("single", matrix.single)})
      {
        auto row = held_out_row(matrix.matrix, type(), m_settings.k, way);
        row.update({{"matrices", held_out.size()},
                    {"chosen", to_text(choice.configuration)},
                    {"over_best", choice.over_best},
                    {"device", device_name()}});
        m_rows.replace(row);
      }
  }

  void say(RowSegmentModel::OfType const& of, std::size_t matrices,
           std::vector<HeldOut> const& held_out) const
  {
    std::cout << type() << ": " << matrices << " of " << m_matrices.size()
              << " matrices trained, CF_V " << of.vertical << ", CF_H " << of.horizontal << ", ";
    if (of.threshold.is_leaf())
      std::cout << "threshold " << of.threshold.nodes.front().label << "\n";
    else
      std::cout << "a tree of " << of.threshold.nodes.size() << " nodes for the threshold\n";
    for (auto const& [name, choice] :
         {std::pair("a tree", &HeldOut::tree), std::pair("one threshold", &HeldOut::single)})
      if (OverBest const over = over_best(held_out, choice); !held_out.empty())
        std::cout << type() << ": time over the best with " << name
                  << " of all other matrices: " << over.mean << " (geometric mean), " << over.most
                  << " (most)\n";
  }

  CalibrateSettings const& m_settings;
  Deadline const& m_deadline;
  Measurements& m_rows;
  std::vector<Source> const& m_sources;
  std::vector<Listed> m_matrices; // by entries
};

} // namespace

bool calibrate(CalibrateSettings const& settings)
{
  Deadline const deadline(settings.seconds);
  auto const sources = sources_of(settings);
  Measurements rows(settings.results_file());
  auto const is_complete = [&]<class Value>(Value const&) {
    if constexpr (is_built_v<Value>)
      return Calibration<Value>(settings, deadline, rows, sources).run();
    else
      return true; // --type takes no other
  };
  for (std::string const& type : settings.types)
    if (!(type == "f32" ? is_complete(float{}) : is_complete(double{})))
      return false;
  Report::progress("");
  std::cout << settings.out << ": model of " << device_name() << "\n" << std::flush;
  return true;
}

} // namespace heddle::perf
