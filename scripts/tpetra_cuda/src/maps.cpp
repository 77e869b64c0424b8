// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Maps and what finds who has a row.
#include <Tpetra_Details_FixedHashTable_decl.hpp>
#include <Tpetra_Directory_decl.hpp>
#include <Tpetra_DirectoryImpl_decl.hpp>
#include <Tpetra_Map_decl.hpp>
// Definitions, some of which need their declarations first.
#include <Tpetra_Details_FixedHashTable_def.hpp>
#include <Tpetra_Directory_def.hpp>
#include <Tpetra_DirectoryImpl_def.hpp>
#include <Tpetra_Map_def.hpp>

namespace Tpetra
{

using Node = KokkosCompat::KokkosCudaWrapperNode;
TPETRA_DETAILS_FIXEDHASHTABLE_INSTANT(int, long long, Node)
TPETRA_DIRECTORY_INSTANT(int, long long, Node)
TPETRA_DIRECTORYIMPL_INSTANT(int, long long, Node)
TPETRA_MAP_INSTANT(int, long long, Node)

} // namespace Tpetra
