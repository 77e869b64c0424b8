// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What makes a CSR matrix of another one, or says something of it.

#include <heddle/balanced_rows.hpp>
#include <heddle/drop_zeros.hpp>
#include <heddle/permute.hpp>
#include <heddle/reorder.hpp>
#include <heddle/sort_rows.hpp>
#include <heddle/storage.hpp>
#include <heddle/suggest.hpp>
#include <heddle/transpose.hpp>
#include <support/permutations.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <random/check_conversion.hpp>
#include <random/context.hpp>
#include <random/make_format.hpp>
#include <random/operands.hpp>

namespace heddle::test::random
{

// The rows and columns of a change places.
inline EntryList transposed(EntryList a, bool is_conjugated)
{
  std::swap(a.rows, a.cols);
  for (Entry& entry : a.entries)
  {
    std::swap(entry.row, entry.column);
    if (is_conjugated)
      entry.value = std::conj(entry.value);
  }
  return a;
}

template <class C>
class TransformCheck
{
  using Value = typename C::value;
  using Exec = typename C::exec;
  using Csr = CsrOf<C>;

public:
  TransformCheck(Problem const& problem, Context& context)
      : m_problem(problem)
      , m_context(context)
      , m_exec(instance<Exec>(problem.other_instance))
      , m_a(make_csr<C>(problem.a, problem))
  {}

  std::string transposes()
  {
    for (Op const op : {Op::transpose, Op::conjugate_transpose})
    {
      bool const is_conjugated = op == Op::conjugate_transpose && impl::is_complex_v<Value>;
      auto const t = m_context.call("transpose", [&] { return transpose(m_exec, m_a, op); });
      std::string const wrong = first_difference(
          canonical<Value>(transposed(m_problem.a, is_conjugated), false), read_csr(t));
      if (!wrong.empty())
        return "of " + std::string(to_string(op)) + ", " + wrong;
    }
    std::string const wrong = nonzeros();
    return wrong.empty() ? sorts() : wrong;
  }

  // P A Q^T for random orders, and that its product with Q x is P (A x).
  std::string permutes()
  {
    Problem const& p = m_problem;
    Orders<C> const orders(p);
    auto const rows = orders.rows, cols = orders.columns;
    auto const moved = m_context.call("permute", [&] { return permute(m_exec, m_a, rows, cols); });
    std::string wrong = same_but_for_order(moved, order_of(rows), order_of(cols), "permute");
    if (!wrong.empty())
      return wrong;
    auto const by_rows =
        m_context.call("permute_rows", [&] { return permute_rows(m_exec, m_a, rows); });
    wrong = same_but_for_order(by_rows, order_of(rows), identity_order(p.a.cols), "permute_rows");
    if (!wrong.empty())
      return wrong;
    auto const inverse =
        m_context.call("inverse_permutation", [&] { return inverse_permutation(m_exec, rows); });
    Order const order = order_of(rows), back = order_of(inverse);
    for (std::size_t i = 0; i < order.size(); ++i)
      if (back[static_cast<std::size_t>(order[i])] != static_cast<std::int64_t>(i))
        return "inverse_permutation is none at " + std::to_string(i);
    return vectors(order, rows);
  }

  std::string reorders()
  {
    std::string wrong = found("order_by_degree", [&] { return order_by_degree(m_exec, m_a); });
    if (wrong.empty())
      wrong = found("order_by_similarity", [&] { return order_by_similarity(m_exec, m_a); });
    if (wrong.empty() && m_problem.a.rows == m_problem.a.cols)
      wrong = found("order_by_cuthill_mckee", [&] { return order_by_cuthill_mckee(m_exec, m_a); });
    return wrong;
  }

  // The suggested sizes are those that conversions give.
  std::string suggests()
  {
    std::vector<BlockShape> const blocks = {{1, 1}, {2, 3}, {4, 4}, {7, 2}};
    auto const block = m_context.call("suggest_block_size",
                                      [&] { return suggest_block_size(m_exec, m_a, blocks); });
    for (auto const& candidate : block.candidates)
    {
      auto const made = to_bsr(m_exec, m_a, candidate.shape, no_limit);
      if (storage_bytes(made) != candidate.bytes || made.values().extent(0) != candidate.places)
        return "suggest_block_size says " + std::to_string(candidate.bytes) + " bytes of blocks " +
               std::to_string(candidate.shape.height) + " x " +
               std::to_string(candidate.shape.width) + ", to_bsr takes " +
               std::to_string(storage_bytes(made));
    }
    std::vector<SellShape> const slices = {{8, 1, 1}, {32, 4, 128}, {3, 2, 7}};
    auto const slice =
        m_context.call("suggest_sell", [&] { return suggest_sell(m_exec, m_a, slices); });
    for (auto const& candidate : slice.candidates)
    {
      auto const made = to_sell(m_exec, m_a, candidate.shape, no_limit);
      if (storage_bytes(made) != candidate.bytes || made.values().extent(0) != candidate.places)
        return "suggest_sell says " + std::to_string(candidate.bytes) + " bytes of slices of " +
               std::to_string(candidate.shape.height) + " rows, to_sell takes " +
               std::to_string(storage_bytes(made));
    }
    return {};
  }

