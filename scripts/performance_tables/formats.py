# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tables of formats beside each other, and of a matrix in parts."""

from performance_tables.rows import Unusable, rows_of
from performance_tables.text import markdown


def formats(arguments):
    what, files = arguments.split(" of ")
    value_type, operation, layout, *names = what.split()
    times = {}
    for row in rows_of(files.split()):
        of_this = (row["operation"], row.get("value_type"), row["implementation"], row.get("layout", "none"))
        if of_this == (f"formats_{operation}", value_type, "heddle::auto", layout) and "median_ms" in row:
            name = row["format"] + (f":{row['parameters']}" if row["parameters"] else "")
            times.setdefault((row["matrix"], row["nnz"], row["k"]), {})[name] = row["median_ms"]
    head = ["matrix", "nnz", "k", f"{names[0]}: ms"]
    for name in names[1:]:
        head += [f"{name.replace(':', ' ')}: ms", "speedup"]
    rows = []
    for (matrix, nnz, k), of_format in times.items():
        if names[0] not in of_format:
            continue
        first = of_format[names[0]]
        row = [matrix, str(nnz), str(k), f"{first:.3g}"]
        for name in names[1:]:
            ms = of_format.get(name)
            row += ["", ""] if ms is None else [f"{ms:.3g}", f"{first / ms:.2f}"]
        rows.append(row)
    return markdown(head, rows)


def parts(arguments):
    wanted, _, files = arguments.partition(" of ")
    table = {}
    for row in rows_of(files.split()):
        if row.get("format") == wanted and row["operation"].startswith("parts_"):
            cut = row["cut"] if row["cut"] in ("whole", "rows") else "balanced"
            table.setdefault(row["matrix"], {})[row["operation"].removeprefix("parts_"), cut] = row
    if not table:
        raise Unusable(f"{arguments}: no such rows")
    lines = []
    for matrix, of_matrix in sorted(table.items()):
        if not any("median_ms" in row for row in of_matrix.values()):
            continue
        rows = of_matrix["spmv", "rows"]
        line = [matrix, str(rows["nnz"]), f"{max(rows['part_places']) * rows['parts'] / sum(rows['part_places']):.2f}"]
        for operation in ("spmv", "spmm"):
            whole = of_matrix[operation, "whole"]["median_ms"]
            line.append(f"{whole:.3g}")
            for cut in ("rows", "balanced"):
                row = of_matrix[operation, cut]
                line.append(f"{whole / row['median_ms']:.2f}" if "median_ms" in row else "")
        lines.append(line)
    return markdown(["matrix", "nnz", "equal rows: heaviest over mean", "SpMV on one: ms", "equal rows", "balanced",
                     "SpMM on one: ms", "equal rows", "balanced"], lines)


TABLES = {"formats": formats, "parts": parts}
