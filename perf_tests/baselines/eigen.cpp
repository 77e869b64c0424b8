// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <baselines/eigen.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <type_traits>

#include <Eigen/SparseCore>

namespace heddle::perf
{

namespace
{

template <class Value>
using Sparse = Eigen::SparseMatrix<Value, Eigen::RowMajor, int>;
template <class Value>
using SparseMap = Eigen::Map<Sparse<Value> const>;
template <class Value>
using VectorMap = Eigen::Map<Eigen::Matrix<Value, Eigen::Dynamic, 1>>;
template <class Value, class Layout>
using DenseMap = Eigen::Map<
    Eigen::Matrix<Value, Eigen::Dynamic, Eigen::Dynamic,
                  std::is_same_v<Layout, Kokkos::LayoutRight> ? Eigen::RowMajor : Eigen::ColMajor>>;

template <class Value>
SparseMap<Value> map(Matrix32<Value> const& a)
{
  return {a.num_rows(),           a.num_cols(),       static_cast<Eigen::Index>(a.nnz()),
          a.row_offsets().data(), a.columns().data(), a.values().data()};
}
template <class Value>
VectorMap<Value> map(Vector<Value> const& x)
{
  return {x.data(), static_cast<Eigen::Index>(x.extent(0))};
}
template <class Value, class Layout>
DenseMap<Value, Layout> map(Dense<Value, Layout> const& b)
{
  return {b.data(), static_cast<Eigen::Index>(b.extent(0)), static_cast<Eigen::Index>(b.extent(1))};
}

template <class Value, class In, class Out>
Candidate product(char const* name, Matrix32<Value> const& a, Op op, In const& in, Out const& out)
{
  auto const run = [=] {
    auto y = map(out);
    if (op == Op::none)
      y.noalias() = map(a) * map(in);
    else
      y.noalias() = map(a).transpose() * map(in);
  };
  return {name, int_indices, {}, run, {}};
}

template <class Value>
Matrix32<Value> taken(Sparse<Value> const& c)
{
  auto const rows = static_cast<int>(c.rows()), cols = static_cast<int>(c.cols());
  Kokkos::View<int*, Space> const offsets("heddle::perf::offsets", rows + 1),
      columns("heddle::perf::columns", c.nonZeros());
  Kokkos::View<Value*, Space> const values("heddle::perf::values", c.nonZeros());
  std::copy_n(c.outerIndexPtr(), rows + 1, offsets.data());
  std::copy_n(c.innerIndexPtr(), c.nonZeros(), columns.data());
  std::copy_n(c.valuePtr(), c.nonZeros(), values.data());
  return {rows, cols, offsets, columns, values};
}

} // namespace

std::string Eigen3::version()
{
  return "Eigen " + std::to_string(EIGEN_WORLD_VERSION) + "." +
         std::to_string(EIGEN_MAJOR_VERSION) + "." + std::to_string(EIGEN_MINOR_VERSION);
}

template <class Value>
Candidates Eigen3::spmv(SpmvProblem<Value> const& p)
{
  return {product("eigen::spmv", p.a, p.op, p.x, p.y)};
}

template <class Value, class Layout>
Candidates Eigen3::spmm(SpmmProblem<Value, Layout> const& p)
{
  return {product("eigen::spmm", p.a, p.op, p.b, p.c)};
}

template <class Value>
Candidates Eigen3::spgemm(SpgemmProblem<Value> const& p)
{
  if (p.is_numeric)
    return {}; // its product has no phases
  auto const c = std::make_shared<Sparse<Value>>();
  return {{"eigen::spgemm",
           int_indices,
           {},
           [=] { *c = map(p.a) * map(p.b); },
           [=] { p.take(taken(*c)); }}};
}

template Candidates Eigen3::spmv(SpmvProblem<float> const&);
template Candidates Eigen3::spmv(SpmvProblem<double> const&);
template Candidates Eigen3::spmm(SpmmProblem<float, Kokkos::LayoutRight> const&);
template Candidates Eigen3::spmm(SpmmProblem<double, Kokkos::LayoutRight> const&);
template Candidates Eigen3::spmm(SpmmProblem<float, Kokkos::LayoutLeft> const&);
template Candidates Eigen3::spmm(SpmmProblem<double, Kokkos::LayoutLeft> const&);
template Candidates Eigen3::spgemm(SpgemmProblem<float> const&);
template Candidates Eigen3::spgemm(SpgemmProblem<double> const&);

} // namespace heddle::perf
