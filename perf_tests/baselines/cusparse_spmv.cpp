// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <baselines/cusparse_support.hpp>

#include <functional>
#include <memory>
#include <string>

namespace heddle::perf
{

namespace
{

using namespace cusparse;

enum class Preprocess
{
  no,
  yes
};

// y = alpha op(A) x + beta y with everything that a call needs.
template <class Value>
class SpmvCall
{
public:
  SpmvCall(Sparse a, Op op, SpmvProblem<Value> const& problem, cusparseSpMVAlg_t algorithm,
           Preprocess preprocess)
      : m_a(std::move(a))
      , m_op(operation(op))
      , m_algorithm(algorithm)
      , m_x(with_rows(problem.x, op == Op::none ? m_a.cols : m_a.rows))
      , m_y(with_rows(problem.y, op == Op::none ? m_a.rows : m_a.cols))
      , m_in(descriptor(m_x))
      , m_out(descriptor(m_y))
      , m_alpha(problem.alpha)
      , m_beta(problem.beta)
  {
    std::size_t bytes = 0;
    check(cusparseSpMV_bufferSize(handle(), m_op, &m_alpha, m_a.descriptor.get(), m_in.get(),
                                  &m_beta, m_out.get(), data_type<Value>, m_algorithm, &bytes),
          "cusparseSpMV_bufferSize");
    m_buffer = new_buffer(bytes);
    if (preprocess == Preprocess::yes)
      check(cusparseSpMV_preprocess(handle(), m_op, &m_alpha, m_a.descriptor.get(), m_in.get(),
                                    &m_beta, m_out.get(), data_type<Value>, m_algorithm,
                                    m_buffer.data()),
            "cusparseSpMV_preprocess");
  }
  void run() const
  {
    check(cusparseSpMV(handle(), m_op, &m_alpha, m_a.descriptor.get(), m_in.get(), &m_beta,
                       m_out.get(), data_type<Value>, m_algorithm, m_buffer.data()),
          "cusparseSpMV");
  }
  void finish(Vector<Value> const& y) const { take_rows(m_y, y); }

private:
  static VectorDescriptor descriptor(Vector<Value> const& x)
  {
    return owned<cusparseDnVecDescr_t>(
        [&](auto* to) {
          check(cusparseCreateDnVec(to, static_cast<std::int64_t>(x.extent(0)), x.data(),
                                    data_type<Value>),
                "cusparseCreateDnVec");
        },
        cusparseDestroyDnVec);
  }

  Sparse m_a;
  cusparseOperation_t m_op;
  cusparseSpMVAlg_t m_algorithm;
  Vector<Value> m_x, m_y;
  VectorDescriptor m_in, m_out;
  Buffer m_buffer;
  Value m_alpha, m_beta;
};

template <class Value>
Candidate candidate(SpmvProblem<Value> const& problem, std::string const& name,
                    std::function<Sparse(Matrix32<Value> const&)> const& format, Op op,
                    cusparseSpMVAlg_t algorithm, Preprocess preprocess)
{
  auto const call = std::make_shared<std::unique_ptr<SpmvCall<Value>>>();
  auto const plan = [=] {
    *call =
        std::make_unique<SpmvCall<Value>>(format(problem.a), op, problem, algorithm, preprocess);
  };
  return {"cusparse::" + name, int_indices, plan, [=] { (*call)->run(); },
          [=] { (*call)->finish(problem.y); }};
}

template <class Value>
Candidates transposed(SpmvProblem<Value> const& p)
{
  auto const as_csc = transposed_as_csc<Value>;
  return {candidate<Value>(p, "csr_default", csr<Value>, Op::transpose, CUSPARSE_SPMV_ALG_DEFAULT,
                           Preprocess::no),
          candidate<Value>(p, "csr_alg1", csr<Value>, Op::transpose, CUSPARSE_SPMV_CSR_ALG1,
                           Preprocess::no),
          candidate<Value>(p, "csr_alg1_pre", csr<Value>, Op::transpose, CUSPARSE_SPMV_CSR_ALG1,
                           Preprocess::yes),
          candidate<Value>(p, "cscview_default", as_csc, Op::none, CUSPARSE_SPMV_ALG_DEFAULT,
                           Preprocess::no)};
}

template <class Value>
Candidates plain(SpmvProblem<Value> const& p)
{
  Candidates all;
  auto const add = [&](std::string const& name, auto const& format, cusparseSpMVAlg_t algorithm) {
    all.push_back(candidate<Value>(p, name, format, Op::none, algorithm, Preprocess::no));
    all.push_back(candidate<Value>(p, name + "_pre", format, Op::none, algorithm, Preprocess::yes));
  };
  add("csr_default", csr<Value>, CUSPARSE_SPMV_ALG_DEFAULT);
  add("csr_alg1", csr<Value>, CUSPARSE_SPMV_CSR_ALG1);
  add("csr_alg2", csr<Value>, CUSPARSE_SPMV_CSR_ALG2);
  add("coo_alg1", coo<Value>, CUSPARSE_SPMV_COO_ALG1);
  add("coo_alg2", coo<Value>, CUSPARSE_SPMV_COO_ALG2);
  for (int const height : {8, 32})
    add(
        "sell" + std::to_string(height),
        [height](Matrix32<Value> const& a) { return sliced_ell(a, height); },
        CUSPARSE_SPMV_SELL_ALG1);
  for (int const size : {2, 3, 4, 8})
    all.push_back(candidate<Value>(
        p, "bsr" + std::to_string(size), [size](Matrix32<Value> const& a) { return bsr(a, size); },
        Op::none, CUSPARSE_SPMV_BSR_ALG1, Preprocess::no));
  return all;
}

} // namespace

std::string CuSparse::version()
{
  int numbers[3] = {};
  cusparseGetProperty(MAJOR_VERSION, &numbers[0]);
  cusparseGetProperty(MINOR_VERSION, &numbers[1]);
  cusparseGetProperty(PATCH_LEVEL, &numbers[2]);
  return "cuSPARSE " + std::to_string(numbers[0]) + "." + std::to_string(numbers[1]) + "." +
         std::to_string(numbers[2]);
}

template <class Value>
Candidates CuSparse::spmv(SpmvProblem<Value> const& problem)
{
  return problem.op == Op::none ? plain(problem) : transposed(problem);
}

template Candidates CuSparse::spmv(SpmvProblem<float> const&);
template Candidates CuSparse::spmv(SpmvProblem<double> const&);

} // namespace heddle::perf
