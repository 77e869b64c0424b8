# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pages, charts, comparisons and tables of what heddle-perf measured: python3 -m heddle_report COMMAND (docs/report.md)."""
