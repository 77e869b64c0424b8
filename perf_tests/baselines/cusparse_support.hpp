// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Owners of cuSPARSE's handle and descriptors. Sparse holds the arrays of its format too.

#include <baselines/cusparse.hpp>
#include <heddle/convert_bsr.hpp>
#include <heddle/convert_coo.hpp>
#include <heddle/convert_sell.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <cusparse.h>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace heddle::perf::cusparse
{

inline void check(cusparseStatus_t status, char const* function)
{
  if (status != CUSPARSE_STATUS_SUCCESS)
    throw std::runtime_error(std::string(function) + ": " + cusparseGetErrorString(status));
}

// Of the process, on the stream of Exec's default instance.
inline cusparseHandle_t handle()
{
  struct Owner
  {
    cusparseHandle_t value = nullptr;
    Owner()
    {
      check(cusparseCreate(&value), "cusparseCreate");
      check(cusparseSetStream(value, Exec{}.cuda_stream()), "cusparseSetStream");
    }
  };
  static Owner const owner; // lives as long as the CUDA context
  return owner.value;
}

template <class Value>
inline constexpr cudaDataType data_type = std::is_same_v<Value, float> ? CUDA_R_32F : CUDA_R_64F;

inline cusparseOperation_t operation(Op op)
{
  return op == Op::none ? CUSPARSE_OPERATION_NON_TRANSPOSE : CUSPARSE_OPERATION_TRANSPOSE;
}

// How many times larger than the entries padding may make a matrix, as in the peers' tables.
inline constexpr FillLimit generous{12.0};

using Buffer = Kokkos::View<char*, Space>;

inline Buffer new_buffer(std::size_t bytes)
{
  return Buffer(Kokkos::view_alloc("heddle::perf::cusparse::buffer", Kokkos::WithoutInitializing),
                bytes);
}

// A descriptor that is destroyed with its last copy; create is given where to put it.
template <class Descriptor, class Create, class Destroy>
std::shared_ptr<std::remove_pointer_t<Descriptor>> owned(Create const& create, Destroy destroy)
{
  Descriptor descriptor = nullptr;
  create(&descriptor);
  return {descriptor, [destroy](Descriptor one) { destroy(one); }};
}

using SparseDescriptor = std::shared_ptr<std::remove_pointer_t<cusparseConstSpMatDescr_t>>;
using VectorDescriptor = std::shared_ptr<std::remove_pointer_t<cusparseDnVecDescr_t>>;
using DenseDescriptor = std::shared_ptr<std::remove_pointer_t<cusparseDnMatDescr_t>>;

// A matrix as cuSPARSE sees it. Blocked formats have rows and cols rounded up to whole blocks.
struct Sparse
{
  SparseDescriptor descriptor;
  std::shared_ptr<void> arrays;
  std::int64_t rows = 0, cols = 0;
};

template <class Arrays, class Create>
Sparse sparse(Arrays const& arrays, std::int64_t rows, std::int64_t cols, char const* function,
              Create const& create)
{
  auto const descriptor = owned<cusparseConstSpMatDescr_t>(
      [&](cusparseConstSpMatDescr_t* to) { check(create(to), function); }, cusparseDestroySpMat);
  return {descriptor, std::make_shared<Arrays>(arrays), rows, cols};
}

template <class Value>
Sparse csr(Matrix32<Value> const& a)
{
  return sparse(a, a.num_rows(), a.num_cols(), "cusparseCreateConstCsr", [&](auto* to) {
    return cusparseCreateConstCsr(to, a.num_rows(), a.num_cols(),
                                  static_cast<std::int64_t>(a.nnz()), a.row_offsets().data(),
                                  a.columns().data(), a.values().data(), CUSPARSE_INDEX_32I,
                                  CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, data_type<Value>);
  });
}

// A^T: its columns are the rows of A.
template <class Value>
Sparse transposed_as_csc(Matrix32<Value> const& a)
{
  return sparse(a, a.num_cols(), a.num_rows(), "cusparseCreateConstCsc", [&](auto* to) {
    return cusparseCreateConstCsc(to, a.num_cols(), a.num_rows(),
                                  static_cast<std::int64_t>(a.nnz()), a.row_offsets().data(),
                                  a.columns().data(), a.values().data(), CUSPARSE_INDEX_32I,
                                  CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, data_type<Value>);
  });
}

template <class Value>
Sparse coo(Matrix32<Value> const& a)
{
  auto const coordinates = to_coo(Exec{}, a);
  return sparse(coordinates, a.num_rows(), a.num_cols(), "cusparseCreateConstCoo", [&](auto* to) {
    return cusparseCreateConstCoo(to, a.num_rows(), a.num_cols(),
                                  static_cast<std::int64_t>(a.nnz()), coordinates.rows().data(),
                                  coordinates.columns().data(), coordinates.values().data(),
                                  CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, data_type<Value>);
  });
}

// Slices of a column-major order of entries, padded with column -1, as ours.
template <class Value>
Sparse sliced_ell(Matrix32<Value> const& a, int height)
{
  auto const slices = to_sell(Exec{}, a, SellShape{height, 1, 1});
  return sparse(slices, a.num_rows(), a.num_cols(), "cusparseCreateConstSlicedEll", [&](auto* to) {
    return cusparseCreateConstSlicedEll(
        to, a.num_rows(), a.num_cols(), static_cast<std::int64_t>(a.nnz()),
        static_cast<std::int64_t>(slices.values().extent(0)), height, slices.slice_offsets().data(),
        slices.columns().data(), slices.values().data(), CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
        CUSPARSE_INDEX_BASE_ZERO, data_type<Value>);
  });
}

template <class Value>
Sparse bsr(Matrix32<Value> const& a, int size)
{
  auto const blocks = to_bsr(Exec{}, a, BlockShape{size, size}, generous);
  std::int64_t const rows = blocks.num_block_rows(), cols = blocks.num_block_cols();
  return sparse(blocks, rows * size, cols * size, "cusparseCreateConstBsr", [&](auto* to) {
    return cusparseCreateConstBsr(to, rows, cols, static_cast<std::int64_t>(blocks.num_blocks()),
                                  size, size, blocks.row_offsets().data(), blocks.columns().data(),
                                  blocks.values().data(), CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                                  CUSPARSE_INDEX_BASE_ZERO, data_type<Value>, CUSPARSE_ORDER_ROW);
  });
}

// Rows of B that a matrix with whole blocks reads and C that it writes: the operand itself where it
// is large enough, else a copy with rows of zeros.
template <class Operand>
Operand with_rows(Operand const& operand, std::int64_t rows)
{
  auto const present = static_cast<std::int64_t>(operand.extent(0));
  if (present >= rows)
    return operand;
  if constexpr (Operand::rank() == 1)
  {
    Operand const padded("heddle::perf::padded", rows);
    Kokkos::deep_copy(Kokkos::subview(padded, Kokkos::pair(std::int64_t(0), present)), operand);
    return padded;
  }
  else
  {
    Operand const padded("heddle::perf::padded", rows, operand.extent(1));
    Kokkos::deep_copy(Kokkos::subview(padded, Kokkos::pair(std::int64_t(0), present), Kokkos::ALL),
                      operand);
    return padded;
  }
}

// Brings a result computed in padded back, if it is another one.
template <class Operand>
void take_rows(Operand const& padded, Operand const& operand)
{
  auto const rows = Kokkos::pair(std::size_t(0), operand.extent(0));
  if (padded.data() == operand.data())
    return;
  if constexpr (Operand::rank() == 1)
    Kokkos::deep_copy(operand, Kokkos::subview(padded, rows));
  else
    Kokkos::deep_copy(operand, Kokkos::subview(padded, rows, Kokkos::ALL));
}

} // namespace heddle::perf::cusparse
