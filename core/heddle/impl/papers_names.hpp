// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The names of what only comparisons with papers ask for, and where it is: the plans of
// heddle::papers. Plans that lack it can so say where to go, without compiling any of it.

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace heddle::impl
{

struct PapersName
{
  std::string_view algorithm, name; // of an implementation, or of an accumulator of SpGEMM
};
inline constexpr std::array papers_names = {PapersName{"spmv", "cuda_native::csr_scalar"},
                                            PapersName{"spmv", "cuda_native::csr_merge"},
                                            PapersName{"spmv", "cuda_native::ell"},
                                            PapersName{"spmv", "cuda_native::ellr"},
                                            PapersName{"spmv", "cuda_native::sellp_paper"},
                                            PapersName{"spmv", "portable::coo_atomic"},
                                            PapersName{"spmv", "portable::ell_atomic"},
                                            PapersName{"spmv", "portable::bsr_block_atomic"},
                                            PapersName{"spmm", "cuda_native::csr_shared"},
                                            PapersName{"spmm", "cuda_native::ell_shared"},
                                            PapersName{"spmm", "cuda_native::sellp_paper"},
                                            PapersName{"spmm", "portable::csr_element"},
                                            PapersName{"spmm", "portable::coo_atomic"},
                                            PapersName{"spmm", "portable::ell_atomic"},
                                            PapersName{"spmm", "portable::bsr_block_atomic"},
                                            PapersName{"spgemm", "cuda_native::scatter_or_esc"},
                                            PapersName{"spgemm", "portable::scatter_or_esc"},
                                            PapersName{"spgemm", "portable::iterated_merge"},
                                            PapersName{"spgemm", "scatter_vector_paper"},
                                            PapersName{"spgemm", "hybrid_sparse"},
                                            PapersName{"spgemm", "hybrid_sparse_dvw"},
                                            PapersName{"spgemm", "esc_global"}};

constexpr bool is_papers_name(std::string_view algorithm, std::string_view name)
{
  return std::ranges::any_of(papers_names, [&](PapersName const& one) {
    return one.algorithm == algorithm && one.name == name;
  });
}

// "; NAME is of heddle::papers::SpmvPlan, in heddle/papers/spmv.hpp"; "" for other names.
inline std::string where_papers_have(std::string_view algorithm, std::string_view name)
{
  if (!is_papers_name(algorithm, name))
    return {};
  std::string const header(algorithm);
  std::string plan = header;
  plan.front() = 'S'; // all names of operations begin with this letter
  return "; " + std::string(name) + " is of heddle::papers::" + plan + "Plan, in heddle/papers/" +
         header + ".hpp";
}

} // namespace heddle::impl
