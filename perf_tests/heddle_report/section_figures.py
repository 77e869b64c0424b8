# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The figures of one section: docs/report.md lists them."""

import math

from heddle_report.charts import Series
from heddle_report.contenders import FILLED_LOOKS, charted, contenders_of, series_name, speedups_of
from heddle_report.figures import Figure, level, span_of
from heddle_report.format_figures import figures_of_formats, gflops_by_matrix
from heddle_report.statistics import short_number
from heddle_report.times import kernels_of

ENTRIES = "entries of A"
LONGEST_AXIS = 32  # of a performance profile
NOTHING_TO_COMPARE = "no matrix has times without noise of both heddle::auto and something to compare it with"


def clouds(contenders, x, y, unit):
    """A series per contender. x and y are functions of a row."""
    found = []
    for contender in contenders:
        series = Series(contender.name, look=contender.look)
        for row in contender.rows:
            series.add(x(row), y(row), f"{row.problem}, {series_name(row)}: {short_number(y(row))} {unit}")
        found.append(series)
    return found


def entries(row):
    return row.nnz


def gflops(row):
    return row.gflops


def bounds_of(contenders):
    """The bound of each problem, of the first contender that knows it."""
    bounds, done = Series("roofline bound of the matrix"), set()
    for row in (row for contender in contenders for row in contender.rows):
        if math.isfinite(row.bound_gflops) and row.problem not in done:
            done.add(row.problem)
            bounds.add(row.nnz, row.bound_gflops, f"{row.problem}, bound: {short_number(row.bound_gflops)} GFLOPS")
    return bounds


def gflops_by_entries(contenders):
    return Figure("GFLOPS by entries of A", ENTRIES, "GFLOPS", clouds(contenders, entries, gflops, "GFLOPS"),
                  "A mark is a matrix; the short lines are what the machine allows for its compulsory bytes and operations (Hong et al. "
                  "2018, Figs. 1 and 8).", "no row has GFLOPS", bounds=bounds_of(contenders))


def roofline_share(contenders):
    series = clouds(contenders, entries, lambda row: row.roofline_percent, "% of the roofline")
    return Figure("Share of the roofline by entries of A", ENTRIES, "% of the roofline bound", series,
                  "Above 100 % operands stayed in a cache, which the row names; shares above it that no cache explains are not shown, nor "
                  "are those of noisy times (Hong et al. 2018, Fig. 1 c and d).",
                  "no row that is not noisy has GFLOPS and the speed of the machine", is_log=(True, False), references=[level(100, series)])


def roofline(contenders):
    """Under the highest ceilings that were measured."""
    series = clouds(contenders, lambda row: row.intensity, gflops, "GFLOPS")
    rows = [row for contender in contenders for row in contender.rows]
    memory, arithmetic = (max((value for value in map(ceiling, rows) if value > 0), default=math.nan)
                          for ceiling in (lambda row: row.machine_gbytes_per_s, lambda row: row.machine_gflops))
    low, high = (end * factor for end, factor in zip(span_of(series), (0.5, 2)))
    ridge, lines = arithmetic / memory, []
    if ridge > 0:
        low, high = min(low, ridge / 3), max(high, 3 * ridge)
        lines.append(((ridge, high), (arithmetic, arithmetic), f"{short_number(arithmetic)} GFLOPS"))
    if memory > 0:
        end = ridge if ridge > 0 else high
        lines.append(((low, end), (low * memory, end * memory), f"{short_number(memory)} GB/s"))
    known = "its memory and its arithmetic" if ridge > 0 else "its memory (rows do not have its arithmetic)"
    return Figure("Roofline", "operations per compulsory byte, flops/byte", "GFLOPS", series,
                  f"The lines are the machine as measured: {known} (Kurt et al. 2017, Fig. 2).", "no row has both GFLOPS and GB/s",
                  references=lines)


def slowdowns(contender, fastest):
    return sorted(row.median_ms / fastest[row.problem] for row in contender.rows if row.problem in fastest)


def performance_profile(contenders):
    """Without the problems of which a time is noisy."""
    noisy = {row.problem for contender in contenders for row in contender.rows if row.noise}
    fastest = {}
    for row in (row for contender in contenders for row in contender.rows if row.problem not in noisy):
        fastest[row.problem] = min(row.median_ms, fastest.get(row.problem, math.inf))
    figure = Figure("Performance profile", "times as long as the fastest", "share of matrices", [], draw="steps", is_log=(True, False))
    if len(contenders) < 2 or len(fastest) < 2:
        figure.missing = "only one implementation" if len(contenders) < 2 else "fewer than two matrices whose times are not noisy"
        return figure
    worst = max([1.1, *(ratio for contender in contenders for ratio in slowdowns(contender, fastest))])
    end = min(worst, LONGEST_AXIS)
    figure.about = ("How many matrices take at most x times as long as with the fastest that is shown"
                    f"{'; the axis ends at 32' if worst > end else ''} (Hong et al. 2018, Fig. 10).")
    for contender in contenders:
        series = Series(contender.name, [1], [0], contender.look)
        for solved, ratio in enumerate(slowdowns(contender, fastest), 1):
            if ratio <= end:
                series.add(ratio, solved / len(fastest))
        series.add(end, series.y[-1])
        figure.series.append(series)
    return figure


