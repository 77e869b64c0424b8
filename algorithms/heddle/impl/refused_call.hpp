// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Calls of spmv, spmm, spmm_both and spgemm that no overload takes, for a reason that their types
// tell, and plans without an execution space. One more overload of each takes these, does not
// compile, and says the reason. RefusedCall holds for
// such calls alone: an overload for any arguments would be the better match of a right call
// wherever an argument of that is converted, as an int to alpha.
//
// Limit: a requires-expression with such a call holds, since an overload is there.

#include <heddle/accumulator.hpp>
#include <heddle/concepts.hpp>
#include <heddle/op.hpp>
#include <heddle/spgemm_options.hpp>
#include <heddle/spmm_options.hpp>
#include <heddle/spmv_options.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>

namespace heddle
{

template <class Exec, class Matrix>
class SpmvPlan;
template <class Exec, class Matrix>
class SpmmPlan;
template <class Exec, class A, class B>
class SpgemmPlan;

namespace impl
{

enum class Operation
{
  spmv,
  spmm,
  spgemm
};

template <class... Ts>
struct Types
{
  static constexpr std::size_t size = sizeof...(Ts);
};
template <class... As, class... Bs>
Types<As..., Bs...> operator+(Types<As...>, Types<Bs...>);

// What such a call returns, so that its result is no second error.
struct Refused
{};

// What a plan was made for.
template <class T>
struct PlanTraits
{
  static constexpr bool is_plan = false;
};
template <Operation of, class Exec, class... Matrices>
struct TraitsOfPlan
{
  static constexpr bool is_plan = true;
  static constexpr Operation operation = of;
  using exec = Exec;
  using matrices = Types<Matrices...>;
};
template <class Exec, class Matrix>
struct PlanTraits<SpmvPlan<Exec, Matrix>> : TraitsOfPlan<Operation::spmv, Exec, Matrix>
{};
template <class Exec, class Matrix>
struct PlanTraits<SpmmPlan<Exec, Matrix>> : TraitsOfPlan<Operation::spmm, Exec, Matrix>
{};
template <class Exec, class A, class B>
struct PlanTraits<SpgemmPlan<Exec, A, B>> : TraitsOfPlan<Operation::spgemm, Exec, A, B>
{};

// A text, as other libraries take it for an operation.
template <class T>
inline constexpr bool is_text_v =
    std::is_same_v<T, std::string> || std::is_same_v<T, std::string_view> ||
    std::is_same_v<std::remove_cv_t<std::remove_pointer_t<std::decay_t<T>>>, char>;

// What stands first where the execution space was forgotten.
template <class T>
concept OtherFirstArgument =
    SparseMatrix<T> || PlanTraits<T>::is_plan || is_text_v<T> || is_complex_v<T> ||
    std::is_arithmetic_v<T> || std::is_same_v<T, Op> || Kokkos::is_memory_space_v<T>;

// The read-only types of the matrices among arguments, in their order.
template <class T>
struct ReadOnlyOf
{
  using type = Types<>;
};
template <SparseMatrix Matrix>
struct ReadOnlyOf<Matrix>
{
  using type = Types<typename Matrix::const_type>;
};

// Whether the first of Given are the types of Wanted.
template <class Wanted, class Given>
inline constexpr bool begins_with_v = false;
template <class... Given>
inline constexpr bool begins_with_v<Types<>, Types<Given...>> = true;
template <class Type, class... Wanted, class... Given>
inline constexpr bool begins_with_v<Types<Type, Wanted...>, Types<Type, Given...>> =
    begins_with_v<Types<Wanted...>, Types<Given...>>;

// What is wrong with an argument that should be the plan, for an operation on Exec and Matrices.
template <Operation operation, class Exec, class Plan, class Matrices,
          bool = PlanTraits<Plan>::is_plan>
struct PlanMistakes
{
  static constexpr bool is_of_other_operation = false;
  static constexpr bool is_of_other_space = false;
  static constexpr bool is_of_other_matrix = false;
};
template <Operation operation, class Exec, class Plan, class Matrices>
struct PlanMistakes<operation, Exec, Plan, Matrices, true>
{
  using Traits = PlanTraits<Plan>;
  static constexpr bool is_of_other_operation = Traits::operation != operation;
  static constexpr bool is_of_other_space =
      !is_of_other_operation && !std::is_same_v<typename Traits::exec, Exec>;
  static constexpr bool is_of_other_matrix = !is_of_other_operation && !is_of_other_space &&
                                             Matrices::size >= Traits::matrices::size &&
                                             !begins_with_v<typename Traits::matrices, Matrices>;
};

template <class T, class...>
struct FirstType
{
  using type = T;
};

// At most one of these is true, and then no overload takes the call. (lacks_plan is for operations
// that take no call without a plan.)
template <Operation operation, class First, class... Rest>
struct CallMistakes
{
  using Matrices = decltype((Types<>{} + ... + typename ReadOnlyOf<Rest>::type{}));
  using Plan = PlanMistakes<operation, First, typename FirstType<Rest..., void>::type, Matrices>;
  static constexpr bool has_instance = ExecutionSpace<First>;
  static constexpr bool lacks_instance = !has_instance && OtherFirstArgument<First> &&
                                         (SparseMatrix<First> || ... || SparseMatrix<Rest>);
  static constexpr bool has_text = has_instance && (is_text_v<Rest> || ...);
  static constexpr bool has_plan_of_other_operation =
      has_instance && !has_text && Plan::is_of_other_operation;
  static constexpr bool has_plan_of_other_space =
      has_instance && !has_text && Plan::is_of_other_space;
  static constexpr bool has_plan_of_other_matrix =
      has_instance && !has_text && Plan::is_of_other_matrix;
  static constexpr bool lacks_plan =
      has_instance && !has_text && !PlanTraits<typename FirstType<Rest..., void>::type>::is_plan &&
      (SparseMatrix<Rest> || ...);
  static constexpr bool is_one = lacks_instance || has_text || has_plan_of_other_operation ||
                                 has_plan_of_other_space || has_plan_of_other_matrix;
};

template <Operation operation, class... Args>
concept RefusedCall = CallMistakes<operation, Args...>::is_one;

template <Operation operation, class... Args>
concept CallWithoutPlan = CallMistakes<operation, Args...>::lacks_plan;

// Says the reason.
template <Operation operation, class... Args>
Refused refuse()
{
  using Call = CallMistakes<operation, Args...>;
  static_assert(!Call::lacks_instance, "heddle: the first argument is an instance of an execution "
                                       "space, such as Kokkos::DefaultExecutionSpace{}");
  static_assert(!Call::has_text,
                "heddle: an operation on A is a heddle::Op, as heddle::Op::transpose, not a text; "
                "for spgemm op_a and op_b are members of SpgemmOptions");
  static_assert(!Call::has_plan_of_other_operation, "heddle: the plan is one of another operation");
  static_assert(!Call::has_plan_of_other_space,
                "heddle: the plan was made for another execution space than that of the call");
  static_assert(!Call::has_plan_of_other_matrix,
                "heddle: the plan was made for a matrix of another type than that of the call: "
                "format, value, column, offset or memory space differ");
  return {};
}

// The execution space of a plan that was made of a matrix alone.
struct NoInstance
{};

template <class Matrix>
void refuse_plan()
{
  static_assert(!SparseMatrix<Matrix>, "heddle: the first argument of a plan is an instance of an "
                                       "execution space, such as "
                                       "Kokkos::DefaultExecutionSpace{}");
}

} // namespace impl

// Plans of a matrix alone: SpmvPlan(a).
template <class Matrix>
class SpmvPlan<impl::NoInstance, Matrix>
{
public:
  explicit SpmvPlan(Matrix const&, SpmvOptions const& = {}) { impl::refuse_plan<Matrix>(); }
};
template <SparseMatrix Matrix>
SpmvPlan(Matrix const&) -> SpmvPlan<impl::NoInstance, Matrix>;
template <SparseMatrix Matrix>
SpmvPlan(Matrix const&, SpmvOptions const&) -> SpmvPlan<impl::NoInstance, Matrix>;

template <class Matrix>
class SpmmPlan<impl::NoInstance, Matrix>
{
public:
  explicit SpmmPlan(Matrix const&, SpmmOptions const& = {}) { impl::refuse_plan<Matrix>(); }
};
template <SparseMatrix Matrix>
SpmmPlan(Matrix const&) -> SpmmPlan<impl::NoInstance, Matrix>;
template <SparseMatrix Matrix>
SpmmPlan(Matrix const&, SpmmOptions const&) -> SpmmPlan<impl::NoInstance, Matrix>;

template <class A, class B>
class SpgemmPlan<impl::NoInstance, A, B>
{
public:
  SpgemmPlan(A const&, B const&, SpgemmOptions const& = {}) { impl::refuse_plan<A>(); }
};
template <SparseMatrix A, SparseMatrix B>
SpgemmPlan(A const&, B const&) -> SpgemmPlan<impl::NoInstance, A, B>;
template <SparseMatrix A, SparseMatrix B>
SpgemmPlan(A const&, B const&, SpgemmOptions const&) -> SpgemmPlan<impl::NoInstance, A, B>;

} // namespace heddle
