# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The table and the chart of docs/expect.md: what share of the roofline heddle::auto reaches."""

import statistics
from dataclasses import dataclass

from heddle_report.doc_tables_of_leads import NAMES, device_of
from heddle_report.doc_tables_of_times import AUTO, table
from heddle_report.rows import Unusable


@dataclass
class Series:
    """The rows of one operation, in the order of their shares."""

    title: str
    rows: list


def data_of(asked):
    value_type, *operations = asked.words
    results = asked.fastest()
    for operation in operations:
        problem = asked.problem(value_type, operation)
        rows = [contenders[AUTO] for contenders in results.get(problem, {}).values()]
        rows = sorted((row for row in rows if row.roofline_percent > 0), key=lambda row: row.roofline_percent)
        if not rows:
            raise Unusable(f"no such rows of {operation}")
        yield Series(NAMES[problem.operation] + (f", k = {problem.k}" if problem.layout else ""), rows)


def cell(row):
    return f"{row.roofline_percent:.0f} % (`{row.matrix}`)"


def roofline(asked):
    """roofline TYPE OPERATION[:K]... of FILE...: of heddle::auto the share of the GFLOPS that compulsory bytes and operations allow"""
    lines = [[series.title, device_of(series.rows), str(len(series.rows)), cell(series.rows[0]),
              f"{statistics.median(row.roofline_percent for row in series.rows):.0f} %", cell(series.rows[-1])] for series in asked.once(data_of)]
    return table(["operation", "on", "matrices", "least share of the roofline", "median", "most"], lines)


def tips_of(all_series):
    return [f"{series.title}: {row.matrix} {row.gflops:.0f} GFLOPS, {row.roofline_percent:.0f} %" for series in all_series for row in series.rows]


def draw(charts, all_series):
    """GFLOPS over the compulsory operations per byte, and the memory's and the arithmetic's limit."""
    rows = [row for series in all_series for row in series.rows]
    memory = statistics.median(row.machine_gbytes_per_s for row in rows)
    peak = max(row.roofline_gflops for row in rows)
    axes = charts.new_axes(f"heddle on one {device_of(rows)}, double precision, a point per matrix",
                           "operations per byte that must be moved", "GFLOPS", x_log=True, y_log=True, size=(7.2, 4.2))
    all_x = [row.gflops / row.gbytes_per_s for row in rows]
    ends = [min(all_x) / 1.5, max(all_x) * 1.5]
    roof = [ends[0], *sorted(x for x in (peak / memory,) if ends[0] < x < ends[1]), ends[1]]
    axes.plot(roof, [min(memory * x, peak) for x in roof], label=f"roofline: {memory / 1000:.1f} TB/s read", **charts.REFERENCE)
    series_of_chart = []
    for look, series in enumerate(all_series):
        points = charts.Series(series.title, look=look)
        for row, tip in zip(series.rows, tips_of([series])):
            points.add(row.gflops / row.gbytes_per_s, row.gflops, tip)
        series_of_chart.append(points)
    charts.scatter(axes, series_of_chart)
    return axes


TABLES = (roofline,)
