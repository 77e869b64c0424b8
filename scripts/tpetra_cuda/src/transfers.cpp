// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who sends what to whom.
#include <Tpetra_Details_Transfer_decl.hpp>
#include <Tpetra_Export_decl.hpp>
#include <Tpetra_Import_decl.hpp>
#include <Tpetra_ImportExportData_decl.hpp>
// Definitions, some of which need their declarations first.
#include <Tpetra_Details_Transfer_def.hpp>
#include <Tpetra_Export_def.hpp>
#include <Tpetra_Import_def.hpp>
#include <Tpetra_ImportExportData_def.hpp>

namespace Tpetra
{

using Node = KokkosCompat::KokkosCudaWrapperNode;
TPETRA_IMPORTEXPORTDATA_INSTANT(int, long long, Node)
namespace Details
{
TPETRA_DETAILS_TRANSFER_INSTANT(int, long long, Node)
}
TPETRA_IMPORT_INSTANT(int, long long, Node)
TPETRA_EXPORT_INSTANT(int, long long, Node)

} // namespace Tpetra
