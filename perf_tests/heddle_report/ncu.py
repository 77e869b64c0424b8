# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Logs of Nsight Compute (ncu --csv)."""

import argparse
import csv

from heddle_report.rows import Unusable

TIME = "gpu__time_duration.sum"
COLUMNS = ("ID", "Kernel Name", "Metric Name", "Metric Unit", "Metric Value")
PREFIXES = {"": 1, "n": 1e-9, "u": 1e-6, "m": 1e-3, "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}


class Metrics(argparse.Action):
    """An option that prints the metrics to ask ncu for and ends the program, as --help does."""

    def __init__(self, *names, const, **more):
        super().__init__(*names, nargs=0, const=const, help="print the metrics to ask ncu for, with commas between", **more)

    def __call__(self, parser, *unused):
        print(",".join(self.const))
        parser.exit()


def factor_of(unit):
    """What turns a number of this unit into one of seconds, bytes, bytes per second; 1 where there are no such."""
    first = unit.split("/")[0]
    for base in ("byte", "s", "second", "sec"):
        if first.endswith(base) and first[: -len(base)] in PREFIXES:
            return PREFIXES[first[: -len(base)]]
    return 1


def number_of(text, unit):
    """None where ncu has no number, as of a metric that this GPU does not have."""
    try:
        return float(text.replace(",", "")) * factor_of(unit)
    except ValueError:
        return None


def launches_of(path):
    """(id, kernel) -> rows of the log; what programs and ncu print before and between them is passed over."""
    try:
        with open(path, encoding="utf-8") as log:
            text = list(log)
    except (OSError, UnicodeDecodeError) as problem:
        raise Unusable(f"{path}: cannot be read: {problem}", 3) from problem
    start = next((n for n, line in enumerate(text) if line.startswith('"ID"')), None)
    if start is None:
        said = [line.strip() for line in text if "==ERROR==" in line or "==WARNING==" in line]
        raise Unusable(f"{path}: no table of metrics" + "".join(f"\n  {line}" for line in said), 3)
    reader = csv.DictReader(line for line in text[start:] if line.startswith('"'))
    absent = [name for name in COLUMNS if name not in reader.fieldnames]
    if absent:
        raise Unusable(f"{path}: no column {', '.join(absent)}", 3)
    launches = {}
    for row in reader:
        launches.setdefault((row["ID"], row["Kernel Name"]), []).append(row)
    return launches


def numbers_of(rows):
    """What one launch was measured to have, by metric."""
    return {row["Metric Name"]: number_of(row["Metric Value"], row["Metric Unit"]) for row in rows}


def total_of(path, weights, expected=None):
    """The weighted sum of these metrics over all launches, each of which must have them all; expected: how many launches."""
    launches, total = launches_of(path), 0
    if len(launches) != (expected or len(launches)):
        raise Unusable(f"{path}: {len(launches)} launches of kernels, expected {expected}", 3)
    for rows in launches.values():
        counts = numbers_of(rows)
        absent = [name for name in weights if counts.get(name) is None]
        if absent:
            raise Unusable(f"{path}: no count of {', '.join(absent)}", 3)
        total += sum(weight * counts[name] for name, weight in weights.items())
    return total
