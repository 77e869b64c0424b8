// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <string>

namespace heddle::impl
{

// A View of n entries that nobody has written yet.
template <class View, class Exec>
View uninitialized(Exec const& exec, std::string const& label, std::size_t n)
{
  return View(Kokkos::view_alloc(exec, Kokkos::WithoutInitializing, label), n);
}

} // namespace heddle::impl
