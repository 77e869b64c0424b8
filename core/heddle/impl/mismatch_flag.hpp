// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// How kernels report that a call was given matrices of another pattern than its plan was made for.
// Sizes are compared before a call; where a lookup then fails inside a kernel, the kernel leaves
// the product out and sets the plan's flag. The host reads it when the call has ended, where it
// waits for that anyway, else when the plan is used again: a read of the host's own memory.

#include <heddle/impl/operands.hpp>
#include <heddle/impl/require.hpp>

#include <Kokkos_Core.hpp>

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

namespace heddle::impl
{

// What kernels hold of the flag. Without one nothing is reported.
struct MismatchReport
{
  int* word = nullptr;

  KOKKOS_FUNCTION void operator()() const
  {
    if (word != nullptr)
      Kokkos::atomic_store(word, 1);
  }
};

#if defined(KOKKOS_HAS_SHARED_HOST_PINNED_SPACE)
// Words of page-locked memory, which devices can write to. They are made many at once, since that
// waits for the device, taken in turn, and live until Kokkos::finalize.
class PinnedFlags
{
public:
  static std::shared_ptr<int> take()
  {
    return {take_word(), [](int* dropped) {
              All& all = instance();
              std::scoped_lock const lock(all.mutex);
              if (!all.blocks.empty()) // else they are gone
                all.free.push_back(dropped);
            }};
  }

private:
  using Block = Kokkos::View<int*, Kokkos::SharedHostPinnedSpace>;
  struct All
  {
    std::mutex mutex;
    std::vector<Block> blocks;
    std::vector<int*> free;
  };
  static All& instance()
  {
    static All all;
    return all;
  }
  static int* take_word()
  {
    All& all = instance();
    std::scoped_lock const lock(all.mutex);
    if (all.free.empty())
      make_more(all);
    int* const word = all.free.back();
    all.free.pop_back();
    *word = 0;
    return word;
  }
  static void make_more(All& all)
  {
    constexpr std::size_t count = 1024;
    if (all.blocks.empty())
      Kokkos::push_finalize_hook([] {
        All& dropped = instance();
        std::scoped_lock const lock(dropped.mutex);
        dropped.free.clear();
        dropped.blocks.clear();
      });
    Block const block("heddle::flags", count);
    all.free.reserve(all.free.size() + count);
    all.blocks.push_back(block);
    for (std::size_t n = 0; n < count; ++n)
      all.free.push_back(&block(n));
  }
};
#endif

// The flag of one plan; copies of the plan share it.
template <class Exec>
class MismatchFlag
{
public:
  // None: nothing is reported.
  MismatchFlag() = default;
  static MismatchFlag make()
  {
    MismatchFlag flag;
    if constexpr (is_host_v<Exec>)
      flag.m_word = std::make_shared<int>(0);
#if defined(KOKKOS_HAS_SHARED_HOST_PINNED_SPACE)
    else
      flag.m_word = PinnedFlags::take();
#endif
    return flag;
  }

  MismatchReport report() const { return {m_word.get()}; }
  // Throws InvalidArgument, once, where a kernel has reported. Waits for nothing.
  void require_none(char const* function) const
  {
    if (m_word == nullptr || std::atomic_ref(*m_word).exchange(0) == 0)
      return;
    throw_error<InvalidArgument>(
        function,
        "the plan was made for another pattern: ", is_host_v<Exec> ? "this" : "an earlier",
        " call with it had matrices of the same sizes and other entries, and its result is wrong");
  }

private:
  std::shared_ptr<int> m_word;
};

} // namespace heddle::impl
