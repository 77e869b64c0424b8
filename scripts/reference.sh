#!/usr/bin/env bash
# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Makes the reference of the public headers, build/doxygen/html/index.html. Fails where doxygen warns, where something
# public has no comment, and where a function that takes an execution space does not say whether it waits for it.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if ! command -v doxygen > /dev/null; then
  echo "scripts/reference.sh: doxygen is not installed (scripts/dependencies.sh --checks installs it)" >&2
  exit 1
fi
rm -rf build/doxygen
mkdir -p build/doxygen
doxygen docs/Doxyfile
python3 -B scripts/check_reference.py build/doxygen/xml
