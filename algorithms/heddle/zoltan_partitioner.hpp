// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/data_movement.hpp>

namespace heddle
{

/// What Zoltan is told besides the number of parts.
struct ZoltanOptions
{
  int seed = 1;
  double imbalance = 1.1; ///< vertices of the largest part over their mean, at most about this
};

/// Zoltan's parallel hypergraph partitioner (Devine et al., IPDPS 2006) on one process: the same
/// parts for the same hypergraph and options. Starts MPI where nobody has, by itself and for this
/// process alone, and ends it with the program. Calls throw InvalidArgument where there are no
/// parts or 2^31 vertices or pins or more, std::runtime_error where Zoltan fails. Library
/// heddle::partition, which is there where Zoltan is and which heddle::heddle does not link.
Partitioner zoltan_partitioner(ZoltanOptions const& options = {});

} // namespace heddle
