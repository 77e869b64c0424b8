#!/usr/bin/env python3
# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Statement coverage of core, formats and algorithms, from what gcov left in a build folder, against the list of exceptions.

A line counts that gcov has code of in any object, and so does the first line of a statement of which no object has code: a
template that no test instantiates, or a branch of "if constexpr" that no test takes. A line is covered if any test of any
instantiation has run it, or a later line of brackets that it opens: of a call with a lambda gcov (12) counts the lambda's lines alone.
Lines of brackets alone, which end a scope, do not count, nor does "for (;;)". unit_tests/uncovered.txt says why the others are not:

  core/heddle/file.hpp
    # a reason, for the lines below it
    the text of a line, without blanks around it

What is neither covered nor in the list is an error, and so is a line of the list that is covered or gone; --write adds
and removes lines and keeps the reasons, new lines get the reason "?", which is an error too.

usage: coverage.py BUILD_FOLDER [--write] [--least PERCENT]
"""

import argparse
import json
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("core", "formats", "algorithms")
LIST = ROOT / "unit_tests" / "uncovered.txt"
HEAD = """# Lines of core, formats and algorithms that no test on a host runs, with the reason: scripts/coverage.sh compares this list with
# what it finds, scripts/coverage.py says how it is written.
"""
STATEMENT = re.compile(r"(return\b|throw\b|(else )?if \(|for \(|while \(|switch \()")


class Entry(NamedTuple):
    file: str
    text: str


def statements_of(text):
    """[(first line, last line)] of statements, by their first word. Comments, strings and preprocessor lines have none, nor has what is
    compiled for devices alone (#if with CUDA or page-locked memory in its condition)."""
    found, in_comment, in_raw, continued, conditions = [], False, False, False, []
    lines = text.splitlines()
    for number, line in enumerate(lines, 1):
        stripped = line.strip()
        if in_raw:
            in_raw = ')"' not in stripped
            continue
        if in_comment:
            in_comment = "*/" not in stripped
            continue
        if stripped.startswith("/*"):
            in_comment = "*/" not in stripped
            continue
        is_directive = continued or stripped.startswith("#")
        if is_directive and not continued:
            word = stripped[1:].split()[0] if stripped[1:].split() else ""
            if word.startswith("if"):
                conditions.append(bool(re.search(r"(?<!!)defined\((KOKKOS_ENABLE_CUDA|HEDDLE_HAVE_CUDA_NATIVE|KOKKOS_HAS_SHARED_HOST_PINNED)", stripped)))
            elif word in ("else", "elif") and conditions:
                conditions[-1] = False
            elif word == "endif" and conditions:
                conditions.pop()
        continued = is_directive and stripped.endswith("\\")
        if is_directive or any(conditions):
            continue
        if 'R"(' in stripped and ')"' not in stripped:
            in_raw = True
        if STATEMENT.match(stripped):
            found.append((number, last_line_of(lines, number)))
    return found


def last_line_of(lines, first, most=12):
    """Where the brackets that a statement opens are closed again, in so many lines; gcov may count any line until there."""
    depth = 0
    for number in range(first, min(first + most, len(lines)) + 1):
        line = lines[number - 1].partition("//")[0].rstrip()
        depth += sum(line.count(c) for c in "({") - sum(line.count(c) for c in ")}")
        if depth <= 0 and line.endswith((";", ")", "}")):
            return number
    return first


def lines_of_gcov(report, root):
    """{file: {line: runs}} of one report of gcov in JSON; a line of several instantiations has the sum."""
    found = defaultdict(lambda: defaultdict(int))
    for file in report["files"]:
        path = Path(file["file"])
        path = path.relative_to(root) if path.is_absolute() and path.is_relative_to(root) else path
        if path.parts[0] in FOLDERS:
            for line in file["lines"]:
                found[str(path)][line["line_number"]] += line["count"]
    return found


def gcov_reports(build, root):
    """What gcov tells of every object of the build: those of programs that have run, and those that have not."""
    command = ["gcov", "--json-format", "--stdout", "--relative-only", "--source-prefix", str(root)]
    for notes in sorted(build.rglob("*.gcno")):
        # Data of an object that was compiled again since its program ran do not count; gcov says so with an exit code.
        out = subprocess.run([*command, str(notes)], capture_output=True, text=True, check=False).stdout
        if not out:
            raise SystemExit(f"coverage: gcov cannot read {notes}")
        for line in out.splitlines():
            yield json.loads(line)


def sources(root):
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*.[hc]pp")):
            yield str(path.relative_to(root))


class Coverage(NamedTuple):
    total: dict  # {file: number of lines}
    uncovered: dict  # {file: [numbers of lines]}

    def percent(self, folder=""):
        total = sum(count for file, count in self.total.items() if file.startswith(folder))
        return 100 * (1 - sum(len(lines) for file, lines in self.uncovered.items() if file.startswith(folder)) / max(total, 1))


def is_code(line):
    return not re.fullmatch(r"[\s{}();,]*|\s*for \(;;\)", line.partition("//")[0])


def opens_what_has_run(text, runs, number):
    """Whether a line between brackets that this one opens has run."""
    return any(runs.get(later, 0) > 0 for later in range(number + 1, last_line_of(text, number, most=200) + 1))


def coverage_of(runs, texts):
    """runs: {file: {line: runs}}; texts: {file: text}."""
    total, uncovered = {}, {}
    for file, text in texts.items():
        code = text.splitlines()
        lines = {number: count for number, count in runs.get(file, {}).items() if is_code(code[number - 1])}
        for first, last in statements_of(text):
            if is_code(code[first - 1]) and not any(number in lines for number in range(first, last + 1)):
                lines[first] = 0
        if lines:
            total[file] = len(lines)
            uncovered[file] = sorted(number for number, count in lines.items() if count == 0 and not opens_what_has_run(code, lines, number))
    return Coverage(total, uncovered)


def entries_of(coverage, texts):
    """Lines that are not covered, as the list has them: in their order, equal ones once."""
    found = {}
    for file, numbers in coverage.uncovered.items():
        lines = texts[file].splitlines()
        for number in numbers:
            found[Entry(file, lines[number - 1].strip())] = None
    return list(found)


def read_list(text):
    """{Entry: reason}"""
    reasons, file, reason = {}, "", "?"
    for line in text.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        if not line.startswith(" "):
            file, reason = line.strip(), "?"
        elif line.startswith("  # "):
            reason = line[4:].strip()
        else:
            reasons[Entry(file, line.strip())] = reason
    return reasons


def write_list(entries, reasons):
    text, file, reason = HEAD, "", ""
    for entry in entries:
        if entry.file != file:
            text += f"\n{entry.file}\n"
            file, reason = entry.file, ""
        if reasons.get(entry, "?") != reason:
            reason = reasons.get(entry, "?")
            text += f"  # {reason}\n"
        text += f"  {entry.text}\n"
    return text


def complaints(entries, reasons):
    for entry in entries:
        if reasons.get(entry, "?") == "?":
            yield f"{entry.file}: no test runs '{entry.text}', and no reason is given"
    for entry in reasons:
        if entry not in set(entries):
            yield f"{entry.file}: '{entry.text}' is covered or gone: take it off the list"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=Path)
    parser.add_argument("--write", action="store_true", help="make unit_tests/uncovered.txt agree")
    parser.add_argument("--least", type=float, default=98, help="percent of lines that must be covered")
    options = parser.parse_args()
    runs = defaultdict(lambda: defaultdict(int))
    for report in gcov_reports(options.build, ROOT):
        for file, lines in lines_of_gcov(report, ROOT).items():
            for number, count in lines.items():
                runs[file][number] += count
    texts = {file: (ROOT / file).read_text(encoding="ascii") for file in sources(ROOT)}
    coverage = coverage_of(runs, texts)
    entries = entries_of(coverage, texts)
    reasons = read_list(LIST.read_text(encoding="ascii")) if LIST.exists() else {}
    if options.write:
        LIST.write_text(write_list(entries, reasons), encoding="ascii")
        reasons = read_list(LIST.read_text(encoding="ascii"))
    failures = list(complaints(entries, reasons))
    for folder in FOLDERS:
        count = sum(lines for file, lines in coverage.total.items() if file.startswith(folder))
        print(f"coverage of {folder}: {coverage.percent(folder):.2f} % of {count} lines")
    print(f"coverage: {coverage.percent():.2f} % of {sum(coverage.total.values())} lines, "
          f"{sum(map(len, coverage.uncovered.values()))} not covered, {len(reasons)} entries in {LIST.relative_to(ROOT)}")
    if coverage.percent() < options.least:
        failures.append(f"less than {options.least:g} % of the lines are covered")
    for failure in failures:
        print(f"coverage: {failure}", file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
