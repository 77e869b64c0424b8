// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Four threads of the host, each on an instance of its own, call one plan of every kind, make plans
// and convert, all at once; one of them finds no memory, or is refused. Values are whole numbers,
// whose sums are exact in any order: whatever differs is a race.

#include <heddle/add.hpp>
#include <heddle/copy.hpp>
#include <heddle/error.hpp>
#include <heddle/impl/out_of_memory.hpp>
#include <heddle/jacobi_product.hpp>
#include <heddle/sort_rows.hpp>
#include <heddle/spgemm.hpp>
#include <heddle/spmm.hpp>
#include <heddle/spmv.hpp>
#include <heddle/transpose_plan.hpp>
#include <heddle/triple_product.hpp>
#include <heddle/validate.hpp>
#include <support/conversions.hpp>
#include <support/failing_allocations.hpp>
#include <support/instances.hpp>
#include <support/multiply.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <Kokkos_Core.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <new>
#include <string>
#include <thread>
#include <vector>

namespace heddle::test
{

namespace
{

constexpr std::size_t threads = 4;
[[maybe_unused]] char const* const no_memory = "out of memory";

// What one thread does on its instance; "" or what is wrong with the result.
template <class Exec>
struct Task
{
  std::string name;
  std::function<std::string(Exec const&)> run;
};
template <class Exec>
using Tasks = std::vector<Task<Exec>>;

template <class Values>
void fill_with_whole_numbers(Values const& values)
{
  auto const host = Kokkos::create_mirror_view(values);
  for (std::size_t k = 0; k < host.size(); ++k)
    host.data()[k] = static_cast<double>(k % 7) - 2;
  Kokkos::deep_copy(values, host);
}

template <class Exec>
CsrOf<DoubleCase<Exec>> whole_numbers(Structure const& s)
{
  auto const a = make_csr<DoubleCase<Exec>>(s);
  fill_with_whole_numbers(a.values());
  return a;
}

// SpMV or SpMM with one plan, for every op.
template <class Kind, class Exec, class Matrix>
Task<Exec> multiply_task(std::string const& format, Matrix const& a,
                         typename Kind::options const& options = {})
{
  using Plan = typename Kind::template Plan<Exec, Matrix>;
  using View = Kokkos::View<double**, typename Kind::layout, typename Exec::memory_space>;
  auto const plan = std::make_shared<Plan const>(Exec{}, a, options);
  auto const product = [=](Exec const& exec, Op op) {
    bool const is_turned = is_transposed(op);
    View const b("heddle::test::b", is_turned ? a.num_rows() : a.num_cols(), Kind::k);
    View const c("heddle::test::c", is_turned ? a.num_cols() : a.num_rows(), Kind::k);
    fill_with_whole_numbers(b);
    for (int call = 0; call < 3; ++call)
      Kind::run(exec, *plan, op, 2.0, a, b, 0.0, c);
    exec.fence();
    return entries_in(c);
  };
  std::vector<std::vector<double>> expected;
  for (Op const op : all_ops)
    expected.push_back(product(Exec{}, op));
  auto const text = plan->describe();
  return {std::string(Kind::name) + " of " + format, [=](Exec const& exec) -> std::string {
            for (std::size_t n = 0; n < expected.size(); ++n)
              if (product(exec, all_ops[n]) != expected[n])
                return "other numbers";
            if (!plan->matches(exec, a))
              return "does not know its pattern";
            return plan->describe() == text ? "" : "describes itself in other words";
          }};
}

// Kokkos' own words for memory that is not there become OutOfMemory, as in heddle's functions.
template <class Matrix>
auto host_copy(Matrix const& a)
try
{
  return to_host(a);
}
catch (...)
{
  impl::rethrow_out_of_memory("test::host_copy");
}

// A plan that makes its results: call(exec, plan, c) fills one.
template <class Exec, class Plan, class Call>
Task<Exec> result_task(std::string const& name, std::shared_ptr<Plan const> const& plan,
                       Call const& call)
{
  auto const product = [=](Exec const& exec) {
    auto const c = plan->make_result(exec);
    for (int repetition = 0; repetition < 3; ++repetition)
      call(exec, *plan, c);
    exec.fence();
    return host_copy(c);
  };
  auto const expected = product(Exec{});
  auto const text = plan->describe();
  return {name, [=](Exec const& exec) -> std::string {
            if (!(product(exec) == expected))
              return "another result";
            return plan->describe() == text ? "" : "describes itself in other words";
          }};
}

// work(exec) makes something new and returns what of it can be compared.
template <class Exec, class Work>
Task<Exec> making_task(std::string const& name, Work const& work)
{
  auto const expected = work(Exec{});
  return {name, [=](Exec const& exec) -> std::string {
            return work(exec) == expected ? "" : "another result";
          }};
}

template <class Exec>
Tasks<Exec> product_tasks()
{
  auto const a = whole_numbers<Exec>(structure("power law")),
             b = whole_numbers<Exec>(structure("banded"));
  using Const = typename CsrOf<DoubleCase<Exec>>::const_type;
  using Product = SpgemmPlan<Exec, Const, Const>;
  Kokkos::View<double*, typename Exec::memory_space> const d("heddle::test::d", b.num_rows());
  Kokkos::deep_copy(d, 0.5);
  auto const multiply = [=](Exec const& exec, auto const& plan, auto const& c) {
    spgemm(exec, plan, a, a, c);
  };
  Tasks<Exec> tasks;
  for (bool const reuse : {false, true})
    tasks.push_back(result_task<Exec>(
        reuse ? "spgemm with kept places" : "spgemm",
        std::make_shared<Product const>(Exec{}, a, a, SpgemmOptions{.reuse = reuse}), multiply));
  tasks.push_back(result_task<Exec>(
      "spgemm under a cap",
      std::make_shared<Product const>(Exec{}, a, a, SpgemmOptions{.max_workspace_bytes = 100000}),
      multiply));
  tasks.push_back(
      result_task<Exec>("add", std::make_shared<AddPlan<Exec, Const, Const> const>(Exec{}, b, b),
                        [=](Exec const& exec, auto const& plan, auto const& c) {
                          add(exec, plan, 2.0, b, 3.0, b, c);
                        }));
  tasks.push_back(result_task<Exec>(
      "jacobi_product", std::make_shared<JacobiPlan<Exec, Const, Const> const>(Exec{}, b, b),
      [=](Exec const& exec, auto const& plan, auto const& c) {
        jacobi_product(exec, plan, 0.5, d, b, b, c);
      }));
  tasks.push_back(
      result_task<Exec>("triple_product",
                        std::make_shared<TripleProductPlan<Exec, Const, Const, Const> const>(
                            Exec{}, b, b, b, SpgemmOptions{.op_a = Op::transpose}),
                        [=](Exec const& exec, auto const& plan, auto const& c) {
                          triple_product(exec, plan, b, b, b, c);
                        }));
  tasks.push_back(result_task<Exec>(
      "transpose", std::make_shared<TransposePlan<Exec, Const> const>(Exec{}, a),
      [=](Exec const& exec, auto const& plan, auto const& t) { transpose(exec, plan, a, t); }));
  tasks.push_back(making_task<Exec>(
      "spgemm without a plan", [=](Exec const& exec) { return host_copy(spgemm(exec, b, b)); }));
  tasks.push_back(making_task<Exec>(
      "a plan of spgemm", [=](Exec const& exec) { return Product(exec, b, b).describe(); }));
  return tasks;
}

// A format made, multiplied with, given new values and turned back, from entries in disorder too.
template <class As, class Exec>
void append_format(Tasks<Exec>& tasks, std::string const& name, CsrOf<DoubleCase<Exec>> const& a)
{
  auto const there = As::make(Exec{}, a);
  Exec{}.fence();
  tasks.push_back(multiply_task<Spmv, Exec>(name, there));
  tasks.push_back(multiply_task<Spmm, Exec>(name, there));
  tasks.push_back(making_task<Exec>(name + " there and back", [=](Exec const& exec) {
    auto const mine = As::make(exec, to_coo(exec, a));
    update_values(exec, mine, a);
    bool const is_valid = !validate(exec, clone(exec, mine));
    return is_valid ? to_host(csr_without_fill(exec, mine)) : HostCsr<double>{};
  }));
}

template <class Exec>
Tasks<Exec> format_tasks()
{
  auto const a = whole_numbers<Exec>(structure("unsorted"));
  Tasks<Exec> tasks{multiply_task<Spmv, Exec>("CSR", a), multiply_task<Spmm, Exec>("CSR", a),
                    multiply_task<Spmv, Exec>("CSR, repeatable", a, {.deterministic = true}),
                    multiply_task<Spmm, Exec>("CSR, repeatable", a, {.deterministic = true}),
                    multiply_task<Spmv, Exec>("CSR for many calls", a, {.expected_calls = 100000})};
  auto const coo = to_coo(Exec{}, a);
  Exec{}.fence();
  tasks.push_back(multiply_task<Spmv, Exec>("COO", coo));
  tasks.push_back(multiply_task<Spmm, Exec>("COO", coo));
  append_format<AsCsc, Exec>(tasks, "CSC", a);
  append_format<AsDcsr, Exec>(tasks, "DCSR", a);
  append_format<AsBsr<2, 3>, Exec>(tasks, "BSR", a);
  append_format<AsEll, Exec>(tasks, "ELL", a);
  append_format<AsSell<8, 2, 32>, Exec>(tasks, "SELL", a);
  append_format<AsHyb<-1>, Exec>(tasks, "HYB", a);
  append_format<AsRowSegmented<0, 0>, Exec>(tasks, "row segments", a);
  tasks.push_back(making_task<Exec>("sort_rows", [=](Exec const& exec) {
    auto const mine = clone(exec, a);
    sort_rows(exec, mine);
    return to_host(mine);
  }));
  return tasks;
}

// All tasks on every instance, from another one in each.
template <class Exec>
void check_at_once(Tasks<Exec> const& tasks)
{
  auto const found = at_once_on(instances_of<Exec>(threads), [&](Exec const& exec, std::size_t n) {
    for (std::size_t k = 0; k < tasks.size(); ++k)
    {
      Task<Exec> const& task = tasks[(k + n * tasks.size() / threads) % tasks.size()];
      std::string const wrong = task.run(exec);
      if (!wrong.empty())
        return task.name + ": " + wrong;
    }
    return std::string();
  });
  CHECK(found == std::vector<std::string>(threads));
}

// Not under ThreadSanitizer, whose operator new is linked before the one that fails.
[[maybe_unused]] bool allocations_can_fail()
{
  FailingAllocations const failing(0);
  std::unique_ptr<int> const block(new (std::nothrow) int);
  return block == nullptr;
}

// The same task on every instance, while allocation number `failing` of all of them fails: at most
// one has no memory, the others are right. False where there was no such allocation.
template <class Exec>
[[maybe_unused]] bool check_without_memory(Task<Exec> const& task,
                                           std::vector<Exec> const& instances, std::int64_t failing)
{
  std::unique_ptr<FailingAllocations> failure;
  std::atomic<bool> has_begun = false;
  auto const found = at_once_on(instances, [&](Exec const& exec, std::size_t n) -> std::string {
    if (n == 0)
    {
      failure = std::make_unique<FailingAllocations>(failing);
      has_begun = true;
    }
    while (!has_begun)
      std::this_thread::yield();
    try
    {
      return task.run(exec);
    }
    catch (std::bad_alloc const&) // OutOfMemory is one; or this test's own copy of the result
    {
      return no_memory;
    }
  });
  failure->stop();
  std::ptrdiff_t without = 0;
  for (std::string const& result : found)
    if (result == no_memory)
      ++without;
    else
      CHECK(result == "");
  CHECK(without <= 1);
  return failure->has_failed();
}

} // namespace

} // namespace heddle::test

