// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <random/shrink.hpp>
#include <random/subjects.hpp>

namespace heddle::test::random
{

namespace
{

// Columns (or rows) first .. last - 1 are gone, those behind move up.
void drop_lines(EntryList& a, bool are_rows, std::int64_t first, std::int64_t last)
{
  auto const number = [&](Entry& entry) -> std::int64_t& {
    return are_rows ? entry.row : entry.column;
  };
  std::erase_if(a.entries,
                [&](Entry& entry) { return first <= number(entry) && number(entry) < last; });
  for (Entry& entry : a.entries)
    if (number(entry) >= last)
      number(entry) -= last - first;
  (are_rows ? a.rows : a.cols) -= last - first;
}

// What can be left out of a problem piece by piece.
struct Dimension
{
  std::int64_t (*size)(Problem const&);
  void (*drop)(Problem&, std::int64_t first, std::int64_t last);
};

template <EntryList Problem::*matrix>
Dimension entries_of()
{
  return {[](Problem const& p) { return static_cast<std::int64_t>((p.*matrix).entries.size()); },
          [](Problem& p, std::int64_t first, std::int64_t last) {
            auto& all = (p.*matrix).entries;
            all.erase(all.begin() + first, all.begin() + last);
          }};
}

// The columns of op(A) are the rows of op(B).
bool inner_is_rows_of_a(Problem const& p) { return is_transposed(p.op); }
bool inner_is_rows_of_b(Problem const& p) { return !is_transposed(p.op_b); }

constexpr Dimension outer_of_a = {
    [](Problem const& p) { return inner_is_rows_of_a(p) ? p.a.cols : p.a.rows; },
    [](Problem& p, std::int64_t first, std::int64_t last) {
      drop_lines(p.a, !inner_is_rows_of_a(p), first, last);
    }};
constexpr Dimension inner = {
    [](Problem const& p) { return inner_is_rows_of_a(p) ? p.a.rows : p.a.cols; },
    [](Problem& p, std::int64_t first, std::int64_t last) {
      drop_lines(p.a, inner_is_rows_of_a(p), first, last);
      if (is_product(p.operation))
        drop_lines(p.b, inner_is_rows_of_b(p), first, last);
    }};
constexpr Dimension outer_of_b = {[](Problem const& p) {
                                    if (!is_product(p.operation))
                                      return std::int64_t(0);
                                    return inner_is_rows_of_b(p) ? p.b.cols : p.b.rows;
                                  },
                                  [](Problem& p, std::int64_t first, std::int64_t last) {
                                    drop_lines(p.b, !inner_is_rows_of_b(p), first, last);
                                  }};
constexpr Dimension dense_columns = {
    [](Problem const& p) {
      bool const is_dense = p.operation == Operation::spmm || p.operation == Operation::spmm_both;
      return is_dense ? p.columns : 0;
    },
    [](Problem& p, std::int64_t first, std::int64_t last) { p.columns -= last - first; }};

// Whether the build has it, and no matrix but coordinates has an entry twice.
bool is_valid(Problem const& p)
{
  bool const may_repeat =
      has_format(p.operation) && (p.from_coordinates || p.format == Format::coo);
  std::set<std::pair<std::int64_t, std::int64_t>> places;
  if (!may_repeat)
    for (Entry const& entry : p.a.entries)
      if (!places.emplace(entry.row, entry.column).second)
        return false;
  return find_subject(p.type, p.operation, p.format) != nullptr;
}

class Shrinker
{
public:
  Shrinker(Problem const& problem, std::function<std::string(Problem const&)> const& find_failure,
           int most_attempts)
      : m_find_failure(find_failure)
      , m_most_attempts(most_attempts)
      , m_best{problem, find_failure(problem), 1}
  {}

  Shrunk run()
  {
    bool is_smaller = !m_best.failure.empty();
    while (is_smaller && has_attempts())
    {
      is_smaller = simplify_options();
      for (Dimension const& dimension : {outer_of_a, outer_of_b, inner, entries_of<&Problem::a>(),
                                         entries_of<&Problem::b>(), dense_columns})
        is_smaller = drop_pieces(dimension) || is_smaller;
      is_smaller = simplify_values(&Problem::a) || is_smaller;
      is_smaller = simplify_values(&Problem::b) || is_smaller;
    }
    return std::move(m_best);
  }

private:
  bool has_attempts() const { return m_best.attempts < m_most_attempts; }

  // Whether the problem still fails; it is the best one then.
  bool take(Problem const& candidate)
  {
    if (!has_attempts() || !is_valid(candidate))
      return false;
    ++m_best.attempts;
    std::string failure = m_find_failure(candidate);
    if (failure.empty())
      return false;
    m_best.problem = candidate;
    m_best.failure = std::move(failure);
    return true;
  }

