# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tables and charts of paper 003 (Kurt et al., data movement of SpGEMM) from what scripts/paper_003.sh measured.

OUT_DIR has figures.jsonl, orders.jsonl, times.jsonl and dram/OPERATION.MATRIX.csv; of the last there may be none. What these
counted is also written to counts.jsonl, which stands in for them where they are gone and which heddle-perf analyze --measured
reads. An operation is a multiplication or an addition, a word a value or an index. What is counted is bytes of device memory,
read and written, of all kernels of one call; it is set beside the compulsory bytes, and in words where these are as long as
words are on average in the compulsory ones. "-" stands where something was not measured. Charts are OUT_DIR/paper_003_*.svg
where Python has matplotlib.
"""

import json
import pathlib
import re

from heddle_report.ncu import Metrics, total_of
from heddle_report.paper import bar_chart, objects_in, ratio, save_charts, titled, warn
from heddle_report.rows import Row, Unusable, replace_file, rows_of

ABOUT = __doc__
METRICS = ("dram__bytes_read.sum", "dram__bytes_write.sum")
OPERATIONS = ("spmv", "spmm", "spgemm")


class Results:
    """A case is an operation and a matrix."""

    def __init__(self, folder):
        self.figures = {data["matrix"]: data for data in objects_in(folder / "figures.jsonl")}
        self.orders = objects_in(folder / "orders.jsonl")
        self.times = {(row.operation, row.matrix): row for row in rows_of(folder / "times.jsonl")
                      if row.is_automatic and not row.skipped}
        if not self.times:
            raise Unusable(f"{folder}: times.jsonl has no times of heddle::auto", 3)
        self.counts = {(data["multiply"], data["matrix"]): data["dram_bytes"] for data in objects_in(folder / "counts.jsonl")}
        for path in sorted((folder / "dram").glob("*.csv")):
            try:
                self.counts[tuple(path.stem.split(".", 1))] = int(total_of(path, dict.fromkeys(METRICS, 1)))
            except Unusable as problem:
                warn(f"no counts: {problem}")

    def count_rows(self):
        """Of counts.jsonl: what was counted of a case, with what its times say of device and build."""
        for case, counted in sorted(self.counts.items()):
            if row := self.times.get(case):
                kept = {key: getattr(row, key) for key in ("value_type", "k", "layout", "device", "commit") if getattr(row, key)}
                yield {"operation": "counted", "multiply": case[0], "matrix": case[1], **kept, "dram_bytes": counted}

    def gflops(self, *case):
        return self.times.get(case, Row()).gflops

    def compulsory(self, *case):
        row = self.times.get(case, Row())
        return row.gbytes_per_s * row.median_ms * 1e6

    def excess(self, *case):
        """Counted bytes over compulsory ones."""
        return ratio(self.counts.get(case), self.compulsory(*case))

    def roofline(self, *case):
        """GFLOPS at most, of the bytes counted or, where nobody counted, the compulsory ones."""
        row = self.times.get(case, Row())
        return row.gflops * row.median_ms * 1e6 / self.counts.get(case, self.compulsory(*case)) * row.machine_gbytes_per_s


def table_1(results):
    yield "matrix", "nnz(A)", "nnz(C)", "operations", "at most a word"
    for name, row in results.figures.items():
        bound = ratio(row.get("spgemm_flops"), row.get("spgemm_words"))
        yield name, row["nnz"], row.get("products_nnz"), 2 * row["products"], bound


def figure_3(results):
    yield "matrix", "SpMV, GFLOPS", "SpGEMM", "SpMV, operations a word", "at most", "SpGEMM", "at most"
    for name, row in results.figures.items():
        line = [name, results.gflops("spmv", name), results.gflops("spgemm", name)]
        for operation in ("spmv", "spgemm"):
            bound = ratio(row.get(operation + "_flops"), row.get(operation + "_words"))
            line += [ratio(bound, results.excess(operation, name)), bound]
        yield line


def figure_5(results):
    yield ("matrix", "SpMV, parts", "upper bound", "in order", "counted", "SpGEMM, parts", "upper bound", "in order", "counted",
           "SpMM, counted")
    for name, row in results.figures.items():
        line = [name]
        for operation in ("spmv", "spgemm"):
            bounds = [ratio(row.get(f"{operation}_{bound}_words"), row.get(operation + "_words")) for bound in ("upper", "as_it_is")]
            line += [row.get(operation + "_parts"), *bounds, results.excess(operation, name)]
        yield *line, results.excess("spmm", name)


def figure_6(results):
    yield ("matrix", "order", "seconds", "heavy, %",
           *(f"{name}, {what}" for name in ("SpMV", "SpMM", "SpGEMM") for what in ("GFLOPS", "GB")))
    for name, row in results.figures.items():
        orders = [("as it is", name, None, row["heavy_share"])]
        orders += [(order["implementation"], f"{name}__{order['implementation']}", order["seconds"], order["heavy_share"])
                   for order in results.orders if order["matrix"] == name]
        for order, moved, seconds, heavy in orders:
            cases = [(operation, moved) for operation in OPERATIONS]
            yield (name, order, seconds, 100 * heavy,
                   *(cell for case in cases for cell in (results.gflops(*case), ratio(results.counts.get(case), 1e9))))


def half_band(name):
    """Of a banded matrix of the gallery: (whether it is permuted, half-band), else None."""
    found = re.fullmatch(r"band(\d+)(_perm)?|banded_(perm_)?\d+_(\d+)", name)
    return (bool(found[2] or found[3]), int(found[1] or found[4])) if found else None


def figure_7(results):
    yield "half-band", "GFLOPS", "roofline", "counted", "permuted: GFLOPS", "roofline", "counted"
    bands = {half_band(name): name for operation, name in results.times if operation == "spgemm" and name not in results.figures}
    for width in sorted({band[1] for band in bands if band}):
        cases = [("spgemm", bands.get((is_permuted, width))) for is_permuted in (False, True)]
        yield str(width), *(of(*case) for case in cases for of in (results.gflops, results.roofline, results.excess))


# Title, and which columns are drawn.
TABLES = {
    table_1: ("Table I: operations, and how many a word at most, of C = A A", ()),
    figure_3: ("Fig. 3: GFLOPS, and operations for each word moved, counted and at most", (1, 2)),
    figure_5: ("Fig. 5: upper bounds over the lower bound in words, by parts and of rows in their order, and bytes counted over the"
               " compulsory ones", (2, 4, 6, 8)),
    figure_6: ("Fig. 6: GFLOPS and bytes of device memory before and after reordering", (4, 6, 8)),
    figure_7: ("Fig. 7: C = A A of banded matrices: GFLOPS, the roofline of the bytes moved, these over the compulsory ones",
               (1, 2, 4, 5)),
}


def add_arguments(parser):
    parser.add_argument("--metrics", action=Metrics, const=METRICS)
    parser.add_argument("folder", metavar="OUT_DIR", type=pathlib.Path)


def run(asked):
    results, charts, texts = Results(asked.folder), {}, []
    for table, (title, columns) in TABLES.items():
        lines = [tuple(line) for line in table(results)]
        texts.append(titled(title, lines))
        if columns and len(lines) > 1:
            charts[asked.folder / f"paper_003_{table.__name__}.svg"] = bar_chart(title, lines, columns)
    if rows := [json.dumps(row, separators=(",", ":")) + "\n" for row in results.count_rows()]:
        replace_file(asked.folder / "counts.jsonl", "".join(rows))
    first = next(iter(results.times.values()))
    print(f"Paper 003 on {first.device}, f64, commit {first.commit}\n", *texts, sep="\n", end="")
    save_charts(charts)
