#!/usr/bin/env python3
# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where the time of a whole SpGEMM goes, from what scripts/spgemm_phases.sh measured.

    scripts/spgemm_phases.py --metrics    the metric to ask ncu for
    scripts/spgemm_phases.py OUT_DIR      the table, and OUT_DIR/spgemm_phases.jsonl

OUT_DIR has times.jsonl and kernels/MATRIX.csv. Kernels are measured one after another, the call runs some of them side by
side: "the rest" is what the call takes beyond their sum (launches, waits, memory), or less than it where that is negative.
The bound is A, B and C moved once, at the rate that the machine was measured to read with.
"""

import json
import pathlib
import re
import sys

from paper_004_profile import TIME, Unusable, launches_of, numbers_of
from paper_tables import ratio, rows_of, table_of

# What a kernel belongs to, by its name: the first that fits.
STEPS = (
    ("survey", r"spgemm_bound_"),
    ("classes", r"_row_classes_kernel"),
    ("columns found", r"spgemm_(find|sorted)"),
    ("columns placed", r"spgemm_place|DeviceScan"),
    ("sums", r"spgemm_(sum|searched)"),
    ("both at once", r"spgemm_multiply"),
    ("others", r""),
)


def step_of(kernel):
    return next(step for step, pattern in STEPS if re.search(pattern, kernel))


def milliseconds_by_step(path):
    steps = {step: 0.0 for step, _ in STEPS}
    with open(path, encoding="utf-8") as log:
        launches = launches_of(log)
    for (_, kernel), rows in launches.items():
        seconds = numbers_of(rows).get(TIME)
        if seconds is None:
            raise Unusable(f"no time of {kernel}")
        steps[step_of(kernel)] += 1e3 * seconds
    return steps, len(launches)


def phases(folder):
    """An object a matrix."""
    for row in rows_of(folder / "times.jsonl"):
        log = folder / "kernels" / (row["matrix"] + ".csv")
        if row["operation"] != "spgemm" or "median_ms" not in row or not log.exists():
            continue
        try:
            steps, launches = milliseconds_by_step(log)
        except Unusable as problem:
            print(f"scripts/spgemm_phases.py: {log}: {problem}", file=sys.stderr)
            continue
        kept = {key: row[key] for key in ("matrix", "nnz", "products_nnz", "value_type", "device", "commit") if key in row}
        bound = ratio(row["gbytes_per_s"] * row["median_ms"], row["machine_gbytes_per_s"])
        yield {"operation": "spgemm_phases", **kept, "launches": launches, "median_ms": row["median_ms"], "bound_ms": bound, "steps_ms": steps}


def rest_of(row):
    """What the call takes beyond its kernels."""
    return row["median_ms"] - sum(row["steps_ms"].values())


def percent_of_bound(row):
    return 100 * row["bound_ms"] / row["median_ms"]


def table(rows):
    lines = [("matrix", "call, ms", *(step for step, _ in STEPS), "the rest", "launches", "bound", "% of it")]
    for row in rows:
        steps = row["steps_ms"].values()
        figures = (rest_of(row), row["launches"], row["bound_ms"], percent_of_bound(row))
        lines.append((row["matrix"], row["median_ms"], *steps, *figures))
    return table_of("A whole multiply, milliseconds by step", lines)


def main(arguments):
    if arguments == ["--metrics"]:
        print(TIME)
        return 0
    if len(arguments) != 1 or arguments[0].startswith("-"):
        print(__doc__.strip(), file=sys.stdout if arguments == ["--help"] else sys.stderr)
        return 0 if arguments == ["--help"] else 2
    folder = pathlib.Path(arguments[0])
    try:
        rows = list(phases(folder))
    except Unusable as problem:
        print(f"scripts/spgemm_phases.py: {folder}: {problem}", file=sys.stderr)
        return 1
    if not rows:
        print(f"scripts/spgemm_phases.py: {folder}: no matrix has both a time and a profile", file=sys.stderr)
        return 1
    (folder / "spgemm_phases.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    print(table(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
