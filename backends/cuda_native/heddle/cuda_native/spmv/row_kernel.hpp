// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/impl/operands.hpp>
#include <heddle/impl/spmv_statistics.hpp>
#include <heddle/impl/verdict.hpp>
#include <heddle/spmv_options.hpp>

#include <Kokkos_Core.hpp>

#include <concepts>
#include <cstddef>
#include <string>

namespace heddle::cuda_native
{

// What SpmvByRow (spmv/by_row.cuh) asks of a kernel. can_run judges a matrix whose rows are short
// enough, and where options have a name it is the kernel's; it and tune may wait for exec.
// takes<Scalar> is whether it takes vectors of this type; multiply is asynchronous, and takes y
// with an epilogue (spmv/row_results.cuh) where the kernel fuses.
template <class Kernel, class Exec, class Matrix>
concept SpmvRowKernel =
    requires(Exec const& exec, Matrix const& a, typename Kernel::Tuning const& tuning,
             impl::SpmvStatistics const& rows, SpmvOptions const& options,
             typename Matrix::value_type scalar,
             impl::VectorOperand<typename Matrix::value_type, Kokkos::LayoutRight> const& y)
{
  requires std::convertible_to<decltype(Kernel::name), char const*>;
  requires std::convertible_to<decltype(Kernel::is_supported), bool>;
  requires std::convertible_to<decltype(Kernel::fuses), bool>;
  requires std::convertible_to<decltype(tuning.bytes()), std::size_t>;
  requires std::convertible_to<decltype(tuning.describe()), std::string>;
  requires std::same_as<decltype(Kernel::can_run(exec, a, rows, options)), impl::Verdict>;
  requires std::same_as<decltype(Kernel::tune(exec, a, rows)), typename Kernel::Tuning>;
  requires Kernel::template takes<typename Matrix::value_type>;
  Kernel::template multiply<false>(exec, tuning, a, scalar, &scalar, scalar, y);
};

// Kernels that take vectors of any type in which sums are taken.
struct TakesAnyScalar
{
  template <class Scalar>
  static constexpr bool takes = true;
};

} // namespace heddle::cuda_native
