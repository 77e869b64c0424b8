// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// validate(exec, a) of every format: the first broken invariant of a matrix, if there is one.

#include <heddle/defect.hpp>
#include <heddle/validate_bsr.hpp>
#include <heddle/validate_coo.hpp>
#include <heddle/validate_csc.hpp>
#include <heddle/validate_csr.hpp>
#include <heddle/validate_dcsr.hpp>
#include <heddle/validate_ell.hpp>
#include <heddle/validate_hyb.hpp>
#include <heddle/validate_row_segmented.hpp>
#include <heddle/validate_sell.hpp>
