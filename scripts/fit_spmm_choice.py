#!/usr/bin/env python3
# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scripts/fit_spmm_choice.py [--check] [RESULTS.jsonl.gz]: fits the model by which plans for SpMM choose who takes which rows
(spmm/row_model.hpp, whose formula is microseconds() below) to measured calls, and writes its coefficients to spmm/row_costs.hpp.
Without RESULTS those of perf_tests/results/h100/zoo/spmm_rows.jsonl.gz; --check writes nothing and fails where the header differs.
RESULTS are, one after the other, what scripts/row_lengths.py says of the matrices and the rows of
heddle-perf spmm --implementation step_ways, or cases of many ways each as the committed file has them (docs/spmm.md)."""

import argparse
import gzip
import json
import math
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
RESULTS = ROOT / "perf_tests/results/h100/zoo/spmm_rows.jsonl.gz"
HEADER = ROOT / "backends/cuda_native/heddle/cuda_native/spmm/row_costs.hpp"
MULTIPROCESSORS = {"NVIDIA H100 80GB HBM3": 132, "NVIDIA H200": 132}

# The members of SpmmRowCosts, and where the fit begins.
START = {"launch_us": 4.5, "turn_us": 0.3, "block_turns": 2.0, "warp_turns": 2.0, "group_turns": 2.0, "narrow": 1.5, "warps": 12.0,
         "us_of_megabyte": 0.35, "segments_us": 3.0}
UNITS = ("block", "warp", "group")
WARP_ROW, LANE_BYTES, LEAST_LANES, LANES, TURN = 4, 16, 4, 32, 4.0


class Matrix:
    """Its rows by lengths, as RowLengths has them: (rows, entries of a row in the mean, least, most), longest first."""

    def __init__(self, row):
        self.rows, self.nnz, self.longest = row["rows"], row["nnz"], row["longest_row"]
        classes, expected = [], 0.0
        for n, count in sorted(row["rows_of_class"], reverse=True):
            least = 1 << (n - 1) if n > 0 else 0
            classes.append((count, 1.5 * least, least, min(2 * least, self.longest)))
            expected += count * 1.5 * least
        scale = self.nnz / expected if expected > 0 else 1.0
        self.classes = [(count, min(max(scale * length, least), max(least, most)), least, most)
                        for count, length, least, most in classes]
        mean = self.nnz / self.rows
        self.alike = [(self.rows, mean, int(mean), self.longest)]


def way_of(name):
    """(kind, segment, tile, rows from so many entries on are a block's) of a measured way through the rows, or None."""
    found = re.fullmatch(r"list_s(\d+)_t(\d+)(?:_b(\d+))?", name)
    if found:
        return "list", int(found[1]), int(found[2]), int(found[3] or 0)
    found = re.fullmatch(r"(block|warp|group1)_t(\d+)", name)
    return (found[1].removesuffix("1"), 0, int(found[2]), 0) if found else None


class Call:
    """What of a call the coefficients do not change: by unit the warps of all rows, their turns, and the turns of the longest."""

    def __init__(self, matrix, way, k, value_bytes, multiprocessors, us):
        kind, segment, tile, block_from = way
        row_bytes = k * value_bytes
        words = -(-row_bytes // LANE_BYTES)
        lanes = min(max(1 << (words - 1).bit_length(), LEAST_LANES), max(LEAST_LANES, tile // LANE_BYTES))
        tiles, groups = -(-row_bytes // (lanes * LANE_BYTES)), LANES // lanes
        self.us, self.is_narrow, self.has_segments = us, lanes == LEAST_LANES, False
        self.warps, self.turns, self.longest = [0.0] * 3, [0.0] * 3, [None] * 3
        for units, length, least, most in matrix.classes if kind == "list" else matrix.alike:
            unit = UNITS.index(kind) if kind != "list" else 0 if block_from and least >= block_from else 1 if least >= WARP_ROW * lanes else 2
            if kind == "list" and segment and least >= segment:
                pieces = math.ceil(length / segment)
                unit, units, length, most, self.has_segments = 0, units * pieces, length / pieces, segment, True
            sharing, warps = (4.0 * groups, 4.0) if unit == 0 else (groups, 1.0) if unit == 1 else (1.0, 1.0 / groups)
            turns = math.ceil(math.ceil(length / sharing) / TURN)
            share = units * warps * tiles / multiprocessors
            self.warps[unit] += share
            self.turns[unit] += share * turns
            self.longest[unit] = max(self.longest[unit] or 0.0, most / (TURN * sharing))
        self.megabytes = 1e-6 * (matrix.rows * row_bytes + matrix.nnz * (value_bytes + 4) * tiles)


def microseconds(costs, call):
    launch, turn, block, warp, group, narrow, warps, megabyte, segments = costs
    beside = (block, warp, group)
    longest = max(beside[n] + call.longest[n] for n in range(3) if call.longest[n] is not None)
    factor = narrow if call.is_narrow else 1.0
    work = sum(call.warps[n] * beside[n] + call.turns[n] * factor for n in range(3)) / warps
    return launch + math.hypot(turn * longest, turn * work, megabyte * call.megabytes) + (segments if call.has_segments else 0.0)


def read(path):
    """The calls of each value type. Of each case all ways count, those near the best most."""
    matrices, cases, calls = {}, {}, {"f32": [], "f64": []}
    with gzip.open(path, "rt") if path.suffix == ".gz" else path.open() as file:
        for line in file:
            row = json.loads(line)
            if "rows_of_class" in row:
                matrices[row["matrix"]] = Matrix(row)
            elif row["operation"] in ("spmm_rows", "spmm"):
                ways = row.get("us") or {row["implementation"].removeprefix("heddle::"): 1e3 * row.get("median_ms", 0.0)}
                cases.setdefault((row["matrix"], row["value_type"], row["k"], row["device"]), {}).update(ways)
    for (name, value_type, k, device), ways in cases.items():
        found = sorted(((way_of(way), us) for way, us in ways.items() if way_of(way) and us > 0), key=lambda one: one[1])
        size = 4 if value_type == "f32" else 8
        for way, us in found[::2]:  # half of them: all say the same, in twice the time
            call = Call(matrices[name], way, k, size, MULTIPROCESSORS[device], us)
            call.weight, call.case = found[0][1] / us, (name, k)
            calls[value_type].append(call)
    return calls


def solved(matrix, right):
    """x of matrix x = right, by elimination."""
    n = len(right)
    rows = [list(row) + [value] for row, value in zip(matrix, right)]
    for i in range(n):
        pivot = max(range(i, n), key=lambda r: abs(rows[r][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for r in range(n):
            if r != i:
                factor = rows[r][i] / rows[i][i]
                rows[r] = [a - factor * b for a, b in zip(rows[r], rows[i])]
    return [rows[i][n] / rows[i][i] for i in range(n)]


def errors(logs, calls):
    costs = [math.exp(x) for x in logs]
    return [math.log(microseconds(costs, call) / call.us) for call in calls]


def fit(calls):
    """The coefficients with the least sum of weighted errors, squared where they are small: Levenberg and Marquardt's steps on their
    logarithms, errors above a tenth counting in proportion."""
    small, damping, step = 0.1, 1e-2, 1e-4
    logs = [math.log(x) for x in START.values()]

    def loss(found):
        return sum(call.weight ** 2 * (e * e if abs(e) < small else small * (2 * abs(e) - small)) for call, e in zip(calls, found))

    now = errors(logs, calls)
    for _ in range(25):
        columns = []
        for i in range(len(logs)):
            moved = errors(logs[:i] + [logs[i] + step] + logs[i + 1:], calls)
            columns.append([(b - a) / step for a, b in zip(now, moved)])
        weights = [call.weight ** 2 * min(1.0, small / max(abs(e), 1e-12)) for call, e in zip(calls, now)]
        normal = [[sum(w * a * b for w, a, b in zip(weights, x, y)) for y in columns] for x in columns]
        slope = [-sum(w * a * e for w, a, e in zip(weights, x, now)) for x in columns]
        before = loss(now)
        while damping < 1e6:
            damped = [[v * (1 + damping) if i == j else v for j, v in enumerate(row)] for i, row in enumerate(normal)]
            trial = [a + b for a, b in zip(logs, solved(damped, slope))]
            found = errors(trial, calls)
            if loss(found) < before:
                break
            damping *= 10
        else:
            break
        logs, now, damping = trial, found, damping / 10
        if before - loss(now) < 1e-5 * before:
            break
    return [float(f"{math.exp(x):.3g}") for x in logs]


def regret(costs, calls):
    """The geometric mean over cases of the time of the way for which the model has the least, over that of the fastest."""
    cases = {}
    for call in calls:
        cases.setdefault(call.case, []).append((microseconds(costs, call), call.us))
    logs = [math.log(min(ways)[1] / min(us for _, us in ways)) for ways in cases.values()]
    return math.exp(sum(logs) / len(logs))


def header(text, coefficients):
    """The header with these coefficients, {type: numbers}, instead of those that it has."""
    for size, key in ((4, "f32"), (8, "f64")):
        numbers = ", ".join(f"{x:g}" for x in coefficients[key])
        text, count = re.subn(rf"(SpmmRowCosts of_{size}_bytes\{{)[^}}]*\}}", rf"\g<1>{numbers}}}", text)
        if count != 1:
            raise ValueError(f"{HEADER.name} has no place for the coefficients of {key}")
    return text


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("results", nargs="?", default=RESULTS, type=pathlib.Path)
    options = parser.parse_args(arguments)
    calls = read(options.results)
    coefficients = {key: fit(some) for key, some in calls.items()}
    for key, some in calls.items():
        found = sorted(abs(e) for e in errors([math.log(x) for x in coefficients[key]], some))
        print(key, dict(zip(START, coefficients[key])), f"{len(some)} calls, error in the median {found[len(found) // 2]:.3f}, "
              f"the way chosen takes {regret(coefficients[key], some):.3f} times the fastest")
    text = HEADER.read_text()
    fitted = header(text, coefficients)
    if options.check:
        return 0 if fitted == text else 1
    HEADER.write_text(fitted)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
