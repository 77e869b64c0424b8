// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/defect.hpp>

#include <optional>
#include <string>

namespace heddle::test
{

// What validate finds, as one text: "what (row, position)"; "" if nothing.
inline std::string text_of(std::optional<Defect> const& defect)
{
  if (!defect)
    return "";
  return defect->what + " (" + std::to_string(defect->row) + ", " +
         std::to_string(defect->position) + ")";
}

} // namespace heddle::test
