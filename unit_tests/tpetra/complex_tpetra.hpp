// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Tpetra for complex numbers, also where Trilinos was compiled without them, as Debian's is: its
// templates are then instantiated by who includes this, before any other header of Trilinos. What
// Teuchos knows of complex numbers is in its headers alone, behind a macro.

#include <Teuchos_config.h>
#include <TpetraCore_config.h>

#if !defined(HAVE_TEUCHOS_COMPLEX)
#define HAVE_TEUCHOS_COMPLEX
#endif

#include <complex>
#include <Tpetra_CrsMatrix.hpp>
#include <Tpetra_MultiVector.hpp>
#include <Tpetra_Vector.hpp>

#if !defined(HAVE_TPETRA_INST_COMPLEX_DOUBLE)
#include <Tpetra_CrsMatrix_def.hpp>
#include <Tpetra_Details_packCrsMatrix_def.hpp>
#include <Tpetra_Details_unpackCrsMatrixAndCombine_def.hpp>
#include <Tpetra_DistObject_def.hpp>
#include <Tpetra_MultiVector_def.hpp>
#include <Tpetra_RowMatrix_def.hpp>
#include <Tpetra_Vector_def.hpp>
#endif
