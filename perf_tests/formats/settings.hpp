// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <harness/settings.hpp>
#include <heddle/bsr_matrix.hpp>
#include <heddle/fill_limit.hpp>
#include <heddle/sell_matrix.hpp>
#include <heddle/spmm_options.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include <calibrate/training.hpp>

namespace heddle::perf
{

// What the command line of formats asks for.
struct FormatsSettings
{
  Settings common; // its widths are not used
  std::string operation = "spmm";
  std::vector<std::string> formats; // none: all
  std::vector<BlockShape> blocks{{2, 2}};
  std::vector<SellShape> slices{SellShape{}};
  std::vector<Configuration> segments{{0, 0, 0}}; // zeros: as the model of row segments says
  FillLimit fill_limit;
  std::vector<std::int64_t> widths; // k: none, one for all, or one for each matrix named
  bool has_density_sweep = false, has_seeded = false;
  std::uint64_t max_bytes = 0; // 0: half of what is available
  double serial_flops = 2e10;  // serial code that would take more is skipped

  bool wants_format(std::string const& name) const;
};

// A matrix of the command line and the number of columns of its B.
struct Experiment
{
  std::string source; // file or gallery name
  bool is_file = false;
  std::int64_t k = 1;
};

// In the order of the command line: files, gallery, then paper 002's seeded matrix and density
// sweep where asked for. Throws InvalidArgument where there are none, or widths are neither one nor
// as many as matrices named.
std::vector<Experiment> experiments_of(FormatsSettings const& settings);

// "3" or "4x2". Throws InvalidArgument.
BlockShape parse_block(std::string const& text);
// "32", "32,4" or "32,1,256": height, alignment, sigma. Throws InvalidArgument.
SellShape parse_slice(std::string const& text);
// "2,8,1": CF_V, threshold, CF_H of row segments, whose panels are as wide as go with CF_V. Throws
// InvalidArgument.
Configuration parse_segments(std::string const& text);
std::string to_text(BlockShape const& shape);
// What a plan of SpMM has to know of a format's parameters, as the rows have them.
SpmmOptions spmm_options_of(std::string const& format, std::string const& parameters);
std::string to_text(SellShape const& shape);

} // namespace heddle::perf
