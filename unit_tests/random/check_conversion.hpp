// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// To a format, a copy, new values, and back to CSR: the same entries, bit by bit.

#include <heddle/copy.hpp>
#include <heddle/storage.hpp>
#include <heddle/validate.hpp>
#include <support/defects.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include <random/check_multiply.hpp>
#include <random/context.hpp>
#include <random/make_format.hpp>
#include <random/operands.hpp>

namespace heddle::test::random
{

// "" or the first entry in which two matrices differ.
inline std::string first_difference(EntryList const& expected, EntryList const& got)
{
  if (got.rows != expected.rows || got.cols != expected.cols)
    return "the matrix is " + std::to_string(got.rows) + " x " + std::to_string(got.cols);
  if (got.entries.size() != expected.entries.size())
    return std::to_string(got.entries.size()) + " entries, expected " +
           std::to_string(expected.entries.size());
  for (std::size_t k = 0; k < expected.entries.size(); ++k)
  {
    Entry const &e = expected.entries[k], &g = got.entries[k];
    if (e.row != g.row || e.column != g.column || !is_same(e.value, g.value))
      return "entry " + std::to_string(k) + " is (" + std::to_string(g.row) + ", " +
             std::to_string(g.column) + ") = " + std::to_string(g.value.real()) + ", expected (" +
             std::to_string(e.row) + ", " + std::to_string(e.column) +
             ") = " + std::to_string(e.value.real());
  }
  return "";
}

// What A is as CSR, its values in their type.
template <class Value>
EntryList canonical(EntryList const& a, bool keeps_order)
{
  if (!keeps_order)
    return merged<Value>(a);
  EntryList result{a.rows, a.cols, by_rows(a)};
  for (Entry& entry : result.entries)
    entry.value = wide(rounded<Value>(entry.value));
  return result;
}

template <Format format, class C>
class ConversionCheck
{
  using Value = typename C::value;
  using Exec = typename C::exec;

public:
  ConversionCheck(Problem const& problem, Context& context)
      : m_problem(problem)
      , m_context(context)
      , m_exec(instance<Exec>(problem.other_instance))
  {}

  std::string run()
  {
    Problem const& p = m_problem;
    if (p.from_coordinates || format == Format::coo)
      return check(make_coo<C>(p.a, p));
    return check(make_csr<C>(p.a, p));
  }

private:
  template <class From>
  std::string check(From const& from)
  {
    Problem const& p = m_problem;
    Orders<C> const orders(p);
    auto const there = m_context.call(
        "conversion", [&] { return make_format<format, C>(m_exec, from, p, orders); });
    ++m_context.tally().calls[std::string("convert ") + to_string(format)];
    std::string wrong = sound(there, p.a);
    if constexpr (format != Format::reordered) // which clone does not know
    {
      if (wrong.empty() && p.extra == Extra::copy)
        wrong = sound(m_context.call("clone", [&] { return clone(m_exec, there); }), p.a);
    }
    if constexpr (format != Format::coo && format != Format::csr)
    {
      if (wrong.empty() && p.extra == Extra::refused)
        wrong = refused(there);
      if (wrong.empty())
        wrong = updated(there);
    }
    return wrong;
  }

  // A matrix that validate has nothing against and that has the entries of a.
  template <class There>
  std::string sound(There const& there, EntryList const& a)
  {
    if constexpr (format != Format::reordered)
    {
      std::string const defect =
          text_of(m_context.call("validate", [&] { return validate(m_exec, there); }));
      if (!defect.empty())
        return "validate finds: " + defect;
    }
    // CSR has entries of one place added, coordinates may have them twice.
    EntryList expected = canonical<Value>(a, keeps_order(format) && !m_problem.from_coordinates &&
                                                 format != Format::coo);
    if (format == Format::bsr)
      std::erase_if(expected.entries, [](Entry const& entry) { return entry.value == 0.0; });
    auto const back = m_context.call("to_csr", [&] { return csr_of(m_exec, there); });
    EntryList got = read_csr(back);
    if (format == Format::reordered)
      got = canonical<Value>(got, false);
    return first_difference(expected, got);
  }

  template <class There>
  std::string updated(There const& there)
  {
    Problem p = m_problem;
    p.a = with_new_values(p.from_coordinates ? merged<Value>(p.a) : p.a, p.seed,
                          impl::is_complex_v<Value>);
    auto const csr = make_csr<C>(p.a, p);
    m_context.call("update_values", [&] { update_values(m_exec, there, csr); });
    m_exec.fence();
    std::string const wrong = sound(there, p.a);
    return wrong.empty() ? "" : "with new values, " + wrong;
  }

  // Values of a matrix with a row more.
  template <class There>
  std::string refused(There const& there)
  {
    EntryList longer{m_problem.a.rows + 1, m_problem.a.cols};
    try
    {
      update_values(m_exec, there, make_csr<C>(longer, m_problem));
      return "update_values took a matrix of another size";
    }
    catch (InvalidArgument const&)
    {
      return sound(there, m_problem.a);
    }
  }

  Problem const& m_problem;
  Context& m_context;
  Exec const& m_exec;
};

} // namespace heddle::test::random
