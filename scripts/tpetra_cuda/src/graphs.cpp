// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Patterns of matrices.
#include <Tpetra_CrsGraph_decl.hpp>
#include <Tpetra_RowGraph_decl.hpp>
// Definitions, some of which need their declarations first.
#include <Tpetra_CrsGraph_def.hpp>
#include <Tpetra_RowGraph_def.hpp>

namespace Tpetra
{

using Node = KokkosCompat::KokkosCudaWrapperNode;
TPETRA_ROWGRAPH_INSTANT(int, long long, Node)
TPETRA_CRSGRAPH_INSTANT(int, long long, Node)

} // namespace Tpetra
