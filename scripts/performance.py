#!/usr/bin/env python3
# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the tables of docs/performance.md from the JSON Lines under perf_tests/results.

    scripts/performance.py            writes them
    scripts/performance.py --check    says whether they are what the files give, and ends with 1 if not

The page holds comments that say what stands between them and `<!-- end -->`:

    <!-- summary FILE... -->                  geometric means of speedups by operation, type and k
    <!-- cases TYPE OPERATION[:K]... of FILE... -->   a row a matrix, times and speedup of each operation
    <!-- variants FILE... -->                 geometric mean of times of heddle::auto over those of the first file
    <!-- reading FILE -->                     rates of reading files
    <!-- formats TYPE OPERATION LAYOUT FORMAT[:PARAMETERS]... of FILE... -->   a row a matrix: the time of the first
                                              format, and of each other one with its speedup over the first

FILE is relative to perf_tests/results. A speedup is the time of the fastest Kokkos Kernels method over that of
heddle::auto.
"""

import json
import math
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
RESULTS = ROOT / "perf_tests" / "results"
PAGES = [ROOT / "docs" / "performance.md"]
DIRECTIVE = re.compile(r"(<!-- (summary|cases|variants|reading|formats) (.*?) -->\n).*?(<!-- end -->)", re.DOTALL)


def rows_of(files):
    for name in files:
        with open(RESULTS / name, encoding="utf-8") as lines:
            yield from (json.loads(line) for line in lines)


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


def geometric_mean(numbers):
    return math.exp(sum(map(math.log, numbers)) / len(numbers))


def markdown(head, rows):
    yield "| " + " | ".join(head) + " |"
    yield "|" + "|".join("---" if n == 0 else "--:" for n in range(len(head))) + "|"
    for row in rows:
        yield "| " + " | ".join(row) + " |"


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


def formats(arguments):
    what, files = arguments.split(" of ")
    value_type, operation, layout, *names = what.split()
    times = {}
    for row in rows_of(files.split()):
        of_this = (row["operation"], row["value_type"], row["implementation"], row.get("layout", "none"))
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


def filled(text):
    makers = {"summary": summary, "cases": cases, "variants": variants, "reading": reading, "formats": formats}
    return DIRECTIVE.sub(
        lambda match: match[1] + "\n".join(makers[match[2]](match[3])) + "\n" + match[4], text
    )


def main():
    is_check = sys.argv[1:] == ["--check"]
    if sys.argv[1:] and not is_check:
        sys.exit(__doc__)
    for page in PAGES:
        before = page.read_text(encoding="utf-8")
        after = filled(before)
        if is_check and before != after:
            sys.exit(f"{page.relative_to(ROOT)} is not what the results give: run scripts/performance.py")
        if not is_check:
            page.write_text(after, encoding="utf-8")


if __name__ == "__main__":
    main()
