#!/usr/bin/env python3
# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tables and charts of paper 003 (Kurt et al., data movement of SpGEMM) from what scripts/paper_003.sh measured.

    scripts/paper_003.py --metrics    the metrics to ask ncu for, with commas between
    scripts/paper_003.py OUT_DIR      the tables; charts as OUT_DIR/paper_003_*.svg where Python has matplotlib

OUT_DIR has figures.jsonl, orders.jsonl, times.jsonl and dram/OPERATION.MATRIX.csv; of the last there may be none. What these
counted is also written to counts.jsonl, which stands in for them where they are gone and which heddle-perf analyze --measured
reads. An operation is a multiplication or an addition, a word a value or an index. What is counted is bytes of device memory, read and written, of
all kernels of one call; it is set beside the compulsory bytes, and in words where these are as long as words are on average in
the compulsory ones. "-" stands where something was not measured.
"""

import json
import pathlib
import re
import sys

from paper_004_profile import Unusable, launches_of, total_of
from paper_tables import draw, pyplot_of, ratio, rows_of, table_of

METRICS = ("dram__bytes_read.sum", "dram__bytes_write.sum")
OURS = "heddle::auto"


def counted_bytes(path):
    """Of all launches in a log of ncu."""
    with open(path, encoding="utf-8") as log:
        launches = launches_of(log)
    return int(total_of(launches, dict.fromkeys(METRICS, 1)))


class Results:
    def __init__(self, folder):
        self.figures = {row["matrix"]: row for row in rows_of(folder / "figures.jsonl")}
        self.orders = rows_of(folder / "orders.jsonl")
        self.times = {
            (row["operation"], row["matrix"]): row
            for row in rows_of(folder / "times.jsonl")
            if row.get("implementation") == OURS and "median_ms" in row
        }
        if not self.times:
            raise Unusable("times.jsonl has no times of " + OURS)
        self.counts = {(row["multiply"], row["matrix"]): row["dram_bytes"] for row in rows_of(folder / "counts.jsonl")}
        for path in sorted((folder / "dram").glob("*.csv")):
            operation, matrix = path.stem.split(".", 1)
            try:
                self.counts[operation, matrix] = counted_bytes(path)
            except Unusable as problem:
                print(f"scripts/paper_003.py: {path}: no counts: {problem}", file=sys.stderr)

    def count_rows(self):
        """Of counts.jsonl: what was counted of a case, with what its times say of device and build."""
        known = ("value_type", "k", "layout", "device", "commit")
        for case, counted in sorted(self.counts.items()):
            row = self.times.get(case)
            if row:
                kept = {key: row[key] for key in known if key in row}
                yield {"operation": "counted", "multiply": case[0], "matrix": case[1], **kept, "dram_bytes": counted}

    def gflops(self, operation, matrix):
        row = self.times.get((operation, matrix))
        return row["gflops"] if row else None

    def compulsory(self, operation, matrix):
        row = self.times.get((operation, matrix))
        return row["gbytes_per_s"] * row["median_ms"] * 1e6 if row else None

    def excess(self, operation, matrix):
        """Counted bytes over compulsory ones."""
        return ratio(self.counts.get((operation, matrix)), self.compulsory(operation, matrix))

    def roofline(self, operation, matrix):
        """GFLOPS at most, of the bytes counted or, where nobody counted, the compulsory ones."""
        row = self.times.get((operation, matrix))
        if not row:
            return None
        moved = self.counts.get((operation, matrix), self.compulsory(operation, matrix))
        flops = row["gflops"] * row["median_ms"] * 1e6
        return flops / moved * row["machine_gbytes_per_s"]


def product(a, b):
    return a * b if a is not None and b is not None else None


def table_1(results):
    lines = [("matrix", "nnz(A)", "nnz(C)", "operations", "at most a word")]
    for name, row in results.figures.items():
        flops = row.get("spgemm_flops")
        lines.append((name, row["nnz"], row.get("products_nnz"), 2 * row["products"], ratio(flops, row.get("spgemm_words"))))
    return lines


def operations_a_word(results, operation, name):
    """Of the words counted, and of the compulsory ones."""
    row = results.figures[name]
    bound = ratio(row.get(operation + "_flops"), row.get(operation + "_words"))
    excess = results.excess(operation, name)
    return ratio(bound, excess), bound


def figure_3(results):
    lines = [("matrix", "SpMV, GFLOPS", "SpGEMM", "SpMV, operations a word", "at most", "SpGEMM", "at most")]
    for name in results.figures:
        lines.append(
            (name, results.gflops("spmv", name), results.gflops("spgemm", name))
            + operations_a_word(results, "spmv", name)
            + operations_a_word(results, "spgemm", name)
        )
    return lines


def figure_5(results):
    lines = [("matrix", "SpMV, parts", "upper bound", "counted", "SpGEMM, parts", "upper bound", "counted")]
    for name, row in results.figures.items():
        line = [name]
        for operation in ("spmv", "spgemm"):
            line += [
                row.get(operation + "_parts"),
                ratio(row.get(operation + "_upper_words"), row.get(operation + "_words")),
                results.excess(operation, name),
            ]
        lines.append(tuple(line))
    return lines


def half_band(name):
    """Of a banded matrix of the gallery: (whether it is permuted, half-band), else None."""
    found = re.fullmatch(r"band(\d+)(_perm)?|banded_(perm_)?\d+_(\d+)", name)
    return (bool(found[2] or found[3]), int(found[1] or found[4])) if found else None


def figure_7(results):
    by_band = {}
    for operation, name in results.times:
        band = half_band(name) if operation == "spgemm" else None
        if band and name not in results.figures:
            by_band.setdefault(band[1], {})[band[0]] = name
    lines = [("half-band", "GFLOPS", "roofline", "counted", "permuted: GFLOPS", "roofline", "counted")]
    for width, names in sorted(by_band.items()):
        line = [str(width)]
        for is_permuted in (False, True):
            name = names.get(is_permuted)
            line += [f("spgemm", name) for f in (results.gflops, results.roofline, results.excess)]
        lines.append(tuple(line))
    return lines


OPERATIONS = ("spmv", "spmm", "spgemm")


def figure_6(results):
    lines = [("matrix", "order", "seconds", "heavy, %")]
    lines[0] += tuple(f"{name}, {what}" for name in ("SpMV", "SpMM", "SpGEMM") for what in ("GFLOPS", "GB"))
    for name, row in results.figures.items():
        orders = [("as it is", name, None, row["heavy_share"])]
        orders += [
            (order["implementation"], name + "__" + order["implementation"], order["seconds"], order["heavy_share"])
            for order in results.orders
            if order["matrix"] == name
        ]
        for order, moved, seconds, heavy in orders:
            line = [name, order, seconds, 100 * heavy]
            for operation in OPERATIONS:
                line += [results.gflops(operation, moved), product(1e-9, results.counts.get((operation, moved)))]
            lines.append(tuple(line))
    return lines


TITLES = {
    "table_1": "Table I: operations, and how many a word at most, of C = A A",
    "figure_3": "Fig. 3: GFLOPS, and operations for each word moved, counted and at most",
    "figure_5": "Fig. 5: upper bound over the lower bound in words, and bytes counted over the compulsory ones",
    "figure_6": "Fig. 6: GFLOPS and bytes of device memory before and after reordering",
    "figure_7": "Fig. 7: C = A A of banded matrices: GFLOPS, the roofline of the bytes moved, these over the compulsory ones",
}


def draw_all(folder, tables):
    pyplot = pyplot_of("scripts/paper_003.py")
    if pyplot is None:
        return
    for name, columns in {"figure_3": (1, 2), "figure_5": (2, 3, 5, 6), "figure_6": (4, 6, 8), "figure_7": (1, 2, 4, 5)}.items():
        if len(tables[name]) > 1:
            draw(pyplot, folder / f"paper_003_{name}.svg", TITLES[name], tables[name], columns)


def main(arguments):
    if arguments == ["--metrics"]:
        print(",".join(METRICS))
        return 0
    if len(arguments) != 1 or arguments[0].startswith("-"):
        print(__doc__.strip(), file=sys.stdout if arguments == ["--help"] else sys.stderr)
        return 0 if arguments == ["--help"] else 2
    folder = pathlib.Path(arguments[0])
    try:
        results = Results(folder)
        tables = {name: globals()[name](results) for name in TITLES}
    except (OSError, KeyError, Unusable) as problem:
        print(f"scripts/paper_003.py: {folder}: {problem!r}", file=sys.stderr)
        return 3
    rows = [json.dumps(row, separators=(",", ":")) + "\n" for row in results.count_rows()]
    if rows:
        (folder / "counts.jsonl").write_text("".join(rows), encoding="utf-8")
    row = next(iter(results.times.values()))
    print(f"Paper 003 on {row['device']}, f64, commit {row['commit']}\n")
    print("\n".join(table_of(TITLES[name], lines) for name, lines in tables.items()), end="")
    draw_all(folder, tables)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
