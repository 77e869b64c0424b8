// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/impl/descriptor.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace heddle::perf
{

// A file of lines that no other LockedFile of this or another process has at the same time (flock).
// It is made if it is not there, and removed again if nothing is written.
class LockedFile
{
public:
  // Waits until the others have gone. Throws FileError where that takes longer, where the file
  // system has no locks, and where the path is no impl::output_target that can be written.
  explicit LockedFile(std::string const& path, double seconds = 60);
  ~LockedFile();
  LockedFile(LockedFile const&) = delete;
  LockedFile& operator=(LockedFile const&) = delete;

  std::string content() const;
  // Adds whole lines, or throws FileError and leaves the file as it was. What a killed program has
  // left of a line at the end is dropped.
  void append(std::string_view lines);
  // Puts these lines in the place of all that is there, or throws FileError and leaves the file as
  // it was. To be called last: those that wait go on with the new file.
  void replace(std::string_view lines);

private:
  bool lock();
  bool is_named() const;
  std::int64_t size() const;

  std::string m_path, m_target;
  impl::Descriptor m_descriptor;
  bool m_is_new = false; // made by this object
};

} // namespace heddle::perf
