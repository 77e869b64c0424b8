// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#if !defined(HEDDLE_TEST_FEW_TYPES)
#include <support/types.hpp>

#include <cstddef>

#include <random/register.hpp>

namespace heddle::test::random
{

namespace
{

using C = Case<Device, Complex128, int, std::size_t>;
RegisterFormat<Format::csr, C> const csr(Type::c128);
RegisterFormat<Format::bsr, C> const bsr(Type::c128);
RegisterProducts<C> const products(Type::c128);
RegisterTransforms<C> const transforms(Type::c128);

} // namespace

} // namespace heddle::test::random
#endif
