// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/impl/require.hpp>
#include <heddle/symmetrize_pattern.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <regex>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <multigrid/problem.hpp>

namespace heddle::perf
{

namespace
{

using Matrix = HostMatrix<double>;
using Extents = std::array<int, 3>;

// Rows of a matrix that are found one after the other.
class RowsToCome
{
public:
  void add(int column, double value)
  {
    m_columns.push_back(column);
    m_values.push_back(value);
  }
  void end_row() { m_offsets.push_back(m_columns.size()); }
  Matrix square_matrix() const
  {
    auto const rows = static_cast<int>(m_offsets.size()) - 1;
    return {rows, rows, view_of(m_offsets), view_of(m_columns), view_of(m_values)};
  }

private:
  template <class T>
  static Kokkos::View<T*, Kokkos::HostSpace> view_of(std::vector<T> const& from)
  {
    Kokkos::View<T*, Kokkos::HostSpace> const to("heddle::perf::problem", from.size());
    std::copy(from.begin(), from.end(), to.data());
    return to;
  }

  std::vector<std::size_t> m_offsets{0};
  std::vector<int> m_columns;
  std::vector<double> m_values;
};

std::optional<Extents> extents_of_body(std::string const& name)
{
  std::smatch parts;
  if (!std::regex_match(name, parts,
                        std::regex("elast3_([0-9]{1,4})(_([0-9]{1,4})_([0-9]{1,4}))?")))
    return std::nullopt;
  int const nx = std::stoi(parts[1]);
  if (!parts[2].matched)
    return Extents{nx, nx, nx};
  return Extents{nx, std::stoi(parts[3]), std::stoi(parts[4])};
}

// Without the first rows and columns.
Matrix without_first(Matrix const& a, int dropped)
{
  RowsToCome rest;
  for (int i = dropped; i < a.num_rows(); ++i)
  {
    for (std::size_t k = a.row_offsets()(i); k < a.row_offsets()(i + 1); ++k)
      if (a.columns()(k) >= dropped)
        rest.add(a.columns()(k) - dropped, a.values()(k));
    rest.end_row();
  }
  return rest.square_matrix();
}

// Nodes are numbered along x, then y, then z: those of z = 0 are the first.
MultigridProblem held_body(std::string const& name, Matrix const& a, Extents const& n)
{
  int const held = n[0] * n[1], nodes = held * (n[2] - 1);
  MultigridProblem problem{name, without_first(a, 3 * held), 3, {}};
  problem.coordinates = decltype(problem.coordinates)("heddle::perf::coordinates", nodes, 3);
  for (int node = 0; node < nodes; ++node)
  {
    int const y = node / n[0] % n[1], z = 1 + node / held;
    problem.coordinates(node, 0) = node % n[0];
    problem.coordinates(node, 1) = y;
    problem.coordinates(node, 2) = z;
  }
  return problem;
}

// The number of its connected component for every vertex of a symmetric graph.
std::vector<int> components_of(Matrix const& graph)
{
  std::vector<int> component(static_cast<std::size_t>(graph.num_rows()), -1), reached;
  int count = 0;
  for (int start = 0; start < graph.num_rows(); ++start)
  {
    if (component[static_cast<std::size_t>(start)] >= 0)
      continue;
    reached.assign(1, start);
    component[static_cast<std::size_t>(start)] = count;
    while (!reached.empty())
    {
      int const i = reached.back();
      reached.pop_back();
      for (std::size_t k = graph.row_offsets()(i); k < graph.row_offsets()(i + 1); ++k)
        if (int& of = component[static_cast<std::size_t>(graph.columns()(k))]; of < 0)
        {
          of = count;
          reached.push_back(graph.columns()(k));
        }
    }
    ++count;
  }
  return component;
}

} // namespace

HostMatrix<double> laplacian_of(HostMatrix<double> const& a)
{
  Matrix const graph = symmetrize_pattern(Kokkos::DefaultHostExecutionSpace{}, a);
  std::vector<int> const component = components_of(graph);
  std::vector<std::size_t> sizes(component.size());
  for (int const c : component)
    ++sizes[static_cast<std::size_t>(c)];
  auto const top = std::ranges::max_element(sizes);
  impl::require(top != sizes.end() && *top > 1, "perf",
                "the Laplacian of a graph without edges has no rows");
  auto const largest = static_cast<int>(top - sizes.begin());
  std::vector<int> edges(component.size(), 0), number(component.size(), -1);
  int grounded = -1;
  for (int i = 0; i < graph.num_rows(); ++i)
    if (auto const at = static_cast<std::size_t>(i); component[at] == largest)
    {
      for (std::size_t k = graph.row_offsets()(i); k < graph.row_offsets()(i + 1); ++k)
        edges[at] += graph.columns()(k) != i ? 1 : 0;
      if (grounded < 0 || edges[at] > edges[static_cast<std::size_t>(grounded)])
        grounded = i;
    }
  int count = 0;
  for (int i = 0; i < graph.num_rows(); ++i)
    if (component[static_cast<std::size_t>(i)] == largest && i != grounded)
      number[static_cast<std::size_t>(i)] = count++;
  RowsToCome laplacian;
  for (int i = 0; i < graph.num_rows(); ++i)
    if (int const row = number[static_cast<std::size_t>(i)]; row >= 0)
    {
      bool has_diagonal = false;
      auto const add_diagonal = [&] {
        if (!std::exchange(has_diagonal, true))
          laplacian.add(row, edges[static_cast<std::size_t>(i)]);
      };
      for (std::size_t k = graph.row_offsets()(i); k < graph.row_offsets()(i + 1); ++k)
      {
        int const column = number[static_cast<std::size_t>(graph.columns()(k))];
        if (column > row)
          add_diagonal();
        if (column >= 0 && column != row)
          laplacian.add(column, -1);
      }
      add_diagonal();
      laplacian.end_row();
    }
  return laplacian.square_matrix();
}

MultigridProblem multigrid_problem(LoadedMatrix const& loaded, bool is_laplacian)
{
  auto const* const a = std::get_if<Matrix>(&loaded.matrix);
  impl::require(a != nullptr, "perf", loaded.name, " is complex: multigrid takes real matrices");
  impl::require(a->num_rows() == a->num_cols(), "perf", loaded.name, " is ", a->num_rows(), " x ",
                a->num_cols(), ": multigrid takes square matrices");
  if (is_laplacian)
    return {"laplacian_" + loaded.name, laplacian_of(*a), 1, {}};
  auto const body = extents_of_body(loaded.name);
  if (body && a->num_rows() == 3 * (*body)[0] * (*body)[1] * (*body)[2])
    return held_body(loaded.name, *a, *body);
  return {loaded.name, *a, 1, {}};
}

} // namespace heddle::perf
