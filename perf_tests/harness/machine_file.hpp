// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/machine_description.hpp>

#include <string>

namespace heddle::perf
{

struct Machine;

// What was measured, with the cache that all processors of the device share.
MachineDescription description_of(Machine const& machine);

// A JSON object with the keys device, gbytes_per_s, gflops_f32, gflops_f64 and cache_bytes, and
// where caches were measured l1_gwords_per_s, shared_gwords_per_s, swept_cache_bytes and
// cache_sweep, an array of bytes and gwords_per_s. Throws FileError where the file cannot be read
// or written, ParseError where it is no such object or a number is not positive.
MachineDescription read_machine(std::string const& file);
void write_machine(MachineDescription const& machine, std::string const& file);

} // namespace heddle::perf
