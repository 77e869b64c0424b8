// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <harness/candidate.hpp>
#include <harness/check.hpp>
#include <harness/record.hpp>
#include <harness/report.hpp>
#include <harness/settings.hpp>
#include <harness/stopwatch.hpp>

#include <functional>
#include <string>

namespace heddle::perf
{

enum class Clock
{
  device, // events on CUDA
  host    // a multiply that makes and frees memory
};

// Plans, runs once, checks, and only then times. base has all that the candidates have in common;
// complete, if there, adds to the record what only the result tells.
void measure(Report& report, Settings const& settings, Record const& base,
             Candidate const& candidate, Clock clock, std::function<Verdict()> const& check,
             std::function<void(Record&)> const& complete = {});

// Of a row offset in the candidate's matrices.
std::size_t offset_bytes(Candidate const& candidate);

} // namespace heddle::perf
