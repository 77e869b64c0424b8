// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/impl/require.hpp>
#include <heddle/permute.hpp>
#include <heddle/reorder.hpp>
#include <heddle/transpose.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <analyze/orders.hpp>

namespace heddle::perf
{

namespace
{

using Host = Kokkos::DefaultHostExecutionSpace;
using Order = Kokkos::View<int*, Kokkos::HostSpace>;

constexpr char const* by_columns = "similar_columns";

Order identity(std::int64_t n)
{
  Order p("heddle::perf::order", static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < p.extent(0); ++i)
    p(i) = static_cast<int>(i);
  return p;
}

Order order_of(std::string const& name, HostMatrix<double> const& a,
               MovementSettings const& settings, Partitioner const& partition,
               std::function<void(std::string const&)> const& progress)
{
  Host const host;
  if (name == "cuthill_mckee")
    return order_by_cuthill_mckee(host, a);
  if (name == "similar_rows")
    return order_by_similarity(host, a);
  if (name == by_columns)
    return order_by_similarity(host, transpose(host, a));
  if (name == "degree")
    return order_by_degree(host, a);
  return order_by_vote(a, name == "spmv_majority", settings, partition, progress);
}

} // namespace

std::vector<std::string> const& order_names()
{
  static std::vector<std::string> const names{"cuthill_mckee", "similar_rows", by_columns,
                                              "degree",        "majority",     "spmv_majority"};
  return names;
}

bool is_vote(std::string const& order) { return order.ends_with("majority"); }

HostMatrix<double> in_order(std::string const& order, HostMatrix<double> const& a,
                            MovementSettings const& settings, Partitioner const& partition,
                            std::function<void(std::string const&)> const& progress)
{
  auto const& names = order_names();
  impl::require(std::ranges::find(names, order) != names.end(), "perf", "there is no order ",
                order);
  Host const host;
  Order const p = order_of(order, a, settings, partition, progress);
  if (a.num_rows() == a.num_cols())
    return permute(host, a, p, p);
  return order == by_columns ? permute(host, a, identity(a.num_rows()), p)
                             : permute(host, a, p, identity(a.num_cols()));
}

} // namespace heddle::perf
