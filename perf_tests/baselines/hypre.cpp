// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <baselines/hypre.hpp>
#include <harness/stopwatch.hpp>
#include <heddle/impl/require.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdlib>
#include <HYPRE.h>
#include <HYPRE_IJ_mv.h>
#include <HYPRE_krylov.h>
#include <HYPRE_parcsr_ls.h>
#include <memory>
#include <mpi.h>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

namespace heddle::perf
{

namespace
{

void require_ok(int status, char const* call)
{
  impl::require<std::runtime_error>(status == 0, "perf", call, " failed with ", status);
}

// MPI and hypre are started once, and ended by whoever started them.
void start_hypre()
{
  static bool const is_started = [] {
    int has_mpi = 0;
    MPI_Initialized(&has_mpi);
    if (has_mpi == 0)
    {
      MPI_Init(nullptr, nullptr);
      std::atexit([] {
        int is_ended = 0;
        MPI_Finalized(&is_ended);
        if (is_ended == 0)
          MPI_Finalize();
      });
    }
    HYPRE_Init();
    return true;
  }();
  static_cast<void>(is_started);
}

// A matrix of hypre on this process alone.
class Matrix
{
public:
  explicit Matrix(HostMatrix<double> const& a)
  {
    HYPRE_Int const rows = a.num_rows();
    require_ok(HYPRE_IJMatrixCreate(MPI_COMM_SELF, 0, rows - 1, 0, rows - 1, &m_handle),
               "HYPRE_IJMatrixCreate");
    HYPRE_IJMatrixSetObjectType(m_handle, HYPRE_PARCSR);
    std::vector<HYPRE_Int> lengths(static_cast<std::size_t>(rows));
    std::vector<HYPRE_BigInt> numbers(lengths.size());
    for (std::size_t i = 0; i < lengths.size(); ++i)
    {
      lengths[i] = static_cast<HYPRE_Int>(a.row_offsets()(i + 1) - a.row_offsets()(i));
      numbers[i] = static_cast<HYPRE_BigInt>(i);
    }
    HYPRE_IJMatrixSetRowSizes(m_handle, lengths.data());
    require_ok(HYPRE_IJMatrixInitialize(m_handle), "HYPRE_IJMatrixInitialize");
    require_ok(HYPRE_IJMatrixSetValues(m_handle, rows, lengths.data(), numbers.data(),
                                       a.columns().data(), a.values().data()),
               "HYPRE_IJMatrixSetValues");
    require_ok(HYPRE_IJMatrixAssemble(m_handle), "HYPRE_IJMatrixAssemble");
    void* object = nullptr;
    HYPRE_IJMatrixGetObject(m_handle, &object);
    m_matrix = static_cast<HYPRE_ParCSRMatrix>(object);
  }
  ~Matrix() { HYPRE_IJMatrixDestroy(m_handle); }
  Matrix(Matrix const&) = delete;
  Matrix& operator=(Matrix const&) = delete;

  HYPRE_ParCSRMatrix get() const { return m_matrix; }

private:
  HYPRE_IJMatrix m_handle = nullptr;
  HYPRE_ParCSRMatrix m_matrix = nullptr;
};

// A vector in the same way.
class Vector
{
public:
  explicit Vector(int rows)
      : m_numbers(static_cast<std::size_t>(rows))
  {
    std::iota(m_numbers.begin(), m_numbers.end(), 0);
    require_ok(HYPRE_IJVectorCreate(MPI_COMM_SELF, 0, rows - 1, &m_handle), "HYPRE_IJVectorCreate");
    HYPRE_IJVectorSetObjectType(m_handle, HYPRE_PARCSR);
    HYPRE_IJVectorInitialize(m_handle);
    HYPRE_IJVectorAssemble(m_handle);
    void* object = nullptr;
    HYPRE_IJVectorGetObject(m_handle, &object);
    m_vector = static_cast<HYPRE_ParVector>(object);
  }
  ~Vector() { HYPRE_IJVectorDestroy(m_handle); }
  Vector(Vector const&) = delete;
  Vector& operator=(Vector const&) = delete;

