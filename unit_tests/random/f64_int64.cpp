// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#if !defined(HEDDLE_TEST_FEW_TYPES)
#include <support/types.hpp>

#include <cstdint>

#include <random/register.hpp>

namespace heddle::test::random
{

namespace
{

using C = Case<Device, double, std::int64_t, std::int64_t>;
RegisterFormat<Format::csr, C> const csr(Type::f64_int64);
RegisterFormat<Format::coo, C> const coo(Type::f64_int64);
RegisterProducts<C> const products(Type::f64_int64);

} // namespace

} // namespace heddle::test::random
#endif
