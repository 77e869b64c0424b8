// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/impl/range.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace heddle::impl
{

// What tabulate does for one number: a functor, see scan.hpp.
template <class Of, class To>
struct Tabulate
{
  Of of;
  To to;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const
  {
    to(i) = static_cast<typename To::non_const_value_type>(of(i));
  }
};

// to(i) = of(i) in the type of to, for i = 0 .. n - 1. Asynchronous.
template <class Exec, class Size, class Of, class To>
void tabulate(Exec const& exec, char const* label, Size n, Of const& of, To const& to)
{
  Kokkos::parallel_for(label, range(exec, n), Tabulate<Of, To>{of, to});
}

} // namespace heddle::impl
