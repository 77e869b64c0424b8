// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <CLI/CLI.hpp>

#include <algorithm>
#include <limits>
#include <names.hpp>
#include <options.hpp>
#include <string>
#include <validators.hpp>
#include <vector>

#include <analyze/orders.hpp>

namespace heddle::perf
{

namespace
{

// An option that takes a list: one text with commas each time it is given, so that what follows it
// is a file again.
template <class Value>
CLI::Option* add_list(CLI::App& command, std::string const& name, std::vector<Value>& list,
                      std::string const& description)
{
  return command.add_option(name, list, description)->delimiter(',')->allow_extra_args(false);
}

void add_gallery(CLI::App& command, std::vector<std::string>& names, std::string const& description)
{
  add_list(command, "--gallery", names, description)->check(gallery_name());
}

CLI::Option* add_partitioner(CLI::App& command, std::string& partitioner)
{
  return command.add_option("--partitioner", partitioner,
                            "the program that cuts hypergraphs: the shell runs PARTITIONER FILE "
                            "PARTS OUT, with FILE as hMETIS has it [Zoltan, if the build has it]");
}

void add_layout(CLI::App& command, Settings& settings)
{
  add_list(command, "--layout", settings.layouts, "of B and C: row, col")
      ->check(one_of({"row", "col"}))
      ->capture_default_str();
}

void add_keep(CLI::App& command, Settings& settings)
{
  command.add_flag_callback(
      "--merge", [&settings] { settings.keep = std::max(settings.keep, Keep::others); },
      "keep the rows that the --json file has of other cases");
  command.add_flag_callback(
      "--resume", [&settings] { settings.keep = Keep::finished; },
      "as --merge, and skip cases that the file has rows of from this build");
  command
      .add_option("--time-limit", settings.time_limit_s,
                  "seconds after which no case begins any more (exit code 7); 0: none")
      ->check(non_negative())
      ->capture_default_str();
  command
      .add_option("--case-limit", settings.case_limit_s,
                  "seconds after which a case ends the program (exit code 8): start it again with "
                  "--resume; 0: none")
      ->check(non_negative())
      ->capture_default_str();
}

void add_entry_range(CLI::App& command, EntryRange& entries)
{
  command.add_option_function<std::string>(
      "--nnz", [&entries](std::string const& text) { entries = parse_entry_range(text); },
      "matrices of so many entries only, LEAST:MOST such as 1e5:2e8; one may be left out");
}

// An option that takes one text each time it is given, and may be given several times; parse makes
// of each what is put in the list.
template <class Value, class Parse>
CLI::Option* add_repeated(CLI::App& command, std::string const& name, std::vector<Value>& list,
                          std::string const& description, Parse const& parse)
{
  return command
      .add_option_function<std::vector<std::string>>(
          name,
          [&list, parse](std::vector<std::string> const& texts) {
            list.clear();
            for (std::string const& text : texts)
              list.push_back(parse(text));
          },
          description)
      ->allow_extra_args(false);
}

void add_baselines(CLI::App& command, Settings& settings, std::vector<std::string> const& names,
                   std::string const& description)
{
  add_list(command, "--baseline", settings.baselines, description)
      ->check(one_of(names))
      ->capture_default_str();
}

// least: calls that are made whatever they take.
void add_effort(CLI::App& command, Settings& settings, std::string const& least)
{
  command.add_option("--runs", settings.runs, "timed calls of a case")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  command
      .add_option("--budget", settings.budget_s,
                  "time budget per case in seconds; at least " + least)
      ->check(non_negative())
      ->capture_default_str();
}

void add_types(CLI::App& command, Settings& settings)
{
  add_list(command, "--type", settings.types, "value types: f32, f64 (of a complex file: c32, c64)")
      ->check(value_type())
      ->capture_default_str();
}

// What is compared and with what effort, and where results go.
void add_comparison(CLI::App& command, Settings& settings, std::string const& implementations)
{
  add_list(command, "--implementation", settings.implementations, implementations)
      ->capture_default_str();
  add_baselines(
      command, settings, known_baselines(),
      "kk (Kokkos Kernels), cusparse, cublas, eigen, graphblas, mkl: those that are in this "
      "build; serial, spmv_loop (spmm), none");
  add_effort(command, settings, settings.is_brief ? "3 calls, slow ones 1" : "5 calls");
  command.add_flag("--cold", settings.is_cold,
                   "also times calls that find nothing of the operands in the caches");
  add_json(command, settings);
  add_keep(command, settings);
}

void add_zoo_choice(CLI::App& command, ZooSettings& settings)
{
  command.add_option("--part", settings.part, "tuning or validation [both]")
      ->check(one_of({"tuning", "validation"}));
  add_list(command, "--family", settings.families, "families, of --real DIR real [all]");
  add_entry_range(command, settings.entries);
  command.add_option(
      "--real", settings.real,
      "a folder of real matrices, .mtx, .mtx.gz or .bin, which belong to the zoo too");
}

} // namespace

void add_json(CLI::App& command, Settings& settings)
{
  command.add_option("--json", settings.json, "write the results to this file, an object a line");
}

void add_multigrid_options(CLI::App& command, MultigridSettings& settings)
{
  command.add_option("MATRIX", settings.common.files,
                     "symmetric positive definite matrices: .mtx, .mtx.gz or .bin (CSRB1)");
  add_gallery(command, settings.common.gallery,
              "generated matrices by name, see heddle-perf gallery");
  command.add_flag("--laplacian", settings.is_laplacian,
                   "take each matrix as a graph and solve with its Laplacian");
  add_baselines(command, settings.common, {"kk", "cusparse", "hypre", "none"},
                "kk (Kokkos Kernels), cusparse, hypre (BoomerAMG): those that are in this build; "
                "none");
  add_effort(command, settings.common, "1 setup, 5 cycles and solves");
  command.add_option("--tolerance", settings.tolerance, "relative residual at which a solve ends")
      ->check(positive())
      ->capture_default_str();
  command.add_option("--iterations", settings.iterations, "after which a solve has failed")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  add_json(command, settings.common);
}

void add_options(CLI::App& command, Settings& settings)
{
  command.add_option("MATRIX", settings.files, "files: .mtx, .mtx.gz or .bin (CSRB1)");
  add_gallery(command, settings.gallery, "generated matrices by name, see heddle-perf gallery");
  add_types(command, settings);
  add_comparison(
      command, settings,
      "auto, auto_convert, auto_transposed (spmv), auto_row_segmented, step_columns, step_packets "
      "(spmm), auto_reuse and accumulators (spgemm), auto_size_t, names such as "
      "portable::csr_team, or all");
}

void add_solver_steps_options(CLI::App& command, SolverStepsSettings& settings)
{
  command.add_option("MATRIX", settings.common.files,
                     "real square matrices: .mtx, .mtx.gz or .bin (CSRB1)");
  add_gallery(command, settings.common.gallery,
              "generated matrices by name, see heddle-perf gallery");
  add_list(command, "--step", settings.steps, "dot, residual, jacobi, chebyshev, cg")
      ->check(one_of({"dot", "residual", "jacobi", "chebyshev", "cg"}))
      ->capture_default_str();
  add_comparison(command, settings.common,
                 "auto, auto_apart (SpMV without epilogue), names of SpMV's kernels, or all");
}

void add_regret_options(CLI::App& command, RegretSettings& settings)
{
  add_zoo_choice(command, settings.zoo);
  add_list(command, "--operation", settings.operations, "spmv, spmm, spgemm (both phases)")
      ->check(one_of({"spmv", "spmm", "spgemm"}))
      ->capture_default_str();
  add_types(command, settings.common);
  add_comparison(command, settings.common,
                 "auto, names of kernels, accumulators (spgemm), or all: auto and every kernel");
  command.get_option("--json")->required(); // no table is printed
  add_op(command, settings.common, false);
  add_operand_options(command, settings.common);
}

void add_op(CLI::App& command, Settings& settings, bool has_both)
{
  auto const ops =
      has_both ? std::vector<std::string>{"n", "t", "both"} : std::vector<std::string>{"n", "t"};
  add_list(command, "--op", settings.ops,
           has_both ? "n (A), t (A^T), both (A^T and A, timed together; of row segments one call)"
                    : "n (A), t (A^T)")
      ->check(one_of(ops))
      ->capture_default_str();
}

void add_operand_options(CLI::App& command, Settings& settings)
{
  add_list(command, "--k", settings.widths, "columns of B and C")
      ->check(CLI::Range(1, 1 << 20))
      ->capture_default_str();
  add_layout(command, settings);
}

void add_spgemm_options(CLI::App& command, SpgemmSettings& settings)
{
  add_options(command, settings.common);
  command.add_flag("--pairs", settings.has_pairs,
                   "C = A B of every two of the matrices, in both orders, each with itself too");
  command
      .add_option("--top-left", settings.top_left,
                  "only the rows and columns of each matrix below this number")
      ->check(CLI::Range(1, std::numeric_limits<int>::max()));
  command.add_flag("--square", settings.is_square_only, "square matrices only");
  command.add_flag("--memory", settings.common.has_memory,
                   "also measures the most memory at once beyond A, B and C");
  add_entry_range(command, settings.entries);
}

void add_formats_options(CLI::App& command, FormatsSettings& settings)
{
  add_options(command, settings.common);
  command
      .add_option("--operation", settings.operation,
                  "spmm, spmv, spgemm (of csr and bsr, both phases)")
      ->check(one_of({"spmm", "spmv", "spgemm"}))
      ->capture_default_str();
  add_list(command, "--format", settings.formats,
           "coo, csr, csc, dcsr, bsr, ell, sell, hyb, row_segmented; none: all")
      ->check(one_of({"coo", "csr", "csc", "dcsr", "bsr", "ell", "sell", "hyb", "row_segmented"}));
  add_repeated(command, "--block", settings.blocks,
               "blocks of bsr: a size such as 3, or height and width such as 4x2; may be repeated "
               "[2]",
               parse_block);
  add_repeated(command, "--sell", settings.slices,
               "slices of sell: height[,alignment[,sigma]]; may be repeated [32,1,1]", parse_slice);
  add_repeated(command, "--segments", settings.segments,
               "CF_V, threshold and CF_H of row_segmented, in panels as wide as go with CF_V; may "
               "be repeated [as the model says]",
               parse_segments);
  command
      .add_option("--fill-limit", settings.fill_limit.factor,
                  "how many times larger padding may make a matrix")
      ->check(positive())
      ->capture_default_str();
  add_list(command, "--k", settings.widths,
           "columns of B and C: one number for all matrices or one for each named [32; "
           "--seeded 4096, --density-sweep 2048]")
      ->check(CLI::Range(1, 1 << 20));
  add_layout(command, settings.common);
  command.add_flag("--seeded", settings.has_seeded,
                   "adds a random matrix of the size of paper 002's HFE18_96_in");
  command.add_flag("--density-sweep", settings.has_density_sweep,
                   "adds random matrices of 2048 x 2048 with densities 0.1 to 0.9");
  command
      .add_option("--max-bytes", settings.max_bytes,
                  "skip cases whose operands take more: a number of bytes, or of K, M, G (1024) "
                  "[half of the memory available]")
      ->transform(CLI::AsSizeValue(false))
      ->check(positive());
  command
      .add_option("--serial-flops", settings.serial_flops,
                  "skip serial code that would do more operations than this")
      ->check(non_negative())
      ->capture_default_str();
}

void add_analyze_options(CLI::App& command, AnalyzeSettings& settings)
{
  command.add_option("MATRIX", settings.files, "a file: .mtx, .mtx.gz or .bin (CSRB1)");
  add_gallery(command, settings.gallery, "a generated matrix by name");
  CLI::App* const outputs = command.add_option_group("Output");
  outputs->add_option("-o,--out", settings.out, "the page to write, which Python draws");
  outputs->add_option("--json", settings.json,
                      "add all that is on the page to this file, an object a line");
  outputs->require_option(1, 2);
  command.add_option("--machine", settings.machine,
                     "bounds are those of this machine, which heddle-perf machine --out wrote "
                     "[this one, measured]");
  command
      .add_option("--type", settings.analysis.value_type,
                  "value type: f32, f64 (of a complex file: c32, c64)")
      ->check(value_type())
      ->capture_default_str();
  command.add_option("--k", settings.analysis.k, "columns of B and C of SpMM")
      ->check(CLI::Range(1, 1 << 20))
      ->capture_default_str();
  command
      .add_option("--max-products", settings.analysis.most_products,
                  "do not count the entries of A A where it has more products than this")
      ->check(non_negative())
      ->capture_default_str();
  CLI::Option* const upper_bound = command.add_flag(
      "--upper-bound", settings.has_upper_bound,
      "also cut the hypergraphs of A x and A A until parts fit the cache: upper bounds of "
      "the words they move, and orders (paper 003, Algorithms 3 and 4)");
  command
      .add_option("--cache", settings.cache_bytes,
                  "the cache, a number of bytes, or of K, M, G (1024) [the machine's]")
      ->transform(CLI::AsSizeValue(false))
      ->check(positive())
      ->needs(upper_bound);
  command
      .add_option(
          "--max-vertices", settings.most_vertices,
          "where there are more products than this the vertices are rows, with all their products")
      ->check(positive())
      ->needs(upper_bound)
      ->capture_default_str();
  add_partitioner(command, settings.partitioner)->needs(upper_bound);
  command.add_flag("!--no-orders", settings.analysis.tries_orders, "do not try orders of rows");
  command.add_option("--measured", settings.measured,
                     "files of results, or folders of them, whose times and counts of this matrix "
                     "stand beside the bounds");
}

void add_reorder_options(CLI::App& command, ReorderSettings& settings)
{
  command.add_option("MATRIX", settings.files, "files: .mtx, .mtx.gz or .bin (CSRB1)");
  add_gallery(command, settings.gallery, "generated matrices by name");
  add_list(command, "--order", settings.orders,
           "cuthill_mckee, similar_rows, similar_columns, degree, majority (of the parts of "
           "A A), spmv_majority")
      ->required()
      ->check(one_of(order_names()));
  command.add_option("-o,--out", settings.out, "the folder for NAME__ORDER.bin")->required();
  command.add_option("--machine", settings.machine,
                     "votes are of parts that fit this machine's cache [this one, measured]");
  command
      .add_option("--cache", settings.cache_bytes,
                  "the cache instead, a number of bytes, or of K, M, G (1024)")
      ->transform(CLI::AsSizeValue(false))
      ->check(positive());
  command
      .add_option("--max-vertices", settings.most_vertices,
                  "where there are more products than this parts are of rows")
      ->check(positive())
      ->capture_default_str();
  add_partitioner(command, settings.partitioner);
  command.add_option("--json", settings.json,
                     "add what each order took and gives to this file, an object a line");
}

void add_calibrate_options(CLI::App& command, CalibrateSettings& settings)
{
  command.add_option("MATRIX", settings.paths,
                     "files, .mtx, .mtx.gz or .bin (CSRB1), or folders of them");
  add_gallery(command, settings.gallery, "generated matrices by name");
  command.add_option("-o,--out", settings.out, "the model: JSON, what it has of others stays")
      ->required();
  command.add_option("--results", settings.results,
                     "every measurement, an object a line; what it has of this build is not "
                     "measured again [as --out, with .jsonl]");
  add_list(command, "--type", settings.types, "value types: f32, f64")
      ->check(value_type())
      ->capture_default_str();
  command
      .add_option("--every", settings.every,
                  "of the matrices by number of entries this one and its multiples train")
      ->check(positive())
      ->capture_default_str();
  command.add_option("--least-nnz", settings.least_nnz, "entries that a matrix has at least")
      ->check(non_negative())
      ->capture_default_str();
  command.add_option("--k", settings.k, "columns of B and C")
      ->check(CLI::Range(1, 1 << 20))
      ->capture_default_str();
  command
      .add_option("--synthetic", settings.synthetic,
                  "rows and columns of the matrices that costs are measured on")
      ->check(CLI::Range(64, 1 << 15))
      ->capture_default_str();
  command.add_flag("--evaluate", settings.has_evaluation,
                   "also measures the matrices that do not train, for model-chart");
  command.add_option("--runs", settings.runs, "timed calls of each measurement")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  command
      .add_option("--budget", settings.budget_s,
                  "time budget per measurement in seconds; at least 5 calls")
      ->check(non_negative())
      ->capture_default_str();
  command
      .add_option("--seconds", settings.seconds,
                  "begins no measurement later (exit code 7): start it again to go on; 0: no limit")
      ->check(non_negative())
      ->capture_default_str();
}

void add_zoo_options(CLI::App& command, ZooSettings& settings)
{
  add_zoo_choice(command, settings);
  command.add_flag("--list", settings.has_list, "print the list also where matrices are made");
  command.add_option("--make", settings.make,
                     "write the matrices to this folder as NAME.bin; what is there is kept");
  command.add_option("--json", settings.json, "write the list to this file, an object a line");
}

} // namespace heddle::perf
