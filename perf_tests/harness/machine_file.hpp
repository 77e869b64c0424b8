// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <harness/machine.hpp>
#include <heddle/machine_description.hpp>

#include <optional>
#include <string>

namespace heddle::perf
{

// What was measured, with the cache that all processors of the device share.
MachineDescription description_of(Machine const& machine);

// A JSON object with the keys device, gbytes_per_s, gflops_f32, gflops_f64 and cache_bytes, and
// where caches were measured l1_gwords_per_s, shared_gwords_per_s, swept_cache_bytes and
// cache_sweep, an array of bytes and gwords_per_s. Throws FileError where the file cannot be read
// or written, ParseError where it is no such object or a number is not positive.
MachineDescription read_machine(std::string const& file);
void write_machine(MachineDescription const& machine, std::string const& file);

// This machine, of the file that HEDDLE_PERF_MACHINE names, where it is set: nothing needs to be
// measured then. The rate of copies is 0. Throws as read_machine does, and InvalidArgument where
// the file is of another device or number of threads.
std::optional<Machine> known_machine();

} // namespace heddle::perf
