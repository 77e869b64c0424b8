# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A page with charts and tables of results: docs/report.md."""

from collections import Counter
from dataclasses import dataclass, field

from heddle_report.contenders import contenders_of, not_charted, speedups_of
from heddle_report.figures import PAPERS, chart_of
from heddle_report.figures_across import figures_across
from heddle_report.opening import compared_of, opening_figures, worst_of
from heddle_report.page import render
from heddle_report.results import EntryRange, chosen, counted, entry_range, read_input, sections_of
from heddle_report.rows import OPERATIONS, grouped, replace_file, replacing
from heddle_report.section_figures import figures_of
from heddle_report.statistics import short_number
from heddle_report.tables import cases_table, skipped_table, speedup_table, worst_table
from heddle_report.times import times_text

ABOUT = "makes an HTML page with charts of files that --json wrote"
MOST_SECTIONS_NAMED = 3


@dataclass
class Part:
    """A section with what is shown of it."""

    section: object
    figures: list
    speedups: list
    not_charted: list


@dataclass
class Contents:
    results: int = 0
    about: list = field(default_factory=list)  # what was read
    warnings: list = field(default_factory=list)  # why numbers may mislead
    missing: list = field(default_factory=list)
    parts: list = field(default_factory=list)
    across: list = field(default_factory=list)  # figures
    compared: list = field(default_factory=list)  # with libraries, for the opening


def part_of(section):
    contenders = contenders_of(section.timed)
    return Part(section, figures_of(section), speedups_of(contenders), not_charted(section.timed))


def self_checks(checks):
    """Of each machine what it reached at most, and each of its warnings once."""
    for (device, name), of in grouped(checks, lambda row: (row.device or "the machine", row.implementation)).items():
        yield f"self-check of {device}: {name} {short_number(max(row.gbytes_per_s for row in of))} GB/s"


def warnings_of(results, checks):
    found = [f"self-check of {row.device or 'the machine'}: warning: {row.warning}" for row in checks if row.warning]
    noisy = sum(bool(row.noise) for row in results)
    if noisy:
        found.append(f"{counted(noisy, 'row')} noisy, hence without ratios and shares of the roofline; what helps: no other programs, "
                     "OMP_WAIT_POLICY=passive, or fewer threads than free cores (OMP_NUM_THREADS)")
    devices, commits = origins_of(results)
    found += [f"rows are of {len(devices)} devices: {', '.join(devices)}"] if len(devices) > 1 else []
    found += [f"rows are of {len(commits)} commits: {', '.join(commits)}"] if len(commits) > 1 else []
    found += ["some rows are of a tree with uncommitted changes (+)"] if any(commit.endswith("+") for commit in commits) else []
    return list(dict.fromkeys(found))


def origins_of(results):
    """The devices and commits that rows are of, which one page should not mix, or say that it does."""
    return sorted({row.device for row in results}), sorted({row.commit for row in results if row.commit})


def missing_results(results):
    present = {row.operation for row in results}
    absent = [operation for operation in OPERATIONS if operation not in present]
    found = [f"operations without rows: {', '.join(absent)}"] if absent else []
    skipped = Counter(row.operation for row in results if row.skipped)
    if skipped:
        counts = ", ".join(f"{operation}: {count}" for operation, count in sorted(skipped.items()))
        found.append(f"{counted(skipped.total(), 'case')} skipped ({counts}); reasons stand in the sections")
    return found


def missing_figures(parts, across):
    """Each reason once, with the sections."""
    pairs = [(f'chart "{figure.title}": {figure.missing}', part.section.title)
             for part in parts for figure in part.figures if not figure.has_points]
    for reason, of in sorted(grouped(pairs, lambda pair: pair[0]).items()):
        titles = "; ".join(title for _, title in of)
        where = titles if len(of) <= MOST_SECTIONS_NAMED else f"{len(of)} of {counted(len(parts), 'section')}"
        yield f"{reason} (in {where})"
    yield from (f'chart "{figure.title}": {figure.missing}' for figure in across if not figure.has_points)


def contents_of(read, asked):
    results, about = chosen(read.results, asked)
    devices, commits = origins_of(results)
    contents = Contents(len(results), [f"{counted(len(read.results), 'result')} of {counted(read.files, 'file')}", *about])
    contents.about += [f"measured on {', '.join(devices)}"] if devices else []
    contents.about += [f"built from {', '.join(commits)}"] if commits else []
    contents.about += self_checks(read.checks)
    contents.warnings = warnings_of(results, read.checks)
    sections = sections_of(results)
    contents.parts = [part_of(section) for section in sections]
    contents.across = figures_across(sections)
    contents.missing = [*read.notes, *missing_results(results), *missing_figures(contents.parts, contents.across)]
    contents.compared = compared_of(sections)
    return contents


def charts_of(figures):
    return [chart_of(figure) for figure in figures if figure.has_points]


def page_of(contents):
    parts = [{"section": part.section, "charts": charts_of(part.figures), "speedups": speedup_table([(part.section, part.speedups)]),
              "not_charted": part.not_charted, "cases": cases_table(part.section), "skipped": skipped_table(part.section)}
             for part in contents.parts]
    return render("report.html", title="heddle-perf", contents=contents, opening=charts_of(opening_figures(contents.compared)),
                  worst=worst_table(worst_of(contents.compared)), papers=PAPERS.values(), parts=parts, across=charts_of(contents.across),
                  speedups=speedup_table([(part.section, part.speedups) for part in contents.parts]))


def add_arguments(parser):
    parser.add_argument("paths", metavar="DIR_OR_FILE", nargs="+",
                        help="files that --json wrote, packed by gzip or not; of a folder all its *.jsonl and *.jsonl.gz")
    parser.add_argument("-o", "--out", required=True, metavar="PAGE", help="the page to write")
    parser.add_argument("--times", metavar="FILE", help="also writes seconds a call by matrix and kernel to this file, as text")
    parser.add_argument("--square", action="store_true", help="only matrices that are square")
    parser.add_argument("--nnz", type=entry_range, default=EntryRange(), metavar="LEAST:MOST",
                        help="only matrices of so many entries; one end may be left out")
    parser.add_argument("--iterative", action="store_true",
                        help="adds the time of a transposition where C has another layout than B, as an iteration would need it")
    parser.epilog = "Example:\n  heddle-perf report results/h200 -o report.html --square --nnz 1e5:2e8"


def run(asked):
    contents = contents_of(read_input(asked.paths), asked)
    with replacing(asked.out) as page:  # charts take long to draw
        page.write(page_of(contents))
    if asked.times:
        replace_file(asked.times, times_text(part.section for part in contents.parts))
    print(f"{asked.out}: {counted(contents.results, 'result')}, {counted(len(contents.parts), 'section')}")
    missing = contents.warnings + contents.missing
    for line in contents.about:
        print(f"  {line}")
    print("missing:" if missing else "missing: nothing")
    for line in missing:
        print(f"  {line}")
