// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What CrsMatrix calls: its diagonal, packed rows.
#include <Tpetra_Details_getDiagCopyWithoutOffsets_decl.hpp>
#include <Tpetra_Details_packCrsMatrix_decl.hpp>
#include <Tpetra_Details_unpackCrsMatrixAndCombine_decl.hpp>
// Definitions, some of which need their declarations first.
#include <Tpetra_Details_getDiagCopyWithoutOffsets_def.hpp>
#include <Tpetra_Details_packCrsMatrix_def.hpp>
#include <Tpetra_Details_unpackCrsMatrixAndCombine_def.hpp>

namespace Tpetra
{

using Node = KokkosCompat::KokkosCudaWrapperNode;
TPETRA_DETAILS_GETDIAGCOPYWITHOUTOFFSETS_INSTANT(double, int, long long, Node)
TPETRA_DETAILS_PACKCRSMATRIX_INSTANT(double, int, long long, Node)
TPETRA_DETAILS_UNPACKCRSMATRIXANDCOMBINE_INSTANT(double, int, long long, Node)

} // namespace Tpetra
