// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The matrices and dense operands of a benchmark, made from what was loaded: values rounded to the
// type asked for, dense operands with seeded values in [-1, 1) that are a function of row and
// column, so a reference needs no copy of them.

#include <harness/types.hpp>
#include <heddle/accumulator.hpp>
#include <heddle/copy.hpp>
#include <heddle/impl/pattern.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

namespace heddle::perf
{

template <class Value>
std::string type_name()
{
  std::string const bits = std::to_string(8 * sizeof(impl::real_t<Value>));
  return (impl::is_complex_v<Value> ? "c" : "f") + bits;
}

// Floating-point operations of a product and its sum.
template <class Value>
inline constexpr double flops_per_product = impl::is_complex_v<Value> ? 8.0 : 2.0;

KOKKOS_INLINE_FUNCTION double seeded(std::int64_t i, std::int64_t j, std::uint64_t seed)
{
  std::uint64_t const bits = impl::mix(static_cast<std::uint64_t>(i) * 0x9E3779B97F4A7C15ULL +
                                       static_cast<std::uint64_t>(j) + (seed << 48));
  return static_cast<double>(bits >> 11) * 0x1p-52 - 1.0;
}
template <class Value>
KOKKOS_INLINE_FUNCTION Value dense_value(std::int64_t i, std::int64_t j)
{
  using Real = impl::real_t<Value>;
  if constexpr (impl::is_complex_v<Value>)
    return Value(static_cast<Real>(seeded(i, j, 1)), static_cast<Real>(seeded(i, j, 2)));
  else
    return static_cast<Value>(seeded(i, j, 1));
}

// What fill_dense does with one entry: a functor, see impl/scan.hpp.
template <class View>
struct FillDense
{
  View b;
  std::int64_t cols;
  KOKKOS_FUNCTION void operator()(std::int64_t n) const
  {
    using Value = typename View::non_const_value_type;
    b(n / cols, n % cols) = dense_value<Value>(n / cols, n % cols);
  }
};

template <class View>
void fill_dense(View const& b)
{
  auto const cols = static_cast<std::int64_t>(b.extent(1));
  Kokkos::parallel_for("heddle::perf::fill",
                       Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(
                           0, static_cast<std::int64_t>(b.extent(0)) * cols),
                       FillDense<View>{b, cols});
  Kokkos::fence("heddle::perf::fill");
}

// The loaded matrix in another precision, on the host.
template <class Value, class From>
HostMatrix<Value> rounded(HostMatrix<From> const& a)
{
  Kokkos::View<Value*, Kokkos::HostSpace> const values(
      Kokkos::view_alloc("heddle::perf::values", Kokkos::WithoutInitializing), a.nnz());
  for (std::size_t k = 0; k < a.nnz(); ++k)
    values(k) = static_cast<Value>(a.values()(k));
  return HostMatrix<Value>(a.num_rows(), a.num_cols(), a.row_offsets(), a.columns(), values);
}

// On the device, with offsets of this type.
template <class Offset, class Value>
CsrMatrix<Value, int, Offset, Space> on_device(HostMatrix<Value> const& a)
{
  auto const copy = copy_to(Exec{}, Space{}, a);
  Kokkos::View<Offset*, Space> const offsets(
      Kokkos::view_alloc("heddle::perf::row_offsets", Kokkos::WithoutInitializing),
      a.row_offsets().extent(0));
  Kokkos::deep_copy(offsets, copy.row_offsets());
  return CsrMatrix<Value, int, Offset, Space>(a.num_rows(), a.num_cols(), offsets, copy.columns(),
                                              copy.values());
}

// A result on the host, in the types of what was loaded.
template <class Value, class Offset>
HostMatrix<Value> on_host(CsrMatrix<Value, int, Offset, Space> const& a)
{
  auto const copy = copy_to(Exec{}, Kokkos::HostSpace{}, a);
  Kokkos::View<std::size_t*, Kokkos::HostSpace> const offsets(
      Kokkos::view_alloc("heddle::perf::row_offsets", Kokkos::WithoutInitializing),
      a.row_offsets().extent(0));
  Kokkos::deep_copy(offsets, copy.row_offsets());
  return HostMatrix<Value>(a.num_rows(), a.num_cols(), offsets, copy.columns(), copy.values());
}

template <class Value>
bool fits_int_offsets(HostMatrix<Value> const& a)
{
  return a.nnz() <= static_cast<std::size_t>(std::numeric_limits<int>::max());
}

} // namespace heddle::perf
