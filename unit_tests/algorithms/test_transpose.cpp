// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/transpose.hpp>
#include <support/instances.hpp>
#include <support/matrices.hpp>
#include <support/messages.hpp>
#include <support/structures.hpp>
#include <support/types.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace heddle::test
{

namespace
{

// A^T or A^H of make_csr(s), rows sorted.
template <class Value>
HostCsr<Value> reference_transpose(Structure const& s, Op op)
{
  Structure const t = transposed(s);
  HostCsr<Value> h{t.rows, t.cols, {0}, {}, {}};
  for (std::int64_t j = 0; j < t.rows; ++j)
  {
    for (std::int64_t const i : t.columns[j])
    {
      Value value = value_at<Value>(i, j);
      if constexpr (impl::is_complex_v<Value>)
        if (op == Op::conjugate_transpose)
          value = Value(value.real(), -value.imag());
      h.columns.push_back(i);
      h.values.push_back(value);
    }
    h.offsets.push_back(static_cast<std::int64_t>(h.columns.size()));
  }
  return h;
}

template <class C>
void check_transposes(typename C::exec const& exec, Structure const& s)
{
  INFO(s.name);
  using Value = typename C::value;
  auto const a = make_csr<C>(s);
  auto const t = transpose(exec, a);
  static_assert(std::is_same_v<decltype(t), CsrOf<C> const>);
  CHECK(to_host(t) == reference_transpose<Value>(s, Op::transpose));
  CHECK(to_host(transpose(exec, a, Op::transpose)) == to_host(t));
  CHECK(to_host(transpose(exec, a, Op::conjugate_transpose)) ==
        reference_transpose<Value>(s, Op::conjugate_transpose));
}

template <class Exec>
using Cases = std::pair<Case<Exec, Complex128, int, std::size_t>,
                        Case<Exec, float, std::int64_t, std::int64_t>>;

} // namespace

} // namespace heddle::test

using namespace heddle::test;
using heddle::Op;
using heddle::transpose;

TEMPLATE_LIST_TEST_CASE("transpose agrees with the oracle", "[transpose]", Spaces)
{
  auto const exec = instance_of_five<TestType>();
  for (Structure const& s : structures())
    check_transposes<typename Cases<TestType>::first_type>(exec, s);
  for (Structure const& s : small_structures())
    check_transposes<typename Cases<TestType>::second_type>(exec, s);
}

TEMPLATE_LIST_TEST_CASE("transposing twice sorts rows and changes nothing else", "[transpose]",
                        Spaces)
{
  using C = typename Cases<TestType>::first_type;
  TestType const exec{};
  for (Op const op : {Op::transpose, Op::conjugate_transpose})
    for (Structure const& s : small_structures())
    {
      INFO(s.name);
      Structure const sorted = transposed(transposed(s));
      auto const a = make_csr<C>(s);
      CHECK(to_host(transpose(exec, transpose(exec, a, op), op)) == to_host(make_csr<C>(sorted)));
    }
}

TEMPLATE_LIST_TEST_CASE("transpose leaves its input and shares nothing with it", "[transpose]",
                        Spaces)
{
  using C = typename Cases<TestType>::second_type;
  auto const a = make_csr<C>(structure("unsorted"));
  auto const before = to_host(a);
  typename CsrOf<C>::const_type const read_only = a;
  auto const t = transpose(TestType{}, read_only);
  static_assert(std::is_same_v<decltype(t), CsrOf<C> const>);
  CHECK(to_host(a) == before);
  Kokkos::deep_copy(a.values(), 0.0F);
  Kokkos::deep_copy(a.columns(), 0);
  CHECK(to_host(t) == reference_transpose<float>(structure("unsorted"), Op::transpose));
}

TEMPLATE_LIST_TEST_CASE("transpose takes a default-constructed matrix", "[transpose]", Spaces)
{
  auto const t = transpose(TestType{}, CsrOf<typename Cases<TestType>::second_type>{});
  CHECK(to_host(t) == HostCsr<float>{0, 0, {0}, {}, {}});
}

TEST_CASE("transpose refuses op none", "[transpose]")
{
  auto const a = make_csr<Cases<Device>::second_type>(structure("banded"));
  CHECK(message_of<heddle::InvalidArgument>([&] { transpose(Device{}, a, Op::none); }) ==
        "heddle::transpose: op is none");
}
