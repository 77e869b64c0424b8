// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <harness/types.hpp>

#include <Kokkos_Core.hpp>

#include <string>
#include <variant>

namespace heddle::perf
{

// A matrix of the command line: real or complex as its file is, in double precision.
struct LoadedMatrix
{
  std::string name; // without folder and suffix
  std::variant<HostMatrix<double>, HostMatrix<Kokkos::complex<double>>> matrix;
};

// Reads a .mtx, .mtx.gz or .bin file: integers and patterns become real, arrays sparse. Throws what
// the readers throw.
LoadedMatrix load_file(std::string const& path);
// Makes a matrix of the gallery.
LoadedMatrix load_gallery(std::string const& name);

} // namespace heddle::perf
