// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/load.hpp>
#include <heddle/binary_csr.hpp>
#include <heddle/convert.hpp>
#include <heddle/error.hpp>
#include <heddle/gallery.hpp>
#include <heddle/matrix_market.hpp>

#include <Kokkos_Core.hpp>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>
#include <system_error>

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

bool is_utf8(nlohmann::json const& text)
{
  using Handler = nlohmann::json::error_handler_t;
  return text.dump(-1, ' ', false, Handler::ignore) == text.dump(-1, ' ', false, Handler::replace);
}

} // namespace

std::string matrix_name(std::string const& path)
{
  std::filesystem::path name = std::filesystem::path(path).filename();
  if (name.extension() == ".gz")
    name = name.stem();
  return name.stem().string();
}

void check_matrix_file(std::string const& path)
{
  std::error_code none;
  if (std::filesystem::exists(path, none) && !std::filesystem::is_regular_file(path, none))
    throw FileError("cannot read " + path +
                    ": it is not a regular file (a matrix is read more than once, so what comes "
                    "from a pipe has to be in a file first)");
  if (!is_utf8(std::filesystem::path(path).filename().string()))
    throw FileError("cannot take " + path + ": its name is not UTF-8, as results have to be");
}

LoadedMatrix load_file(std::string const& path)
{
  check_matrix_file(path);
  if (std::filesystem::path(path).extension() == ".bin")
    return {matrix_name(path), read_binary_csr<HostMatrix<double>>(path)};
  if (read_matrix_market_header(path).field == MatrixMarketField::complex)
    return {matrix_name(path), read_text<Kokkos::complex<double>>(path)};
  return {matrix_name(path), read_text<double>(path)};
}

LoadedMatrix load_gallery(std::string const& name)
{
  return {name, gallery<HostMatrix<double>>(name)};
}

} // namespace heddle::perf
