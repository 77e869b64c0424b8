// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace heddle::impl
{

// A format with the types of Matrix, e.g. FormatLike<EllMatrix, Matrix>: writable, and where the
// matrix is unless said otherwise.
template <template <class, class, class, class> class Format, class Matrix,
          class MemorySpace = typename Matrix::memory_space>
using FormatLike = Format<typename Matrix::value_type, typename Matrix::ordinal_type,
                          typename Matrix::offset_type, MemorySpace>;

} // namespace heddle::impl
