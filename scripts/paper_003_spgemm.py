#!/usr/bin/env python3
# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Section VII of paper 003 (Kurt et al.): Figs. 8 to 10 and Table II from what scripts/paper_003_spgemm.sh measured.

    scripts/paper_003_spgemm.py --large N MOST FILE...    at most MOST of the matrices that have N rows and columns or more
    scripts/paper_003_spgemm.py OUT_DIR                   the tables; charts as OUT_DIR/paper_003_spgemm_*.svg

OUT_DIR has figure_8.jsonl, figures_9_10.jsonl, table_2.jsonl and, of a program for hosts, host.jsonl; what is not there is left
out. The roofline is that of the compulsory bytes. KKMEM is the fastest of Kokkos Kernels' methods, and speedups are of whole
multiplies. "-" stands where something was not measured. --large has the paper's matrices first, then the others as they come.
"""

import gzip
import itertools
import pathlib
import re
import statistics
import struct
import sys

from paper_003 import half_band
from paper_004_profile import Unusable
from paper_tables import draw, pyplot_of, rows_of, table_of
from spgemm_times import Times, geometric_mean, reasons_of

# Table II's, from left to right.
PAPER = ["2cubes_sphere", "cage12", "filter3D", "hood", "majorbasis", "mario002", "mc2depi", "pwtk", "shipsec1"]
DVW, FIXED, AUTO = "heddle::hybrid_sparse_dvw", "heddle::hybrid_sparse", "heddle::auto"
ADAPTIVE = "heddle::scatter_vector_paper"
WARPS = (1, 2, 4, 8)
CONTENDERS = {
    DVW: "hybrid_sparse_dvw",
    FIXED: "hybrid_sparse",
    ADAPTIVE: "scatter_vector_paper",
    AUTO: "auto",
    "kokkoskernels": "KKMEM",
    "cusparse": "cuSPARSE",
}
ON_HOST = {AUTO: "host: auto", "kokkoskernels": "host: KKMEM", "eigen": "host: Eigen", "graphblas": "host: GraphBLAS"}


def size_of(path):
    """Rows and columns, by the head of a CSRB1 or Matrix Market file."""
    if path.suffix == ".bin":
        with open(path, "rb") as file:
            head = file.read(22)
        if len(head) < 22 or not head.startswith(b"CSRB1\n"):
            raise Unusable(f"{path.name} is no CSRB1 file")
        return struct.unpack_from("<2q", head, 6)
    with (gzip.open if path.suffix == ".gz" else open)(path, "rt", encoding="utf-8", errors="replace") as lines:
        for line in lines:
            words = line.split()
            if words and not line.startswith("%"):
                return int(words[0]), int(words[1])
    raise Unusable(f"{path.name} has no line of sizes")


def large(paths, least, most):
    """Files of matrices that Table II's submatrices can be taken of, the paper's first."""
    names = {path: re.sub(r"\.(bin|mtx|mtx\.gz)$", "", path.name) for path in paths}
    found = [path for path in paths if min(size_of(path)) >= least]
    found.sort(key=lambda path: PAPER.index(names[path]) if names[path] in PAPER else len(PAPER))
    return found[:most]


def figure_8(times):
    lines = [("half-band", "roofline", *(f"{count} a block" for count in WARPS), "by products", "auto")]
    bands = sorted((half_band(name), name) for name in times.rows if half_band(name))
    for (is_permuted, width), name in bands:
        rows = times.rows[name]
        line = [f"{width}{', permuted' if is_permuted else ''}", next(iter(rows.values()))["roofline_gflops"]]
        line += [times.gflops(name, f"{ADAPTIVE}_{count}") for count in WARPS]
        lines.append((*line, times.gflops(name, ADAPTIVE), times.gflops(name, AUTO)))
    return lines


def groups(times):
    """Matrices by GFLOPS of the paper's method, or of auto where that did not run: those below the median, and the others."""
    speed = {}
    for name in times.rows:
        gflops = times.gflops(name, DVW) or times.gflops(name, AUTO)
        if gflops:
            speed[name] = gflops
    by_speed = sorted(speed, key=speed.get)
    middle = statistics.median(speed.values()) if speed else 0
    return {
        "Fig. 9: GFLOPS of the matrices below the median": [name for name in by_speed if speed[name] < middle],
        "Fig. 10: GFLOPS of the matrices above it": [name for name in by_speed if speed[name] >= middle],
    }


def figure_9(times, host, names):
    on_host = {who: title for who, title in ON_HOST.items() if host and host.has(who)}
    lines = [("matrix", *CONTENDERS.values(), *on_host.values())]
    for name in names:
        line = [times.gflops(name, who) for who in CONTENDERS]
        lines.append((name, *line, *(host.gflops(name, who) for who in on_host)))
    return lines


