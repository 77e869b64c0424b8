// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/operands.hpp>
#include <heddle/rigid_body_modes.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <memory>
#include <utility>

#include <multigrid/hierarchy.hpp>
#include <multigrid/solver.hpp>

namespace heddle::perf
{

namespace
{

void scale_values(MultigridMatrix const& a, double factor)
{
  Kokkos::parallel_for(
      "heddle::perf::scale", Kokkos::RangePolicy<Exec>(Exec{}, 0, a.nnz()),
      KOKKOS_LAMBDA(std::size_t k) { a.values()(k) *= factor; });
}

NearNullspace near_nullspace(MultigridProblem const& problem)
{
  if (problem.coordinates.extent(0) == 0)
    return {};
  auto const coordinates = Kokkos::create_mirror_view_and_copy(Space{}, problem.coordinates);
  auto const modes = rigid_body_modes(Exec{}, coordinates);
  NearNullspace result{
      problem.rows_of_node,
      decltype(NearNullspace::modes)("heddle::perf::modes", modes.extent(0), modes.extent(1))};
  Kokkos::deep_copy(result.modes, modes);
  return result;
}

class SmoothedAggregation : public MultigridSolver
{
public:
  SmoothedAggregation(MultigridLibrary library, MultigridProblem const& problem)
      : m_library(std::move(library))
      , m_a(on_device<int>(problem.a))
      , m_nullspace(near_nullspace(problem))
  {}

  SetupTimes set_up() override
  {
    m_hierarchy.reset();
    m_hierarchy = std::make_unique<Hierarchy>(m_library, m_a, m_nullspace);
    return m_hierarchy->times();
  }
  SetupTimes renew() override
  {
    for (double const factor : {2.0, 0.5})
    {
      scale_values(m_a, factor);
      m_hierarchy->renew();
    }
    return m_hierarchy->times();
  }
  void cycle(MultigridVector const& b) override
  {
    Kokkos::deep_copy(Exec{}, m_hierarchy->finest().b, b);
    m_hierarchy->cycle();
  }
  CgResult solve(MultigridVector const& b, MultigridVector const& x, double tolerance,
                 int most_iterations) override
  {
    return heddle::perf::solve(*m_hierarchy, b, x, tolerance, most_iterations);
  }
  std::size_t levels() const override { return m_hierarchy->levels().size(); }
  double operator_complexity() const override { return m_hierarchy->operator_complexity(); }

private:
  MultigridLibrary m_library;
  MultigridMatrix m_a;
  NearNullspace m_nullspace;
  std::unique_ptr<Hierarchy> m_hierarchy;
};

} // namespace

MultigridMethod smoothed_aggregation(MultigridLibrary const& library)
{
  return {library.name, [=](MultigridProblem const& problem) -> std::unique_ptr<MultigridSolver> {
            return std::make_unique<SmoothedAggregation>(library, problem);
          }};
}

} // namespace heddle::perf
