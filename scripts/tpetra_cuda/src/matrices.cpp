// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrices of double.
#include <Tpetra_CrsMatrix_decl.hpp>
#include <Tpetra_DistObject_decl.hpp>
#include <Tpetra_LocalCrsMatrixOperator_decl.hpp>
#include <Tpetra_RowMatrix_decl.hpp>
// Definitions, some of which need their declarations first.
#include <Tpetra_CrsMatrix_def.hpp>
#include <Tpetra_DistObject_def.hpp>
#include <Tpetra_LocalCrsMatrixOperator_def.hpp>
#include <Tpetra_RowMatrix_def.hpp>

namespace Tpetra
{

using Node = KokkosCompat::KokkosCudaWrapperNode;
TPETRA_DISTOBJECT_INSTANT_CHAR(int, long long, Node)
TPETRA_ROWMATRIX_INSTANT(double, int, long long, Node)
TPETRA_LOCALCRSMATRIXOPERATOR_INSTANT(double, Node)
TPETRA_CRSMATRIX_INSTANT(double, int, long long, Node)

} // namespace Tpetra