def plan_cost(contenders):
    series = clouds(contenders, entries, lambda row: row.plan_calls or math.nan, "calls")
    return Figure("Plan cost in calls", ENTRIES, "time of the plan / time of a call", series,
                  "After so many calls a plan has cost as much as the calls (Hong et al. 2018, Fig. 13). What plans nothing has no mark.",
                  "no row has the time of a plan", references=[level(1, series)])


def cold_over_warm(contenders):
    """No figure where nothing was asked for with --cold."""
    series = clouds(contenders, entries, lambda row: math.nan if row.noise else row.cold_ms / row.median_ms, "times as long")
    figure = Figure("Cold caches over warm ones", ENTRIES, "time with cold caches / median time", series,
                    "How much longer a call takes that finds nothing of its operands in the caches.", references=[level(1, series)])
    return [figure] if figure.has_points else []


def gflops_by_heavy_share(rows):
    contenders = contenders_of([row for row in rows if math.isfinite(row.heavy_share)])
    return Figure("GFLOPS by share of entries in heavy segments", "share of the entries in heavy segments", "GFLOPS",
                  clouds(contenders, lambda row: row.heavy_share, gflops, "GFLOPS"),
                  "Of the plans that know it (Hong et al. 2018, Fig. 16).", "no row has heavy_share", is_log=(False, True))


def common_name(all_speedups):
    """What speedups are of, if that is the same for all."""
    names = {speedups.of for speedups in all_speedups}
    return f" of {names.pop()}" if len(names) == 1 else ""


def series_of(all_speedups):
    """An empty series of each, which all have other looks."""
    common = common_name(all_speedups)
    looks = [speedups.look for speedups in all_speedups]
    looks = looks if len(set(looks)) == len(looks) else range(len(looks))
    names = [f"over {speedups.over}" if common else f"{speedups.of} over {speedups.over}" for speedups in all_speedups]
    return [Series(name, look=look) for name, look in zip(names, looks)]


def bin_edge(number, width):
    value = 2 ** (number * width)
    return f"{value:.2g}" if value < 10 else short_number(round(value))


def speedup_histogram(all_speedups):
    """Bins of a factor of 2, or of its root where speedups are close to each other."""
    series = series_of(all_speedups)
    ratios = [case.ratio for speedups in all_speedups for case in speedups.cases] or [1]
    width = 1 if max(ratios) / min(ratios) > 32 else 0.5

    def bin_of(ratio):
        return math.floor(math.log2(ratio) / width)

    bins = range(min(bin_of(min(ratios)), -1), max(bin_of(max(ratios)), 0) + 1)  # 1, where neither is faster, lies within
    for one, speedups in zip(series, all_speedups):
        counts = [bin_of(case.ratio) for case in speedups.cases]
        one.y = [float(counts.count(number)) for number in bins]
    return Figure(f"Speedups{common_name(all_speedups)}", "times as fast", "matrices", series,
                  "How many matrices run so many times as fast; at the right of 1 ours is faster (Liu et al. 2018, Figs. 2 and 3).",
                  NOTHING_TO_COMPARE, "bars", (False, False),
                  [f"{bin_edge(number, width)} to {bin_edge(number + 1, width)}" for number in bins] if all_speedups else [])


def speedups_by_entries(all_speedups):
    found = series_of(all_speedups)
    for series, speedups in zip(found, all_speedups):
        for case in speedups.cases:
            series.add(case.ours.nnz, case.ratio, f"{case.ours.problem}, {series.name}: {short_number(case.ratio)}")
    return Figure(f"Speedups{common_name(all_speedups)} by entries of A", ENTRIES, "times as fast", found,
                  "Above the line ours is faster (Hong et al. 2018, Fig. 8 b to e).", NOTHING_TO_COMPARE, references=[level(1, found)])


def charted_kernels(rows, contenders):
    """All kernels as long as each has a look of its own; else what other charts compare."""
    kernels = [kernel.contender for kernel in kernels_of(rows) if kernel.contender.role != "serial"]
    return kernels if len(kernels) <= 2 * FILLED_LOOKS else contenders


def figures_of(section):
    """Those that belong to its operation, without points too."""
    rows = section.timed
    contenders = contenders_of(rows)
    if not contenders:
        return [Figure("All charts", "", "", [], missing="nothing to compare" if rows else "all cases were skipped")]
    speedups, operation = charted(speedups_of(contenders)), section.first.operation
    figures = figures_of_formats(contenders) if section.first.format else []
    if operation == "formats_spmv":
        figures += gflops_by_matrix(charted_kernels(rows, contenders))
    figures += [gflops_by_entries(contenders), roofline_share(contenders), performance_profile(contenders),
                speedup_histogram(speedups), speedups_by_entries(speedups)]
    figures += [plan_cost(contenders)] if operation != "spgemm" else []  # which plans within the call
    figures += [*cold_over_warm(contenders), roofline(contenders)]
    return figures + ([gflops_by_heavy_share(rows)] if operation.startswith("spmm") else [])
