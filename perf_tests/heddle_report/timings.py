# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rows with times, of results and of tables of peers, by what they are times of."""

import re
import sys
from collections import Counter
from fnmatch import fnmatchcase
from typing import NamedTuple

from heddle_report.rows import OPERATIONS, STEPS, check_case, files_of, objects_of, row_of

TIMED = (*OPERATIONS, *STEPS, "parts_spmv", "parts_spmm", "calibrate", "calibrate_costs")


class Problem(NamedTuple):
    """What is computed with a matrix: times are comparable within one."""

    operation: str
    value_type: str
    k: int
    layout: str  # of B and C: row, col, row to col; empty where there are none

    def __str__(self):
        text = f"{self.operation} {self.value_type}"
        if self.layout or self.k != 1:
            text += f", k = {self.k}"
        return text + {"": "", "row": ", row-major", "col": ", column-major"}.get(self.layout, f", {self.layout}")


def problem_of(row):
    layout = row.layout if row.layout_c == row.layout else f"{row.layout} to {row.layout_c}"
    return Problem(row.operation, row.value_type, row.k, layout)


def family_of(implementation):
    """Whose it is: cusparse of cusparse::csr_alg2 and of cusparse_csr_alg2_row."""
    return re.split("[:_]", implementation)[0]


# Words of names that say what is computed.
SAID_ELSEWHERE = {"", "spmv", "spmm", "spgemm", "row", "col", "R", "T", "pool", "numeric"}


def algorithm_of(implementation):
    """Which method of its family: "csr alg2" of both of these; empty of a family with one method."""
    return " ".join(word for word in re.split("[:_]", implementation)[1:] if word not in SAID_ELSEWHERE)


def is_like_any(name, patterns):
    return any(fnmatchcase(name, pattern) for pattern in patterns)


def ms_text(ms):
    return f"{ms:.4g}"


def ratio_text(ratio):
    """Four digits or so, always with a point."""
    if not 1e-3 <= ratio < 1e6:
        return f"{ratio:.1e}"
    return f"{ratio:.{1 if ratio >= 100 else 2 if ratio >= 10 else 3 if ratio >= 1 else 4}f}"


def other_kind(data, wanted=TIMED):
    """What an object is of: empty for a time of a wanted operation."""
    if "operation" not in data:
        return "no operation"
    if "joined" in data:
        return "peers"
    return "" if data["operation"] in wanted else str(data["operation"])


def left_out(path, others, has_timings):
    """The sentence about rows of other kinds. Self-checks of the machine, which stand beside results, need none."""
    if has_timings:
        del others["self_check"]
    counts = [f"{count} of {kind}" for kind, count in sorted(others.items())]
    if not counts:
        return ""
    counts[0] = counts[0].replace(" of", " row of" if counts[0].startswith("1 ") else " rows of", 1)
    return f"{path}: {'left out' if has_timings else 'skipped, nothing but'} {', '.join(counts)}"


def timings_of(paths):
    """The rows with times, or with a reason why there is none, of files and folders, and sentences about what is left out."""
    rows, sentences = [], []
    for path in (file for path in paths for file in files_of(path)):
        before, others = len(rows), Counter()
        for where, data in objects_of(path):
            if kind := other_kind(data):
                others[kind] += 1
            else:
                rows.append(row_of(data, where))
                check_case(rows[-1], where)
        sentences.append(left_out(path, others, len(rows) > before))
    return rows, list(filter(None, sentences))


def read_timings(paths):
    rows, sentences = timings_of(paths)
    for sentence in sentences:
        print(f"heddle-perf: {sentence}", file=sys.stderr)
    return rows
