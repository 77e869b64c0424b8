// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// All conversions: every format from and to CSR, and coordinates to every format.

#include <heddle/convert_bsr.hpp>
#include <heddle/convert_coo.hpp>
#include <heddle/convert_csc.hpp>
#include <heddle/convert_dcsr.hpp>
#include <heddle/convert_ell.hpp>
#include <heddle/convert_from_coo.hpp>
#include <heddle/convert_hyb.hpp>
#include <heddle/convert_row_segmented.hpp>
#include <heddle/convert_sell.hpp>
