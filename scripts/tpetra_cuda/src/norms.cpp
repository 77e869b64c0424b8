// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Norms of rows and columns, by which CrsMatrix is scaled.
#include <Tpetra_computeRowAndColumnOneNorms_decl.hpp>
// Definitions, some of which need their declarations first.
#include <Tpetra_computeRowAndColumnOneNorms_def.hpp>

namespace Tpetra
{

using Node = KokkosCompat::KokkosCudaWrapperNode;
TPETRA_COMPUTEROWANDCOLUMNONENORMS_INSTANT(double, int, long long, Node)

} // namespace Tpetra
