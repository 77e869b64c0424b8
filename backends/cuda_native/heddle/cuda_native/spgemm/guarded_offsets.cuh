// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// A plan that had no room for the columns of C has them found again by each call. The symbolic
// kernels trust what the plan found of A and B: sizes of tables, numbers of columns. So their
// patterns are compared first, on the device, without waiting: where they differ the kernels get a
// matrix A without entries, find nothing and multiply nothing.

#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/impl/mismatch_flag.hpp>
#include <heddle/impl/pattern.hpp>
#include <heddle/impl/scratch.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace heddle::cuda_native
{

struct FactorFingerprints
{
  std::uint64_t a = 0, b = 0;
};

// guarded[i] = offsets[i], or 0 where A and B have not these fingerprints. parts: of the arrays of
// A, then of B.
template <class Offset>
__global__ void spgemm_guard_kernel(Offset const* offsets, std::int64_t count,
                                    std::uint64_t const* parts, FactorFingerprints expected,
                                    impl::MismatchReport report, Offset* guarded)
{
  std::int64_t const i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  bool const is_same = impl::combined_fingerprint(parts[0], parts[1]) == expected.a &&
                       impl::combined_fingerprint(parts[2], parts[3]) == expected.b;
  if (i < count)
    guarded[i] = is_same ? offsets[i] : Offset(0);
  if (i == 0 && !is_same)
    report();
}

// Row offsets of A for a call. Asynchronous.
template <class A>
class GuardedOffsets
{
  using Offset = typename A::offset_type;
  impl::Scratch<std::uint64_t, Kokkos::Cuda> m_parts;
  impl::Scratch<Offset, Kokkos::Cuda> m_offsets;

public:
  template <class B>
  GuardedOffsets(Kokkos::Cuda const& exec, FactorFingerprints const& expected, A const& a,
                 B const& b, impl::MismatchReport const& report)
      : m_parts(exec, 4)
      , m_offsets(exec, static_cast<std::size_t>(a.num_rows()) + 1)
  {
    impl::fingerprint_parts(exec, a, m_parts.data());
    impl::fingerprint_parts(exec, b, m_parts.data() + 2);
    auto const count = static_cast<std::int64_t>(m_offsets.size());
    launch(exec, "heddle::spgemm::guard", spgemm_guard_kernel<Offset>, one_thread_each(count),
           a.row_offsets().data(), count, m_parts.data(), expected, report, m_offsets.data());
  }
  Offset const* data() const { return m_offsets.data(); }
};

} // namespace heddle::cuda_native
