# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What people ask first: how fast heddle is beside each library on each matrix, how that is distributed, and where it is worst."""

import math
from dataclasses import dataclass

from heddle_report.charts import Series
from heddle_report.contenders import LIBRARIES, Speedup, contenders_of, headline, library_name
from heddle_report.figures import Figure
from heddle_report.rows import STEPS, grouped
from heddle_report.statistics import geometric_mean

NAMES = {"spmv": "SpMV", "spmv_t": "SpMV, A^T x", "spmm": "SpMM", "spmm_t": "SpMM, A^T B", "spmm_both": "SpMM, A^T B and A B",
         "spgemm": "SpGEMM", "spgemm_numeric": "SpGEMM, numeric phase", "formats_spmv": "SpMV, fastest format",
         "formats_spmm": "SpMM, fastest format", "formats_spgemm": "SpGEMM, fastest format",
         "formats_spgemm_numeric": "SpGEMM, numeric phase, fastest format", **STEPS}
WORST = 10


@dataclass
class Compared:
    """A case of a section beside the best of one library, or beside serial code where there is none."""

    section: object
    library: str
    case: Speedup

    @property
    def key(self):
        """An operation on a device, which has a chart."""
        return self.section.first.operation, self.section.first.device


def compared_of(sections):
    found = []
    for section in sections:
        for speedups in headline(contenders_of(section.timed)):
            found += [Compared(section, library_name(case.theirs.library_prefix), case) for case in speedups.cases]
    return found


def libraries_of(compared):
    """With the look that each has in all charts: the known ones in their order, then the others."""
    known = list(LIBRARIES.values())
    names = dict.fromkeys(one.library for one in compared)
    looks = {name: known.index(name) for name in known if name in names}
    return looks | {name: len(known) + n for n, name in enumerate(name for name in names if name not in known)}


def title_of(key, compared):
    operation, device = key
    name = NAMES.get(operation, operation)
    return name if len({one.key[1] for one in compared}) == 1 else f"{name} on {device}"


def by_matrix(title, compared):
    """Bars from 1 on: the geometric mean where a matrix has several types, layouts or k."""
    nnz = {one.case.ours.matrix: one.case.ours.nnz for one in compared}
    matrices = sorted(nnz, key=lambda matrix: (nnz[matrix], matrix))
    ratios = grouped(compared, lambda one: (one.library, one.case.ours.matrix))
    series = []
    for library, look in libraries_of(compared).items():
        of_matrices = [[one.case.ratio for one in ratios.get((library, matrix), [])] for matrix in matrices]
        series.append(Series(f"over {library}", y=[geometric_mean(of) if of else math.nan for of in of_matrices], look=look))
    titles = grouped(compared, lambda one: one.section.title)
    about = f"Up: heddle is faster; matrices by their entries. {', '.join(titles)}" if len(titles) < 3 else (
        f"Up: heddle is faster; matrices by their entries, geometric means over {len(titles)} sections")
    return Figure(f"{title}: times as fast as each library", "", "times as fast", series, f"{about}.", draw="bars", is_log=(False, True),
                  groups=matrices, base=1)


def distribution(compared):
    operations = grouped(compared, lambda one: title_of(one.key, compared))
    series = []
    for library, look in libraries_of(compared).items():
        ratios = [[one.case.ratio for one in of if one.library == library] for of in operations.values()]
        series.append(Series(f"over {library}", y=ratios, look=look))
    return Figure("Distribution of speedups", "", "times as fast", series,
                  "A box has the middle half of the cases and a white line at their median; the thin line goes from the worst to the best.",
                  draw="boxes", is_log=(False, True), groups=list(operations))


def opening_figures(compared):
    by_key = grouped(compared, lambda one: one.key)
    return [by_matrix(title_of(key, compared), of) for key, of in by_key.items()] + ([distribution(compared)] if compared else [])


def worst_of(compared):
    return sorted(compared, key=lambda one: one.case.ratio)[:WORST]
