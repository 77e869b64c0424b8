// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/impl/huge_pages.hpp>
#include <heddle/impl/operands.hpp>
#include <heddle/impl/out_of_memory.hpp>
#include <heddle/impl/scratch.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace heddle::impl
{

// A View of these sizes made with these properties (Kokkos::view_alloc, with the label). Throws
// FailedAllocation with the bytes.
template <class View, class Properties, class... Sizes>
View allocated(Properties const& properties, std::string const& label, Sizes... sizes)
{
  try
  {
    return View(properties, sizes...);
  }
  catch (std::runtime_error const& error)
  {
    if (!tells_of_no_memory(error))
      throw;
    std::size_t const bytes = (sizeof(typename View::value_type) * ... * sizes);
    throw FailedAllocation(
        label + " needs " + std::to_string(bytes) + " bytes, which are not there", bytes, 0);
  }
}

// A View of n entries that nobody has written yet. It is made with an instance: without one Kokkos
// (5.0) makes its own once it has the memory, which is never freed if that fails. On CUDA idle
// scratch memory is given back where there is no memory without it, on hosts large ones are in huge
// pages.
template <class View, class Exec>
View uninitialized(Exec const& exec, std::string const& label, std::size_t n)
{
  auto const properties = Kokkos::view_alloc(exec, Kokkos::WithoutInitializing, label);
#if defined(KOKKOS_ENABLE_CUDA)
  if constexpr (std::is_same_v<Exec, Kokkos::Cuda>)
    try
    {
      return allocated<View>(properties, label, n);
    }
    catch (FailedAllocation const&)
    {
      if (idle_scratch_bytes(exec.cuda_device()) == 0)
        throw;
      return_idle_scratch(exec);
    }
#endif
  View const view = allocated<View>(properties, label, n);
  if constexpr (is_host_v<Exec>)
    advise_huge_pages(view.data(), n * sizeof(typename View::value_type));
  return view;
}

} // namespace heddle::impl
