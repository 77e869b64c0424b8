# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tables of what heddle-perf regret measured on the zoo: docs/zoo.md says what lead and kernels are."""

import math

from heddle_report.doc_tables_of_times import classes_of, table
from heddle_report.fastest import cell
from heddle_report.regret import fastest, finite, read_measured, within
from heddle_report.regret_report import short_name
from heddle_report.rows import Unusable, grouped
from heddle_report.statistics import summary_of

RATIO, SHARE = "{:.2f}", "{:.0f} %"


def used_columns(head, lines):
    """A table without the columns that are empty."""
    used = [n for n in range(len(head)) if any(line[n] for line in lines)]
    return table([head[n] for n in used], [[line[n] for n in used] for line in lines])


def measured_cases(asked):
    return read_measured([asked.folder / file for file in asked.files]).cases


ZOO = ["problem", "cases", "no time", "lead: geometric mean", "least", "with a time alone: mean", "least", "10 % are below",
       "ahead or tied in", "kernels: geometric mean", "90 % within", "choice: geometric mean", "99 % within", "long plans"]


def zoo_line(problem, cases):
    """The cells of ZOO."""
    lead, kernels, choice = (finite(getattr(case, name) for case in cases) for name in ("lead", "kernels", "choice"))
    failed = sum(bool(case.auto.skipped) for case in cases)
    timed = finite(case.lead for case in cases if not case.auto.skipped)
    timed = timed if len(timed) < len(lead) else []
    ratios = [summary_of(lead).geometric, summary_of(lead).least, summary_of(timed).geometric, summary_of(timed).least, within(lead, 0.1)]
    ahead = 100 * sum(ratio >= 1 for ratio in lead) / len(lead) if lead else math.nan
    losses_of = [summary_of(kernels).geometric, within(kernels, 0.9), summary_of(choice).geometric, within(choice)]
    return [str(problem), str(len(cases)), str(failed), *(cell(ratio, RATIO) for ratio in ratios), cell(ahead, SHARE),
            *(cell(ratio, RATIO) for ratio in losses_of), str(sum(case.is_plan_long for case in cases))]


def zoo(asked):
    """zoo FILE...: of what regret measured, by operation, type and k: lead over other libraries, kernels, choice, long plans;
    columns without a number are left out"""
    return used_columns(ZOO, [zoo_line(problem, of) for problem, of in grouped(measured_cases(asked), lambda case: case.problem).items()])


LOSSES = ["structure", "matrix", "rows", "nnz a row", "type", "k", "auto: ms", "chosen", "heddle's others", "ms", "other libraries", "ms",
          "loses"]


def loss_line(title, case):
    """The cells of LOSSES."""
    auto, problem = case.auto, case.problem
    return [title, auto.matrix, str(auto.rows), f"{auto.nnz / max(1, auto.rows):.1f}", problem.value_type, str(problem.k),
            cell(auto.median_ms) or "no time", auto.chosen.removeprefix("cuda_native::"), *name_and_ms(fastest(case.own)),
            *name_and_ms(case.fastest_peer), cell(case.kernels, RATIO)]


def name_and_ms(row):
    return [short_name(row.implementation).removeprefix("cuda_native::"), cell(row.median_ms)] if row else ["", ""]


def losses(asked):
    """losses OPERATION of FILE... by CLASSES: of each matrix the case in which heddle::auto loses most to the fastest of all;
    empty columns are left out"""
    cases = [case for case in measured_cases(asked) if [case.problem.operation] == asked.words and math.isfinite(case.kernels)]
    of_matrix, lines = grouped(cases, lambda case: case.auto.matrix), []
    for title, names in classes_of(asked):
        for name in names:
            if name not in of_matrix:
                raise Unusable(f"no such rows of {name}")
            lines.append(loss_line(title, max(of_matrix[name], key=lambda one: one.kernels)))
            title = ""
    return used_columns(LOSSES, lines)


TABLES = (zoo, losses)
