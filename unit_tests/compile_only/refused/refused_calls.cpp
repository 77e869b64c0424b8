// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Mistakes that must not compile. Each has one error, with the sentence behind "error:" above it;
// expect_errors.py compares. A template is instantiated once, so mistakes of one sentence need
// types of their own.

#include <heddle/bsr_matrix.hpp>
#include <heddle/coo_matrix.hpp>
#include <heddle/csr_matrix.hpp>
#include <heddle/op.hpp>
#include <heddle/spgemm.hpp>
#include <heddle/spmm.hpp>
#include <heddle/spmv.hpp>

#include <Kokkos_Core.hpp>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

using Exec = Kokkos::DefaultExecutionSpace;
using Space = Exec::memory_space;
using Complex = Kokkos::complex<double>;

// What Exec does not reach: the host's memory, or, where Exec is the host, memory that nobody has.
struct Elsewhere
{
  using memory_space = Elsewhere;
  using execution_space = Kokkos::Serial;
  using device_type = Kokkos::Device<execution_space, memory_space>;
  using size_type = std::size_t;
  static constexpr char const* name() { return "Elsewhere"; }
};
using Unreached =
    std::conditional_t<Kokkos::SpaceAccessibility<Exec, Kokkos::HostSpace>::accessible, Elsewhere,
                       Kokkos::HostSpace>;

template <class Value, class Ordinal = int, class Offset = int, class In = Space>
using Csr = heddle::CsrMatrix<Value const, Ordinal, Offset, In>;
template <class Value, class In = Space>
using Vector = Kokkos::View<Value*, In>;
template <class Value, class In = Space>
using Dense = Kokkos::View<Value**, In>;
template <class Value>
using VectorPlan = heddle::SpmvPlan<Exec, Csr<Value>>;
template <class Value>
using DensePlan = heddle::SpmmPlan<Exec, Csr<Value>>;
template <class ValueA, class ValueB>
using ProductPlan = heddle::SpgemmPlan<Exec, Csr<ValueA>, Csr<ValueB>>;

struct Operands
{
  Exec exec;
  Csr<double> a;
  Csr<float> f;
  Vector<double> x, y;
  Dense<double> b, c;
  heddle::CsrMatrix<double, int, int, Space> product;
};

void no_instance(Operands const& o, VectorPlan<double> const& vectors,
                 ProductPlan<double, double> const& products)
{
  // error: heddle: the first argument is an instance of an execution space, such as
  heddle::spmv(1.0, o.a, o.x, 0.0, o.y);
  // error: heddle: the first argument is an instance of an execution space, such as
  heddle::spmv(heddle::Op::transpose, 1.0, o.a, o.x, 0.0, o.y);
  // error: heddle: the first argument is an instance of an execution space, such as
  heddle::spmv(vectors, 1.0, o.a, o.x, 0.0, o.y);
  // error: heddle: the first argument is an instance of an execution space, such as
  heddle::spmv("N", 1.0, o.a, o.x, 0.0, o.y);
  // error: heddle: the first argument is an instance of an execution space, such as
  heddle::spmv(Kokkos::HostSpace{}, 1.0, o.a, o.x, 0.0, o.y);
  // error: heddle: the first argument is an instance of an execution space, such as
  heddle::spmm(1.0, o.a, o.b, 0.0, o.c);
  // error: heddle: the first argument is an instance of an execution space, such as
  heddle::spgemm(o.a, o.a);
  // error: heddle: the first argument is an instance of an execution space, such as
  heddle::spgemm(products, o.a, o.a, o.product);
  // error: heddle: the first argument is an instance of an execution space, such as
  heddle::spmm_both(1.0, o.a, o.b, o.b, 0.0, o.c, o.c);
}

void plans_without_instance(Operands const& o, Csr<Complex> const& z,
                            Csr<double, std::int64_t> const& wide,
                            Csr<float, std::int64_t> const& wide_f,
                            Csr<Complex, std::int64_t> const& wide_z)
{
  // error: heddle: the first argument of a plan is an instance of an execution space, such as
  heddle::SpmvPlan const vectors(o.a);
  // error: heddle: the first argument of a plan is an instance of an execution space, such as
  heddle::SpmvPlan const repeatable(o.f, {.deterministic = true});
  // error: heddle: the first argument of a plan is an instance of an execution space, such as
  heddle::SpmmPlan const columns(z);
  // error: heddle: the first argument of a plan is an instance of an execution space, such as
  heddle::SpmmPlan const transposed(wide, {.transposed = true});
  // error: heddle: the first argument of a plan is an instance of an execution space, such as
  heddle::SpgemmPlan const products(wide_f, wide_f);
  // error: heddle: the first argument of a plan is an instance of an execution space, such as
  heddle::SpgemmPlan const reused(wide_z, wide_z, {.reuse = true});
}

