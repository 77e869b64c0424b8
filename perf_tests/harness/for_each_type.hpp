// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <harness/load.hpp>
#include <harness/measure.hpp>
#include <harness/operands.hpp>
#include <harness/record.hpp>
#include <harness/settings.hpp>
#include <heddle/impl/require.hpp>
#include <heddle/op.hpp>

#include <Kokkos_Core.hpp>

#include <string>
#include <type_traits>
#include <variant>

namespace heddle::perf
{

// body(a) with the matrix on the host in each value type asked for: f32 and f64, of a complex
// matrix c32 and c64. Throws InvalidArgument where this build does not have the type.
template <class Body>
void for_each_type(Settings const& settings, LoadedMatrix const& loaded, Body const& body)
{
  for (std::string const& type : settings.types)
    std::visit(
        [&]<class Value>(HostMatrix<Value> const& a) {
          using Single =
              std::conditional_t<impl::is_complex_v<Value>, Kokkos::complex<float>, float>;
          if constexpr (is_built_v<Single>)
            if (type == "f32")
              return body(rounded<Single>(a));
          if constexpr (is_built_v<Value>)
            body(a);
          else
            impl::require(false, "perf", loaded.name,
                          " is complex: this build has f64 alone, that of the preset "
                          "openmp-release has all types");
        },
        loaded.matrix);
}

inline Op op_of(std::string const& letter) { return letter == "t" ? Op::transpose : Op::none; }

// What all cases of a matrix and type have in common.
template <class Value>
Record record_of(std::string const& operation, LoadedMatrix const& loaded,
                 HostMatrix<Value> const& a, std::int64_t k)
{
  Record record;
  record.operation = operation;
  record.matrix = loaded.name;
  record.family = loaded.family;
  record.part = loaded.part;
  record.rows = a.num_rows();
  record.cols = a.num_cols();
  record.nnz = static_cast<std::int64_t>(a.nnz());
  record.k = k;
  record.value_type = type_name<Value>();
  record.flops = flops_per_product<Value> * static_cast<double>(a.nnz()) * static_cast<double>(k);
  return record;
}

// A once, and of every pass the dense operands once (DESIGN.md section 6).
template <class Value>
double dense_bytes(Record const& r, std::size_t offset_bytes, int passes = 1)
{
  return static_cast<double>(r.nnz) * (sizeof(Value) + sizeof(int)) +
         static_cast<double>(r.rows + 1) * static_cast<double>(offset_bytes) +
         static_cast<double>(passes * (r.rows + r.cols) * r.k) * sizeof(Value);
}

// A matrix once in CSR, with the candidate's offsets.
template <class Value>
double csr_bytes(std::int64_t rows, std::int64_t nnz, Candidate const& candidate)
{
  return static_cast<double>(nnz) * (sizeof(Value) + sizeof(int)) +
         (static_cast<double>(rows) + 1) * static_cast<double>(offset_bytes(candidate));
}
template <class Value>
double csr_bytes(HostMatrix<Value> const& a, Candidate const& candidate)
{
  return csr_bytes<Value>(a.num_rows(), static_cast<std::int64_t>(a.nnz()), candidate);
}

} // namespace heddle::perf
