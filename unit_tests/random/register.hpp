// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Static objects that compile checks for a type and make them known: one for each group of
// operations, so that a source can have as much as a compiler likes.

#include <string>
#include <vector>

#include <random/check_conversion.hpp>
#include <random/check_multiply.hpp>
#include <random/check_product.hpp>
#include <random/check_transforms.hpp>
#include <random/subjects.hpp>

namespace heddle::test::random
{

template <class List>
std::vector<std::string> strings_of(List list)
{
  auto const names = impl::names_of(list);
  return {names.begin(), names.end()};
}
inline std::vector<std::string> no_names(Operation) { return {}; }

// What make_format gives.
template <Format format, class C>
using FormatOf = decltype(make_format<format, C>(
    std::declval<typename C::exec>(), std::declval<CsrOf<C>>(), Problem(), Orders<C>(Problem())));

template <Format format, class C>
struct RegisterMultiply
{
  explicit RegisterMultiply(Type type)
      : spmv(type, Operation::spmv, format, {check, names})
      , spmm(type, Operation::spmm, format, {check, names})
      , spmm_both(type, Operation::spmm_both, format, {check, names})
  {}
  static std::string check(Problem const& p, Context& context)
  {
    MultiplyCheck<format, C> multiply(p, context);
    if (p.operation == Operation::spmv)
      return multiply.template run<Spmv>();
    return p.operation == Operation::spmm ? multiply.template run<Spmm>() : multiply.run_both();
  }
  static std::vector<std::string> names(Operation operation)
  {
    using ReadOnly = typename FormatOf<format, C>::const_type;
    if (operation == Operation::spmv)
      return strings_of(AllOfSpmv<typename C::exec, ReadOnly>{});
    if (operation == Operation::spmm)
      return strings_of(AllOfSpmm<typename C::exec, ReadOnly>{});
    return strings_of(SpmmImplementations<typename C::exec, ReadOnly>{});
  }
  Registration spmv, spmm, spmm_both;
};

template <Format format, class C>
struct RegisterConversion
{
  explicit RegisterConversion(Type type)
      : convert(type, Operation::convert, format, {check, no_names})
  {}
  static std::string check(Problem const& p, Context& context)
  {
    return ConversionCheck<format, C>(p, context).run();
  }
  Registration convert;
};

template <Format format, class C>
struct RegisterFormat
{
  explicit RegisterFormat(Type type)
      : multiply(type)
      , conversion(type)
  {}
  RegisterMultiply<format, C> multiply;
  RegisterConversion<format, C> conversion;
};

template <class C>
struct RegisterProducts
{
  explicit RegisterProducts(Type type)
      : spgemm(type, Operation::spgemm, Format::csr, {check, names})
      , associate(type, Operation::associate, Format::csr, {check, no_names})
  {}
  static std::string check(Problem const& p, Context& context)
  {
    ProductCheck<C> product(p, context);
    return p.operation == Operation::spgemm ? product.spgemm() : product.associate();
  }
  static std::vector<std::string> names(Operation)
  {
    using ReadOnly = typename CsrOf<C>::const_type;
    return strings_of(AllOfSpgemm<typename C::exec, ReadOnly, ReadOnly>{});
  }
  Registration spgemm, associate;
};

template <class C>
struct RegisterTransforms
{
  explicit RegisterTransforms(Type type)
      : transpose(type, Operation::transpose, Format::csr, {check, no_names})
      , permute(type, Operation::permute, Format::csr, {check, no_names})
      , reorder(type, Operation::reorder, Format::csr, {check, no_names})
      , suggest(type, Operation::suggest, Format::csr, {check, no_names})
      , balanced(type, Operation::balanced_rows, Format::csr, {check, no_names})
  {}
  static std::string check(Problem const& p, Context& context)
  {
    ++context.tally().calls[to_string(p.operation)];
    TransformCheck<C> transform(p, context);
    switch (p.operation)
    {
    case Operation::transpose:
      return transform.transposes();
    case Operation::permute:
      return transform.permutes();
    case Operation::reorder:
      return transform.reorders();
    case Operation::suggest:
      return transform.suggests();
    default:
      return transform.balances();
    }
  }
  Registration transpose, permute, reorder, suggest, balanced;
};

} // namespace heddle::test::random
