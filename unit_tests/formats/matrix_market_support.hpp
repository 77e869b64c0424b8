// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/coo_matrix.hpp>
#include <support/temporary_folder.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace heddle::test
{

// A gzip member that stores its text as it is (RFC 1951, 3.2.4, and RFC 1952), at most 65535 bytes.
inline std::string gzip_member(std::string const& text)
{
  auto const little_endian = [](std::uint32_t number, int count) {
    std::string bytes;
    for (int i = 0; i < count; ++i)
      bytes += static_cast<char>(number >> (8 * i) & 255U);
    return bytes;
  };
  std::uint32_t sum = ~0U; // CRC-32
  for (char const c : text)
  {
    sum ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit)
      sum = sum >> 1U ^ ((sum & 1U) != 0 ? 0xedb88320U : 0U);
  }
  auto const size = static_cast<std::uint32_t>(text.size());
  return std::string("\x1f\x8b\x08\0\0\0\0\0\0\xff\x01", 11) + little_endian(size, 2) +
         little_endian(~size, 2) + text + little_endian(~sum, 4) + little_endian(size, 4);
}

template <class Value, class Ordinal = int>
using HostCooMatrix = CooMatrix<Value, Ordinal, std::size_t, Kokkos::HostSpace>;

// An entry, 0-based.
template <class Value>
struct Triple
{
  std::int64_t row, column;
  Value value;
  bool operator==(Triple const&) const = default;
};

template <class Matrix>
std::vector<Triple<typename Matrix::value_type>> triples_of(Matrix const& a)
{
  std::vector<Triple<typename Matrix::value_type>> triples;
  for (std::size_t k = 0; k < a.nnz(); ++k)
    triples.push_back({a.rows()(k), a.columns()(k), a.values()(k)});
  return triples;
}

template <class Value, class Ordinal = int>
HostCooMatrix<Value, Ordinal> make_coo(Ordinal rows, Ordinal cols,
                                       std::vector<Triple<Value>> const& triples)
{
  Kokkos::View<Ordinal*, Kokkos::HostSpace> const i("heddle::test::rows", triples.size());
  Kokkos::View<Ordinal*, Kokkos::HostSpace> const j("heddle::test::columns", triples.size());
  Kokkos::View<Value*, Kokkos::HostSpace> const v("heddle::test::values", triples.size());
  for (std::size_t k = 0; k < triples.size(); ++k)
  {
    i(k) = static_cast<Ordinal>(triples[k].row);
    j(k) = static_cast<Ordinal>(triples[k].column);
    v(k) = triples[k].value;
  }
  return {rows, cols, i, j, v};
}

} // namespace heddle::test