void both_without_plan(Operands const& o)
{
  // error: heddle::spmm_both: the second argument is an SpmmPlan
  heddle::spmm_both(o.exec, 1.0, o.a, o.b, o.b, 0.0, o.c, o.c);
}

void text_for_an_operation(Operands const& o, DensePlan<double> const& columns)
{
  // error: heddle: an operation on A is a heddle::Op, as heddle::Op::transpose, not a text
  heddle::spmv(o.exec, "N", 1.0, o.a, o.x, 0.0, o.y);
  // error: heddle: an operation on A is a heddle::Op, as heddle::Op::transpose, not a text
  heddle::spmv(o.exec, std::string("T"), 1.0, o.a, o.x, 0.0, o.y);
  // error: heddle: an operation on A is a heddle::Op, as heddle::Op::transpose, not a text
  heddle::spmm(o.exec, columns, "T", 1.0, o.a, o.b, 0.0, o.c);
  // error: heddle: an operation on A is a heddle::Op, as heddle::Op::transpose, not a text
  heddle::spmm_both(o.exec, columns, "T", 1.0, o.a, o.b, o.b, 0.0, o.c, o.c);
  // error: heddle: an operation on A is a heddle::Op, as heddle::Op::transpose, not a text
  heddle::spgemm(o.exec, "N", o.a, "N", o.a);
}

void plan_of_another_operation(Operands const& o, VectorPlan<double> const& vectors,
                               DensePlan<double> const& columns)
{
  // error: heddle: the plan is one of another operation
  heddle::spmv(o.exec, columns, 1.0, o.a, o.x, 0.0, o.y);
  // error: heddle: the plan is one of another operation
  heddle::spmm(o.exec, vectors, heddle::Op::transpose, 1.0, o.a, o.b, 0.0, o.c);
  // error: heddle: the plan is one of another operation
  heddle::spmm_both(o.exec, vectors, 1.0, o.a, o.b, o.b, 0.0, o.c, o.c);
  // error: heddle: the plan is one of another operation
  heddle::spgemm(o.exec, vectors, o.a, o.a, o.product);
}

// Takes a sum that it does not name.
struct NoEpilogue
{
  double operator()(std::int64_t, double value, double&) const { return value; }
};
void no_epilogue(Operands const& o, VectorPlan<double> const& vectors)
{
  // error: heddle: an epilogue is called as epilogue(i, value), or with a sum_type as epilogue(i,
  heddle::spmv(o.exec, vectors, 1.0, o.a, o.x, 0.0, o.y, NoEpilogue{});
}

void plan_of_another_space(Operands const& o, VectorPlan<double> const& vectors,
                           DensePlan<double> const& columns,
                           ProductPlan<double, double> const& products)
{
  // error: heddle: the plan was made for another execution space than that of the call
  heddle::spmv(Kokkos::Serial{}, vectors, 1.0, o.a, o.x, 0.0, o.y);
  // error: heddle: the plan was made for another execution space than that of the call
  heddle::spmm(Kokkos::Serial{}, columns, 1.0, o.a, o.b, 0.0, o.c);
  // error: heddle: the plan was made for another execution space than that of the call
  heddle::spgemm(Kokkos::Serial{}, products, o.a, o.a, o.product);
}

void plan_of_another_matrix(Operands const& o, VectorPlan<float> const& vectors,
                            DensePlan<double> const& columns,
                            ProductPlan<double, float> const& products,
                            heddle::CooMatrix<double, int, int, Space> const& coordinates)
{
  // error: heddle: the plan was made for a matrix of another type than that of the call
  heddle::spmv(o.exec, vectors, 1.0, o.a, o.x, 0.0, o.y);
  // error: heddle: the plan was made for a matrix of another type than that of the call
  heddle::spmm(o.exec, columns, 1.0, coordinates, o.b, 0.0, o.c);
  // error: heddle: the plan was made for a matrix of another type than that of the call
  heddle::spgemm(o.exec, products, o.f, o.a, o.product);
  // error: heddle: the plan was made for a matrix of another type than that of the call
  heddle::spgemm(o.exec, products, 1.0, o.a, o.a, 0.0, o.product);
}

void factors_of_two_formats(Operands const& o, heddle::BsrMatrix<double, int, int, Space> const& b)
{
  // error: heddle::spgemm: one of A and B is a BsrMatrix, the other is not; convert one
  auto const c = heddle::spgemm(o.exec, o.a, b);
  static_cast<void>(c.nnz());
}

