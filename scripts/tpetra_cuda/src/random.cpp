// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The random numbers of vectors.
#include <Tpetra_Details_Random_decl.hpp>
// Definitions, some of which need their declarations first.
#include <Tpetra_Details_Random_def.hpp>
#include <Tpetra_KokkosCompat_ClassicNodeAPI_Wrapper.hpp>

namespace Tpetra
{

using Node = KokkosCompat::KokkosCudaWrapperNode;
TPETRA_DETAILS_RANDOM_INSTANT(Node)

} // namespace Tpetra
