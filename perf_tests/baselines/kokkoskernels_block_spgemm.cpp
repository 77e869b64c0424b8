// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <baselines/kokkoskernels.hpp>
#include <baselines/kokkoskernels_algorithms.hpp>
#include <heddle/error.hpp>

#include <KokkosKernels_Handle.hpp>
#include <KokkosSparse_BsrMatrix.hpp>
#include <KokkosSparse_spgemm.hpp>

#include <memory>
#include <string>
#include <utility>

namespace heddle::perf
{

namespace
{

// Blocks in Kokkos Kernels' matrix, which has the same arrays: sizes are those in blocks.
template <class Value>
class BlockMultiply
{
public:
  using Theirs =
      KokkosSparse::Experimental::BsrMatrix<Value, int, Kokkos::Device<Exec, Space>, void, int>;
  using Ours = BsrMatrix<Value, int, int, Space>;
  using Handle =
      ::KokkosKernels::Experimental::KokkosKernelsHandle<int, int, Value, Exec, Space, Space>;

  BlockMultiply(Ours const& a, Ours const& b, kokkoskernels::Algorithm algorithm)
      : m_shape(a.shape())
      , m_rows(a.num_rows())
      , m_cols(b.num_cols())
      , m_a(view(a))
      , m_b(view(b))
  {
    m_handle.create_spgemm_handle(algorithm);
  }
  void symbolic() { KokkosSparse::block_spgemm_symbolic(m_handle, m_a, false, m_b, false, m_c); }
  void numeric() { KokkosSparse::block_spgemm_numeric(m_handle, m_a, false, m_b, false, m_c); }
  Ours result() const
  {
    return Ours(m_rows, m_cols, m_shape, m_c.graph.row_map, m_c.graph.entries, m_c.values);
  }

private:
  static Theirs view(Ours const& m)
  {
    if (m.shape().height != m.shape().width)
      throw Unsupported("Kokkos Kernels has square blocks alone");
    return Theirs("heddle::perf::blocks", m.num_block_rows(), m.num_block_cols(),
                  static_cast<int>(m.num_blocks()), m.values(), m.row_offsets(), m.columns(),
                  m.shape().height);
  }

  BlockShape m_shape;
  int m_rows, m_cols;
  Theirs m_a, m_b, m_c;
  Handle m_handle;
};

template <class Value>
Candidate block_candidate(std::string const& name, kokkoskernels::Algorithm algorithm,
                          BsrSpgemmProblem<Value> const& problem)
{
  using Multiply = BlockMultiply<Value>;
  auto const kept = std::make_shared<std::unique_ptr<Multiply>>();
  auto const symbolic = [=] {
    *kept = std::make_unique<Multiply>(problem.a, problem.b, algorithm);
    (*kept)->symbolic();
  };
  Candidate candidate{name, int_indices, {}, {}, [=] { problem.take((*kept)->result()); }};
  if (problem.is_numeric)
    candidate.plan = symbolic;
  candidate.run = [=] {
    if (!problem.is_numeric)
      symbolic();
    (*kept)->numeric();
  };
  return candidate;
}

} // namespace

template <class Value>
Candidates KokkosKernels::spgemm(BsrSpgemmProblem<Value> const& problem)
{
  Candidates candidates;
  for (auto const& [name, algorithm] : kokkoskernels::spgemm_algorithms())
    candidates.push_back(block_candidate("kokkoskernels::block_" + name, algorithm, problem));
  return candidates;
}

#if !defined(HEDDLE_PERF_DOUBLE_ONLY)
template Candidates KokkosKernels::spgemm(BsrSpgemmProblem<float> const&);
#endif
template Candidates KokkosKernels::spgemm(BsrSpgemmProblem<double> const&);

} // namespace heddle::perf
