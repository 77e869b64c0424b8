// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <harness/operands.hpp>
#include <heddle/copy.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace heddle::perf
{

// Whether operands must be copied there before anything can run.
inline constexpr bool has_own_memory =
    !Kokkos::SpaceAccessibility<Kokkos::HostSpace, Space>::accessible;

// A in CSR, B and C on the device and on the host, which are the same for A and B where the device
// works in the host's memory. C has a second place on the host always: the epilogue copies to it.
template <class Value, class Layout>
class FormatOperands
{
public:
  using layout = Layout;
  using value_type = Value;
  using Dense = Kokkos::View<Value**, Layout, Space>;
  using HostDense = Kokkos::View<Value**, Layout, Kokkos::HostSpace>;

  FormatOperands(HostMatrix<Value> const& a, std::int64_t k)
      : m_a(perf::on_device<int>(a))
      , m_host_a(on_host(m_a))
      , m_b(Kokkos::view_alloc("heddle::perf::b", Kokkos::WithoutInitializing), a.num_cols(), k)
      , m_c("heddle::perf::c", a.num_rows(), k)
      , m_result("heddle::perf::result", a.num_rows(), k)
  {
    fill_dense(m_b);
    m_host_b = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, m_b);
  }

  Matrix32<Value> const& a() const { return m_a; }
  Dense const& b() const { return m_b; }
  Dense const& c() const { return m_c; }
  HostDense const& host_b() const { return m_host_b; }
  HostDense const& result() const { return m_result; }

  // What a program pays whose operands are on the host: new arrays for A, all of A and B copied.
  void copy_to_device()
  {
    if constexpr (has_own_memory)
    {
      m_a = copy_to(Exec{}, Space{}, m_host_a);
      Kokkos::deep_copy(Exec{}, m_b, m_host_b);
      Exec{}.fence("heddle::perf::copy_to_device");
    }
  }
  void copy_to_host() const { Kokkos::deep_copy(m_result, m_c); }

  // In the fuller of the two memories, with the CSR form of A.
  static std::size_t bytes(HostMatrix<Value> const& a, std::int64_t k)
  {
    auto const rows = static_cast<std::size_t>(a.num_rows());
    auto const cols = static_cast<std::size_t>(a.num_cols());
    std::size_t const results = has_own_memory ? rows : 2 * rows;
    return a.nnz() * (sizeof(Value) + sizeof(int)) + (rows + 1) * sizeof(int) +
           (cols + results) * static_cast<std::size_t>(k) * sizeof(Value);
  }

private:
  using HostCsr = CsrMatrix<Value, int, int, Kokkos::HostSpace>;

  static HostCsr on_host(Matrix32<Value> const& a)
  {
    if constexpr (has_own_memory)
      return copy_to(Exec{}, Kokkos::HostSpace{}, a);
    else
      return a;
  }

  Matrix32<Value> m_a;
  HostCsr m_host_a;
  Dense m_b, m_c;
  HostDense m_host_b, m_result;
};

} // namespace heddle::perf
