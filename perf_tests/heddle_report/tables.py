# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tables of a report."""

import math

from markupsafe import Markup

from heddle_report.contenders import ratio_of, series_name
from heddle_report.page import Table
from heddle_report.statistics import summary_of


def link_to(section):
    return Markup('<a href="#{}">{}</a>').format(section.anchor, section.title)


def implementation_name(row):
    name = f"{row.format} {row.parameters} {row.implementation}" if row.format else series_name(row)
    is_usual = row.implementation == "heddle::auto_size_t" or row.index_types in ("", "int32,int32")
    return name if is_usual else f"{name} ({row.index_types})"


def worst_table(worst):
    return Table(["times as fast", "section", "matrix", "heddle", "ms", "beside", "its ms"],
                 [[one.case.ratio, link_to(one.section), one.case.ours.problem, implementation_name(one.case.ours),
                   one.case.ours.median_ms, implementation_name(one.case.theirs), one.case.theirs.median_ms] for one in worst])


def cold_ratio(case):
    return ratio_of(case.theirs.cold_ms, case.ours, case.theirs) * case.ours.median_ms / case.ours.cold_ms


def speedup_line(speedups):
    means, cold = speedups.summary, [ratio for ratio in map(cold_ratio, speedups.cases) if math.isfinite(ratio)]
    return [speedups.of, speedups.over, means.count, means.geometric, means.harmonic, means.most, means.least, means.above_one,
            summary_of(cold).geometric]


def speedup_table(parts):
    """Of (section, its speedups)."""
    return Table(["section", "speed of", "over", "matrices", "geometric mean", "harmonic mean", "maximum", "minimum", "faster on",
                  "geometric mean, cold"],
                 [[link_to(section), *speedup_line(one)] for section, speedups in parts for one in speedups])


def share(row):
    text = f"{row.roofline_percent:.3g}"
    return f"{text} ({row.cache})" if row.roofline_percent > 100 else row.roofline_percent


def cases_table(section):
    """Of all implementations. Noisy times have no ratios."""
    automatic = {row.problem: row for row in section.timed if row.is_automatic and not row.format}

    def over_automatic(row):
        ours = automatic.get(row.problem)
        return ratio_of(row.median_ms, ours, row) if ours else math.nan

    columns = {
        "matrix": lambda row: row.matrix,
        "rows": lambda row: row.rows,
        "columns": lambda row: row.cols,
        "entries": lambda row: row.nnz,
        "entries of C": lambda row: row.products_nnz,
        "k": lambda row: row.k if row.format else "",
        "implementation": implementation_name,
        "ms": lambda row: row.median_ms,
        "cold ms": lambda row: row.cold_ms,
        "mean ms": lambda row: row.mean_ms,
        "1st quartile": lambda row: row.q1_ms,
        "3rd quartile": lambda row: row.q3_ms,
        "x heddle::auto": over_automatic,
        "GFLOPS": lambda row: row.gflops,
        "GB/s": lambda row: row.gbytes_per_s,
        "% of roofline": share,
        "plan ms": lambda row: row.plan_ms,
        "plan in calls": lambda row: row.plan_calls,
        "heavy share": lambda row: row.heavy_share,
        "prologue ms": lambda row: row.prologue_ms,
        "epilogue ms": lambda row: row.epilogue_ms,
        "serial ms": lambda row: row.serial_ms,
        "noisy": lambda row: row.noise,
    }
    return Table(list(columns), [[value(row) for value in columns.values()] for row in section.timed])


def skipped_table(section):
    lines = [[row.problem, implementation_name(row), row.skipped] for row in section.rows if row.skipped]
    return Table(["matrix", "implementation", "reason"], lines)