void matrix_elsewhere(Operands const& o, Csr<double, int, int, Unreached> const& a,
                      Csr<float, int, int, Unreached> const& f,
                      Csr<Complex, int, int, Unreached> const& z,
                      Csr<double, std::int64_t, int, Unreached> const& wide,
                      Csr<float, std::int64_t, int, Unreached> const& wide_f,
                      Csr<double, int, std::size_t, Unreached> const& long_a)
{
  // error: heddle: the execution space cannot reach the matrix
  heddle::SpmvPlan(o.exec, a);
  // error: heddle: the execution space cannot reach the matrix
  heddle::SpmmPlan(o.exec, f);
  // error: heddle: the execution space cannot reach the matrix
  heddle::SpgemmPlan(o.exec, z, z);
  // error: heddle: the execution space cannot reach the matrix
  heddle::spmv(o.exec, 1.0, wide, o.x, 0.0, o.y);
  // error: heddle: the execution space cannot reach the matrix
  heddle::spmm(o.exec, 1.0, wide_f, o.b, 0.0, o.c);
  // error: heddle: the execution space cannot reach the matrix
  auto const c = heddle::spgemm(o.exec, long_a, long_a);
  static_cast<void>(c.nnz());
}

void operands_elsewhere(Operands const& o, Vector<double, Unreached> const& x,
                        Dense<double, Unreached> const& c, VectorPlan<double> const& plan)
{
  // error: heddle: the execution space cannot reach a dense operand
  heddle::spmv(o.exec, plan, 1.0, o.a, x, 0.0, o.y);
  // error: heddle: the execution space cannot reach a dense operand
  heddle::spmm(o.exec, 1.0, o.a, o.b, 0.0, c);
}

void results_that_cannot_be_right(Operands const& o, Vector<double const> const& y,
                                  Dense<double const> const& c, Csr<Complex> const& z,
                                  Vector<Complex> const& x)
{
  // error: heddle: the result is read-only
  heddle::spmv(o.exec, 1.0, o.a, o.x, 0.0, y);
  // error: heddle: the result is read-only
  heddle::spmm(o.exec, 1.0, o.a, o.b, 0.0, c);
  // error: heddle: a factor is complex, so the result must be
  heddle::spmv(o.exec, 1.0, z, o.x, 0.0, o.y);
  // error: heddle: a factor is complex, so the result must be
  heddle::spmv(o.exec, 1.0, o.a, x, 0.0, o.y);
}

void types_that_are_not_supported(Operands const& o, Csr<int> const& integers,
                                  Csr<std::complex<double>> const& standard,
                                  Csr<std::string> const& texts, Csr<long double> const& wide,
                                  Csr<bool> const& bits, Vector<int> const& x)
{
  // error: heddle: values of the matrix are float, double, Kokkos::complex of these
  heddle::SpmvPlan(o.exec, integers);
  // error: heddle: values of the matrix are float, double, Kokkos::complex of these
  heddle::SpmmPlan(o.exec, standard);
  // error: heddle: values of the matrix are float, double, Kokkos::complex of these
  heddle::spmv(o.exec, 1.0, texts, o.x, 0.0, o.y);
  // error: heddle: values of the matrix are float, double, Kokkos::complex of these
  heddle::SpgemmPlan(o.exec, wide, wide);
  // error: heddle: values of the matrix are float, double, Kokkos::complex of these
  heddle::spgemm(o.exec, bits, bits);
  // error: heddle: values of dense operands are float, double, Kokkos::complex of these
  heddle::spmv(o.exec, 1.0, o.a, x, 0.0, o.y);
}

void matrices(Operands const& o, Csr<double, std::int64_t> const& wide,
              Vector<double, Kokkos::AnonymousSpace> const& elsewhere)
{
  // error: heddle::spgemm: A and B have columns of different types
  heddle::SpgemmPlan(o.exec, o.a, wide);
  // error: heddle::CsrMatrix: columns are std::int32_t or std::int64_t
  static_cast<void>(sizeof(heddle::CsrMatrix<double, unsigned>));
  // error: heddle::CsrMatrix: offsets are integers
  static_cast<void>(sizeof(heddle::CsrMatrix<double, int, float>));
  // error: heddle::CsrMatrix: the last argument is a memory space
  static_cast<void>(sizeof(heddle::CsrMatrix<double, int, int, Exec>));
  // error: heddle::CsrMatrix: row_offsets, columns and values are in different memory spaces
  heddle::CsrMatrix(1, 1, o.a.row_offsets(), o.a.columns(), elsewhere);
}
