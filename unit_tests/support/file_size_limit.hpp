// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <csignal>

#include <sys/resource.h>

namespace heddle::test
{

// While it lives no file of this process can grow above so many bytes: writing fails as on a full
// disk, with "File too large".
class FileSizeLimit
{
public:
  explicit FileSizeLimit(rlim_t bytes)
      : m_handler(std::signal(SIGXFSZ, SIG_IGN))
  {
    getrlimit(RLIMIT_FSIZE, &m_old);
    rlimit const limit{bytes, m_old.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit()
  {
    setrlimit(RLIMIT_FSIZE, &m_old);
    std::signal(SIGXFSZ, m_handler);
  }
  FileSizeLimit(FileSizeLimit const&) = delete;
  FileSizeLimit& operator=(FileSizeLimit const&) = delete;

private:
  void (*m_handler)(int);
  rlimit m_old{};
};

} // namespace heddle::test
