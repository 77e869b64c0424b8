#!/usr/bin/env bash
# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Installs what is missing, builds the preset openmp-release and runs all its tests. Arguments go to ctest.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/dependencies.sh openmp-release
scripts/build.sh openmp-release all
ctest --preset openmp-release -j "${HEDDLE_JOBS:-$(nproc)}" "$@"
