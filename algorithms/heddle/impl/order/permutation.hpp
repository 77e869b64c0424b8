// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// An order of rows or columns: place i has number p(i). Checking and inverting are one kernel: the
// first place of every number.

#include <heddle/impl/range.hpp>
#include <heddle/impl/require.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/validate_pattern.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace heddle::impl
{

// What first_places does with one place: a functor, see scan.hpp.
template <class Permutation, class Places>
struct NotePlace
{
  Permutation p;
  Places places;
  std::int64_t n;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const
  {
    auto const v = static_cast<std::int64_t>(p(i));
    if (v >= 0 && v < n)
      Kokkos::atomic_min(&places(v), static_cast<typename Places::non_const_value_type>(i));
  }
};
// Place i where its number is out of range or stood before.
template <class Permutation, class Places>
struct IsDefect
{
  Permutation p;
  Places places;
  std::int64_t n;

  KOKKOS_FUNCTION std::int64_t operator()(std::int64_t i) const
  {
    auto const v = static_cast<std::int64_t>(p(i));
    return v < 0 || v >= n || static_cast<std::int64_t>(places(v)) != i ? i : nowhere;
  }
};

// places(v) = the first i with p(i) = v, and p's size where there is none: the inverse, if p is a
// permutation. What is out of range is left out. Asynchronous.
template <class Exec, class Permutation, class Places>
void first_places(Exec const& exec, Permutation const& p, Places const& places)
{
  auto const n = static_cast<std::int64_t>(p.extent(0));
  Kokkos::deep_copy(exec, places, static_cast<typename Places::non_const_value_type>(n));
  Kokkos::parallel_for("heddle::permutation::invert", range(exec, n),
                       NotePlace<Permutation, Places>{p, places, n});
}

// The first i whose number is out of range or stood before; p's size if there is none. Waits for
// exec.
template <class Exec, class Permutation, class Places>
std::int64_t first_defect(Exec const& exec, Permutation const& p, Places const& places)
{
  auto const n = static_cast<std::int64_t>(p.extent(0));
  std::int64_t const first = least_place(exec, "heddle::permutation::check", n,
                                         IsDefect<Permutation, Places>{p, places, n});
  return first >= 0 ? first : n;
}

// Entry i of a View, on the host. Waits for exec.
template <class Exec, class View>
std::int64_t entry_of(Exec const& exec, View const& view, std::int64_t i)
{
  typename View::non_const_value_type entry{};
  Kokkos::deep_copy(exec, entry, Kokkos::subview(view, static_cast<std::size_t>(i)));
  exec.fence("heddle::permutation::entry");
  return static_cast<std::int64_t>(entry);
}

// places becomes the inverse of p, both of n entries. Throws InvalidArgument with the first place
// where p is no permutation of 0 .. n - 1. Waits for exec.
template <class Exec, class Permutation, class Places>
void invert_checked(Exec const& exec, char const* function, char const* name, Permutation const& p,
                    std::int64_t n, char const* of_what, Places const& places)
{
  require(static_cast<std::int64_t>(p.extent(0)) == n, function, name, " has ", p.extent(0),
          " entries but there are ", n, " ", of_what);
  first_places(exec, p, places);
  std::int64_t const i = first_defect(exec, p, places);
  if (i == n)
    return;
  std::int64_t const v = entry_of(exec, p, i);
  require(v >= 0 && v < n, function, name, "(", i, ") is ", v, ", expected 0 to ", n - 1);
  throw_error<InvalidArgument>(function, name, "(", i, ") is ", v, " as ", name, "(",
                               entry_of(exec, places, v), ") is");
}

} // namespace heddle::impl
