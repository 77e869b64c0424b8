// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/stopwatch.hpp>
#include <heddle/analysis.hpp>
#include <heddle/permute.hpp>
#include <heddle/reorder.hpp>
#include <heddle/spgemm.hpp>
#include <heddle/transpose.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <analyze/analysis.hpp>

namespace heddle::perf
{

namespace
{

using Host = Kokkos::DefaultHostExecutionSpace;
using Matrix = HostMatrix<double>;

NumberSizes sizes_of(Matrix const& a, bool is_complex, bool is_double)
{
  std::size_t const real = is_double ? sizeof(double) : sizeof(float);
  bool const is_small = a.nnz() <= static_cast<std::size_t>(std::numeric_limits<int>::max());
  return {is_complex ? 2 * real : real, sizeof(int), is_small ? sizeof(int) : sizeof(std::size_t),
          is_complex};
}

SparseSize size_of(Matrix const& a) { return {a.num_rows(), static_cast<std::int64_t>(a.nnz())}; }

SparseProduct product_of(Matrix const& a, NumberSizes const& sizes, double most_products)
{
  Host const host;
  bool const is_square = a.num_rows() == a.num_cols();
  Matrix const b = is_square ? a : transpose(host, a);
  SparseProduct product{.formula = is_square ? "A A" : "A A^T"};
  product.products = spgemm_products(host, a, b);
  if (static_cast<double>(product.products) > most_products)
    return product;
  SpgemmPlan const plan(host, a, b);
  product.entries = static_cast<std::int64_t>(plan.nnz());
  product.work = spgemm_work(size_of(a), size_of(b), {a.num_rows(), *product.entries},
                             product.products, sizes);
  return product;
}

template <class Moved>
TriedOrder tried(std::string name, Moved const& moved)
{
  TriedOrder order{.name = std::move(name)};
  Matrix result;
  order.seconds = 1e-3 * host_milliseconds(Host{}, [&] { result = moved(); });
  order.figures = pattern_figures(Host{}, result);
  return order;
}

std::vector<TriedOrder> try_orders(Matrix const& a)
{
  Host const host;
  std::vector<TriedOrder> all;
  all.push_back(tried("rows by similar columns (MinHash)",
                      [&] { return permute_rows(host, a, order_by_similarity(host, a)); }));
  if (a.num_rows() == a.num_cols())
    all.push_back(tried("reverse Cuthill-McKee", [&] {
      auto const p = order_by_cuthill_mckee(host, a);
      return permute(host, a, p, p);
    }));
  return all;
}

} // namespace

MatrixAnalysis analyze(std::string const& name, HostMatrix<double> const& a, bool is_complex,
                       AnalysisSettings const& settings)
{
  constexpr std::int64_t pieces = 300;
  constexpr double least_overlap_of_blocks = 1.25;
  MatrixAnalysis result{.name = name, .k = settings.k};
  result.is_double = settings.value_type == "f64";
  result.value_type = is_complex ? (result.is_double ? "c64" : "c32") : settings.value_type;
  NumberSizes const sizes = sizes_of(a, is_complex, result.is_double);
  result.seconds =
      1e-3 * host_milliseconds(Host{}, [&] {
        Host const host;
        auto const nnz = static_cast<std::int64_t>(a.nnz());
        result.figures = pattern_figures(host, a);
        result.spmv = spmm_work(a.num_rows(), a.num_cols(), nnz, 1, sizes);
        result.spmm = spmm_work(a.num_rows(), a.num_cols(), nnz, settings.k, sizes);
        // Blocks of two rows and more that are nearly full share columns: others are not worth a
        // search.
        if (result.figures.overlap[0] > least_overlap_of_blocks)
          result.blocks =
              suggest_block_size(host, a, {{1, 1}, {2, 2}, {3, 3}, {4, 4}, {6, 6}}).recommended();
        result.slices = suggest_sell(host, a).recommended();
        result.density = density_of(a, pieces);
      });
  result.product = product_of(a, sizes, settings.most_products);
  if (settings.tries_orders)
    result.orders = try_orders(a);
  return result;
}

NamedWork work_of(MatrixAnalysis const& analysis, std::string const& operation)
{
  if (operation == "spmv")
    return {"SpMV", analysis.spmv};
  if (operation == "spmm")
    return {"SpMM, k = " + std::to_string(analysis.k), analysis.spmm};
  return {"SpGEMM, " + analysis.product.formula, analysis.product.work};
}

} // namespace heddle::perf
