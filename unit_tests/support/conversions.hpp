// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// CSR and coordinates to every format and back to CSR.

#include <heddle/convert.hpp>
#include <heddle/drop_zeros.hpp>
#include <heddle/validate.hpp>
#include <support/defects.hpp>
#include <support/matrices.hpp>
#include <support/structures.hpp>
#include <support/types.hpp>

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle::test
{

inline constexpr FillLimit no_limit{1e9};

inline Structure sorted(Structure s)
{
  for (auto& row : s.columns)
    std::sort(row.begin(), row.end());
  return s;
}

// The formats, each with the parameters that matter: make of CSR or coordinates, whether rows keep
// their order and whether one long row among many is no waste.
struct AsCsc
{
  static constexpr bool keeps_order = false;
  static constexpr bool takes_long_rows = true;
  template <class Exec, class Matrix>
  static auto make(Exec const& exec, Matrix const& a)
  {
    return to_csc(exec, a);
  }
};
struct AsDcsr
{
  static constexpr bool keeps_order = true;
  static constexpr bool takes_long_rows = true;
  template <class Exec, class Matrix>
  static auto make(Exec const& exec, Matrix const& a)
  {
    return to_dcsr(exec, a);
  }
};
template <int height, int width>
struct AsBsr
{
  static constexpr bool keeps_order = false;
  static constexpr bool takes_long_rows = true;
  template <class Exec, class Matrix>
  static auto make(Exec const& exec, Matrix const& a)
  {
    return to_bsr(exec, a, {height, width}, no_limit);
  }
};
struct AsEll
{
  static constexpr bool keeps_order = true;
  static constexpr bool takes_long_rows = false;
  template <class Exec, class Matrix>
  static auto make(Exec const& exec, Matrix const& a)
  {
    return to_ell(exec, a, no_limit);
  }
};
template <int height, int alignment, int sigma>
struct AsSell
{
  static constexpr bool keeps_order = true;
  static constexpr bool takes_long_rows = true;
  template <class Exec, class Matrix>
  static auto make(Exec const& exec, Matrix const& a)
  {
    return to_sell(exec, a, {height, alignment, sigma}, no_limit);
  }
};
template <int width>
struct AsHyb
{
  static constexpr bool keeps_order = true;
  static constexpr bool takes_long_rows = true;
  template <class Exec, class Matrix>
  static auto make(Exec const& exec, Matrix const& a)
  {
    if constexpr (width < 0)
      return to_hyb(exec, a, {}, no_limit);
    else
      return to_hyb(exec, a, width, no_limit);
  }
};

// 0: the default.
template <int panel_width, int threshold>
struct AsRowSegmented
{
  static constexpr bool keeps_order = true;
  static constexpr bool takes_long_rows = true;
  template <class Exec, class Matrix>
  static auto make(Exec const& exec, Matrix const& a)
  {
    return to_row_segmented(exec, a, {panel_width, threshold});
  }
};

// The CSR of a format without what fills blocks.
template <class Exec, class Matrix>
auto csr_without_fill(Exec const& exec, Matrix const& a)
{
  if constexpr (is_bsr_matrix_v<Matrix>)
    return drop_zeros(exec, to_csr(exec, a));
  else
    return to_csr(exec, a);
}

template <class As, class C>
void check_round_trip(typename C::exec const& exec, Structure const& s)
{
  INFO(s.name);
  auto const a = make_csr<C>(s);
  auto const there = As::make(exec, a);
  CHECK(there.num_rows() == a.num_rows());
  CHECK(there.num_cols() == a.num_cols());
  CHECK(there.nnz() == a.nnz());
  CHECK(text_of(validate(exec, there)) == "");
  auto const expected = to_host(make_csr<C>(As::keeps_order ? s : sorted(s)));
  CHECK(to_host(csr_without_fill(exec, there)) == expected);

  // New values on the pattern that is there.
  auto twice = to_vector(a.values());
  for (auto& value : twice)
    value *= typename C::value(2);
  Kokkos::deep_copy(a.values(), to_view<typename C::value, typename C::space>(twice));
  update_values(exec, there, a);
  exec.fence();
  auto doubled = expected;
  for (auto& value : doubled.values)
    value *= typename C::value(2);
  CHECK(to_host(csr_without_fill(exec, there)) == doubled);
}

// A single row or column, alone or among empty ones.
inline std::vector<Structure> const& single_lines()
{
  auto const line = [](char const* name, std::int64_t rows, std::int64_t cols, std::int64_t row,
                       std::int64_t column) { // row or column -1: all
    Structure s{name, rows, cols, std::vector<std::vector<std::int64_t>>(rows)};
    for (std::int64_t i = 0; i < rows; ++i)
      for (std::int64_t j = 0; j < cols; ++j)
        if ((row < 0 || i == row) && (column < 0 || j == column))
          s.columns[i].push_back(j);
    return s;
  };
  static std::vector<Structure> const all = {
      line("1 x 257", 1, 257, 0, -1), line("257 x 1", 257, 1, -1, 0),
      line("one dense row", 70, 300, 65, -1), line("one dense column", 300, 70, -1, 66)};
  return all;
}

// On every structure that the format can hold.
template <class As, class C>
void check_round_trips(typename C::exec const& exec)
{
  for (Structure const& s : small_structures())
    check_round_trip<As, C>(exec, s);
  for (Structure const& s : single_lines())
    check_round_trip<As, C>(exec, s);
  if (As::takes_long_rows)
    check_round_trip<As, C>(exec, structure("more than 2^16 rows"));
}

} // namespace heddle::test
