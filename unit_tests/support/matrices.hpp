// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/coo_matrix.hpp>
#include <heddle/csr_matrix.hpp>
#include <support/structures.hpp>
#include <support/types.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace heddle::test
{

// A View in Space with what the vector holds.
template <class T, class Space>
Kokkos::View<T*, Space> to_view(std::vector<T> const& from)
{
  Kokkos::View<T*, Space> const to("heddle::test::view", from.size());
  Kokkos::View<T const*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>> const host(
      from.data(), from.size());
  Kokkos::deep_copy(to, host);
  return to;
}

template <class View>
std::vector<typename View::non_const_value_type> to_vector(View const& from)
{
  std::vector<typename View::non_const_value_type> to(from.extent(0));
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, from);
  for (std::size_t i = 0; i < to.size(); ++i)
    to[i] = host(i);
  return to;
}

template <class C>
using CsrOf =
    CsrMatrix<typename C::value, typename C::ordinal, typename C::offset, typename C::space>;
template <class C>
using CooOf =
    CooMatrix<typename C::value, typename C::ordinal, typename C::offset, typename C::space>;

template <class C>
CsrOf<C> make_csr(Structure const& s)
{
  std::vector<typename C::offset> offsets{0};
  std::vector<typename C::ordinal> columns;
  std::vector<typename C::value> values;
  for (std::int64_t i = 0; i < s.rows; ++i)
  {
    for (std::int64_t const j : s.columns[i])
    {
      columns.push_back(static_cast<typename C::ordinal>(j));
      values.push_back(value_at<typename C::value>(i, j));
    }
    offsets.push_back(static_cast<typename C::offset>(columns.size()));
  }
  using Space = typename C::space;
  return CsrOf<C>(
      static_cast<typename C::ordinal>(s.rows), static_cast<typename C::ordinal>(s.cols),
      to_view<typename C::offset, Space>(offsets), to_view<typename C::ordinal, Space>(columns),
      to_view<typename C::value, Space>(values));
}

// A CSR matrix on the host, for comparisons entry by entry.
template <class Value>
struct HostCsr
{
  std::int64_t rows = 0, cols = 0;
  std::vector<std::int64_t> offsets, columns;
  std::vector<Value> values;
  bool operator==(HostCsr const&) const = default;
};

template <class Matrix>
auto to_host(Matrix const& a)
{
  HostCsr<typename Matrix::value_type> h{a.num_rows(), a.num_cols(), {}, {}, {}};
  for (auto const offset : to_vector(a.row_offsets()))
    h.offsets.push_back(static_cast<std::int64_t>(offset));
  for (auto const column : to_vector(a.columns()))
    h.columns.push_back(static_cast<std::int64_t>(column));
  h.values = to_vector(a.values());
  return h;
}

} // namespace heddle::test