  // Parts are all rows, and none is heavier than it must be: a share and the longest row.
  std::string balances()
  {
    std::int64_t const parts = 1 + static_cast<std::int64_t>(m_problem.seed % 9);
    auto const cuts =
        m_context.call("balanced_rows", [&] { return balanced_rows(m_exec, m_a, parts); });
    std::vector<std::int64_t> lengths(static_cast<std::size_t>(m_problem.a.rows));
    for (Entry const& entry : m_problem.a.entries)
      ++lengths[static_cast<std::size_t>(entry.row)];
    if (static_cast<std::int64_t>(cuts.size()) != parts + 1 || cuts.front() != 0 ||
        cuts.back() != m_problem.a.rows || !std::is_sorted(cuts.begin(), cuts.end()))
      return "balanced_rows gives no parts of all rows";
    std::int64_t const longest =
        lengths.empty() ? 0 : *std::max_element(lengths.begin(), lengths.end());
    auto const nnz = static_cast<std::int64_t>(m_problem.a.entries.size());
    for (std::int64_t part = 0; part < parts; ++part)
    {
      std::int64_t weight = 0;
      for (std::int64_t i = cuts[part]; i < cuts[part + 1]; ++i)
        weight += lengths[static_cast<std::size_t>(i)];
      if (weight > nnz / parts + longest)
        return "balanced_rows gives part " + std::to_string(part) + " " + std::to_string(weight) +
               " of " + std::to_string(nnz) + " entries";
    }
    return {};
  }

private:
  std::string nonzeros()
  {
    EntryList expected = canonical<Value>(m_problem.a, true);
    std::erase_if(expected.entries, [](Entry const& entry) { return entry.value == 0.0; });
    auto const dropped = m_context.call("drop_zeros", [&] { return drop_zeros(m_exec, m_a); });
    std::string const wrong = first_difference(expected, read_csr(dropped));
    return wrong.empty() ? "" : "of drop_zeros, " + wrong;
  }

  std::string sorts()
  {
    Csr const sorted = clone(m_exec, m_a);
    m_context.call(
        "sort_rows", [&] { sort_rows(m_exec, sorted); },
        [&] {
          Kokkos::deep_copy(sorted.columns(), m_a.columns());
          Kokkos::deep_copy(sorted.values(), m_a.values());
        });
    if (!has_sorted_rows(m_exec, sorted))
      return "sort_rows leaves rows unsorted";
    std::string const wrong =
        first_difference(canonical<Value>(m_problem.a, false), read_csr(sorted));
    return wrong.empty() ? "" : "of sort_rows, " + wrong;
  }

  // Entry (i, j) of moved is entry (rows[i], cols[j]) of A.
  std::string same_but_for_order(Csr const& moved, Order const& rows, Order const& cols,
                                 char const* name)
  {
    EntryList back = read_csr(moved);
    for (Entry& entry : back.entries)
    {
      entry.row = rows[static_cast<std::size_t>(entry.row)];
      entry.column = cols[static_cast<std::size_t>(entry.column)];
    }
    std::string const wrong =
        first_difference(canonical<Value>(m_problem.a, false), canonical<Value>(back, false));
    return wrong.empty() ? "" : "of " + std::string(name) + ", " + wrong;
  }

  template <class View>
  std::string vectors(Order const& order, View const& p)
  {
    auto const n = static_cast<std::int64_t>(order.size());
    DenseOperand<C> x(n, 1, m_problem.in), y(n, 1, m_problem.out);
    x.fill([](std::int64_t i, std::int64_t) { return Value(static_cast<float>(i)); });
    m_context.call("permute_vector", [&] { permute_vector(m_exec, x.vector(), p, y.vector()); });
    m_exec.fence();
    auto const now = y.read();
    for (std::int64_t i = 0; i < n; ++i)
      if (now[y.place(i, 0)] != x.filled(order[static_cast<std::size_t>(i)], 0))
        return "permute_vector puts a wrong value at " + std::to_string(i);
    return y.is_untouched_around(now) ? "" : "permute_vector wrote around y";
  }

  template <class Find>
  std::string found(char const* name, Find const& find)
  {
    auto const order = m_context.call(name, find);
    return is_permutation_of(order_of(order), m_problem.a.rows)
               ? ""
               : std::string(name) + " gives no permutation";
  }

  Problem const& m_problem;
  Context& m_context;
  Exec const& m_exec;
  Csr m_a;
};

} // namespace heddle::test::random
