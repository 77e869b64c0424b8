// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/data_movement.hpp>
#include <heddle/error.hpp>
#if defined(HEDDLE_PERF_ZOLTAN)
#include <heddle/zoltan_partitioner.hpp>
#endif

#include <string>

#include <analyze/command_partitioner.hpp>

namespace heddle::perf
{

// The program that COMMAND names, or without one the partitioner of this build. Throws
// InvalidArgument, with what to install, where there is none.
inline Partitioner partitioner(std::string const& wanted_by, std::string const& command)
{
  if (!command.empty())
    return command_partitioner(command);
#if defined(HEDDLE_PERF_ZOLTAN)
  static_cast<void>(wanted_by);
  return zoltan_partitioner();
#else
  throw InvalidArgument(wanted_by + " needs a hypergraph partitioner, which this build has not: "
                                    "name a program with --partitioner, or install Zoltan and MPI "
                                    "(Debian's libtrilinos-zoltan-dev and libopenmpi-dev) and "
                                    "build again without CUDA");
#endif
}

} // namespace heddle::perf
