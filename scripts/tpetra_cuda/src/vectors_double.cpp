// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vectors of double.
#include <Tpetra_DistObject_decl.hpp>
#include <Tpetra_MultiVector_decl.hpp>
#include <Tpetra_Vector_decl.hpp>
// Definitions, some of which need their declarations first.
#include <Tpetra_DistObject_def.hpp>
#include <Tpetra_MultiVector_def.hpp>
#include <Tpetra_Vector_def.hpp>

namespace Tpetra
{

using Node = KokkosCompat::KokkosCudaWrapperNode;
TPETRA_DISTOBJECT_INSTANT(double, int, long long, Node)
TPETRA_MULTIVECTOR_INSTANT(double, int, long long, Node)
TPETRA_VECTOR_INSTANT(double, int, long long, Node)

} // namespace Tpetra