  HYPRE_ParVector get() const { return m_vector; }
  void set(double value) const { HYPRE_ParVectorSetConstantValues(m_vector, value); }
  void set(MultigridVector const& from) const
  {
    HYPRE_IJVectorSetValues(m_handle, static_cast<HYPRE_Int>(m_numbers.size()), m_numbers.data(),
                            from.data());
  }
  void get(MultigridVector const& to) const
  {
    HYPRE_IJVectorGetValues(m_handle, static_cast<HYPRE_Int>(m_numbers.size()), m_numbers.data(),
                            to.data());
  }

private:
  HYPRE_IJVector m_handle = nullptr;
  HYPRE_ParVector m_vector = nullptr;
  std::vector<HYPRE_BigInt> m_numbers;
};

// BoomerAMG as hypre's defaults have it (HMIS, extended interpolation of at most 4 entries in a
// row, l1 Gauss-Seidel), but for the threshold of strong connections; of several unknowns per node
// it interpolates each by itself.
class BoomerAmg : public MultigridSolver
{
public:
  BoomerAmg(MultigridProblem const& problem, double threshold)
      : m_problem(problem)
      , m_threshold(threshold)
      , m_matrix(problem.a)
      , m_b(problem.a.num_rows())
      , m_x(problem.a.num_rows())
  {}
  ~BoomerAmg() override { destroy(); }
  BoomerAmg(BoomerAmg const&) = delete;
  BoomerAmg& operator=(BoomerAmg const&) = delete;

  // It reports its products as part of the whole.
  SetupTimes set_up() override
  {
    destroy();
    return {host_milliseconds(Kokkos::DefaultHostExecutionSpace{},
                              [&] {
                                HYPRE_BoomerAMGCreate(&m_amg);
                                HYPRE_BoomerAMGSetStrongThreshold(m_amg, m_threshold);
                                HYPRE_BoomerAMGSetNumFunctions(m_amg, m_problem.rows_of_node);
                                HYPRE_BoomerAMGSetTol(m_amg, 0); // one cycle for each call
                                HYPRE_BoomerAMGSetMaxIter(m_amg, 1);
                                require_ok(HYPRE_BoomerAMGSetup(m_amg, m_matrix.get(), m_b.get(),
                                                                m_x.get()),
                                           "HYPRE_BoomerAMGSetup");
                              }),
            0};
  }
  // It keeps nothing of a setup for another one.
  SetupTimes renew() override { return set_up(); }
  void cycle(MultigridVector const& b) override
  {
    m_b.set(b);
    m_x.set(0);
    HYPRE_BoomerAMGSolve(m_amg, m_matrix.get(), m_b.get(), m_x.get());
  }
  CgResult solve(MultigridVector const& b, MultigridVector const& x, double tolerance,
                 int most_iterations) override
  {
    m_b.set(b);
    m_x.set(0);
    HYPRE_Solver cg = nullptr;
    HYPRE_ParCSRPCGCreate(MPI_COMM_SELF, &cg);
    HYPRE_PCGSetTol(cg, tolerance);
    HYPRE_PCGSetMaxIter(cg, most_iterations);
    HYPRE_PCGSetTwoNorm(cg, 1);
    HYPRE_ParCSRPCGSetPrecond(
        cg, HYPRE_BoomerAMGSolve, // the hierarchy is there
        [](HYPRE_Solver, HYPRE_ParCSRMatrix, HYPRE_ParVector, HYPRE_ParVector) { return 0; },
        m_amg);
    HYPRE_ParCSRPCGSetup(cg, m_matrix.get(), m_b.get(), m_x.get());
    HYPRE_ParCSRPCGSolve(cg, m_matrix.get(), m_b.get(), m_x.get());
    CgResult result;
    HYPRE_PCGGetNumIterations(cg, &result.iterations);
    HYPRE_PCGGetFinalRelativeResidualNorm(cg, &result.residual);
    HYPRE_ParCSRPCGDestroy(cg);
    HYPRE_ClearAllErrors(); // such as that it has not converged
    m_x.get(x);
    return result;
  }
  // hypre has no public function that tells these.
  std::size_t levels() const override { return 0; }
  double operator_complexity() const override { return 0; }

private:
  void destroy()
  {
    if (m_amg != nullptr)
      HYPRE_BoomerAMGDestroy(m_amg);
    m_amg = nullptr;
  }

  MultigridProblem m_problem;
  double m_threshold;
  Matrix m_matrix;
  Vector m_b, m_x;
  HYPRE_Solver m_amg = nullptr;
};

MultigridMethod boomer_amg(std::string const& name, double threshold)
{
  return {name, [=](MultigridProblem const& problem) -> std::unique_ptr<MultigridSolver> {
            start_hypre();
            return std::make_unique<BoomerAmg>(problem, threshold);
          }};
}

} // namespace

std::string Hypre::version() { return "hypre " HYPRE_RELEASE_VERSION; }

// The thresholds that its manual recommends in two and in three dimensions.
std::vector<MultigridMethod> Hypre::multigrid()
{
  return {boomer_amg("hypre::BoomerAMG_0.25", 0.25), boomer_amg("hypre::BoomerAMG_0.5", 0.5)};
}

} // namespace heddle::perf