def lead(times, names):
    """How often the paper's method is ahead of each other, as its text says of each group."""
    said = []
    for who, title in list(CONTENDERS.items())[1:]:
        speedups = [speedup for speedup in (times.speedup(name, DVW, who) for name in names) if speedup is not None]
        if speedups:
            ahead = sum(speedup > 1 for speedup in speedups)
            said.append(
                f"{title}: ahead on {ahead} of {len(speedups)}, {geometric_mean(speedups):.3g} times as fast in geometric mean"
            )
    return "".join(f"hybrid_sparse_dvw over {line}\n" for line in said)


def short(name):
    return re.sub(r"_top_\d+$", "", name)


def table_2(times, ours, theirs):
    factors = [name.split(" * ") for name in times.rows]
    names = list(dict.fromkeys(itertools.chain(*factors)))
    lines = [("", *map(short, names))]
    lines += [(short(a), *(times.speedup(f"{a} * {b}", ours, theirs) for b in names)) for a in names]
    return lines


def summary(speedups):
    if not speedups:
        return "no pair has both times"
    least, mean, most = (f"{value:.3g}" for value in (min(speedups), geometric_mean(speedups), max(speedups)))
    return f"{least} to {most}, geometric mean {mean}, {len(speedups)} pairs (the paper, over bhSPARSE: 1.81 to 13.88, 77 pairs)"


class Page:
    """Tables to print, in order, those of them that are drawn, and who was skipped."""

    def __init__(self):
        self.text, self.drawn, self.skipped = [], [], []

    def add(self, title, lines, drawn_as=None, columns=None):
        self.text.append(table_of(title, lines))
        if drawn_as and len(lines) > 1:
            self.drawn.append((drawn_as, title, lines, columns or tuple(range(1, len(lines[0])))))


def page_of(folder):
    page, firsts = Page(), []

    def times_of(name, operation="spgemm"):
        rows = rows_of(folder / (name + ".jsonl"))
        if not rows:
            return None
        times = Times(rows, operation)
        if not times.rows:
            return None
        firsts.append(times.first())
        page.skipped += times.skipped
        return times

    for operation, what in (("spgemm", "the whole multiply"), ("spgemm_numeric", "the numeric phase")):
        banded = times_of("figure_8", operation)
        if banded:
            title = f"Fig. 8: C = A A of banded matrices, {what}, GFLOPS by virtual warps a block of 128 threads"
            page.add(title, figure_8(banded), "figure_8" if operation == "spgemm" else "figure_8_numeric")
    alone = times_of("figures_9_10")
    if alone:
        host = times_of("host")
        for (title, names), number in zip(groups(alone).items(), (9, 10)):
            page.add(title, figure_9(alone, host, names), f"figure_{number}")
            page.text.append(lead(alone, names))
    pairs = times_of("table_2")
    if pairs:
        for ours in (DVW, AUTO):
            for theirs in ("kokkoskernels", "cusparse"):
                title = f"Table II: A B, speedup of {CONTENDERS[ours]} over {CONTENDERS[theirs]}, A by row, B by column"
                page.add(title, table_2(pairs, ours, theirs))
                page.text.append(summary(pairs.speedups(ours, theirs)) + "\n")
    if not firsts:
        raise Unusable("there are no times in f64")
    head = f"Paper 003, Sec. VII, on {firsts[0]['device']}, f64, commit {firsts[0]['commit']}\n"
    page.text = [head, *page.text, reasons_of(page.skipped)]
    return page


def main(arguments):
    is_large = len(arguments) > 3 and arguments[0] == "--large"
    if not is_large and (len(arguments) != 1 or arguments[0].startswith("-")):
        print(__doc__.strip(), file=sys.stdout if arguments == ["--help"] else sys.stderr)
        return 0 if arguments == ["--help"] else 2
    place = pathlib.Path(arguments[-1])
    try:
        if is_large:
            paths = [pathlib.Path(argument) for argument in arguments[3:]]
            print(*large(paths, int(arguments[1]), int(arguments[2])), sep="\n")
            return 0
        page = page_of(place)
    except (OSError, KeyError, ValueError, IndexError, Unusable) as problem:
        print(f"scripts/paper_003_spgemm.py: {place}: {problem!r}", file=sys.stderr)
        return 3
    print("\n".join(page.text), end="")
    pyplot = pyplot_of("scripts/paper_003_spgemm.py")
    for name, title, lines, columns in page.drawn if pyplot else ():
        draw(pyplot, place / f"paper_003_spgemm_{name}.svg", title, lines, columns)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
