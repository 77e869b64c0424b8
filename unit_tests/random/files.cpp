// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <support/types.hpp>

#include <string>

#include <random/check_files.hpp>
#include <random/subjects.hpp>

namespace heddle::test::random
{

namespace
{

template <class Value, class Ordinal, class Offset>
std::string check(Problem const& p, Context& context)
{
  ++context.tally().calls["files"];
  return FileCheck<Case<Host, Value, Ordinal, Offset>>(p, context).run();
}
std::vector<std::string> no_names(Operation) { return {}; }

Registration const f64(Type::f64, Operation::files, Format::csr,
                       {check<double, int, std::size_t>, no_names});
Registration const f32(Type::f32, Operation::files, Format::csr,
                       {check<float, std::int64_t, std::size_t>, no_names});
Registration const c128(Type::c128, Operation::files, Format::csr,
                        {check<Complex128, int, std::size_t>, no_names});

} // namespace

} // namespace heddle::test::random
