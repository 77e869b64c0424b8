#!/usr/bin/env python3
# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that every row of docs/papers.md says what became of a paper's figure, table or claim.

Rows are those of tables whose second column is "the paper's value"; their fourth column is a verdict and their fifth ours:

  confirmed, confirmed in part, measured    ours has a number and a file of results
  not confirmed                             the same, and the cause ("because" or "cause")
  not measured                              what it needs ("needs")
  not testable here, cannot be had          why ("because")
  described                                 a page, a test or an implementation, which is there

A file of results is `results/FILE`, of perf_tests; what has rows with commits is followed by (COMMIT, ...), those that it has rows of. A row that
says nothing else than that it will be measured is refused, and so are the words of REFUSED.

usage: check_papers.py [PAGE.md]
"""

import functools
import gzip
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
REFUSED = ("comes with", "not yet measured", "not measured yet", "no longer builds", "**suite**")
WITH_NUMBER = ("confirmed", "confirmed in part", "not confirmed", "measured")
VERDICTS = (*WITH_NUMBER, "not measured", "not testable here", "cannot be had", "described")
WORD_OF = {"not confirmed": r"\b(because|cause)\b", "not measured": r"\bneeds\b", "not testable here": r"\bbecause\b",
           "cannot be had": r"\bbecause\b"}
CITED = re.compile(r"`(results/[^`]+)`(?: \(([0-9a-f]{12}\+?(?:, [0-9a-f]{12}\+?)*)\))?")
HEAD = "the paper's value"


class Row(NamedTuple):
    line: int
    paper: str
    what: str
    value: str
    command: str
    verdict: str
    ours: str


def cells_of(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def rows_of(text):
    """The rows of the page's tables of figures; one with another number of cells has "?" for its verdict."""
    paper, is_inside = "", False
    for number, line in enumerate(text.splitlines(), 1):
        if heading := re.match(r"## (\d{3})\b", line):
            paper = heading[1]
        if not line.startswith("|"):
            is_inside = False
            continue
        cells = cells_of(line)
        if len(cells) > 1 and cells[1] == HEAD:
            is_inside = True
        elif is_inside and not set(line) <= set("|-: "):
            yield Row(number, paper, *(cells if len(cells) == 5 else [cells[0], "", "", "?", line]))


def section_of(text, title):
    """What stands below a heading of second order, up to the next one."""
    return re.split(r"^## ", text.partition(f"## {title}\n")[2], maxsplit=1, flags=re.MULTILINE)[0]


@functools.cache
def text_of(path):
    """Of a file, or of all of a folder."""
    if path.is_dir():
        return "".join(text_of(file) for file in sorted(path.rglob("*.json*")))
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8", errors="replace") as file:
        return file.read()


def has_commit_of(text, commit):
    """Whether rows are of a commit, or a text says so."""
    return re.search(rf'"commit": ?"{re.escape(commit)}"|\b{re.escape(commit)}(?![\w+])', text) is not None


def citations(text):
    """(file, commit) of each file that a text cites, one for each of its commits; an empty one where it names none."""
    return [(file, commit) for file, commits in CITED.findall(text) for commit in commits.split(", ")]


def wrong_citations(ours, results):
    """Complaints about cited files, and whether one with a number behind it is there."""
    cited = citations(ours)
    if not cited:
        yield "names no file of results"
    with_commit = {file for file, commit in cited if commit}
    for file, commit in cited:
        path = results / file.removeprefix("results/")
        if not path.exists():
            yield f"{file} is not there"
        elif commit and not has_commit_of(text_of(path), commit):
            yield f"{file} has nothing of {commit}"
        elif not commit and file not in with_commit and re.search(r'"commit": ?"', text_of(path)):
            yield f"{file} has rows with commits, and the row names none"


@functools.cache
def known_names(root):
    """Texts in which tests and implementations are looked for."""
    listed = subprocess.run(["git", "-C", str(root), "ls-files", "unit_tests", "backends", "algorithms", "core", "scripts", "perf_tests"],
                            capture_output=True, text=True, check=False).stdout.split("\n")
    wanted = [root / name for name in listed if re.search(r"\.(cpp|hpp|cuh|sh|py)$", name)]
    return "".join(path.read_text(encoding="utf-8", errors="replace") for path in wanted if path.is_file())


def is_there(ours, page, root):
    """Whether a link leads to a page, or a code span is the name of a test, of an implementation or of a file."""
    links = [target.partition("#")[0] for target in re.findall(r"\]\(([^)]+)\)", ours)]
    if links:
        return all(not target or (page.parent / target).is_file() for target in links)
    spans = re.findall(r"`([^`]+)`", ours)
    return any((root / span).exists() or span.removeprefix("scripts/").split()[0] in known_names(root) for span in spans if span.split())


def wrong_with(row, page, root):
    if row.verdict not in VERDICTS:
        yield "has not five cells" if row.verdict == "?" else f"'{row.verdict}' is no verdict; there are {', '.join(VERDICTS)}"
        return
    if not row.command:
        yield "has no command, not even none"
    if re.match(r"suite\b", row.ours):
        yield "says suite in place of a number"
    if row.verdict in WITH_NUMBER:
        yield from wrong_citations(row.ours, root / "perf_tests" / "results")
        if not re.search(r"\d", re.sub(r"`[^`]*`|\([0-9a-f]{12}\+?\)|\]\([^)]*\)|\b(Figs?|Tables?|Secs?)\. ?\d+|\b00\d\b", "", row.ours)):
            yield "has no number"
    if row.verdict in WORD_OF and not re.search(WORD_OF[row.verdict], row.ours):
        yield f"is {row.verdict} without a reason ({WORD_OF[row.verdict]})"
    if row.verdict == "described" and not is_there(row.ours, page, root):
        yield "names no page, test or implementation that is there"


def complaints(page, text, root=ROOT):
    found = [f"{page.name}:{text.count(chr(10), 0, place.start()) + 1}: the words '{word}' are refused"
             for word in REFUSED for place in re.finditer(re.escape(word), text, re.IGNORECASE)]
    rows = list(rows_of(text))
    if not rows:
        found.append(f"{page.name}: no row of a table with a column '{HEAD}'")
    for row in rows:
        found += [f"{page.name}:{row.line}: {row.what[:70]}: {what}" for what in wrong_with(row, page, root)]
    return found


def main(arguments):
    if arguments == ["--help"]:
        print(__doc__)
        return 0
    page = Path(arguments[0]) if arguments else ROOT / "docs" / "papers.md"
    text = page.read_text(encoding="utf-8")
    found = complaints(page, text)
    print("\n".join(found), end="\n" if found else "")
    if not found:
        rows = list(rows_of(text))
        counts = {verdict: sum(row.verdict == verdict for row in rows) for verdict in VERDICTS}
        print(f"{page.name}: {len(rows)} rows: " + ", ".join(f"{count} {verdict}" for verdict, count in counts.items() if count))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
