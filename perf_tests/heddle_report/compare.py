# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Two sets of results, case by case: docs/heddle_perf.md, "Comparing"."""

import sys
from dataclasses import dataclass, field
from typing import NamedTuple

from heddle_report.options import Names, number
from heddle_report.rows import Row, grouped
from heddle_report.statistics import summary_of, text_table
from heddle_report.timings import Problem, family_of, is_like_any, ms_text, problem_of, ratio_text, read_timings

ABOUT = "fails (6) where cases got slower between two sets of results"
SLOWER = 6
LONGEST_LIST = 20  # of what nobody has to look at one by one


class Case(NamedTuple):
    """What a row is about: rows of two runs with the same case are compared."""

    problem: Problem
    matrix: str
    implementation: str
    index_types: str = ""
    format: str = ""
    parameters: str = ""

    def __str__(self):
        of_format = f"{self.format} {self.parameters}".strip() + ", " if self.format else ""
        return f"{self.problem}: {self.matrix}, {of_format}{self.implementation}"


class Change(NamedTuple):
    case: Case
    old: Row
    new: Row

    @property
    def ratio(self):
        return self.new.median_ms / self.old.median_ms


@dataclass
class Comparison:
    both: list = field(default_factory=list)
    slower: list = field(default_factory=list)  # the largest change first
    faster: list = field(default_factory=list)
    skipped: list = field(default_factory=list)  # had a time: texts, with the reason
    missing: list = field(default_factory=list)
    added: int = 0  # cases with a time after and none before
    repeated: int = 0  # rows of cases that are there more than once

    def is_worse(self, allows_missing=False):
        return bool(self.slower or self.skipped or (self.missing and not allows_missing))


def case_of(row):
    return Case(problem_of(row), row.matrix, row.implementation, row.index_types, row.format, row.parameters)


def fastest_of_each(rows):
    """case -> its fastest row, a skipped one where it has no other, in the order of cases"""
    cases = grouped(rows, case_of)
    return {case: min(cases[case], key=lambda row: (bool(row.skipped), row.median_ms)) for case in sorted(cases)}


def compared(old_rows, new_rows, threshold=1.1, least_ms=0.005):
    """A change by noise alone is one of few percent, or of few microseconds."""
    old, new = fastest_of_each(old_rows), fastest_of_each(new_rows)
    result = Comparison(repeated=len(old_rows) + len(new_rows) - len(old) - len(new))
    for case, before in old.items():
        after = new.get(case)
        if before.skipped:
            continue
        if after is None:
            result.missing.append(str(case))
        elif after.skipped:
            result.skipped.append(f"{case}: {after.skipped}")
        else:
            result.both.append(Change(case, before, after))
    large = [change for change in result.both if abs(change.new.median_ms - change.old.median_ms) >= least_ms]
    result.slower = sorted((c for c in large if c.ratio > threshold), key=lambda c: -c.ratio)
    result.faster = sorted((c for c in large if 1 / c.ratio > threshold), key=lambda c: c.ratio)
    result.added = sum(not row.skipped and (case not in old or bool(old[case].skipped)) for case, row in new.items())
    return result


def groups_of(changes):
    """New over old times of a problem and a family of implementations."""
    groups = grouped(changes, lambda change: (change.case.problem, family_of(change.case.implementation)))
    for (problem, family), of_group in sorted(groups.items()):
        yield problem, family, summary_of(change.ratio for change in of_group)


def print_changes(title, changes, longest):
    if not changes:
        return
    lines = [(f"{title} ({len(changes)})", "old ms", "new ms", "new / old")]
    for change in changes[:longest]:
        case, old, new = change
        lines.append((str(case), ms_text(old.median_ms), ms_text(new.median_ms), ratio_text(change.ratio)))
    print(text_table(lines), end="")
    if len(changes) > longest:
        print(f"  ... and {len(changes) - longest} more")


def print_comparison(result, new_path):
    lines = [("new / old", "implementations", "cases", "geometric mean", "least", "most")]
    for problem, family, ratios in groups_of(result.both):
        means = map(ratio_text, (ratios.geometric, ratios.least, ratios.most))
        lines.append((str(problem), family, str(ratios.count), *means))
    if result.both:
        print(text_table(lines, texts=2), end="")
    print_changes("slower", result.slower, len(result.slower))
    print_changes("faster", result.faster, LONGEST_LIST)
    for title, lost in (("had a time, now skipped", result.skipped), ("had a time, now missing", result.missing)):
        if lost:
            print(f"  {title} ({len(lost)})", *lost, sep="\n    ")
    print(f"  {len(result.both)} cases with times in both, {result.added} only in {new_path}")
    if result.repeated:
        print(f"  {result.repeated} rows of cases that are there more than once: the fastest of each counts")


def add_arguments(parser):
    parser.add_argument("old", metavar="OLD", help="a file that --json wrote, or a folder of them")
    parser.add_argument("new", metavar="NEW", help="the same, later")
    parser.add_argument("--threshold", type=number(1, 1e6), default=1.1, metavar="R",
                        help="new time over old time above which a case is slower [%(default)s]")
    parser.add_argument("--min-ms", type=number(0), default=0.005, metavar="T",
                        help="differences of less than this are noise [%(default)s]")
    parser.add_argument("--implementation", action=Names, default=["*"], metavar="PATTERN,...",
                        help="only these, by name or pattern, such as 'heddle::*'")
    parser.add_argument("--allow-missing", action="store_true", help="NEW may lack cases of OLD")
    parser.epilog = "Example:\n  heddle-perf compare results/old results/new --implementation 'heddle::*'"


def run(asked):
    old, new = ([row for row in read_timings([path]) if is_like_any(row.implementation, asked.implementation)]
                for path in (asked.old, asked.new))
    result = compared(old, new, asked.threshold, asked.min_ms)
    print_comparison(result, asked.new)
    if not result.is_worse(asked.allow_missing):
        return 0
    print("heddle-perf: cases got slower or have no time any more", file=sys.stderr)
    return SLOWER
