# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tables of heddle::auto beside the fastest method of Kokkos Kernels, and of rates of reading files."""

import pathlib

from performance_tables.rows import rows_of
from performance_tables.text import geometric_mean, markdown


def times_of(files):
    """(operation, value type, k) -> matrix -> [heddle's row, fastest row of Kokkos Kernels]"""
    table = {}
    for row in rows_of(files):
        if "median_ms" not in row:
            continue
        ours = row["implementation"] == "heddle::auto"
        if not ours and not row["implementation"].startswith("kokkoskernels::"):
            continue
        pair = table.setdefault((row["operation"], row["value_type"], row["k"]), {}).setdefault(
            row["matrix"], [None, None]
        )
        best = pair[0 if ours else 1]
        if best is None or row["median_ms"] < best["median_ms"]:
            pair[0 if ours else 1] = row
    return table


def speedup(pair):
    return pair[1]["median_ms"] / pair[0]["median_ms"]


def complete(matrices):
    return {name: pair for name, pair in matrices.items() if None not in pair}


def summary(arguments):
    rows = []
    for (operation, value_type, k), matrices in times_of(arguments.split()).items():
        speedups = [speedup(pair) for pair in complete(matrices).values()]
        if speedups:
            rows.append(
                [operation, value_type, str(k), str(len(speedups)), f"{geometric_mean(speedups):.2f}",
                 f"{min(speedups):.2f}", f"{max(speedups):.2f}"]
            )
    return markdown(["operation", "type", "k", "matrices", "geometric mean", "least", "most"], rows)


def cases(arguments):
    what, files = arguments.split(" of ")
    value_type, *operations = what.split()
    table = times_of(files.split())
    columns = []
    for operation in operations:
        name, _, k = operation.partition(":")
        columns.append((operation.replace(":", " k = "), table[(name, value_type, int(k or 1))]))
    head = ["matrix", "rows", "nnz"]
    for name, _ in columns:
        head += [f"{name}: ms", "Kokkos Kernels", "speedup"]
    rows = []
    for matrix in columns[0][1]:
        ours = columns[0][1][matrix][0]
        if ours is None:
            continue
        row = [matrix, str(ours["rows"]), str(ours["nnz"])]
        for _, matrices in columns:
            pair = matrices.get(matrix, [None, None])
            row += ["", "", ""] if None in pair else [
                f"{pair[0]['median_ms']:.3g}", f"{pair[1]['median_ms']:.3g}", f"{speedup(pair):.2f}"
            ]
        rows.append(row)
    return markdown(head, rows)


def variants(arguments):
    files = arguments.split()
    tables = [times_of([name]) for name in files]
    rows = []
    for case, first in tables[0].items():
        row = [*map(str, case)]
        for table in tables:
            ratios = [
                pair[0]["median_ms"] / first[matrix][0]["median_ms"]
                for matrix, pair in table.get(case, {}).items()
                if matrix in first and pair[0] and first[matrix][0]
            ]
            row.append(f"{geometric_mean(ratios):.3f} ({len(ratios)})" if ratios else "")
        rows.append(row)
    return markdown(["operation", "type", "k", *(pathlib.Path(name).stem for name in files)], rows)


def reading(arguments):
    rows = [
        [row["file"], f"{row['file_bytes'] / 1e6:.1f}", str(row["threads"]), f"{row['median_ms']:.3g}",
         f"{row['mbytes_per_s']:.0f}"]
        for row in rows_of(arguments.split())
    ]
    return markdown(["file", "MB", "threads", "ms", "MB/s"], rows)


TABLES = {"summary": summary, "cases": cases, "variants": variants, "reading": reading}
