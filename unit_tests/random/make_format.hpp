// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The formats behind one function, each with the numbers that problems have for it.

#include <heddle/convert.hpp>
#include <heddle/reordered_matrix.hpp>
#include <support/conversions.hpp>
#include <support/instances.hpp>
#include <support/permutations.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>

#include <random/operands.hpp>
#include <random/problem.hpp>

namespace heddle::test::random
{

// The default instance, or another one: five threads where a space lets its user choose, else a
// stream of its own. It lives until Kokkos ends.
template <class Exec>
Exec const& instance(bool is_other)
{
  static std::optional<Exec> usual, other;
  if (!usual)
  {
    usual.emplace();
    other.emplace(impl::is_host_v<Exec> ? instance_of_five<Exec>()
                                        : Kokkos::Experimental::partition_space(Exec{}, 1)[0]);
    Kokkos::push_finalize_hook([] {
      usual.reset();
      other.reset();
    });
  }
  return is_other ? *other : *usual;
}

// Random orders of rows and columns.
template <class C>
struct Orders
{
  using View = Kokkos::View<typename C::ordinal*, typename C::space>;
  View rows, columns;

  explicit Orders(Problem const& p)
      : rows(permutation_view<C>(random_order(p.a.rows, p.seed)))
      , columns(permutation_view<C>(random_order(p.a.cols, p.seed + 1)))
  {}
};

// The CSR or coordinate matrix a in a format, by the numbers in the problem's shape:
//   bsr            height and width of blocks
//   sell           height, alignment and sigma
//   hyb            width, -1 for heddle's choice
//   row_segmented  columns of a panel and threshold, 0 for the model's choice
template <Format format, class C, class Exec, class From>
auto make_format(Exec const& exec, From const& a, Problem const& p, Orders<C> const& orders)
{
  auto const number = [&](int n) { return static_cast<int>(p.shape[n]); };
  if constexpr (format == Format::csr && is_csr_matrix_v<From>)
    return a;
  else if constexpr (format == Format::csr)
    return to_csr(exec, a);
  else if constexpr (format == Format::csc)
    return to_csc(exec, a);
  else if constexpr (format == Format::dcsr)
    return to_dcsr(exec, a);
  else if constexpr (format == Format::bsr)
    return to_bsr(exec, a, BlockShape{number(0), number(1)}, no_limit);
  else if constexpr (format == Format::ell)
    return to_ell(exec, a, no_limit);
  else if constexpr (format == Format::sell)
    return to_sell(exec, a, SellShape{number(0), number(1), p.shape[2]}, no_limit);
  else if constexpr (format == Format::hyb)
    return to_hyb(exec, a, p.shape[0] < 0 ? std::nullopt : std::optional(p.shape[0]), no_limit);
  else if constexpr (format == Format::row_segmented)
    return to_row_segmented(exec, a, {p.shape[0], p.shape[1]});
  else if constexpr (format == Format::coo && is_coo_matrix_v<From>)
    return a;
  else if constexpr (format == Format::coo)
    return to_coo(exec, a);
  else if constexpr (is_csr_matrix_v<From>)
    return to_reordered(exec, a, orders.rows, orders.columns);
  else
    return to_reordered(exec, to_csr(exec, a), orders.rows, orders.columns);
}

// Whether rows of a come back in their order.
constexpr bool keeps_order(Format format)
{
  return format != Format::csc && format != Format::bsr && format != Format::reordered;
}

// Back to CSR. Blocks lose their zeros, entries of A that are zero too.
template <class Exec, class Matrix>
auto csr_of(Exec const& exec, Matrix const& a)
{
  if constexpr (is_reordered_matrix_v<Matrix>)
    return impl::in_own_order(exec, a);
  else if constexpr (is_csr_matrix_v<Matrix>)
    return a;
  else
    return csr_without_fill(exec, a);
}

} // namespace heddle::test::random
