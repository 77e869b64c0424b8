// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/data_movement.hpp>

#include <iosfwd>
#include <string>

namespace heddle::perf
{

// The hypergraph in the format of hMETIS (Karypis et al., manual of version 1.5.3, section 5),
// which most partitioners read. Nets with fewer than two pins, which nobody can cut, are left out.
void write_hypergraph(std::ostream& out, Hypergraph const& graph);

// A program of its own as the partitioner: the shell runs COMMAND FILE PARTS OUT, which reads the
// hypergraph from FILE and writes the part of each vertex, a line each, to OUT. Calls throw
// std::runtime_error where the program fails or parts do not fit.
Partitioner command_partitioner(std::string const& command);

} // namespace heddle::perf
