// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <baselines/graphblas.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

extern "C" {
#include <GraphBLAS.h>
}

namespace heddle::perf
{

namespace
{

void check(GrB_Info info, char const* function)
{
  if (info != GrB_SUCCESS)
    throw std::runtime_error(std::string(function) + ": GraphBLAS error " +
                             std::to_string(static_cast<int>(info)));
}

void start()
{
  static bool const is_started = [] {
    check(GrB_init(GrB_NONBLOCKING), "GrB_init");
    check(GxB_Global_Option_set(GxB_GLOBAL_NTHREADS, Exec{}.concurrency()), "GxB_NTHREADS");
    return true;
  }();
  static_cast<void>(is_started);
}

// The library's objects by value type.
template <class Value>
struct Objects;
template <>
struct Objects<float>
{
  static GrB_Type type() { return GrB_FP32; }
  static GrB_Semiring semiring() { return GrB_PLUS_TIMES_SEMIRING_FP32; }
};
template <>
struct Objects<double>
{
  static GrB_Type type() { return GrB_FP64; }
  static GrB_Semiring semiring() { return GrB_PLUS_TIMES_SEMIRING_FP64; }
};

using Matrix = std::shared_ptr<std::remove_pointer_t<GrB_Matrix>>;

Matrix owned(GrB_Matrix matrix)
{
  return {matrix, [](GrB_Matrix one) { GrB_Matrix_free(&one); }};
}

// Its indices are 64 bits wide, so it holds a copy.
template <class Value>
Matrix copy(Matrix32<Value> const& a)
{
  start();
  std::vector<GrB_Index> const offsets(a.row_offsets().data(),
                                       a.row_offsets().data() + a.num_rows() + 1),
      columns(a.columns().data(), a.columns().data() + a.nnz());
  std::vector<Value> const values(a.values().data(), a.values().data() + a.nnz());
  GrB_Matrix matrix = nullptr;
  auto const import = [&] {
    if constexpr (std::is_same_v<Value, float>)
      return GrB_Matrix_import_FP32(&matrix, GrB_FP32, a.num_rows(), a.num_cols(), offsets.data(),
                                    columns.data(), values.data(), offsets.size(), columns.size(),
                                    values.size(), GrB_CSR_FORMAT);
    else
      return GrB_Matrix_import_FP64(&matrix, GrB_FP64, a.num_rows(), a.num_cols(), offsets.data(),
                                    columns.data(), values.data(), offsets.size(), columns.size(),
                                    values.size(), GrB_CSR_FORMAT);
  };
  check(import(), "GrB_Matrix_import");
  return owned(matrix);
}

// A dense matrix, full in its words, in the order of its elements in memory.
template <class Value>
Matrix full(Value const* from, std::int64_t rows, std::int64_t cols, bool is_row_major)
{
  start();
  auto const bytes = static_cast<std::size_t>(rows * cols) * sizeof(Value);
  GrB_Matrix matrix = nullptr;
  check(GrB_Matrix_new(&matrix, Objects<Value>::type(), rows, cols), "GrB_Matrix_new");
  Matrix const result = owned(matrix);
  // The library takes memory that its own allocator frees: malloc's.
  void* taken = std::malloc(bytes > 0 ? bytes : 1);
  if (taken == nullptr)
    throw std::bad_alloc();
  std::copy_n(from, rows * cols, static_cast<Value*>(taken));
  check(is_row_major ? GxB_Matrix_pack_FullR(matrix, &taken, bytes, false, nullptr)
                     : GxB_Matrix_pack_FullC(matrix, &taken, bytes, false, nullptr),
        "GxB_Matrix_pack_Full");
  return result;
}

struct Product
{
  Matrix a, b, c;
  bool is_transposed = false;
};

template <class Value>
void multiply(Product const& product)
{
  check(GrB_mxm(product.c.get(), nullptr, nullptr, Objects<Value>::semiring(), product.a.get(),
                product.b.get(), product.is_transposed ? GrB_DESC_T0 : nullptr),
        "GrB_mxm");
  check(GrB_Matrix_wait(product.c.get(), GrB_MATERIALIZE), "GrB_Matrix_wait");
}

template <class Value>
Matrix empty(std::int64_t rows, std::int64_t cols, bool is_row_major)
{
  start();
  GrB_Matrix matrix = nullptr;
  check(GrB_Matrix_new(&matrix, Objects<Value>::type(), rows, cols), "GrB_Matrix_new");
  Matrix const result = owned(matrix);
  check(GxB_Matrix_Option_set(matrix, GxB_FORMAT, is_row_major ? GxB_BY_ROW : GxB_BY_COL),
        "GxB_FORMAT");
  return result;
}

// Entry after entry: entries that are not there are zeros. Not timed.
template <class Value, class Layout>
void take(GrB_Matrix from, Dense<Value, Layout> const& to)
{
  GrB_Index count = 0;
  check(GrB_Matrix_nvals(&count, from), "GrB_Matrix_nvals");
  std::vector<GrB_Index> rows(count), columns(count);
  std::vector<Value> values(count);
  if constexpr (std::is_same_v<Value, float>)
    check(GrB_Matrix_extractTuples_FP32(rows.data(), columns.data(), values.data(), &count, from),
          "GrB_Matrix_extractTuples");
  else
    check(GrB_Matrix_extractTuples_FP64(rows.data(), columns.data(), values.data(), &count, from),
          "GrB_Matrix_extractTuples");
  Kokkos::deep_copy(to, Value(0));
  for (GrB_Index n = 0; n < count; ++n)
    to(rows[n], columns[n]) = values[n];
}

template <class Value, class Layout>
Candidate dense_product(char const* name, Matrix32<Value> const& a, Op op,
                        Dense<Value, Layout> const& b, Dense<Value, Layout> const& c)
{
  constexpr bool is_row_major = std::is_same_v<Layout, Kokkos::LayoutRight>;
  auto const product = std::make_shared<Product>();
  auto const plan = [=] {
    *product = {copy(a),
                full(b.data(), static_cast<std::int64_t>(b.extent(0)),
                     static_cast<std::int64_t>(b.extent(1)), is_row_major),
                empty<Value>(static_cast<std::int64_t>(c.extent(0)),
                             static_cast<std::int64_t>(c.extent(1)), is_row_major),
                op != Op::none};
  };
  return {name, "int64,int64", plan, [=] { multiply<Value>(*product); },
          [=] { take(product->c.get(), c); }};
}

template <class Value>
Matrix32<Value> csr(GrB_Matrix from)
{
  GrB_Index rows = 0, cols = 0, offsets_size = 0, columns_size = 0, values_size = 0;
  check(GrB_Matrix_nrows(&rows, from), "GrB_Matrix_nrows");
  check(GrB_Matrix_ncols(&cols, from), "GrB_Matrix_ncols");
  check(GrB_Matrix_exportSize(&offsets_size, &columns_size, &values_size, GrB_CSR_FORMAT, from),
        "GrB_Matrix_exportSize");
  std::vector<GrB_Index> offsets(offsets_size), columns(columns_size);
  Kokkos::View<Value*, Space> const to_values("heddle::perf::values", values_size);
  if constexpr (std::is_same_v<Value, float>)
    check(GrB_Matrix_export_FP32(offsets.data(), columns.data(), to_values.data(), &offsets_size,
                                 &columns_size, &values_size, GrB_CSR_FORMAT, from),
          "GrB_Matrix_export");
  else
    check(GrB_Matrix_export_FP64(offsets.data(), columns.data(), to_values.data(), &offsets_size,
                                 &columns_size, &values_size, GrB_CSR_FORMAT, from),
          "GrB_Matrix_export");
  Kokkos::View<int*, Space> const to_offsets("heddle::perf::offsets", offsets.size()),
      to_columns("heddle::perf::columns", columns.size());
  for (std::size_t i = 0; i < offsets.size(); ++i)
    to_offsets(i) = static_cast<int>(offsets[i]);
  for (std::size_t e = 0; e < columns.size(); ++e)
    to_columns(e) = static_cast<int>(columns[e]);
  return {static_cast<int>(rows), static_cast<int>(cols), to_offsets, to_columns, to_values};
}

} // namespace

std::string GraphBlas::version()
{
  return "SuiteSparse:GraphBLAS " + std::to_string(GxB_IMPLEMENTATION_MAJOR) + "." +
         std::to_string(GxB_IMPLEMENTATION_MINOR) + "." + std::to_string(GxB_IMPLEMENTATION_SUB);
}

template <class Value>
Candidates GraphBlas::spmv(SpmvProblem<Value> const& p)
{
  using Column = Dense<Value, Kokkos::LayoutRight>;
  return {dense_product("graphblas::mxv", p.a, p.op, Column(p.x.data(), p.x.extent(0), 1),
                        Column(p.y.data(), p.y.extent(0), 1))};
}

template <class Value, class Layout>
Candidates GraphBlas::spmm(SpmmProblem<Value, Layout> const& p)
{
  return {dense_product("graphblas::mxm", p.a, p.op, p.b, p.c)};
}

template <class Value>
Candidates GraphBlas::spgemm(SpgemmProblem<Value> const& p)
{
  if (p.is_numeric)
    return {}; // its product has no phases
  auto const product = std::make_shared<Product>();
  auto const plan = [=] { *product = {copy(p.a), copy(p.b), nullptr}; };
  auto const run = [=] {
    product->c = empty<Value>(p.a.num_rows(), p.b.num_cols(), true);
    multiply<Value>(*product);
  };
  return {
      {"graphblas::mxm", "int64,int64", plan, run, [=] { p.take(csr<Value>(product->c.get())); }}};
}

template Candidates GraphBlas::spmv(SpmvProblem<float> const&);
template Candidates GraphBlas::spmv(SpmvProblem<double> const&);
template Candidates GraphBlas::spmm(SpmmProblem<float, Kokkos::LayoutRight> const&);
template Candidates GraphBlas::spmm(SpmmProblem<double, Kokkos::LayoutRight> const&);
template Candidates GraphBlas::spmm(SpmmProblem<float, Kokkos::LayoutLeft> const&);
template Candidates GraphBlas::spmm(SpmmProblem<double, Kokkos::LayoutLeft> const&);
template Candidates GraphBlas::spgemm(SpgemmProblem<float> const&);
template Candidates GraphBlas::spgemm(SpgemmProblem<double> const&);

} // namespace heddle::perf
