// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/impl/transposed_pattern.hpp>
#include <support/instances.hpp>
#include <support/matrices.hpp>
#include <support/structures.hpp>
#include <support/types.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace heddle::test
{

namespace
{

// For each entry of A^T, row by row and with rows of A ascending in each, its position in A.
std::vector<std::int64_t> transposed_positions(Structure const& s)
{
  std::vector<std::vector<std::int64_t>> by_column(static_cast<std::size_t>(s.cols));
  std::int64_t position = 0;
  for (auto const& row : s.columns)
    for (std::int64_t const j : row)
      by_column[j].push_back(position++);
  std::vector<std::int64_t> positions;
  for (auto const& column : by_column)
    positions.insert(positions.end(), column.begin(), column.end());
  return positions;
}

template <class View>
std::vector<std::int64_t> to_integers(View const& view)
{
  std::vector<std::int64_t> integers;
  for (auto const value : to_vector(view))
    integers.push_back(static_cast<std::int64_t>(value));
  return integers;
}

template <class C>
void check_transposed(typename C::exec const& exec, Structure const& s)
{
  INFO(s.name);
  auto const t = impl::transposed_pattern(exec, make_csr<C>(s));
  exec.fence();
  auto const expected = to_host(make_csr<C>(transposed(s)));
  CHECK(to_integers(t.row_offsets) == expected.offsets);
  CHECK(to_integers(t.columns) == expected.columns);
  CHECK(to_integers(t.positions) == transposed_positions(s));
  CHECK(t.bytes() == (static_cast<std::size_t>(s.cols) + 1) * sizeof(typename C::offset) +
                         static_cast<std::size_t>(s.nnz()) *
                             (sizeof(typename C::ordinal) + sizeof(typename C::offset)));
}

} // namespace

} // namespace heddle::test

using namespace heddle::test;

TEMPLATE_LIST_TEST_CASE("transposed_pattern agrees with the oracle", "[transposed_pattern]", Spaces)
{
  auto const exec = instance_of_five<TestType>();
  for (Structure const& s : structures())
    check_transposed<Case<TestType, float, int, std::size_t>>(exec, s);
  for (Structure const& s : small_structures())
    check_transposed<Case<TestType, float, std::int64_t, int>>(exec, s);
}

TEMPLATE_LIST_TEST_CASE("transposed_pattern takes a default-constructed matrix",
                        "[transposed_pattern]", Spaces)
{
  auto const t = heddle::impl::transposed_pattern(TestType{},
                                                  CsrOf<Case<TestType, float, int, std::size_t>>{});
  TestType{}.fence();
  CHECK(to_integers(t.row_offsets) == std::vector<std::int64_t>{0});
  CHECK(t.columns.extent(0) == 0);
  CHECK(t.positions.extent(0) == 0);
}
