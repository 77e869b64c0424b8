# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where the time of a whole SpGEMM goes, from what scripts/spgemm_phases.sh measured: a table, and spgemm_phases.jsonl.

OUT_DIR has times.jsonl and kernels/MATRIX.csv. Kernels are measured one after another, the call runs some of them side by
side: "the rest" is what the call takes beyond their sum (launches, waits, memory), or less than it where that is negative.
The bound is A, B and C moved once, at the rate that the machine was measured to read with.
"""

import json
import pathlib
import re

from heddle_report.ncu import TIME, Metrics, launches_of, numbers_of
from heddle_report.paper import titled, warn
from heddle_report.rows import Unusable, replace_file, rows_of

ABOUT = __doc__
# What a kernel belongs to, by its name: the first that fits.
STEPS = {
    "survey": r"spgemm_bound_",
    "classes": r"_row_(bins|classes)_kernel",
    "columns found": r"spgemm_(find|sorted)",
    "columns placed": r"spgemm_place|DeviceScan",
    "sums": r"spgemm_(sum|searched|begin_shared)",
    "both at once": r"spgemm_multiply",
    "others": r"",
}


def milliseconds_by_step(path):
    steps, launches = dict.fromkeys(STEPS, 0.0), launches_of(path)
    for (_, kernel), rows in launches.items():
        seconds = numbers_of(rows).get(TIME)
        if seconds is None:
            raise Unusable(f"{path}: no time of {kernel}")
        steps[next(step for step, pattern in STEPS.items() if re.search(pattern, kernel))] += 1e3 * seconds
    return steps, len(launches)


def phases(folder):
    """An object per matrix."""
    for row in rows_of(folder / "times.jsonl"):
        log = folder / "kernels" / (row.matrix + ".csv")
        if row.operation != "spgemm" or row.skipped or not log.exists():
            continue
        try:
            steps, launches = milliseconds_by_step(log)
        except Unusable as problem:
            warn(problem)
            continue
        kept = {key: getattr(row, key) for key in ("matrix", "nnz", "products_nnz", "value_type", "device", "commit")}
        bound = row.gbytes_per_s * row.median_ms / row.machine_gbytes_per_s
        yield {"operation": "spgemm_phases", **kept, "launches": launches, "median_ms": row.median_ms, "bound_ms": bound,
               "steps_ms": steps}


def rest_of(data):
    """What the call takes beyond its kernels."""
    return data["median_ms"] - sum(data["steps_ms"].values())


def percent_of_bound(data):
    return 100 * data["bound_ms"] / data["median_ms"]


def add_arguments(parser):
    parser.add_argument("--metrics", action=Metrics, const=[TIME])
    parser.add_argument("folder", metavar="OUT_DIR", type=pathlib.Path)


def run(asked):
    found = list(phases(asked.folder))
    if not found:
        raise Unusable(f"{asked.folder}: no matrix has both a time and a profile", 1)
    replace_file(asked.folder / "spgemm_phases.jsonl", "".join(json.dumps(data) + "\n" for data in found))
    lines = [("matrix", "call, ms", *STEPS, "the rest", "launches", "bound", "% of it")]
    for data in found:
        figures = (rest_of(data), data["launches"], data["bound_ms"], percent_of_bound(data))
        lines.append((data["matrix"], data["median_ms"], *data["steps_ms"].values(), *figures))
    print(titled("A whole multiply, milliseconds by step", lines))
