# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tables of what heddle-perf multigrid measured: docs/heddle_perf.md says what its times are."""

from heddle_report.doc_tables_of_times import table
from heddle_report.fastest import cell
from heddle_report.rows import Unusable, grouped
from heddle_report.statistics import geometric_mean

HEAD = ["setup", "products", "again", "products", "V-cycle", "solve"]
KEYS = ["setup_ms", "setup_products_ms", "again_ms", "again_products_ms", "cycle_ms", "solve_ms"]


def by_matrix(asked):
    """Rows of multigrid that have times, by matrix."""
    return grouped((row for row in asked.objects() if row["operation"] == "multigrid" and "setup_ms" in row), lambda row: row["matrix"])


def multigrid(asked):
    """multigrid FILE...: milliseconds, iterations and, where it was measured, memory of each library"""
    lines = []
    matrices = by_matrix(asked)
    has_memory = any("setup_peak_bytes" in row for rows in matrices.values() for row in rows)
    for matrix, rows in matrices.items():
        for row in rows:
            line = [matrix, f"`{row['implementation']}`", *(cell(row[key]) for key in KEYS), str(row["iterations"])]
            if has_memory:
                line.append(cell(row["setup_peak_bytes"] / 1e6) if "setup_peak_bytes" in row else "")
            lines.append(line)
            matrix = ""
    return table(["matrix", "library", *HEAD, "iterations", *(["peak MB"] if has_memory else [])], lines)


def multigrid_ratios(asked):
    """multigrid_ratios FILE...: time of the fastest other library over that of heddle::auto"""
    ratios = {}
    for matrix, rows in by_matrix(asked).items():
        of_name = {row["implementation"]: row for row in rows}
        others = [row for name, row in of_name.items() if not name.startswith(("heddle::", "hypre::"))]  # hypre has another algorithm
        if not others or "heddle::auto" not in of_name:
            raise Unusable(f"{matrix} has no rows of heddle::auto and another library")
        ratios[matrix] = [min(row[key] for row in others) / of_name["heddle::auto"][key] for key in KEYS]
    if ratios:
        ratios["geometric mean"] = [geometric_mean(column) for column in zip(*ratios.values())]
    return table(["matrix", *HEAD], [[matrix, *(f"{ratio:.2f}" for ratio in of)] for matrix, of in ratios.items()])


TABLES = (multigrid, multigrid_ratios)
