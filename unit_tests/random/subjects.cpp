// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <exception>
#include <map>
#include <stdexcept>
#include <string>
#include <tuple>

#include <random/subjects.hpp>

namespace heddle::test::random
{

namespace
{

using Key = std::tuple<Type, Operation, Format>;

Key key_of(Type type, Operation operation, Format format)
{
  return {type, operation, has_format(operation) ? format : Format::csr};
}

// Made at its first use, which is before main.
std::map<Key, Subject>& subjects()
{
  static std::map<Key, Subject> all;
  return all;
}

} // namespace

Registration::Registration(Type type, Operation operation, Format format, Subject const& subject)
{
  subjects()[key_of(type, operation, format)] = subject;
}

Subject const* find_subject(Type type, Operation operation, Format format)
{
  auto const found = subjects().find(key_of(type, operation, format));
  return found == subjects().end() ? nullptr : &found->second;
}

std::string check(Problem const& problem, Context& context)
{
  Subject const* const subject = find_subject(problem.type, problem.operation, problem.format);
  if (subject == nullptr)
    throw std::logic_error("this build has no " + to_code(problem));
  ++context.tally().cases;
  std::string wrong;
  try
  {
    wrong = subject->check(problem, context);
  }
  catch (std::exception const& error)
  {
    wrong = std::string("an exception: ") + error.what();
  }
  return wrong.empty() ? context.problem() : wrong;
}

std::string check(Problem const& problem)
{
  Tally tally;
  Context context(tally);
  return check(problem, context);
}

} // namespace heddle::test::random
