# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the automatic choice loses on each matrix of the zoo, to heddle's other kernels and to other libraries: docs/zoo.md."""

import math
from collections import Counter
from dataclasses import dataclass, field

from heddle_report.contenders import OURS
from heddle_report.results import case_of
from heddle_report.rows import NAN, OPERATIONS, Row, Unusable, check_case, files_of, grouped, objects_of, row_of
from heddle_report.timings import Problem, problem_of

FAILED = 0.1  # the speed of a choice that has no time, over that of the fastest
SHORT_MS = 0.010  # below this ...
TIE_MS = 0.0005  # ... differences of less than this are none
PARTS = ("tuning", "validation")
NOT_COMPARED = ("heddle::auto_", "heddle::step_", "serial::", "spmv_loop::")  # other choices, parts of kernels, plain loops


def slowdown(ms, fastest_ms):
    """At least 1 for the time of one of those that the fastest is of; ties are 1."""
    is_tie = min(ms, fastest_ms) < SHORT_MS and abs(ms - fastest_ms) < TIE_MS
    return 1.0 if is_tie else ms / fastest_ms


def fastest(rows):
    """None where no row has a time."""
    return min((row for row in rows if not row.skipped), key=lambda row: row.median_ms, default=None)


@dataclass
class Case:
    """One problem on one matrix."""

    problem: Problem
    auto: Row
    own: list  # rows of heddle's kernels by name
    peers: list  # rows of other libraries
    whole_ms: float = NAN  # of a numeric phase: the automatic choice's whole multiply
    has_own: bool = False  # whether they were measured on this problem at all, on one matrix at least
    has_peers: bool = False

    @property
    def fastest_own(self):
        return fastest([self.auto, *self.own])

    @property
    def fastest_peer(self):
        return fastest(self.peers)

    @property
    def choice(self):
        """The time of the automatic choice over that of heddle's fastest kernel; NaN where no other was measured."""
        return self.over(self.own, self.has_own)

    @property
    def kernels(self):
        """Over the fastest of all; NaN where nothing else was measured."""
        return self.over([*self.own, *self.peers], self.has_own or self.has_peers)

    def over(self, others, has_others):
        if self.auto.skipped:
            return 1 / FAILED if has_others else NAN
        return slowdown(self.auto.median_ms, fastest([self.auto, *others]).median_ms) if others else NAN

    @property
    def lead(self):
        """The time of the fastest of other libraries over that of the automatic choice; NaN where none of these has a time."""
        peer = self.fastest_peer
        if not peer:
            return NAN
        return FAILED if self.auto.skipped else 1 / slowdown(self.auto.median_ms, peer.median_ms)

    @property
    def plan_bound_ms(self):
        """What the plan may take; NaN where there is no bound."""
        if self.problem.operation == "spgemm_numeric":
            return self.whole_ms / 2
        is_bounded = self.problem.operation.startswith("spmv") or (self.problem.operation.startswith("spmm") and self.problem.k == 32)
        return max(20 * self.auto.median_ms, 0.3) if is_bounded else NAN

    @property
    def is_plan_long(self):
        return not self.auto.skipped and self.auto.plan_ms > self.plan_bound_ms

    @property
    def plan_calls(self):
        return NAN if self.auto.skipped or not self.auto.plan_ms else self.auto.plan_ms / self.auto.median_ms


@dataclass
class Measured:
    cases: list = field(default_factory=list)
    finished: int = 0  # matrices
    about: list = field(default_factory=list)
    notes: list = field(default_factory=list)  # what is left out, and why numbers may mislead


def read_rows(paths):
    """The last row of each case, of matrices of the zoo; the names of matrices that are finished; how many rows are of others."""
    rows, finished, others = {}, set(), 0
    for path in (file for path in paths for file in files_of(path)):
        for where, data in objects_of(path):
            if data.get("operation") == "regret":
                finished.add(data.get("matrix"))
            elif data.get("operation") in OPERATIONS:
                row = row_of(data, where)
                check_case(row, where)
                others += not row.part
                if row.part in PARTS:
                    rows[case_of(row)] = row
    return list(rows.values()), finished, others


def case_from(problem, rows):
    auto = next((row for row in rows if row.is_automatic), None)
    others = [row for row in rows if row is not auto and not row.implementation.startswith(NOT_COMPARED)]
    own = [row for row in others if row.library_prefix == OURS]
    return Case(problem, auto, own, [row for row in others if row.library_prefix != OURS])


def cases_of(rows):
    """Those with a row of the automatic choice, in the order of operations and widths, and how many have none."""
    same = [row for row in rows if row.layout == row.layout_c]  # C in another layout than B is another problem
    cases = [case_from(problem, of) for (problem, _), of in grouped(same, lambda row: (problem_of(row), row.matrix)).items()]
    kept = [case for case in cases if case.auto]
    kept.sort(key=lambda case: (OPERATIONS.index(case.problem.operation), case.problem))
    whole = {(case.auto.matrix, case.problem.value_type): case.auto.median_ms for case in kept if case.problem.operation == "spgemm"}
    for of in grouped(kept, lambda case: case.problem).values():
        for case in of:
            case.has_own, case.has_peers = any(other.own for other in of), any(other.peers for other in of)
    for case in kept:
        case.whole_ms = whole.get((case.auto.matrix, case.problem.value_type), NAN)
    return kept, len(cases) - len(kept)


def counted_texts(texts):
    return "; ".join(f"{text} ({count})" for text, count in sorted(Counter(texts).items()))


def notes_of(rows, others, without_auto):
    commits = sorted({row.commit for row in rows})
    notes = [f"rows are of {len(commits)} builds: {', '.join(commits)}"] if len(commits) > 1 else []
    notes += ["rows are of a tree with uncommitted changes (+)"] if any(commit.endswith("+") for commit in commits) else []
    noisy = sum(bool(row.noise) for row in rows)
    notes += [f"{noisy} of {len(rows)} rows are noisy, and count all the same"] if noisy else []
    wrong = [row.implementation for row in rows if row.skipped.startswith("wrong result")]
    notes += [f"wrong results: {counted_texts(wrong)}"] if wrong else []
    notes += [f"{without_auto} cases without a row of heddle::auto are left out"] if without_auto else []
    notes += [f"{others} rows of matrices that are not of the zoo are left out"] if others else []
    return notes


def read_measured(paths):
    rows, finished, others = read_rows(paths)
    cases, without_auto = cases_of(rows)
    if not cases:
        raise Unusable("no row of heddle::auto on a matrix of the zoo: heddle-perf regret --json writes them", 3)
    measured = Measured(cases, len(finished), notes=notes_of(rows, others, without_auto))
    counts = {part: len({case.auto.matrix for case in cases if case.auto.part == part}) for part in PARTS}
    measured.about.append(f"{sum(counts.values())} matrices: {counts['tuning']} for tuning, {counts['validation']} for validation; "
                          f"all cases of {measured.finished} have run")
    for name, values in (("device", {row.device for row in rows}), ("build", {row.commit for row in rows}),
                         ("beside", {row.library for row in rows})):
        if text := ", ".join(sorted(filter(None, values))):
            measured.about.append(f"{name}: {text}")
    return measured


def within(numbers, share=0.99):
    """The least of them that so many are not above; NaN of none."""
    numbers = sorted(numbers)
    return numbers[math.ceil(share * len(numbers) - 1e-9) - 1] if numbers else NAN


def finite(numbers):
    return [number for number in numbers if math.isfinite(number)]
