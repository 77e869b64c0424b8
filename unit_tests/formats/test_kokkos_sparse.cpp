// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_test_macros.hpp>

#if defined(HEDDLE_TEST_KOKKOSKERNELS)

#include <heddle/kokkos_sparse.hpp>
#include <support/kernels.hpp>
#include <support/matrices.hpp>
#include <support/structures.hpp>
#include <support/types.hpp>

#include <KokkosSparse_CrsMatrix.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace heddle::test
{

namespace
{

template <class Value, class Ordinal, class Offset>
using Theirs = KokkosSparse::CrsMatrix<Value, Ordinal, Device::device_type, void, Offset>;
template <class Value, class Ordinal, class Offset>
using Ours = CsrMatrix<Value, Ordinal, Offset, Device::memory_space>;

static_assert(KokkosSparseCrs<Theirs<double, int, std::size_t>>);
static_assert(KokkosSparseCrs<Theirs<double const, int const, int>>);
static_assert(!KokkosSparseCrs<Ours<double, int, int>>);
static_assert(!KokkosSparseCrs<int>);

// Both have the sizes and the storage of the other.
template <class A, class B>
void check_same(A const& ours, B const& theirs)
{
  CHECK(ours.num_rows() == theirs.numRows());
  CHECK(ours.num_cols() == theirs.numCols());
  CHECK(ours.nnz() == static_cast<std::size_t>(theirs.nnz()));
  CHECK(ours.row_offsets().data() == theirs.graph.row_map.data());
  CHECK(ours.columns().data() == theirs.graph.entries.data());
  CHECK(ours.values().data() == theirs.values.data());
}

template <class Value, class Ordinal, class Offset>
void check_views(Structure const& s)
{
  INFO(s.name);
  using Matrix = Ours<Value, Ordinal, Offset>;
  Matrix const a = make_csr<Case<Device, Value, Ordinal, Offset>>(s);
  auto const theirs = kokkos_sparse_view<Theirs<Value, Ordinal, Offset>>(a);
  check_same(a, theirs);
  auto const back = csr_view(theirs);
  static_assert(std::is_same_v<decltype(back), Matrix const>);
  check_same(back, theirs);
  CHECK(a.values().use_count() == 3); // a, theirs and back

  // Read-only, from either.
  using TheirConst = Theirs<Value const, Ordinal const, Offset>;
  typename Matrix::const_type const read_only = a;
  TheirConst const theirs_read_only = kokkos_sparse_view<TheirConst>(read_only);
  check_same(read_only, theirs_read_only);
  check_same(read_only, kokkos_sparse_view<TheirConst>(a));
  auto const back_read_only = csr_view(theirs_read_only);
  static_assert(std::is_same_v<decltype(back_read_only), typename Matrix::const_type const>);
  check_same(back_read_only, theirs);
  CHECK(sum_of_places(Device{}, back_read_only) == sum_of_places(Device{}, a));
}

} // namespace

} // namespace heddle::test

using namespace heddle::test;

TEST_CASE("views of KokkosSparse matrices share their storage", "[kokkos_sparse]")
{
  for (char const* const name : {"1 x 1", "0 x 7", "7 x 0", "empty rows", "unsorted", "tall"})
  {
    check_views<double, int, std::size_t>(structure(name));
    check_views<double, int, int>(structure(name));
    check_views<Complex64, std::int64_t, std::size_t>(structure(name));
  }
}

TEST_CASE("KokkosSparse matrices keep our storage alive", "[kokkos_sparse]")
{
  using Their = Theirs<double, int, std::size_t>;
  Structure const& s = structure("banded");
  Their theirs;
  {
    auto const a = make_csr<Case<Device, double, int, std::size_t>>(s);
    theirs = heddle::kokkos_sparse_view<Their>(a);
  }
  CHECK(theirs.values.use_count() == 1);
  CHECK(theirs.graph.row_map.use_count() == 1);
  auto const expected = to_host(make_csr<Case<Device, double, int, std::size_t>>(s));
  CHECK(to_host(heddle::csr_view(theirs)) == expected);
}

TEST_CASE("our matrices keep KokkosSparse storage alive", "[kokkos_sparse]")
{
  using Their = Theirs<float, int, int>;
  heddle::CsrMatrix<float const, int, int, Device::memory_space> a;
  {
    using Space = Device::memory_space;
    Their const theirs("theirs", 2, 3, 3, to_view<float, Space>({1, 2, 3}),
                       Their::row_map_type(to_view<int, Space>({0, 2, 3})),
                       to_view<int, Space>({0, 2, 1}));
    a = heddle::csr_view(theirs);
  }
  CHECK(a.columns().use_count() == 1);
  CHECK(to_host(a) == HostCsr<float>{2, 3, {0, 2, 3}, {0, 2, 1}, {1, 2, 3}});
}

TEST_CASE("writing through one view is seen through the other", "[kokkos_sparse]")
{
  auto const a = make_csr<Case<Device, double, int, int>>(structure("banded"));
  auto const theirs = heddle::kokkos_sparse_view<Theirs<double, int, int>>(a);
  Kokkos::deep_copy(theirs.values, 7.0);
  Kokkos::deep_copy(theirs.graph.entries, 3);
  for (double const value : to_vector(a.values()))
    CHECK(value == 7.0);
  for (int const column : to_vector(a.columns()))
    CHECK(column == 3);
}

TEST_CASE("matrices without Views convert", "[kokkos_sparse]")
{
  using Their = Theirs<double, int, std::size_t>;
  auto const ours = heddle::csr_view(Their());
  CHECK(ours.num_rows() == 0);
  CHECK(ours.num_cols() == 0);
  CHECK(ours.nnz() == 0);
  auto const theirs = heddle::kokkos_sparse_view<Their>(Ours<double, int, std::size_t>());
  CHECK(theirs.numRows() == 0);
  CHECK(theirs.numCols() == 0);
  CHECK(theirs.nnz() == 0);
}

TEST_CASE("unmanaged KokkosSparse matrices have views", "[kokkos_sparse]")
{
  using Their = KokkosSparse::CrsMatrix<double, int, Device::device_type,
                                        Kokkos::MemoryTraits<Kokkos::Unmanaged>, int>;
  auto const a = make_csr<Case<Device, double, int, int>>(structure("banded"));
  Their const theirs = heddle::kokkos_sparse_view<Theirs<double, int, int>>(a);
  check_same(heddle::csr_view(theirs), theirs);
  check_same(heddle::csr_view(theirs), heddle::kokkos_sparse_view<Their>(a));
}

#else

TEST_CASE("views of KokkosSparse matrices", "[kokkos_sparse]")
{
  SKIP("built without Kokkos Kernels");
}

#endif
