// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What a user writes: a matrix from a file and one from the gallery, on the default device, times a
// vector. Ends with 1 where a number is wrong.

#include <heddle/convert.hpp>
#include <heddle/copy.hpp>
#include <heddle/gallery.hpp>
#include <heddle/matrix_market.hpp>
#include <heddle/spmv.hpp>
#include <heddle/topology.hpp>
#include <heddle/version.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

namespace
{

using Exec = Kokkos::DefaultExecutionSpace;
using Space = Exec::memory_space;
using Matrix = heddle::CsrMatrix<double, int, std::size_t, Space>;

// A times a vector of ones.
std::vector<double> row_sums(Exec const& exec, Matrix const& a)
{
  Kokkos::View<double*, Space> const x("x", a.num_cols()), y("y", a.num_rows());
  Kokkos::deep_copy(exec, x, 1.0);
  heddle::SpmvPlan const plan(exec, a);
  heddle::spmv(exec, plan, 1.0, a, x, 0.0, y);
  auto const host = Kokkos::create_mirror_view(y);
  Kokkos::deep_copy(exec, host, y);
  exec.fence();
  std::cout << plan.implementation_name() << ": " << a.num_rows() << " x " << a.num_cols() << ", "
            << a.nnz() << " entries\n";
  return {host.data(), host.data() + host.extent(0)};
}

bool is_right(char const* name, std::vector<double> const& result,
              std::vector<double> const& expected)
{
  bool const ok = result == expected;
  std::cout << name << ":";
  for (double const value : result)
    std::cout << " " << value;
  std::cout << (ok ? "\n" : " is wrong\n");
  return ok;
}

bool read_a_file(Exec const& exec)
{
  auto const path = (std::filesystem::temp_directory_path() / "heddle_install_test.mtx").string();
  std::ofstream(path) << "%%MatrixMarket matrix coordinate real general\n"
                         "3 4 5\n1 1 1.5\n3 4 2\n3 1 -1\n1 3 0.25\n3 4 8\n";
  auto const a =
      heddle::read_matrix_market<heddle::CooMatrix<double, int, std::size_t, Kokkos::HostSpace>>(
          path);
  std::filesystem::remove(path);
  auto const csr = heddle::to_csr(exec, heddle::copy_to(exec, Space{}, a));
  return is_right("file", row_sums(exec, csr), {1.75, 0, 9});
}

bool make_a_matrix(Exec const& exec)
{
  // Four on the diagonal, -1 for each neighbour in a grid of 3 x 3.
  auto const a = heddle::copy_to(exec, Space{}, heddle::gallery("stencil5_3"));
  return is_right("gallery", row_sums(exec, a), {2, 1, 2, 1, 0, 1, 2, 1, 2});
}

} // namespace

int main(int argc, char** argv)
try
{
  Kokkos::ScopeGuard const guard(argc, argv);
  std::cout << "heddle " << HEDDLE_VERSION_STRING << "\n" << to_string(heddle::host_topology());
  Exec const exec{};
  bool const file = read_a_file(exec), gallery = make_a_matrix(exec);
  return file && gallery ? 0 : 1;
}
catch (std::exception const& error)
{
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
