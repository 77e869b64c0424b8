# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the tables and charts of papers share."""

import math
import sys
import textwrap

from heddle_report.fastest import Contenders, fastest_of
from heddle_report.rows import Unusable, grouped, objects_of, replace_file, rows_of
from heddle_report.statistics import text_table
from heddle_report.timings import Problem


def warn(text):
    print(f"heddle-perf: {text}", file=sys.stderr)


def text_of(value):
    if isinstance(value, str):
        return value
    if value is None or math.isnan(value):
        return "-"
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:.4g}" if abs(value) < 1e4 else f"{value:,.0f}"


def flush_table(lines):
    """Cells in columns, the first at the left without an indent."""
    return textwrap.dedent(text_table(lines))


def titled(title, lines):
    """A table of texts and numbers below its title; None and NaN are "-"."""
    return f"{title}\n\n{flush_table([[*map(text_of, line)] for line in lines])}"


def ratio(a, b):
    """None where one of them is not there."""
    return a / b if a is not None and b else None


class Object(dict):
    """A JSON object that has to have what it is asked for by key."""

    def __init__(self, where, data):
        super().__init__(data)
        self.where = where

    def __missing__(self, key):
        raise Unusable(f"{self.where}: no {key}", 3)


def objects_in(path):
    """Of a file that need not be there."""
    return [Object(*found) for found in objects_of(path)] if path.exists() else []


class Products:
    """Rows of SpGEMM in f64: matrix -> contenders with a time, and the rows that were skipped."""

    def __init__(self, path, operation="spgemm"):
        wanted = Problem(operation, "f64", 1, "")
        rows = [row for row in rows_of(path) if (row.operation, row.value_type) == wanted[:2]]
        self.skipped = [row for row in rows if row.skipped]
        self.matrices = fastest_of(row for row in rows if not row.skipped).get(wanted, {})

    def first(self, matrix=None):
        """Any row, or any of a matrix; they have device and commit in common."""
        for contenders in [self.matrices[matrix]] if matrix else self.matrices.values():
            return next(iter(contenders.values()))
        raise Unusable("there are no times in f64", 3)

    def gflops(self, matrix, contender):
        return self.matrices.get(matrix, Contenders())[contender].gflops


def reasons_of(skipped):
    """Lines of text: who was skipped, on how many matrices or on which, and why."""
    return "".join(
        f"skipped: {name} on {rows[0].matrix if len(rows) == 1 else f'{len(rows)} matrices'}: {reason}\n"
        for (name, reason), rows in grouped(skipped, lambda row: (row.implementation, row.skipped)).items()
    )


def bar_chart(title, lines, columns):
    """Bars of these columns of a table, a group per line."""

    def draw(charts):
        width = max(6, 0.5 * len(lines))
        axes = charts.new_axes(textwrap.fill(title, int(11 * width)), "", "", size=(width, 4), y_log=True)
        groups = [" ".join(cell for cell in line[: columns[0]] if isinstance(cell, str)) for line in lines[1:]]
        heights = {column: [math.nan if line[column] is None else line[column] for line in lines[1:]] for column in columns}
        all_series = [charts.Series(lines[0][column], y=heights[column], look=n) for n, column in enumerate(columns)]
        charts.bars(axes, groups, all_series, base=min((y for of in heights.values() for y in of if y > 0), default=1) / 2)
        return axes

    return draw


def save_charts(drawn):
    """path -> function that draws with the module charts; where Python has no matplotlib, a line says so."""
    try:
        from heddle_report import charts  # pylint: disable=import-outside-toplevel
    except ImportError as problem:
        warn(f"no charts: {problem}")
        return
    for path, draw in drawn.items():
        replace_file(path, charts.svg_of(draw(charts)))
