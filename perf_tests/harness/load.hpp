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
  std::string name;
  std::variant<HostMatrix<double>, HostMatrix<Kokkos::complex<double>>> matrix;
  std::string family = {}, part = {}; // of a matrix of the zoo
};

// The name that a file's matrix has in tables and rows: without folder and suffix.
std::string matrix_name(std::string const& path);

// Throws FileError where a path is there but cannot be a matrix of ours: where it is something else
// than a regular file, such as a pipe, since it is read more than once, and where its name is not
// UTF-8, since rows of results have to be.
void check_matrix_file(std::string const& path);

// Reads a .mtx, .mtx.gz or .bin file: integers and patterns become real, arrays sparse. Throws what
// the check above and the readers throw.
LoadedMatrix load_file(std::string const& path);
// Makes a matrix of the gallery.
LoadedMatrix load_gallery(std::string const& name);

} // namespace heddle::perf
