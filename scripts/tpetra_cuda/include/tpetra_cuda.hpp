// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What Debian's Tpetra was configured with, but for CUDA: double, int, long long, and Kokkos::Cuda
// as the default. Included in front of all else (the compiler's option -include), since Tpetra's
// headers find the files beside them first. Without TSQR, of which there is no library for CUDA and
// which only orthogonalisations of other packages call.

#include <Tpetra_KokkosClassic_DefaultNode_config.h>
#include <TpetraCore_config.h>

#undef HAVE_TPETRA_INST_SERIAL
#undef HAVE_TPETRA_SERIAL
#define HAVE_TPETRACORE_CUDA
#define HAVE_TPETRA_INST_CUDA
#define HAVE_TPETRA_CUDA

#undef HAVE_TPETRA_INST_INT_INT
#undef HAVE_TPETRA_INT_INT
#define HAVE_TPETRA_INST_INT_LONG_LONG
#define HAVE_TPETRA_INT_LONG_LONG

#undef HAVE_TPETRACORE_TPETRATSQR
#undef HAVE_TPETRA_KOKKOSTSQR
#undef HAVE_TPETRA_TPETRATSQR
#undef HAVE_TPETRA_TSQR

#undef TPETRA_DEFAULTNODE
#define TPETRA_DEFAULTNODE Tpetra::KokkosCompat::KokkosCudaWrapperNode
#undef HAVE_TPETRA_DEFAULTNODE_SERIALWRAPPERNODE
#undef HAVE_TPETRA_KOKKOSCLASSIC_DEFAULTNODE_SERIALWRAPPERNODE
#define HAVE_TPETRA_DEFAULTNODE_CUDAWRAPPERNODE
#define HAVE_TPETRA_KOKKOSCLASSIC_DEFAULTNODE_CUDAWRAPPERNODE 1
