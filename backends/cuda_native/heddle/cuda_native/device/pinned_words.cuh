// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Page-locked memory of the host for the few numbers that a call waits for: a copy to other memory
// goes through a buffer of the driver's, which takes as long as a small kernel.

#include <heddle/impl/scratch.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <mutex>
#include <vector>

namespace heddle::cuda_native
{

// Words of one call. They are taken from others that were dropped, which live until
// Kokkos::finalize: making page-locked memory waits for the device.
class PinnedWords
{
public:
  using Word = unsigned long long;
  static constexpr std::size_t most = 2048;
  using view_type = Kokkos::View<Word*, Kokkos::CudaHostPinnedSpace, Kokkos::MemoryUnmanaged>;

  // size <= most
  explicit PinnedWords(std::size_t size)
      : m_size(size)
      , m_data(take())
  {}
  // Copies of words of the device. Waits for exec.
  template <class View>
  PinnedWords(Kokkos::Cuda const& exec, View const& words, char const* label)
      : PinnedWords(words.extent(0))
  {
    Kokkos::deep_copy(exec, view(), words);
    exec.fence(label);
  }
  ~PinnedWords()
  {
    std::lock_guard const lock(all().mutex);
    all().dropped.push_back(m_data);
  }
  PinnedWords(PinnedWords const&) = delete;
  PinnedWords& operator=(PinnedWords const&) = delete;

  Word const* data() const { return m_data; }
  view_type view() const { return view_type(m_data, m_size); }

private:
  struct All
  {
    std::mutex mutex;
    std::vector<Word*> made, dropped;
  };
  static All& all()
  {
    static All all;
    return all;
  }
  static Word* take()
  {
    std::lock_guard const lock(all().mutex);
    if (!all().dropped.empty())
    {
      Word* const data = all().dropped.back();
      all().dropped.pop_back();
      return data;
    }
    if (all().made.empty())
      Kokkos::push_finalize_hook([] {
        for (Word* const data : all().made)
          static_cast<void>(cudaFreeHost(data));
        all().made.clear();
        all().dropped.clear();
      });
    all().made.reserve(all().made.size() + 1);
    all().dropped.reserve(all().made.size() + 1); // the destructor must not throw
    void* memory = nullptr;
    impl::require_cuda(cudaMallocHost(&memory, most * sizeof(Word)), "cudaMallocHost");
    all().made.push_back(static_cast<Word*>(memory));
    return all().made.back();
  }

  std::size_t m_size;
  Word* m_data;
};

} // namespace heddle::cuda_native
