# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What report reads: the results of files, each case once, by sections of a page."""

import argparse
import dataclasses
import math
import re
from collections import Counter
from dataclasses import dataclass, field

from heddle_report.rows import OPERATIONS, STEPS, Row, check_case, files_of, grouped, objects_of, row_of
from heddle_report.statistics import short_number
from heddle_report.timings import left_out, other_kind

SHOWN = (*OPERATIONS, *STEPS, "parts_spmv", "parts_spmm")  # in the order of pages
MOST_ENTRIES = 10**18


@dataclass
class Input:
    files: int = 0
    results: list = field(default_factory=list)
    checks: list = field(default_factory=list)  # self-checks of the machines
    notes: list = field(default_factory=list)  # rows that are left out, cases that came again


def case_of(row):
    return (row.operation, row.matrix, row.value_type, row.k, row.layout, row.layout_c, row.implementation, row.index_types,
            row.format, row.parameters, row.device)


def read_file(path):
    """Its results, its self-checks, and a sentence about other rows, without the folder: pages may go elsewhere."""
    results, checks, others = [], [], Counter()
    for where, data in objects_of(path):
        if data.get("operation") == "self_check":
            checks.append(row_of(data, where))
        elif kind := other_kind(data, SHOWN):
            others[kind] += 1
        else:
            results.append(row_of(data, where))
            check_case(results[-1], where)
    note = left_out(path.name, others, True) if results or others else f"{path.name}: no results in it"
    return results, checks, note


def read_input(paths):
    """A case that comes again replaces the one before, as a rerun does."""
    cases, replaced, read = {}, Counter(), Input()
    for file in (file for path in paths for file in files_of(path)):
        results, checks, note = read_file(file)
        read.files += 1
        read.checks += checks
        read.notes += [note] if note else []
        for row in results:
            before = cases.get(case_of(row))
            if before:
                replaced[before[1], file.name] += 1
            cases[case_of(row)] = row, file.name
    read.results = [row for row, _ in cases.values()]
    read.notes += [f"{counted(count, 'row')} of {old}: replaced by later ones of {new}" for (old, new), count in replaced.items()]
    return read


def counted(count, thing):
    return f"{count} {thing}{'' if count == 1 else 's'}"


@dataclass
class EntryRange:
    """How many entries A may have; both ends belong to it."""

    least: int = 0
    most: int = MOST_ENTRIES

    def __str__(self):
        ends = [f"at least {short_number(self.least)}"] if self.least > 0 else []
        ends += [f"at most {short_number(self.most)}"] if self.most < MOST_ENTRIES else []
        return " and ".join(ends)


def entry_range(text):
    """The type of an option: "1e5:2e8", "1e5:", ":2e8"."""
    number = r"(\d+\.?\d*(?:[eE][+]?\d+)?)?"
    match = re.fullmatch(f"{number}:{number}", text, re.ASCII)
    if match and text != ":":
        found = EntryRange(*(float(end) if end else default for end, default in zip(match.groups(), (0, MOST_ENTRIES))))
        if found.least <= found.most <= MOST_ENTRIES:
            return found
    raise argparse.ArgumentTypeError(f"'{text}' should be LEAST:MOST entries such as 1e5:2e8, of which one may be left out")


def transposition_ms(row):
    """Of C, read once and written once, where it has another layout than B."""
    if row.layout == row.layout_c:
        return 0
    rows_of_c = {"spmm_both": row.rows + row.cols, "spmm_t": row.cols}.get(row.operation, row.rows)
    return 2 * rows_of_c * row.k * row.value_bytes / (row.machine_gbytes_per_s or math.nan) * 1e-6


def charged(row):
    """As an iteration would have it in which C becomes the next B."""
    more = 0 if row.skipped else transposition_ms(row)
    if math.isnan(more):
        return dataclasses.replace(row, skipped="--iterative: no machine_gbytes_per_s to charge a transposition by")
    if not more:
        return row
    slower = 1 + more / row.median_ms
    return dataclasses.replace(row, median_ms=row.median_ms * slower, gflops=row.gflops / slower,
                               gbytes_per_s=row.gbytes_per_s / slower)


def chosen(results, asked):
    """What the filters keep, charged with transpositions if that was asked for, and sentences about it."""
    kept = [row for row in results if (not asked.square or row.rows == row.cols) and asked.nnz.least <= row.nnz <= asked.nnz.most]
    about = ["--square: square matrices only"] if asked.square else []
    about += [f"--nnz: matrices of {asked.nnz} entries only"] if str(asked.nnz) else []
    if len(kept) < len(results):
        about.append(f"the filters left out {len(results) - len(kept)} of {counted(len(results), 'row')}")
    others = counted(sum(row.layout != row.layout_c and not row.skipped for row in kept), "row") + " whose C has another layout than B"
    if asked.iterative:
        kept = [charged(row) for row in kept]
        about.append(f"--iterative: {others} charged with a transposition")
    elif not others.startswith("0 "):
        about.append(f"{others}: not charged with a transposition (--iterative does)")
    return kept, about


@dataclass
class Section:
    """The results of an operation, value type, layout and device, and of one k unless they are of formats."""

    title: str
    rows: list
    anchor: str = ""

    @property
    def first(self) -> Row:
        return self.rows[0]

    @property
    def timed(self):
        return [row for row in self.rows if not row.skipped]


def section_key(row):
    return SHOWN.index(row.operation), row.device, row.value_type, row.layout == "col", row.layout, 0 if row.format else row.k


def sections_of(results):
    has_one_device = len({row.device for row in results}) < 2
    sections = []
    for number, (_, rows) in enumerate(sorted(grouped(results, section_key).items()), 1):
        first = rows[0]
        title = f"{first.operation} {operands_of(first)}"
        title += f", k = {first.k}" if first.k > 1 and not first.format else ""
        sections.append(Section(title + ("" if has_one_device else f" on {first.device}"), rows, f"section-{number}"))
    return sections


def operands_of(row):
    """The value type and, where there is one, the layout of B."""
    return row.value_type + {"": "", "row": ", row-major"}.get(row.layout, ", column-major")
