// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <report/result.hpp>

namespace heddle::perf
{

// What charts compare: the automatic choice, the best implementation of each library on each
// problem, and a few of heddle's implementations by name. Libraries that are not known here are one
// where they are more than two. Charts with all of a library's dozen algorithms would not be
// readable; tables have all.
enum class Role
{
  automatic,
  baseline, // a library's best
  serial,
  named // an implementation of heddle that was asked for
};

struct Contender
{
  Role role = Role::baseline;
  std::string name;            // "heddle::auto", "cuSPARSE, best of 12"
  std::size_t look = 0;        // the same for a library in all charts where that is possible
  std::vector<Result> results; // at most one a problem

  // NULL where there is none.
  Result const* on(std::string const& problem) const;
};

// The library of an implementation: "cusparse" of "cusparse::csr_alg2".
std::string library_of(std::string const& implementation);

// How it calls itself: "cuSPARSE" of "cusparse"; the name as it is where it is not known.
std::string library_name(std::string const& library);

// The results of the fastest on each problem, in the order of problems; results have times.
std::vector<Result> best_of(std::vector<Result> const& results);

// Of results with times, of one section: automatic first, then libraries, serial, named ones.
std::vector<Contender> contenders_of(std::vector<Result> const& results);

// The series of results that no contender stands for.
std::vector<std::string> not_charted(std::vector<Result> const& results);

} // namespace heddle::perf
