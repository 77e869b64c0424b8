# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Figures of heddle-perf formats, after Zhao and Li and, of SpMV, Anzt et al. (docs/report.md)."""

import dataclasses
import math
from typing import NamedTuple

from heddle_report.charts import Series
from heddle_report.contenders import ratio_of
from heddle_report.figures import Figure
from heddle_report.rows import grouped
from heddle_report.statistics import short_number

LEAST_OF_A_SWEEP = 3


class Measure(NamedTuple):
    title: str
    label: str
    value: object  # of a row
    about: str
    missing: str = ""


OVER_SERIAL = "Over serial code of the same format (Zhao and Li)."
OF_FORMATS = (
    Measure("Execution", "time, ms", lambda row: row.median_ms, "The operation alone (Zhao and Li)."),
    Measure("Total time", "time, ms", lambda row: row.total_ms, "Prologue, execution and epilogue (Zhao and Li).",
            "no row has prologue and epilogue"),
    Measure("Computation speedup", "serial time / time", lambda row: ratio_of(row.serial_ms, row), OVER_SERIAL, "no row has serial_ms"),
    Measure("Total speedup", "serial time / time", lambda row: ratio_of(row.serial_ms, row) * row.median_ms / row.total_ms, OVER_SERIAL,
            "no row has serial_ms"),
)
OF_KERNELS_ABOUT = "Each kernel on each matrix; of libraries the best algorithm (Anzt et al. 2014, Fig. 5)."
OF_KERNELS = (
    Measure("GFLOPS by matrix, of mean times", "GFLOPS", lambda row: row.gflops * row.median_ms / row.mean_ms, OF_KERNELS_ABOUT,
            "no row has mean_ms"),
    Measure("GFLOPS by matrix", "GFLOPS", lambda row: row.gflops, OF_KERNELS_ABOUT),
)


def rows_of(contenders):
    return [row for contender in contenders for row in contender.rows]


def bars(measure, contenders):
    problems = list(grouped(rows_of(contenders), lambda row: row.problem))
    series = []
    for contender in contenders:
        found = [contender.on(problem) for problem in problems]
        series.append(Series(contender.name, y=[measure.value(row) if row else math.nan for row in found], look=contender.look))
    return Figure(measure.title, "", measure.label, series, measure.about, measure.missing, "bars", groups=problems)


def gflops_by_matrix(kernels):
    return [bars(measure, kernels) for measure in OF_KERNELS]


def over_density(measure, of, contenders):
    found = []
    for contender in contenders:
        series = Series(contender.name, look=contender.look)
        for row in sorted(contender.rows, key=lambda row: row.nnz):
            value = measure.value(row)
            series.add(row.nnz / (row.rows * row.cols or math.nan), value, f"{row.problem}, {contender.name}: {short_number(value)}")
        found.append(series)
    return Figure(f"{measure.title} over density, {of}", "density of A", measure.label, found, measure.about, measure.missing,
                  "lines", (False, True))


def sweep_key(row):
    """Of matrices of one size and kind: their names differ in the number at the end."""
    return row.rows, row.cols, row.k, row.matrix.rstrip("0123456789")


def only(contenders, keeps):
    kept = [dataclasses.replace(contender, rows=[row for row in contender.rows if keeps(row)]) for contender in contenders]
    return [contender for contender in kept if contender.rows]


def figures_of_formats(contenders):
    """Lines over density where enough matrices differ in their entries alone, and bars of the others."""
    figures, sweeps = [], set()
    for key, rows in grouped(rows_of(contenders), sweep_key).items():
        if len({row.nnz for row in rows}) < LEAST_OF_A_SWEEP:
            continue
        sweeps.add(key)
        of_sweep = only(contenders, lambda row, key=key: sweep_key(row) == key)
        figures += [over_density(measure, f"{key[0]} x {key[1]}, k = {key[2]}", of_sweep) for measure in OF_FORMATS]
    others = only(contenders, lambda row: sweep_key(row) not in sweeps)
    return figures + [bars(measure, others) for measure in OF_FORMATS if others]
