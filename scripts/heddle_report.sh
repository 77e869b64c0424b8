#!/usr/bin/env bash
# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# scripts/heddle_report.sh COMMAND ...: a command of the Python package in perf_tests/heddle_report, such as doc-tables, which
# writes the tables of documents from perf_tests/results, and paper-001; --help lists them.

set -euo pipefail
PYTHONPATH=$(dirname "${BASH_SOURCE[0]}")/../perf_tests exec python3 -B -m heddle_report "$@"
