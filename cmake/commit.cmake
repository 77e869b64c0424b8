# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# cmake -D SOURCE=... -D HEADER=... -P commit.cmake: defines HEDDLE_COMMIT in HEADER, with + where the tree has changes.
set(commit unknown)
find_program(git git)
if(git)
  execute_process(
    COMMAND ${git} -C ${SOURCE} rev-parse --short=12 HEAD
    OUTPUT_VARIABLE head
    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET
    RESULT_VARIABLE failed)
  if(NOT failed)
    set(commit ${head})
    execute_process(COMMAND ${git} -C ${SOURCE} status --porcelain OUTPUT_VARIABLE changes ERROR_QUIET)
    if(changes)
      string(APPEND commit "+")
    endif()
  endif()
endif()
set(text "#pragma once\n\n#define HEDDLE_COMMIT \"${commit}\"\n")
set(old)
if(EXISTS ${HEADER})
  file(READ ${HEADER} old)
endif()
if(NOT text STREQUAL old) # else everything that includes it would be built again
  file(WRITE ${HEADER} "${text}")
endif()
