// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <baselines/cusparse_blocked_ell.hpp>
#include <baselines/cusparse_support.hpp>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace heddle::perf
{

namespace
{

using namespace cusparse;

template <class Layout>
inline constexpr bool is_row_major_v = std::is_same_v<Layout, Kokkos::LayoutRight>;

// C = op(A) B with everything that a call needs. A row-major B beside a column-major C is, in
// cuSPARSE's words, the transpose of a column-major one.
template <class Value, class LayoutB, class LayoutC>
class SpmmCall
{
public:
  using OperandB = Dense<Value, LayoutB>;
  using OperandC = Dense<Value, LayoutC>;

  SpmmCall(Sparse a, Op op, OperandB const& b, OperandC const& c, cusparseSpMMAlg_t algorithm,
           bool is_preprocessed)
      : m_a(std::move(a))
      , m_op(operation(op))
      , m_algorithm(algorithm)
      , m_b(with_rows(b, op == Op::none ? m_a.cols : m_a.rows))
      , m_c(with_rows(c, op == Op::none ? m_a.rows : m_a.cols))
      , m_in(is_mixed ? descriptor(m_b.extent(1), m_b.extent(0), m_b.stride(0), m_b.data())
                      : descriptor(m_b))
      , m_out(descriptor(m_c))
  {
    std::size_t bytes = 0;
    check(cusparseSpMM_bufferSize(handle(), m_op, op_b, &m_alpha, m_a.descriptor.get(), m_in.get(),
                                  &m_beta, m_out.get(), data_type<Value>, m_algorithm, &bytes),
          "cusparseSpMM_bufferSize");
    m_buffer = new_buffer(bytes);
    if (is_preprocessed)
      check(cusparseSpMM_preprocess(handle(), m_op, op_b, &m_alpha, m_a.descriptor.get(),
                                    m_in.get(), &m_beta, m_out.get(), data_type<Value>, m_algorithm,
                                    m_buffer.data()),
            "cusparseSpMM_preprocess");
  }
  void run() const
  {
    check(cusparseSpMM(handle(), m_op, op_b, &m_alpha, m_a.descriptor.get(), m_in.get(), &m_beta,
                       m_out.get(), data_type<Value>, m_algorithm, m_buffer.data()),
          "cusparseSpMM");
  }
  void finish(OperandC const& c) const { take_rows(m_c, c); }

private:
  static constexpr bool is_mixed = !std::is_same_v<LayoutB, LayoutC>;
  static constexpr auto op_b =
      is_mixed ? CUSPARSE_OPERATION_TRANSPOSE : CUSPARSE_OPERATION_NON_TRANSPOSE;

  static DenseDescriptor descriptor(std::size_t rows, std::size_t cols, std::size_t stride,
                                    Value* values)
  {
    auto const leading = static_cast<std::int64_t>(std::max<std::size_t>(stride, 1));
    return owned<cusparseDnMatDescr_t>(
        [&](auto* to) {
          check(cusparseCreateDnMat(
                    to, static_cast<std::int64_t>(rows), static_cast<std::int64_t>(cols), leading,
                    values, data_type<Value>,
                    is_row_major_v<LayoutC> ? CUSPARSE_ORDER_ROW : CUSPARSE_ORDER_COL),
                "cusparseCreateDnMat");
        },
        cusparseDestroyDnMat);
  }
  template <class Operand>
  static DenseDescriptor descriptor(Operand const& b)
  {
    using Layout = typename Operand::array_layout;
    return descriptor(b.extent(0), b.extent(1), b.stride(is_row_major_v<Layout> ? 0 : 1), b.data());
  }

  Sparse m_a;
  cusparseOperation_t m_op;
  cusparseSpMMAlg_t m_algorithm;
  OperandB m_b;
  OperandC m_c;
  DenseDescriptor m_in, m_out;
  Buffer m_buffer;
  Value m_alpha = 1, m_beta = 0;
};

template <class Value>
using Format = std::function<Sparse(Matrix32<Value> const&)>;

template <class Value, class Layout>
class SpmmCandidates
{
public:
  using Problem = SpmmProblem<Value, Layout>;

  explicit SpmmCandidates(Problem const& problem)
      : m_problem(problem)
  {}

  void add(std::string const& name, Format<Value> const& format, Op op, cusparseSpMMAlg_t algorithm,
           bool is_preprocessed = false)
  {
    using Call = SpmmCall<Value, Layout, Layout>;
    auto const call = std::make_shared<std::unique_ptr<Call>>();
    auto const plan = [call, problem = m_problem, format, op, algorithm, is_preprocessed] {
      *call = std::make_unique<Call>(format(problem.a), op, problem.b, problem.c, algorithm,
                                     is_preprocessed);
    };
    m_all.push_back({"cusparse::" + name, int_indices, plan, [call] { (*call)->run(); },
                     [call, c = m_problem.c] { (*call)->finish(c); }});
  }
  void add_both(std::string const& name, Format<Value> const& format, Op op,
                cusparseSpMMAlg_t algorithm)
  {
    add(name, format, op, algorithm);
    add(name + "_pre", format, op, algorithm, true);
  }
  // Row-major B, column-major C: cuSPARSE's (T) of paper 000.
  void add_mixed(std::string const& name, cusparseSpMMAlg_t algorithm)
  {
    using Call = SpmmCall<Value, Kokkos::LayoutRight, Kokkos::LayoutLeft>;
    auto const call = std::make_shared<std::unique_ptr<Call>>();
    auto const c = std::make_shared<Dense<Value, Kokkos::LayoutLeft>>();
    auto const plan = [call, c, problem = m_problem, algorithm] {
      *c = Dense<Value, Kokkos::LayoutLeft>("heddle::perf::c", problem.c.extent(0),
                                            problem.c.extent(1));
      *call = std::make_unique<Call>(csr(problem.a), problem.op, problem.b, *c, algorithm, false);
    };
    m_all.push_back({"cusparse::" + name, int_indices, plan, [call] { (*call)->run(); },
                     [c, to = m_problem.c] { Kokkos::deep_copy(to, *c); }, "col"});
  }
  Candidates all() && { return std::move(m_all); }

private:
  Problem m_problem;
  Candidates m_all;
};

} // namespace

template <class Value, class Layout>
Candidates CuSparse::spmm(SpmmProblem<Value, Layout> const& problem)
{
  SpmmCandidates<Value, Layout> candidates(problem);
  Op const op = problem.op;
  candidates.add("csr_default", csr<Value>, op, CUSPARSE_SPMM_ALG_DEFAULT);
  candidates.add_both("csr_alg1", csr<Value>, op, CUSPARSE_SPMM_CSR_ALG1);
  if (op == Op::transpose)
  {
    candidates.add("csr_alg2", csr<Value>, op, CUSPARSE_SPMM_CSR_ALG2);
    candidates.add("cscview_default", transposed_as_csc<Value>, Op::none,
                   CUSPARSE_SPMM_ALG_DEFAULT);
    return std::move(candidates).all();
  }
  candidates.add_both("csr_alg2", csr<Value>, op, CUSPARSE_SPMM_CSR_ALG2);
  candidates.add_both("csr_alg3", csr<Value>, op, CUSPARSE_SPMM_CSR_ALG3);
  if constexpr (is_row_major_v<Layout>)
  {
    candidates.add_mixed("csr_alg1_mixed", CUSPARSE_SPMM_CSR_ALG1);
    candidates.add_mixed("csr_alg2_mixed", CUSPARSE_SPMM_CSR_ALG2);
  }
  candidates.add("coo_alg1", coo<Value>, op, CUSPARSE_SPMM_COO_ALG1);
  candidates.add("coo_alg2", coo<Value>, op, CUSPARSE_SPMM_COO_ALG2);
  candidates.add("coo_alg3", coo<Value>, op, CUSPARSE_SPMM_COO_ALG3);
  candidates.add("coo_alg4", coo<Value>, op, CUSPARSE_SPMM_COO_ALG4);
  for (int const size : {2, 3, 4, 8, 16, 32})
    candidates.add(
        "bsr" + std::to_string(size), [size](Matrix32<Value> const& a) { return bsr(a, size); }, op,
        CUSPARSE_SPMM_BSR_ALG1);
  if constexpr (std::is_same_v<Value, double>) // in f32 it multiplies TF32
    for (int const size : {8, 16, 32})
      candidates.add(
          "blocked_ell" + std::to_string(size),
          [size](Matrix32<Value> const& a) { return blocked_ell(a, size); }, op,
          CUSPARSE_SPMM_BLOCKED_ELL_ALG1);
  return std::move(candidates).all();
}

template Candidates CuSparse::spmm(SpmmProblem<float, Kokkos::LayoutRight> const&);
template Candidates CuSparse::spmm(SpmmProblem<double, Kokkos::LayoutRight> const&);
template Candidates CuSparse::spmm(SpmmProblem<float, Kokkos::LayoutLeft> const&);
template Candidates CuSparse::spmm(SpmmProblem<double, Kokkos::LayoutLeft> const&);

} // namespace heddle::perf
