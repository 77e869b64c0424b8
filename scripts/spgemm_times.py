# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What heddle-perf spgemm --json wrote, for the tables of papers 001 and 003: who took how long on which matrix."""

import math

from paper_004_profile import Unusable
from paper_tables import ratio


class Times:
    """The rows of one operation in f64. A contender is an implementation by its name, as "heddle::auto", or a library by the
    first part of these, as "cusparse", which is the fastest of its algorithms on each matrix."""

    def __init__(self, rows, operation="spgemm"):
        self.rows, self.skipped = {}, []
        for row in rows:
            if row["operation"] != operation or row["value_type"] != "f64":
                continue
            if "median_ms" in row:
                self.rows.setdefault(row["matrix"], {})[row["implementation"]] = row
            else:
                self.skipped.append((row["implementation"], row["matrix"], row["skipped"]))

    def first(self):
        """Any row; they have device and commit in common."""
        for rows in self.rows.values():
            return next(iter(rows.values()))
        raise Unusable("there are no times in f64")

    def row(self, matrix, contender):
        rows = [
            row
            for name, row in self.rows.get(matrix, {}).items()
            if name == contender or ("::" not in contender and name.startswith(contender + "::"))
        ]
        return min(rows, key=lambda row: row["median_ms"], default=None)

    def gflops(self, matrix, contender):
        row = self.row(matrix, contender)
        return row["gflops"] if row else None

    def speedup(self, matrix, ours, theirs):
        """Their time over ours, None where one of them has none."""
        one, other = self.row(matrix, ours), self.row(matrix, theirs)
        return ratio(other["median_ms"], one["median_ms"]) if one and other else None

    def speedups(self, ours, theirs):
        all_of_them = (self.speedup(matrix, ours, theirs) for matrix in self.rows)
        return [speedup for speedup in all_of_them if speedup is not None]

    def has(self, contender):
        return any(self.row(matrix, contender) for matrix in self.rows)


def harmonic_mean(numbers):
    return len(numbers) / sum(1 / number for number in numbers)


def geometric_mean(numbers):
    return math.exp(sum(map(math.log, numbers)) / len(numbers))


def reasons_of(skipped):
    """Lines of text: who was skipped, on how many matrices or on which, and why."""
    places = {}
    for implementation, matrix, reason in skipped:
        places.setdefault((implementation, reason), []).append(matrix)
    lines = [
        f"skipped: {implementation} on {matrices[0] if len(matrices) == 1 else f'{len(matrices)} matrices'}: {reason}"
        for (implementation, reason), matrices in places.items()
    ]
    return "".join(line + "\n" for line in lines)
