// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#if !defined(HEDDLE_TEST_FEW_TYPES)
#include <support/types.hpp>

#include <random/register.hpp>

namespace heddle::test::random
{

namespace
{

using C = Case<Device, float, int, int>;
RegisterFormat<Format::csr, C> const csr(Type::f32);
RegisterMultiply<Format::sell, C> const sell(Type::f32);
RegisterProducts<C> const products(Type::f32);

} // namespace

} // namespace heddle::test::random
#endif
