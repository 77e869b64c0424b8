// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <support/types.hpp>

#include <random/register.hpp>

namespace heddle::test::random
{

namespace
{

using C = DoubleCase<Device>;
RegisterTransforms<C> const transforms(Type::f64);

} // namespace

} // namespace heddle::test::random
