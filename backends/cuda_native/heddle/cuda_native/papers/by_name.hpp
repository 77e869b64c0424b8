// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/impl/row_statistics.hpp>

#include <cstddef>

namespace heddle::cuda_native
{

// Of kernels that are taken by name only and find nothing out of the pattern.
template <class Exec, class Matrix>
struct ByNameSpmm
{
  struct Tuning
  {};
  static std::size_t bytes(Tuning const&) { return 0; }
  static bool is_best(Exec const&, Matrix const&, impl::RowStatistics const&) { return false; }
  static Tuning tune(Exec const&, Matrix const&, impl::RowStatistics const&) { return {}; }
};

} // namespace heddle::cuda_native
