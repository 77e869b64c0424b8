#!/usr/bin/env python3
# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# quickstart.py RESULTS.jsonl...: one sentence about heddle's automatic choice against the fastest method of Kokkos Kernels in
# files that heddle-perf --json wrote: geometric means over the cases that both have times of.

import json
import math
import sys

NAMES = {"spmv": "SpMV", "spmm": "SpMM", "spgemm": "SpGEMM"}
CASE = ("matrix", "value_type", "k", "layout")


def speedups(rows, operation):
    """Time of the fastest method of Kokkos Kernels over that of heddle::auto, of each case."""
    ours, theirs = {}, {}
    for row in rows:
        if row["operation"] != operation or "median_ms" not in row:
            continue
        case = tuple(row.get(key) for key in CASE)
        if row["implementation"] == "heddle::auto":
            ours[case] = row["median_ms"]
        elif row["implementation"].startswith("kokkoskernels::"):
            theirs[case] = min(row["median_ms"], theirs.get(case, math.inf))
    return [theirs[case] / ours[case] for case in ours if case in theirs]


def sentence(rows):
    parts = []
    for operation, name in NAMES.items():
        ratios = speedups(rows, operation)
        if ratios:
            mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
            parts.append(f"{name} {mean:.2f} times ({len(ratios)} cases)")
    if not parts:
        return "No case has times of both heddle and Kokkos Kernels."
    text = "Speed of heddle over that of Kokkos Kernels, geometric means: " + ", ".join(parts) + "."
    if any(row.get("noise") or row.get("warning") for row in rows):
        text += " The machine was busy or its clock unsteady: take these numbers as rough ones."
    return text


def main(paths):
    rows = []
    for path in paths:
        with open(path, encoding="utf-8") as lines:
            rows += [json.loads(line) for line in lines]
    print(sentence(rows))


if __name__ == "__main__":
    main(sys.argv[1:])
