// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// SpMM of CSR by the kernel of a list that suits the matrix. The list, Candidates<...> best first,
// is spmm/implementations.cuh's. A kernel has a name, a template Tuning (what a plan holds for it),
// is_best, tune and tile_bytes (which may wait for exec), and multiply, asynchronous, for operands
// of any width: spmm/csr_short.cuh is the shortest example.

#include <heddle/csr_matrix.hpp>
#include <heddle/cuda_native/rows/csr_view.cuh>
#include <heddle/cuda_native/spmm/csr_call.hpp>
#include <heddle/cuda_native/spmm/long_rows.hpp>
#include <heddle/cuda_native/spmm/tile.cuh>
#include <heddle/impl/dispatch.hpp>
#include <heddle/impl/row_statistics.hpp>
#include <heddle/impl/verdict.hpp>
#include <heddle/spmm_options.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <cstddef>
#include <string>
#include <type_traits>
#include <variant>

namespace heddle::cuda_native
{

// Defined in spmm/csr_statistics.hpp, which whoever makes a plan includes; here it is passed on.
class SpmmCsrStatistics;

template <class Ordinal, class Offset, class MemorySpace, class Kernel>
struct TuningOfKernel
{
  using kernel = Kernel;
  typename Kernel::template Tuning<Ordinal, Offset, MemorySpace> tuning;
};

// What a plan holds of the kernel that it takes, and what each kernel answered down to that one.
template <class Ordinal, class Offset, class MemorySpace, class Kernels>
struct CsrTuning;
template <class Ordinal, class Offset, class MemorySpace, class... Kernels>
struct CsrTuning<Ordinal, Offset, MemorySpace, impl::Candidates<Kernels...>>
{
  template <class Kernel>
  using Of = TuningOfKernel<Ordinal, Offset, MemorySpace, Kernel>;
  CsrCall call = {};
  std::variant<Of<Kernels>...> kernel = {};
  std::array<impl::Verdict, sizeof...(Kernels)> verdicts = {};

  char const* name() const
  {
    return std::visit([]<class One>(One const&) { return One::kernel::name; }, kernel);
  }
  std::size_t bytes() const
  {
    return std::visit([](auto const& one) { return one.tuning.bytes(); }, kernel);
  }
  // Rows of `length` entries and more, a power of two, if the kernel's plan has a list of them.
  LongRows<Ordinal> listed_rows_with(std::int64_t length) const
  {
    return std::visit(
        [&](auto const& one) {
          if constexpr (requires { one.tuning.listed_rows_with(length); })
            return one.tuning.listed_rows_with(length);
          else
            return LongRows<Ordinal>{};
        },
        kernel);
  }
  std::string describe() const
  {
    return std::visit([](auto const& one) { return one.tuning.describe(); }, kernel) +
           ", tiles of " + std::to_string(call.tile_bytes) + " bytes a row of B";
  }
};

template <class Entries, class Exec, class Kernels>
using CsrTuningOf = CsrTuning<typename Entries::ordinal_type, typename Entries::offset_type,
                              typename Exec::memory_space, Kernels>;

// For the kernel whose name options have, else for the first that is best. Waits for exec.
template <class Exec, class Entries, class... Kernels>
auto csr_tuning(impl::Candidates<Kernels...>, Exec const& exec, Entries const& a,
                SpmmCsrStatistics const& statistics, SpmmOptions const& options)
{
  using Tuning = CsrTuningOf<Entries, Exec, impl::Candidates<Kernels...>>;
  bool const is_kernel_named = ((options.implementation == Kernels::name) || ...);
  Tuning result{.call = {.is_named = !options.implementation.empty()}};
  std::size_t n = 0;
  bool is_chosen = false;
  auto const consider = [&]<class Kernel>(std::type_identity<Kernel>) {
    impl::Verdict& verdict = result.verdicts[n++];
    if (is_chosen)
      return;
    verdict = is_kernel_named ? impl::Verdict(options.implementation == Kernel::name)
                              : Kernel::is_best(exec, a, statistics);
    if (!verdict)
      return;
    is_chosen = true;
    result.call.tile_bytes = Kernel::tile_bytes(exec, a, statistics);
    result.kernel = typename Tuning::template Of<Kernel>{Kernel::tune(exec, a, statistics)};
  };
  (consider(std::type_identity<Kernels>{}), ...);
  return result;
}

// C <- alpha A B + beta C. Asynchronous.
template <class Tuning, class Entries, class Scalar>
void multiply_csr(Kokkos::Cuda const& exec, Tuning const& tuning, Entries const& a,
                  RowMajorOperands<Scalar> const& all)
{
  std::visit([&]<class One>(
                 One const& one) { One::kernel::multiply(exec, one.tuning, a, all, tuning.call); },
             tuning.kernel);
}

// The kernels for CSR as SpmmByRow (spmm/by_row.cuh) asks for them.
template <class Exec, class Matrix, class Kernels>
struct CsrSpmm
{
  static constexpr char const* name = "cuda_native::csr"; // callers name the kernels
  static constexpr bool is_supported = is_csr_matrix_v<Matrix>;
  using Entries = SpmmStoredEntries<Matrix>;
  using Tuning = CsrTuningOf<Entries, Exec, Kernels>;

  static Entries entries_of(Matrix const& a, bool is_conjugate)
  {
    return {stored_entries(a), is_conjugate};
  }
  // The last kernel takes any matrix.
  template <class Seen>
  static impl::Verdict can_run(Exec const&, Seen const&, impl::RowStatistics const&,
                               SpmmOptions const&)
  {
    return {true, "it has a kernel for any rows"};
  }
  static Tuning tune(Exec const& exec, Matrix const& a, SpmmCsrStatistics const& statistics,
                     SpmmOptions const& options)
  {
    return csr_tuning(Kernels{}, exec, entries_of(a, false), statistics, options);
  }
  template <class Scalar>
  static void multiply(Exec const& exec, Tuning const& tuning, Matrix const& a, bool is_conjugate,
                       RowMajorOperands<Scalar> const& operands)
  {
    multiply_csr(exec, tuning, entries_of(a, is_conjugate), operands);
  }
};

// The same under one name, for formats whose arrays as CSR are made after the choice of an
// implementation (multiply/csr_form.hpp).
template <class Exec, class Matrix, class Kernels>
struct CsrAnySpmm : CsrSpmm<Exec, Matrix, Kernels>
{
  static constexpr char const* name = "cuda_native::csr_any";
};

} // namespace heddle::cuda_native
