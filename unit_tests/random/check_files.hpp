// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Matrix Market files, plain and compressed, and CSRB1 files: what is written is what is read.

#include <heddle/binary_csr.hpp>
#include <heddle/matrix_market.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <string>
#include <type_traits>
#include <unistd.h>

#include <random/check_conversion.hpp>
#include <random/context.hpp>
#include <random/operands.hpp>

namespace heddle::test::random
{

// C of the host.
template <class C>
class FileCheck
{
  using Value = typename C::value;

public:
  FileCheck(Problem const& problem, Context& context)
      : m_problem(problem)
      , m_context(context)
      , m_path(std::filesystem::temp_directory_path() /
               ("heddle_random_" + std::to_string(getpid())))
  {
    for (Entry& entry : m_problem.a.entries) // a file has no infinities
      if (!std::isfinite(entry.value.real()))
        entry.value = 1;
  }
  FileCheck(FileCheck const&) = delete;
  FileCheck& operator=(FileCheck const&) = delete;
  ~FileCheck()
  {
    std::error_code ignored;
    for (char const* const ending : {".mtx", ".mtx.gz", ".bin"})
      std::filesystem::remove(m_path.string() + ending, ignored);
  }

  std::string run()
  {
    Problem const& p = m_problem;
    auto const coo = make_coo<C>(p.a, p);
    for (char const* const ending : {".mtx", ".mtx.gz"})
    {
      std::string const path = m_path.string() + ending;
      m_context.call("write_matrix_market", [&] { write_matrix_market(path, coo); });
      auto const back =
          m_context.call("read_matrix_market", [&] { return read_matrix_market<CooOf<C>>(path); });
      std::string const wrong = first_difference(rounded_entries(p.a), entries_of(back));
      if (!wrong.empty())
        return std::string("of a file ") + ending + ", " + wrong;
    }
    if constexpr (std::is_floating_point_v<Value>)
      return binary();
    return {};
  }

private:
  std::string binary()
  {
    EntryList const sorted = merged<Value>(m_problem.a);
    auto const csr = make_csr<C>(sorted, m_problem);
    std::string const path = m_path.string() + ".bin";
    m_context.call("write_binary_csr", [&] { write_binary_csr(path, csr); });
    auto const back =
        m_context.call("read_binary_csr", [&] { return read_binary_csr<CsrOf<C>>(path); });
    std::string const wrong = first_difference(sorted, read_csr(back));
    return wrong.empty() ? "" : "of a CSRB1 file, " + wrong;
  }

  static EntryList rounded_entries(EntryList a)
  {
    for (Entry& entry : a.entries)
      entry.value = wide(rounded<Value>(entry.value));
    return a;
  }
  static EntryList entries_of(CooOf<C> const& coo)
  {
    EntryList a{coo.num_rows(), coo.num_cols()};
    for (std::size_t k = 0; k < coo.nnz(); ++k)
      a.entries.push_back({coo.rows()(k), coo.columns()(k), wide(coo.values()(k))});
    return a;
  }

  Problem m_problem;
  Context& m_context;
  std::filesystem::path m_path;
};

} // namespace heddle::test::random
