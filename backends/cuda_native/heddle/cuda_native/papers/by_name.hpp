// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/impl/row_statistics.hpp>
#include <heddle/impl/verdict.hpp>
#include <heddle/spmm_options.hpp>

#include <cstddef>
#include <string>

namespace heddle::cuda_native
{

// What SpmmByRow asks of kernels that run by their name only and take nothing from the pattern.
// Kernel::description says what it does.
template <class Exec, class Matrix, class Kernel>
struct ByNameSpmm
{
  struct Tuning
  {
    static std::size_t bytes() { return 0; }
    static std::string describe() { return Kernel::description; }
  };
  static impl::Verdict can_run(Exec const&, Matrix const&, impl::RowStatistics const&,
                               SpmmOptions const& options)
  {
    return impl::only_by_name(!options.implementation.empty());
  }
  static Tuning tune(Exec const&, Matrix const&, impl::RowStatistics const&, SpmmOptions const&)
  {
    return {};
  }
};

} // namespace heddle::cuda_native
