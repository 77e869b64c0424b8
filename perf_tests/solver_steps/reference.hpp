// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The results of a step beside what each should be of those before it, by the bounds of
// harness/check.hpp.

#include <harness/check.hpp>

#include <cstddef>
#include <string>
#include <vector>

#include <solver_steps/step.hpp>

namespace heddle::perf
{

class StepReference
{
public:
  explicit StepReference(HostMatrix<double> const& a)
      : m_products(a.num_rows())
  {
    on_host_threads(m_products.size(), [&](std::size_t i) {
      for (std::size_t k = a.row_offsets()(i); k < a.row_offsets()(i + 1); ++k)
        m_products[i].add(exact(a.values()(k)) * exact(Start::first_p(a.columns()(k))));
    });
  }

  // After one step from reset().
  Verdict check(Step step, StepVectors const& v) const
  {
    switch (step)
    {
    case Step::dot:
      return check_dot(host(v.q), v);
    case Step::residual:
      return check_residual(host(v.r), v);
    case Step::jacobi:
      return check_jacobi(host(v.next), host(v.d));
    case Step::chebyshev:
      return check_chebyshev(host(v.r), host(v.next), host(v.x), host(v.d));
    case Step::cg:
      return check_cg(host(v.q), host(v.r), host(v.x), host(v.p), host(v.d), v);
    }
    return {};
  }

private:
  using Entry = ReferenceEntry<double>;
  using Start = StepVectors;
  using HostVector = Kokkos::View<double*, Kokkos::HostSpace>;
  using Exact = exact_t<double>;

  static HostVector host(Vector<double> const& x)
  {
    HostVector const copy("heddle::perf::host", x.extent(0));
    Kokkos::deep_copy(copy, x);
    return copy;
  }
  static double host(Start::Scalar const& x)
  {
    double copy = 0;
    Kokkos::deep_copy(copy, x);
    return copy;
  }

  // factor A p, row i, as terms of an entry.
  void add_product(Entry& entry, Exact const& factor, std::size_t i) const
  {
    entry.value += factor * m_products[i].value;
    entry.magnitude += static_cast<double>(std::abs(factor)) * m_products[i].magnitude;
    entry.terms += m_products[i].terms;
  }
  // expected(entry, i) adds the terms of entry i.
  template <class Expected>
  Verdict check_vector(std::string const& name, HostVector const& result,
                       Expected const& expected) const
  {
    std::vector<Verdict> verdicts(m_products.size());
    on_host_threads(m_products.size(), [&](std::size_t i) {
      Entry entry;
      expected(entry, i);
      judge(verdicts[i], entry, result(i), static_cast<std::int64_t>(i), 0);
    });
    return named(name, together(verdicts));
  }
  // The sum over rows of term(i).
  template <class Term>
  Verdict check_sum(std::string const& name, double result, Term const& term) const
  {
    Entry entry;
    for (std::size_t i = 0; i < m_products.size(); ++i)
      entry.add(term(i));
    entry.terms += 2; // terms are products of three numbers at most
    Verdict verdict;
    judge(verdict, entry, result, 0, 0);
    return named(name, verdict);
  }
  static Verdict named(std::string const& name, Verdict verdict)
  {
    if (!verdict.wrong.empty())
      verdict.wrong = name + ": " + verdict.wrong;
    return verdict;
  }

  Verdict check_dot(HostVector const& q, StepVectors const& v) const
  {
    return together(
        {check_vector("q", q, [&](Entry& entry, std::size_t i) { add_product(entry, 1, i); }),
         check_sum("p^T q", host(v.p_q),
                   [&](std::size_t i) { return exact(Start::first_p(i)) * exact(q(i)); })});
  }
  Verdict check_residual(HostVector const& r, StepVectors const& v) const
  {
    return together({check_vector("r", r,
                                  [&](Entry& entry, std::size_t i) {
                                    entry.add(exact(Start::first_b(i)));
                                    add_product(entry, -1, i);
                                  }),
                     check_sum("r^T r", host(v.squares),
                               [&](std::size_t i) { return exact(r(i)) * exact(r(i)); })});
  }
  Verdict check_jacobi(HostVector const& next, HostVector const& d) const
  {
    return check_vector("next", next, [&](Entry& entry, std::size_t i) {
      Exact const factor = exact(step_omega) * exact(d(i));
      entry.add(exact(Start::first_p(i)));
      entry.add(factor * exact(Start::first_b(i)));
      add_product(entry, -factor, i);
    });
  }
  Verdict check_chebyshev(HostVector const& r, HostVector const& next, HostVector const& x,
                          HostVector const& d) const
  {
    return together({check_vector("r", r,
                                  [&](Entry& entry, std::size_t i) {
                                    entry.add(exact(Start::first_r(i)));
                                    add_product(entry, -1, i);
                                  }),
                     check_vector("next", next,
                                  [&](Entry& entry, std::size_t i) {
                                    entry.add(exact(step_of_direction) * exact(Start::first_p(i)));
                                    entry.add(exact(step_of_residual) * exact(d(i)) * exact(r(i)));
                                  }),
                     check_vector("x", x, [&](Entry& entry, std::size_t i) {
                       entry.add(exact(Start::first_x(i)));
                       entry.add(exact(next(i)));
                     })});
  }
  Verdict check_cg(HostVector const& q, HostVector const& r, HostVector const& x,
                   HostVector const& p, HostVector const& d, StepVectors const& v) const
  {
    Exact const alpha = exact(Start::first_rho) / exact(host(v.p_q));
    Exact const beta = exact(host(v.rho)) / exact(Start::first_rho);
    return together(
        {check_dot(q, v),
         check_vector("x", x,
                      [&](Entry& entry, std::size_t i) {
                        entry.add(exact(Start::first_x(i)));
                        entry.add(alpha * exact(Start::first_p(i)));
                      }),
         check_vector("r", r,
                      [&](Entry& entry, std::size_t i) {
                        entry.add(exact(Start::first_r(i)));
                        entry.add(-alpha * exact(q(i)));
                      }),
         check_sum("r^T D r", host(v.rho),
                   [&](std::size_t i) { return exact(r(i)) * exact(d(i)) * exact(r(i)); }),
         check_vector("p", p, [&](Entry& entry, std::size_t i) {
           entry.add(exact(d(i)) * exact(r(i)));
           entry.add(beta * exact(Start::first_p(i)));
         })});
  }

  std::vector<Entry> m_products; // A p, row by row
};

} // namespace heddle::perf
