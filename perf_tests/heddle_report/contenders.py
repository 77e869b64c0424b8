# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Who is compared with whom, and how much faster one is than the other."""

import dataclasses
import math
from collections import Counter
from dataclasses import dataclass, field

from heddle_report.rows import Row, grouped
from heddle_report.statistics import summary_of

OURS = "heddle"
# The index is the look of a library in all charts; that of heddle is also the one of heddle::auto.
LIBRARIES = {OURS: "heddle", "cusparse": "cuSPARSE", "kokkoskernels": "Kokkos Kernels", "cublas": "cuBLAS", "eigen": "Eigen",
             "graphblas": "GraphBLAS", "mkl": "oneMKL"}
FILLED_LOOKS = 8  # marks of later looks are hollow
MOST_NAMED = 3
MOST_UNKNOWN = 2


def series_name(row):
    """Of formats the format; where C has another layout than B, that is said, as it competes with those that keep it."""
    name = row.implementation
    if row.format:
        name = f"{row.format} {row.parameters}".rstrip() + ("" if row.is_automatic else f" {row.implementation}")
    suffix = " (C column-major)" if row.layout_c == "col" else " (C row-major)"
    return name + (suffix if row.layout != row.layout_c else "")


def library_name(prefix):
    return LIBRARIES.get(prefix, prefix)


def best_of(rows):
    """The fastest of each problem, in the order of problems."""
    return [min(of, key=lambda row: row.median_ms) for of in grouped(rows, lambda row: row.problem).values()]


@dataclass
class Contender:
    """What charts compare: at most one row per problem."""

    role: str  # automatic; library, for the best of its algorithms; serial; named, for one of heddle's implementations
    name: str
    rows: list
    look: int = 0

    def __post_init__(self):
        self.by_problem = {row.problem: row for row in self.rows}

    def on(self, problem):
        return self.by_problem.get(problem)


def best_name(library, count):
    return f"{library}, best of {count}"


def library_contender(prefix, rows):
    names = grouped(rows, series_name)
    name = next(iter(names)) if len(names) == 1 else best_name(library_name(prefix), len(names))
    look = list(LIBRARIES).index(prefix) if prefix in LIBRARIES else len(LIBRARIES)
    return Contender("serial" if prefix == "serial" else "library", name, best_of(rows), look)


def named_contenders(rows):
    """The implementations by name that are most often the fastest of these."""
    wins = Counter(map(series_name, best_of(rows)))
    names = sorted(grouped(rows, series_name).items(), key=lambda item: -wins[item[0]])
    return [Contender("named", name, best_of(of)) for name, of in names[:MOST_NAMED]]


def give_looks(contenders, taken):
    """What the looks of libraries leave."""
    left = [look for look in (5, 4, 3, 6, 7, 2, 1, *range(FILLED_LOOKS, FILLED_LOOKS + len(contenders))) if look not in taken]
    for contender, look in zip(contenders, left):
        contender.look = look
    return contenders


def contenders_of_formats(rows):
    """The automatic choice in each format; where none was asked for, every implementation by name."""
    ours = [row for row in rows if row.is_automatic] or [row for row in rows if row.library_prefix == OURS]
    found = [Contender("automatic", name, of) for name, of in grouped(ours, series_name).items()]
    others = [row for row in rows if row.library_prefix not in (OURS, "serial")]
    found += [library_contender(*item) for item in grouped(others, lambda row: row.library_prefix).items()]
    return [dataclasses.replace(contender, look=look) for look, contender in enumerate(found)]


def contenders_of(rows):
    """Of rows with times, of one section: automatic first, then libraries, serial code, and heddle's by name."""
    if rows and rows[0].format:
        return contenders_of_formats(rows)
    automatic = [row for row in rows if row.is_automatic]
    named = [row for row in rows if row.library_prefix == OURS and row not in automatic
             and row.implementation != "heddle::auto_size_t"]  # which are the same kernels
    libraries = grouped((row for row in rows if row.library_prefix != OURS), lambda row: row.library_prefix)
    unknown = [prefix for prefix in libraries if prefix not in LIBRARIES and prefix != "serial"]
    if len(unknown) > MOST_UNKNOWN:
        libraries["other libraries"] = [row for prefix in unknown for row in libraries.pop(prefix)]
    found = [Contender("automatic", "heddle::auto", best_of(automatic))] if automatic else []
    found += [library_contender(prefix, libraries.pop(prefix)) for prefix in LIBRARIES if prefix in libraries]
    others = [library_contender(*item) for item in sorted(libraries.items())] + named_contenders(named)
    return found + give_looks(others, {contender.look for contender in found})


def not_charted(rows):
    """The series of heddle that no contender stands for."""
    shown = {contender.name for contender in contenders_of(rows)}
    ours = grouped((row for row in rows if row.library_prefix == OURS), series_name)
    return [name for name in ours if name not in shown]


@dataclass
class Speedup:
    """Of one problem: the time of the other over ours."""

    ours: Row
    theirs: Row
    ratio: float


@dataclass
class Speedups:
    """How much faster one is than another, on the problems that both solve in times that can be trusted."""

    of: str
    over: str
    role: str  # of the other
    look: int
    cases: list = field(default_factory=list)

    @property
    def summary(self):
        return summary_of(case.ratio for case in self.cases)


def ratio_of(theirs_ms, ours, theirs=None):
    """NaN where there is none or one of both times is noisy."""
    is_noisy = ours.noise or (theirs and theirs.noise)
    return math.nan if is_noisy or not theirs_ms > 0 else theirs_ms / ours.median_ms


def speedups_over(ours, other):
    # Charts of formats show several of ours, other charts several that ours is compared with.
    result = Speedups(ours.name, other.name, other.role, (ours if ours.rows[0].format else other).look)
    for row in ours.rows:
        theirs = other.on(row.problem)
        if theirs and math.isfinite(ratio := ratio_of(theirs.median_ms, row, theirs)):
            result.cases.append(Speedup(row, theirs, ratio))
    return result


def over_serial(ours):
    """The rows of a format have the time of its serial code."""
    ratios = [(row, ratio_of(row.serial_ms, row)) for row in ours.rows]
    cases = [Speedup(row, row, ratio) for row, ratio in ratios if math.isfinite(ratio)]
    return Speedups(ours.name, "its serial code", "serial", ours.look, cases)


def speedups_of(contenders):
    """Of each automatic choice over each other contender; of formats over their serial code too."""
    result = []
    for ours in (contender for contender in contenders if contender.role == "automatic"):
        result += [over_serial(ours)] if ours.rows[0].format else []
        result += [speedups_over(ours, other) for other in contenders if other.role != "automatic"]
    return [speedups for speedups in result if speedups.cases]


def charted(all_speedups):
    """Those over libraries, or all where there is no library."""
    return [speedups for speedups in all_speedups if speedups.role == "library"] or all_speedups


def headline(contenders):
    """Heddle over each library, of formats in the fastest of them on each matrix."""
    ours = [row for contender in contenders if contender.role == "automatic" for row in contender.rows]
    if not ours:
        return []
    best = Contender("automatic", "heddle", best_of(ours))
    found = (speedups_over(best, other) for other in contenders if other.role in ("library", "serial"))
    return charted([speedups for speedups in found if speedups.cases])
