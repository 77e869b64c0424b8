// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/load.hpp>
#include <heddle/binary_csr.hpp>
#include <heddle/convert.hpp>
#include <heddle/gallery.hpp>
#include <heddle/matrix_market.hpp>

#include <Kokkos_Core.hpp>

#include <filesystem>
#include <string>

namespace heddle::perf
{

namespace
{

template <class Value>
HostMatrix<Value> read_text(std::string const& path)
{
  using Entries = CooMatrix<Value, int, std::size_t, Kokkos::HostSpace>;
  return to_csr(Kokkos::DefaultHostExecutionSpace{}, read_matrix_market<Entries>(path));
}

std::string name_of(std::string const& path)
{
  std::filesystem::path name = std::filesystem::path(path).filename();
  if (name.extension() == ".gz")
    name = name.stem();
  return name.stem().string();
}

} // namespace

LoadedMatrix load_file(std::string const& path)
{
  if (std::filesystem::path(path).extension() == ".bin")
    return {name_of(path), read_binary_csr<HostMatrix<double>>(path)};
  if (read_matrix_market_header(path).field == MatrixMarketField::complex)
    return {name_of(path), read_text<Kokkos::complex<double>>(path)};
  return {name_of(path), read_text<double>(path)};
}

LoadedMatrix load_gallery(std::string const& name)
{
  return {name, gallery<HostMatrix<double>>(name)};
}

} // namespace heddle::perf
