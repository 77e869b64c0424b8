// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What the compiler can check of the interface: concepts, member types, conversions, deduction.

#include <heddle/bsr_matrix.hpp>
#include <heddle/concepts.hpp>
#include <heddle/coo_matrix.hpp>
#include <heddle/csr_matrix.hpp>
#include <heddle/spgemm.hpp>
#include <heddle/spmm.hpp>
#include <heddle/spmv.hpp>
#include <heddle/topology.hpp>
#include <support/types.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

namespace heddle::test
{

namespace
{

using Space = Device::memory_space;
using Matrix = CsrMatrix<double, int, std::size_t, Space>;
using ReadOnly = Matrix::const_type;
using Narrow = CsrMatrix<float, int, int, Space>;
using Coordinates = CooMatrix<double, int, std::size_t, Space>;
template <class T>
using View1 = Kokkos::View<T*, Space>;
template <class T>
using View2 = Kokkos::View<T**, Space>;

// Concepts.
static_assert(SparseMatrix<Matrix> && SparseMatrix<ReadOnly> && SparseMatrix<Coordinates>);
static_assert(SparseMatrix<Coordinates::const_type>);
static_assert(!SparseMatrix<int> && !SparseMatrix<View2<double>>);
static_assert(Csr<Matrix> && Csr<ReadOnly> && !Csr<Coordinates> && !Csr<int>);
static_assert(Coo<Coordinates> && Coo<Coordinates::const_type> && !Coo<Matrix> && !Coo<int>);
static_assert(ExecutionSpace<Device> && ExecutionSpace<Kokkos::Serial>);
static_assert(!ExecutionSpace<Kokkos::HostSpace> && !ExecutionSpace<int>);
static_assert(Vector<View1<double>> && Vector<View1<double const>>);
static_assert(Vector<Kokkos::View<float*, Kokkos::LayoutStride, Kokkos::HostSpace>>);
static_assert(!Vector<View2<double>> && !Vector<Kokkos::View<double, Space>> && !Vector<double*>);
static_assert(DenseMatrix<View2<double>> && DenseMatrix<View2<double const>>);
static_assert(!DenseMatrix<View1<double>> && !DenseMatrix<Matrix>);

// What a matrix publishes.
static_assert(std::is_same_v<CsrMatrix<double>, Matrix>);
static_assert(std::is_same_v<Matrix::value_type, double>);
static_assert(std::is_same_v<ReadOnly::value_type, double>);
static_assert(std::is_same_v<ReadOnly, CsrMatrix<double const, int, std::size_t, Space>>);
static_assert(std::is_same_v<ReadOnly::const_type, ReadOnly>);
static_assert(std::is_same_v<ReadOnly::non_const_type, Matrix>);
static_assert(std::is_same_v<Matrix::non_const_type, Matrix>);
static_assert(std::is_same_v<Matrix::ordinal_type, int>);
static_assert(std::is_same_v<Matrix::offset_type, std::size_t>);
static_assert(std::is_same_v<Matrix::memory_space, Space>);
static_assert(std::is_same_v<Matrix::row_offsets_view::value_type, std::size_t const>);
static_assert(std::is_same_v<Matrix::columns_view::value_type, int>);
static_assert(std::is_same_v<ReadOnly::columns_view::value_type, int const>);
static_assert(std::is_same_v<ReadOnly::values_view::value_type, double const>);
static_assert(std::is_same_v<CooMatrix<double>, Coordinates>);
static_assert(std::is_same_v<Coordinates::const_type::indices_view::value_type, int const>);
static_assert(std::is_same_v<Coordinates::const_type::non_const_type, Coordinates>);

// A matrix deduced from Views of these element types has their types, whatever their layout,
// device and traits are called; it is read-only where columns or values are.
template <class T>
using Unmanaged = Kokkos::View<T*, Kokkos::LayoutRight, Device::device_type,
                               Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
template <template <class> class View, class Offset, class Column, class Value>
using Deduced = decltype(CsrMatrix(1, 1, std::declval<View<Offset>>(), std::declval<View<Column>>(),
                                   std::declval<View<Value>>()));
static_assert(std::is_same_v<Deduced<View1, std::size_t, int, double>, Matrix>);
static_assert(std::is_same_v<Deduced<View1, std::size_t const, int, double>, Matrix>);
static_assert(std::is_same_v<Deduced<Unmanaged, int, int, float>, Narrow>);
static_assert(std::is_same_v<Deduced<View1, std::size_t, int, double const>, ReadOnly>);
static_assert(std::is_same_v<Deduced<View1, std::size_t, int const, double>, ReadOnly>);
static_assert(std::is_same_v<Deduced<View1, std::size_t const, int const, double const>, ReadOnly>);
static_assert(std::is_same_v<Deduced<View1, std::size_t, std::int64_t, Complex128>,
                             CsrMatrix<Complex128, std::int64_t, std::size_t, Space>>);
static_assert(std::is_same_v<decltype(CsrMatrix(std::declval<ReadOnly>())), ReadOnly>);

// Every matrix converts to its read-only view; nothing else converts.
static_assert(std::is_convertible_v<Matrix, ReadOnly>);
static_assert(!std::is_constructible_v<Matrix, ReadOnly>);
static_assert(!std::is_constructible_v<CsrMatrix<float const, int, std::size_t, Space>, Matrix>);
static_assert(
    !std::is_constructible_v<CsrMatrix<double const, std::int64_t, std::size_t, Space>, Matrix>);
static_assert(!std::is_constructible_v<CsrMatrix<double const, int, int, Space>, Matrix>);
static_assert(std::is_convertible_v<Coordinates, Coordinates::const_type>);
static_assert(!std::is_constructible_v<Coordinates, Coordinates::const_type>);
static_assert(!std::is_constructible_v<ReadOnly, Coordinates>);
static_assert(!std::is_constructible_v<Coordinates::const_type, Matrix>);
static_assert(std::is_default_constructible_v<Matrix> && std::is_copy_assignable_v<Matrix>);

// What crosses into kernels is plain bytes.
static_assert(std::is_trivially_copyable_v<impl::VectorOperand<double, Kokkos::LayoutRight>>);
static_assert(std::is_trivially_copyable_v<impl::MatrixOperand<double, Kokkos::LayoutStride>>);
static_assert(std::is_trivially_copyable_v<impl::Pattern>);
static_assert(std::is_trivially_copyable_v<impl::RowStatistics>);

// Plans are typed on the read-only matrix, whatever they are made of.
template <class M>
using VectorPlan = decltype(SpmvPlan(std::declval<Device>(), std::declval<M>()));
template <class M>
using ColumnPlan =
    decltype(SpmmPlan(std::declval<Device>(), std::declval<M>(), std::declval<SpmmOptions>()));
template <class A, class B>
using ProductPlan =
    decltype(SpgemmPlan(std::declval<Device>(), std::declval<A>(), std::declval<B>()));
static_assert(std::is_same_v<VectorPlan<Matrix>, SpmvPlan<Device, ReadOnly>>);
static_assert(std::is_same_v<VectorPlan<ReadOnly>, SpmvPlan<Device, ReadOnly>>);
static_assert(std::is_same_v<ColumnPlan<Matrix>, SpmmPlan<Device, ReadOnly>>);
static_assert(std::is_same_v<ColumnPlan<ReadOnly>, SpmmPlan<Device, ReadOnly>>);
static_assert(
    std::is_same_v<ProductPlan<Matrix, ReadOnly>, SpgemmPlan<Device, ReadOnly, ReadOnly>>);
static_assert(
    std::is_same_v<ProductPlan<Narrow, Matrix>, SpgemmPlan<Device, Narrow::const_type, ReadOnly>>);

// Plans are values, made of a matrix only.
template <class Plan>
inline constexpr bool is_value =
    std::is_copy_constructible_v<Plan>&& std::is_copy_assignable_v<Plan>&&
        std::is_move_constructible_v<Plan> &&
    !std::is_default_constructible_v<Plan>;
static_assert(is_value<VectorPlan<Matrix>> && is_value<ColumnPlan<Matrix>>);
static_assert(is_value<ProductPlan<Matrix, Matrix>>);
static_assert(!std::is_convertible_v<VectorPlan<Matrix>, ColumnPlan<Matrix>>);

// Plans for one call are heddle's own: they may read the matrix that they were made of.
template <class Plan>
concept OffersPlansForOneCall = requires(Device const& exec, ReadOnly const& a)
{
  Plan::for_one_call(exec, a);
};
static_assert(!OffersPlansForOneCall<VectorPlan<Matrix>>);
static_assert(!OffersPlansForOneCall<ColumnPlan<Matrix>>);

// C = A B: the wider value, the wider offset.
static_assert(std::is_same_v<SpgemmResult<ReadOnly, ReadOnly>, Matrix>);
static_assert(std::is_same_v<SpgemmResult<Narrow, Narrow>, Narrow>);
static_assert(std::is_same_v<SpgemmResult<Narrow, Matrix>, Matrix>);
static_assert(std::is_same_v<SpgemmResult<CsrMatrix<Complex64, int, int, Space>, Matrix>,
                             CsrMatrix<Complex128, int, std::size_t, Space>>);
static_assert(std::is_same_v<ProductPlan<Narrow, Matrix>::result_type, Matrix>);
using Blocks = BsrMatrix<double, int, std::size_t, Space>;
using NarrowBlocks = BsrMatrix<float, int, int, Space>;
static_assert(std::is_same_v<ProductPlan<Blocks, NarrowBlocks>::result_type, Blocks>);
static_assert(is_value<ProductPlan<Blocks, Blocks>>);

// Options are aggregates.
static_assert(std::is_aggregate_v<SpmvOptions> && std::is_aggregate_v<SpmmOptions>);
static_assert(std::is_aggregate_v<SpgemmOptions> && std::is_aggregate_v<Topology>);

// The portable implementation is always the last.
static_assert(impl::last_t<SpmvImplementations<Device, ReadOnly>>::backend == Backend::portable);
static_assert(impl::last_t<SpmmImplementations<Device, ReadOnly>>::backend == Backend::portable);
static_assert(impl::last_t<SpgemmImplementations<Device, ReadOnly, ReadOnly>>::backend ==
              Backend::portable);
static_assert(std::is_same_v<impl::last_t<SpmvImplementations<Kokkos::Serial, ReadOnly>>,
                             impl::SpmvTeam<Kokkos::Serial, ReadOnly>>);
// ... and serves operands that the plan's choice does not take, from the orders that the plan
// holds.
template <class List, class Matrix>
using ServesOthers =
    std::is_same<impl::fallback_t<List, impl::HeldOrders<Matrix>>, impl::last_t<List>>;
static_assert(ServesOthers<SpmvImplementations<Device, ReadOnly>, ReadOnly>::value);
static_assert(ServesOthers<SpmmImplementations<Device, ReadOnly>, ReadOnly>::value);
static_assert(ServesOthers<SpmvImplementations<Device, Coordinates>, Coordinates>::value);
static_assert(ServesOthers<SpmmImplementations<Device, Coordinates>, Coordinates>::value);
// A matrix without arrays is judged by its statistics alone.
template <class Matrix>
concept HasRows = requires(Matrix const& a)
{
  a.num_rows();
};
static_assert(HasRows<ReadOnly> && !HasRows<impl::StatisticsOnly>);

// Calls take what their concepts say.
template <class A, class X, class Y>
concept SpmvTakes = requires(Device const& exec, A const& a, X const& x, Y const& y)
{
  spmv(exec, 1.0, a, x, 0.0, y);
  spmv(exec, Op::transpose, 1.0, a, x, 0.0, y);
};
template <class A, class B, class C>
concept SpmmTakes = requires(Device const& exec, A const& a, B const& b, C const& c)
{
  spmm(exec, 1.0, a, b, 0.0, c);
  spmm(exec, Op::transpose, 1.0, a, b, 0.0, c);
};
static_assert(SpmvTakes<Matrix, View1<double>, View1<double>>);
static_assert(SpmvTakes<ReadOnly, View1<double const>, View1<double>>);
static_assert(!SpmvTakes<Matrix, View2<double>, View1<double>>);
static_assert(!SpmvTakes<Matrix, View1<double>, View2<double>>);
static_assert(!SpmvTakes<View2<double>, View1<double>, View1<double>>);
static_assert(SpmmTakes<ReadOnly, View2<double const>, View2<double>>);
static_assert(!SpmmTakes<Matrix, View1<double>, View2<double>>);
static_assert(!SpmmTakes<Matrix, View2<double>, View1<double>>);
static_assert(!SpmmTakes<int, View2<double>, View2<double>>);

// A call that some overload takes is not refused, however its arguments are converted. What is
// refused stands in refused/.
template <impl::Operation operation, class... Args>
inline constexpr bool is_refused_v = impl::RefusedCall<operation, Args...>;
static_assert(
    !is_refused_v<impl::Operation::spmv, Device, int, Matrix, View1<float>, int, View1<double>>);
static_assert(!is_refused_v<impl::Operation::spmv, Device, VectorPlan<Matrix>, Op, float, Matrix,
                            View1<double>, int, View1<double>>);
static_assert(!is_refused_v<impl::Operation::spmm, Device, ColumnPlan<Coordinates>, int,
                            Coordinates, View2<double>, int, View2<double>>);
static_assert(!is_refused_v<impl::Operation::spgemm, Device, ProductPlan<Matrix, Narrow>, Matrix,
                            Narrow, Matrix>);
static_assert(!is_refused_v<impl::Operation::spgemm, Device, ProductPlan<Matrix, Matrix>, int,
                            ReadOnly, Matrix, int, Matrix>);
static_assert(!is_refused_v<impl::Operation::spgemm, Device, Matrix, Matrix, SpgemmOptions>);
// Another library's function of the same name, found beside heddle's.
static_assert(!is_refused_v<impl::Operation::spmv, View1<double>, Matrix, View1<double>>);

// Names are constants.
static_assert(std::string_view(to_string(Op::none)) == "none");
static_assert(std::string_view(to_string(Op::transpose)) == "transpose");
static_assert(std::string_view(to_string(Op::conjugate_transpose)) == "conjugate_transpose");
static_assert(std::string_view(to_string(Op::conjugate)) == "conjugate");
static_assert(std::string_view(to_string(Backend::portable)) == "portable");

} // namespace

} // namespace heddle::test

using namespace heddle::test;

TEST_CASE("the interface is what its static_asserts say", "[concepts]") { SUCCEED("it compiled"); }

TEST_CASE("options leave the choice open", "[concepts]")
{
  CHECK(heddle::SpmvOptions{}.backend == heddle::Backend::automatic);
  CHECK(heddle::SpmvOptions{}.implementation.empty());
  CHECK_FALSE(heddle::SpmvOptions{}.deterministic);
  CHECK_FALSE(heddle::SpmvOptions{}.may_convert);
  CHECK(heddle::SpmmOptions{}.backend == heddle::Backend::automatic);
  CHECK(heddle::SpmmOptions{}.implementation.empty());
  CHECK_FALSE(heddle::SpmmOptions{}.deterministic);
  CHECK(heddle::SpgemmOptions{}.backend == heddle::Backend::automatic);
  CHECK(heddle::SpgemmOptions{}.implementation.empty());
  CHECK_FALSE(heddle::SpgemmOptions{}.deterministic);
  CHECK(heddle::SpgemmOptions{}.max_workspace_bytes == ~std::size_t(0));
}