using namespace heddle::test;

TEMPLATE_LIST_TEST_CASE("four threads call plans of every format and convert, all at once",
                        "[races]", Spaces)
{
  check_at_once(format_tasks<TestType>());
}

TEMPLATE_LIST_TEST_CASE("four threads call plans of every product of sparse matrices at once",
                        "[races]", Spaces)
{
  check_at_once(product_tasks<TestType>());
}

TEMPLATE_LIST_TEST_CASE("a thread that is refused does not disturb the others", "[races]", Spaces)
{
  auto const a = whole_numbers<TestType>(structure("banded"));
  auto const task = multiply_task<Spmv, TestType>("CSR", a);
  using Const = typename decltype(a)::const_type;
  auto const plan = std::make_shared<heddle::SpmvPlan<TestType, Const> const>(TestType{}, a);
  Kokkos::View<double*, typename TestType::memory_space> const x("heddle::test::x", 3);
  auto const found = at_once_on(instances_of<TestType>(threads),
                                [&](TestType const& exec, std::size_t n) -> std::string {
                                  for (int repetition = 0; repetition < 20; ++repetition)
                                    if (n == 0)
                                      try
                                      {
                                        spmv(exec, *plan, 1.0, a, x, 0.0, x);
                                        return "x has a wrong size";
                                      }
                                      catch (heddle::InvalidArgument const&)
                                      {}
                                    else if (auto const wrong = task.run(exec); !wrong.empty())
                                      return wrong;
                                  return "";
                                });
  CHECK(found == std::vector<std::string>(threads));
}

TEMPLATE_LIST_TEST_CASE("a thread without memory does not disturb the others", "[races]", Spaces)
{
#if defined(KOKKOS_ENABLE_OPENMP) && !defined(KOKKOS_ENABLE_CUDA)
  SKIP("libgomp ends the program where a new thread's first parallel region finds no memory");
#else
  if (!allocations_can_fail())
    SKIP("no allocation fails under ThreadSanitizer");
  auto const instances = instances_of<TestType>(threads);
  for (auto const& task : product_tasks<TestType>())
  {
    INFO(task.name);
    std::int64_t failing = 0;
    while (failing < 2000 && check_without_memory(task, instances, failing))
      failing = failing * 3 / 2 + 1; // few of them: every one alone fails in unit_tests/random
    CHECK(failing > 10);
    CHECK(check_without_memory(task, instances, 0));
    for (TestType const& exec : instances)
      CHECK(task.run(exec) == "");
  }
#endif
}
