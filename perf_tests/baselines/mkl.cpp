// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <baselines/mkl.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <memory>
#include <mkl_service.h>
#include <mkl_spblas.h>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace heddle::perf
{

namespace
{

static_assert(sizeof(MKL_INT) == sizeof(int));

void check(sparse_status_t status, char const* function)
{
  if (status != SPARSE_STATUS_SUCCESS)
    throw std::runtime_error(std::string(function) + ": status " + std::to_string(status));
}

constexpr matrix_descr general{SPARSE_MATRIX_TYPE_GENERAL, SPARSE_FILL_MODE_FULL,
                               SPARSE_DIAG_NON_UNIT};
constexpr MKL_INT many_calls = 1000; // that a plan expects

sparse_operation_t operation(Op op)
{
  return op == Op::none ? SPARSE_OPERATION_NON_TRANSPOSE : SPARSE_OPERATION_TRANSPOSE;
}

// The functions of a value type.
template <class Value>
struct Functions;
template <>
struct Functions<float>
{
  static constexpr auto create = mkl_sparse_s_create_csr;
  static constexpr auto take = mkl_sparse_s_export_csr;
  static constexpr auto mv = mkl_sparse_s_mv;
  static constexpr auto mm = mkl_sparse_s_mm;
};
template <>
struct Functions<double>
{
  static constexpr auto create = mkl_sparse_d_create_csr;
  static constexpr auto take = mkl_sparse_d_export_csr;
  static constexpr auto mv = mkl_sparse_d_mv;
  static constexpr auto mm = mkl_sparse_d_mm;
};

// A handle that is destroyed with its last copy.
class Handle
{
public:
  // Of the arrays of a, which it keeps. MKL takes them without const, and does not write to them.
  template <class Value>
  explicit Handle(Matrix32<Value> const& a)
      : Handle()
  {
    m_arrays = std::make_shared<Matrix32<Value>>(a);
    int* const offsets = const_cast<int*>(a.row_offsets().data());
    check(Functions<Value>::create(m_place.get(), SPARSE_INDEX_BASE_ZERO, a.num_rows(),
                                   a.num_cols(), offsets, offsets + 1,
                                   const_cast<int*>(a.columns().data()), a.values().data()),
          "mkl_sparse_create_csr");
  }
  // Of what a routine makes.
  Handle()
      : m_place(new sparse_matrix_t(nullptr), [](sparse_matrix_t* place) {
        mkl_sparse_destroy(*place);
        delete place;
      })
  {}
  sparse_matrix_t get() const { return *m_place; }
  sparse_matrix_t* place() const { return m_place.get(); }

private:
  std::shared_ptr<void> m_arrays;
  std::shared_ptr<sparse_matrix_t> m_place;
};

// A hint that MKL has no use for is no error.
void check_hint(sparse_status_t status, char const* function)
{
  if (status != SPARSE_STATUS_NOT_SUPPORTED)
    check(status, function);
}

template <class Value>
Matrix32<Value> taken(Handle const& c)
{
  check(mkl_sparse_order(c.get()), "mkl_sparse_order");
  sparse_index_base_t base{};
  MKL_INT rows = 0, cols = 0, *begins = nullptr, *ends = nullptr, *indices = nullptr;
  Value* entries = nullptr;
  check(Functions<Value>::take(c.get(), &base, &rows, &cols, &begins, &ends, &indices, &entries),
        "mkl_sparse_export_csr");
  Kokkos::View<int*, Space> const offsets("heddle::perf::offsets", rows + 1);
  for (int i = 0; i < rows; ++i)
    offsets(i + 1) = ends[i];
  int const nnz = offsets(rows);
  Kokkos::View<int*, Space> const columns("heddle::perf::columns", nnz);
  Kokkos::View<Value*, Space> const values("heddle::perf::values", nnz);
  std::copy_n(indices, nnz, columns.data());
  std::copy_n(entries, nnz, values.data());
  return {rows, cols, offsets, columns, values};
}

// C = A B, or the values of a C whose structure is there.
void multiply(Handle const& a, Handle const& b, sparse_request_t request, Handle const& c)
{
  check(mkl_sparse_sp2m(SPARSE_OPERATION_NON_TRANSPOSE, general, a.get(),
                        SPARSE_OPERATION_NON_TRANSPOSE, general, b.get(), request, c.place()),
        "mkl_sparse_sp2m");
}

} // namespace

std::string Mkl::version()
{
  MKLVersion numbers{};
  mkl_get_version(&numbers);
  return "oneMKL " + std::to_string(numbers.MajorVersion) + "." +
         std::to_string(numbers.MinorVersion) + "." + std::to_string(numbers.UpdateVersion);
}

template <class Value>
Candidates Mkl::spmv(SpmvProblem<Value> const& p)
{
  auto const a = std::make_shared<Handle>();
  auto const plan = [=] {
    *a = Handle(p.a);
    check_hint(mkl_sparse_set_mv_hint(a->get(), operation(p.op), general, many_calls),
               "mkl_sparse_set_mv_hint");
    check(mkl_sparse_optimize(a->get()), "mkl_sparse_optimize");
  };
  auto const run = [=] {
    check(Functions<Value>::mv(operation(p.op), p.alpha, a->get(), general, p.x.data(), p.beta,
                               p.y.data()),
          "mkl_sparse_mv");
  };
  return {{"mkl::mv", int_indices, plan, run, {}}};
}

template <class Value, class Layout>
Candidates Mkl::spmm(SpmmProblem<Value, Layout> const& p)
{
  constexpr bool is_row_major = std::is_same_v<Layout, Kokkos::LayoutRight>;
  constexpr auto layout = is_row_major ? SPARSE_LAYOUT_ROW_MAJOR : SPARSE_LAYOUT_COLUMN_MAJOR;
  int const k = static_cast<int>(p.c.extent(1)),
            ldb = is_row_major ? k : static_cast<int>(p.b.extent(0)),
            ldc = is_row_major ? k : static_cast<int>(p.c.extent(0));
  auto const a = std::make_shared<Handle>();
  auto const plan = [=] {
    *a = Handle(p.a);
    check_hint(mkl_sparse_set_mm_hint(a->get(), operation(p.op), general, layout, k, many_calls),
               "mkl_sparse_set_mm_hint");
    check(mkl_sparse_optimize(a->get()), "mkl_sparse_optimize");
  };
  auto const run = [=] {
    check(Functions<Value>::mm(operation(p.op), Value(1), a->get(), general, layout, p.b.data(), k,
                               ldb, Value(0), p.c.data(), ldc),
          "mkl_sparse_mm");
  };
  return {{"mkl::mm", int_indices, plan, run, {}}};
}

template <class Value>
Candidates Mkl::spgemm(SpgemmProblem<Value> const& p)
{
  auto const c = std::make_shared<Handle>();
  auto const finish = [=] { p.take(taken<Value>(*c)); };
  Handle const a(p.a), b(p.b);
  if (p.is_numeric)
    return {{"mkl::sp2m", int_indices,
             [=] {
               *c = Handle();
               multiply(a, b, SPARSE_STAGE_FULL_MULT_NO_VAL, *c);
             },
             [=] { multiply(a, b, SPARSE_STAGE_FINALIZE_MULT, *c); }, finish}};
  return {{"mkl::sp2m",
           int_indices,
           {},
           [=] {
             *c = Handle();
             multiply(a, b, SPARSE_STAGE_FULL_MULT, *c);
           },
           finish}};
}

template Candidates Mkl::spmv(SpmvProblem<float> const&);
template Candidates Mkl::spmv(SpmvProblem<double> const&);
template Candidates Mkl::spmm(SpmmProblem<float, Kokkos::LayoutRight> const&);
template Candidates Mkl::spmm(SpmmProblem<double, Kokkos::LayoutRight> const&);
template Candidates Mkl::spmm(SpmmProblem<float, Kokkos::LayoutLeft> const&);
template Candidates Mkl::spmm(SpmmProblem<double, Kokkos::LayoutLeft> const&);
template Candidates Mkl::spgemm(SpgemmProblem<float> const&);
template Candidates Mkl::spgemm(SpgemmProblem<double> const&);

} // namespace heddle::perf
