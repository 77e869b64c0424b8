// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What can be checked in this build. Each source of the checks is compiled for one type and a few
// formats and says so here when the program starts; a build may leave some out.

#include <string>
#include <vector>

#include <random/context.hpp>
#include <random/problem.hpp>

namespace heddle::test::random
{

struct Subject
{
  // "" or what is wrong. Exceptions are wrong too, see check().
  std::string (*check)(Problem const&, Context&) = nullptr;
  // Names of implementations that a plan can be asked for.
  std::vector<std::string> (*names)(Operation) = nullptr;
};

// A static object that makes a subject known.
struct Registration
{
  Registration(Type type, Operation operation, Format format, Subject const& subject);
};

// Null where the build has none. Formats matter only where has_format(operation).
Subject const* find_subject(Type type, Operation operation, Format format);

// "" or what is wrong with the problem, whose subject must be there.
std::string check(Problem const& problem, Context& context);
std::string check(Problem const& problem);

} // namespace heddle::test::random
