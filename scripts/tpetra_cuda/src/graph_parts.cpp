// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What CrsGraph calls: Maps of columns, packed rows.
#include <Tpetra_Details_getGraphDiagOffsets_decl.hpp>
#include <Tpetra_Details_getGraphOffRankOffsets_decl.hpp>
#include <Tpetra_Details_makeColMap_decl.hpp>
#include <Tpetra_Details_packCrsGraph_decl.hpp>
#include <Tpetra_Details_unpackCrsGraphAndCombine_decl.hpp>
// Definitions, some of which need their declarations first.
#include <Tpetra_Details_getGraphDiagOffsets_def.hpp>
#include <Tpetra_Details_getGraphOffRankOffsets_def.hpp>
#include <Tpetra_Details_makeColMap_def.hpp>
#include <Tpetra_Details_packCrsGraph_def.hpp>
#include <Tpetra_Details_unpackCrsGraphAndCombine_def.hpp>

namespace Tpetra
{

using Node = KokkosCompat::KokkosCudaWrapperNode;
TPETRA_DETAILS_IMPL_GETGRAPHDIAGOFFSETS_INSTANT(int, long long, Node)
TPETRA_DETAILS_IMPL_GETGRAPHOFFRANKOFFSETS_INSTANT(int, long long, Node)
TPETRA_DETAILS_MAKECOLMAP_INSTANT(int, long long, Node)
TPETRA_DETAILS_PACKCRSGRAPH_INSTANT(int, long long, Node)
TPETRA_DETAILS_UNPACKCRSGRAPHANDCOMBINE_INSTANT(int, long long, Node)

} // namespace Tpetra
