// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <support/types.hpp>

#include <random/register.hpp>

namespace heddle::test::random
{

namespace
{

using C = DoubleCase<Device>;
RegisterFormat<Format::ell, C> const ell(Type::f64);
RegisterFormat<Format::sell, C> const sell(Type::f64);

} // namespace

} // namespace heddle::test::random
