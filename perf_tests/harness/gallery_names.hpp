// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

namespace heddle::perf
{

// What is wrong with the name of a gallery matrix, with the pattern that is nearest; empty where it
// follows one of gallery_families().
std::string why_not_in_gallery(std::string const& name);

} // namespace heddle::perf
