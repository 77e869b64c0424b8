#!/usr/bin/env bash
# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Sourced by scripts that ask for baselines and implementations which not every build has.

# in_this_build LIST PROGRAM COMMAND...: what of the list, items separated by commas, heddle-perf lists with that command; "none"
# where that is nothing
in_this_build()
{
  local list=$1 known
  shift
  known=$("$@") || return
  tr , '\n' <<< "$list" | grep -xF -e "$known" | paste -sd , - | grep . || echo none
}
