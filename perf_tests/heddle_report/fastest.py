# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The fastest row of each implementation and of each library, by problem and matrix."""

import math

from heddle_report.rows import OPERATIONS, STEPS, Row
from heddle_report.statistics import geometric_mean
from heddle_report.timings import problem_of

FAMILIES = {"cusparse": "cuSPARSE", "kokkoskernels": "Kokkos Kernels"}
NO_ROW = Row()


class Contenders(dict):
    """Of a matrix: implementation, or library by the first part of that -> its fastest row, or a skipped one where none has
    a time. "heddle" is its automatic choice alone. One that was not measured has a row without numbers."""

    def __missing__(self, name):
        return NO_ROW

    def speedup(self, theirs, ours="heddle"):
        """Their time over ours; NaN where one of them has none."""
        return self[theirs].median_ms / self[ours].median_ms


def fastest_of(rows):
    """problem -> matrix -> its contenders, in the order of the rows"""
    table = {}
    for row in rows:
        if row.operation not in (*OPERATIONS, *STEPS):
            continue
        contenders = table.setdefault(problem_of(row), {}).setdefault(row.matrix, Contenders())
        names = [row.implementation]
        if row.is_automatic or row.library_prefix != "heddle":
            names.append(row.library_prefix)
        for name in names:
            best = contenders[name].median_ms
            if row.median_ms <= best or math.isnan(best):
                contenders[name] = row
    return table


def speedups(matrices, theirs, ours="heddle"):
    """matrix -> speedup, of those where both have a time"""
    every = {name: contenders.speedup(theirs, ours) for name, contenders in matrices.items()}
    return {name: speedup for name, speedup in every.items() if math.isfinite(speedup)}


def cell(number, text="{:.3g}"):
    """Of a table; empty where there is no number."""
    return text.format(number) if math.isfinite(number) else ""


def spread(numbers):
    """How many, and their geometric mean, least and most, as text."""
    numbers = list(numbers)
    return [str(len(numbers)), *(f"{number:.2f}" for number in (geometric_mean(numbers), min(numbers), max(numbers)))]