  template <class Change>
  bool try_change(Change const& change)
  {
    Problem candidate = m_best.problem;
    change(candidate);
    return to_code(candidate) != to_code(m_best.problem) && take(candidate);
  }
  template <class Value>
  bool try_value(Value Problem::*member, Value const& value)
  {
    if (m_best.problem.*member == value)
      return false;
    Problem candidate = m_best.problem;
    candidate.*member = value;
    return take(candidate);
  }

  // Runs of half the size, of a quarter, ... of one.
  bool drop_pieces(Dimension const& dimension)
  {
    bool is_smaller = false;
    for (std::int64_t piece = dimension.size(m_best.problem); piece > 0 && has_attempts();
         piece /= 2)
      for (std::int64_t last = dimension.size(m_best.problem); last > 0 && has_attempts();
           last -= piece)
      {
        Problem candidate = m_best.problem;
        dimension.drop(candidate, std::max<std::int64_t>(0, last - piece), last);
        is_smaller = take(candidate) || is_smaller;
      }
    return is_smaller;
  }

  // Simpler ones first: all that does not matter becomes the default.
  bool simplify_options()
  {
    Problem const usual;
    bool is_simpler = false;
    auto const keep = [&](bool is_taken) { is_simpler = is_taken || is_simpler; };
    keep(try_value(&Problem::extra, usual.extra));
    keep(try_value(&Problem::other_instance, false));
    keep(try_value(&Problem::shifted_arrays, false));
    keep(try_value(&Problem::no_offsets, false));
    keep(try_value(&Problem::from_coordinates, false));
    keep(try_value(&Problem::has_specials, false));
    keep(try_value(&Problem::deterministic, false));
    keep(try_value(&Problem::transposed, false));
    keep(try_value(&Problem::may_convert, false));
    keep(try_value(&Problem::reuse, false));
    keep(try_value(&Problem::expected_calls, usual.expected_calls));
    keep(try_value(&Problem::virtual_warps, 0));
    keep(try_value(&Problem::accumulator, usual.accumulator));
    keep(try_value(&Problem::max_workspace_bytes, usual.max_workspace_bytes));
    keep(try_value(&Problem::implementation, usual.implementation));
    keep(try_value(&Problem::backend, usual.backend));
    keep(try_value(&Problem::type, usual.type));
    keep(try_value(&Problem::format, usual.format));
    keep(try_value(&Problem::shape, usual.shape));
    keep(try_value(&Problem::in, usual.in));
    keep(try_value(&Problem::out, usual.out));
    keep(try_value(&Problem::columns, usual.columns));
    keep(try_value(&Problem::alpha, usual.alpha));
    keep(try_value(&Problem::beta, usual.beta));
    keep(try_value(&Problem::seed, usual.seed));
    keep(simplify_ops());
    return is_simpler;
  }

  // op(A) becomes A, with A transposed where op did that, so that sizes go on fitting.
  bool simplify_ops()
  {
    bool const is_both = m_best.problem.operation == Operation::spmm_both;
    bool is_simpler = false;
    for (auto const& [op, matrix] :
         {std::pair(&Problem::op, &Problem::a), std::pair(&Problem::op_b, &Problem::b)})
    {
      if (m_best.problem.*op == Op::none || is_both)
        continue;
      Problem candidate = m_best.problem;
      if (is_transposed(candidate.*op))
      {
        EntryList& a = candidate.*matrix;
        std::swap(a.rows, a.cols);
        for (Entry& entry : a.entries)
          std::swap(entry.row, entry.column);
      }
      candidate.*op = Op::none;
      is_simpler = take(candidate) || is_simpler;
    }
    return is_simpler;
  }

  // All values 1, or each where not all can be.
  bool simplify_values(EntryList Problem::*matrix)
  {
    constexpr std::size_t few = 40;
    auto const is_one = [](Entry const& entry) { return entry.value == 1.0; };
    auto const& entries = (m_best.problem.*matrix).entries;
    if (std::all_of(entries.begin(), entries.end(), is_one))
      return false;
    Problem candidate = m_best.problem;
    for (Entry& entry : (candidate.*matrix).entries)
      entry.value = 1;
    bool is_simpler = take(candidate);
    for (std::size_t k = 0; !is_simpler && k < std::min(few, entries.size()); ++k)
    {
      candidate = m_best.problem;
      if (is_one((candidate.*matrix).entries[k]))
        continue;
      (candidate.*matrix).entries[k].value = 1;
      is_simpler = take(candidate);
    }
    return is_simpler;
  }

  std::function<std::string(Problem const&)> const& m_find_failure;
  int m_most_attempts;
  Shrunk m_best;
};

} // namespace

Shrunk shrink(Problem const& problem,
              std::function<std::string(Problem const&)> const& find_failure, int most_attempts)
{
  return Shrinker(problem, find_failure, most_attempts).run();
}

} // namespace heddle::test::random
