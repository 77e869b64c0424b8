# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Section VII of paper 003 (Kurt et al.): Figs. 8 to 10 and Table II from what scripts/paper_003_spgemm.sh measured.

OUT_DIR has figure_8.jsonl, figures_9_10.jsonl, table_2.jsonl and, of a program for hosts, host.jsonl; what is not there is left
out. The roofline is that of the compulsory bytes. KKMEM is the fastest of Kokkos Kernels' methods, and speedups are of whole
multiplies. "-" stands where something was not measured. Charts are OUT_DIR/paper_003_spgemm_*.svg where Python has matplotlib.
--large prints which files have matrices that Table II's submatrices can be taken of, the paper's first.
"""

import pathlib
import re
import statistics
import struct

from heddle_report.fastest import speedups
from heddle_report.paper import Products, bar_chart, reasons_of, save_charts, titled
from heddle_report.paper_003 import half_band
from heddle_report.rows import UNREADABLE, Unusable, open_text
from heddle_report.statistics import summary_of

ABOUT = __doc__
# Table II's, from left to right.
PAPER = ["2cubes_sphere", "cage12", "filter3D", "hood", "majorbasis", "mario002", "mc2depi", "pwtk", "shipsec1"]
DVW, FIXED, AUTO = "heddle::hybrid_sparse_dvw", "heddle::hybrid_sparse", "heddle::auto"
ADAPTIVE = "heddle::scatter_vector_paper"
WARPS = (1, 2, 4, 8)
CONTENDERS = {DVW: "hybrid_sparse_dvw", FIXED: "hybrid_sparse", ADAPTIVE: "scatter_vector_paper", AUTO: "auto",
              "kokkoskernels": "KKMEM", "cusparse": "cuSPARSE"}
ON_HOST = {AUTO: "host: auto", "kokkoskernels": "host: KKMEM", "eigen": "host: Eigen", "graphblas": "host: GraphBLAS", "mkl": "host: MKL"}


def size_of(path):
    """Rows and columns, by the head of a CSRB1 or Matrix Market file."""
    try:
        if path.suffix == ".bin":
            with open(path, "rb") as file:
                head = file.read(22)
            if len(head) < 22 or not head.startswith(b"CSRB1\n"):
                raise Unusable(f"{path} is no CSRB1 file", 3)
            return struct.unpack_from("<2q", head, 6)
        with open_text(path, errors="replace") as lines:
            for line in lines:
                words = line.split()
                if words and not line.startswith("%"):
                    return int(words[0]), int(words[1])
    except (*UNREADABLE, ValueError, IndexError) as problem:
        raise Unusable(f"{path}: cannot be read: {problem}", 3) from problem
    raise Unusable(f"{path} has no line of sizes", 3)


def large(paths, least, most):
    names = {path: re.sub(r"\.(bin|mtx|mtx\.gz)$", "", path.name) for path in paths}
    found = [path for path in paths if min(size_of(path)) >= least]
    found.sort(key=lambda path: PAPER.index(names[path]) if names[path] in PAPER else len(PAPER))
    return found[:most]


def figure_8(banded):
    lines = [("half-band", "roofline", *(f"{count} a block" for count in WARPS), "by products", "auto")]
    for (is_permuted, width), name in sorted((half_band(name), name) for name in banded.matrices if half_band(name)):
        contenders = [*(f"{ADAPTIVE}_{count}" for count in WARPS), ADAPTIVE, AUTO]
        lines.append((f"{width}{', permuted' if is_permuted else ''}", banded.first(name).roofline_gflops,
                      *(banded.gflops(name, contender) for contender in contenders)))
    return lines


def groups(alone):
    """By GFLOPS of the paper's method, or of auto where that did not run: matrices below the median, and the others."""
    speed = {}
    for name, contenders in alone.matrices.items():
        if row := contenders.get(DVW) or contenders.get(AUTO):
            speed[name] = row.gflops
    by_speed = sorted(speed, key=speed.get)
    middle = statistics.median(speed.values()) if speed else 0
    return [name for name in by_speed if speed[name] < middle], [name for name in by_speed if speed[name] >= middle]


def figure_9(alone, host, names):
    there = host.matrices if host else {}
    on_host = {who: title for who, title in ON_HOST.items() if any(who in contenders for contenders in there.values())}
    lines = [("matrix", *CONTENDERS.values(), *on_host.values())]
    for name in names:
        lines.append((name, *(alone.gflops(name, who) for who in CONTENDERS), *(host.gflops(name, who) for who in on_host)))
    return lines


def lead(alone, names):
    """How often the paper's method is ahead of each other, as its text says of each group."""
    matrices = {name: alone.matrices[name] for name in names}
    for who, title in [*CONTENDERS.items()][1:]:
        if (of := summary_of(speedups(matrices, who, DVW).values())).count:
            yield (f"hybrid_sparse_dvw over {title}: ahead on {of.above_one} of {of.count}, "
                   f"{of.geometric:.3g} times as fast in geometric mean\n")


def table_2(pairs, ours, theirs):
    names = list(dict.fromkeys(name for pair in pairs.matrices for name in pair.split(" * ")))
    ratios, short = speedups(pairs.matrices, theirs, ours), {name: re.sub(r"_top_\d+$", "", name) for name in names}
    return [("", *short.values()), *((short[a], *(ratios.get(f"{a} * {b}") for b in names)) for a in names)]


def pairs_text(of):
    if not of.count:
        return "no pair has both times\n"
    return (f"{of.least:.3g} to {of.most:.3g}, geometric mean {of.geometric:.3g}, {of.count} pairs "
            "(the paper, over bhSPARSE: 1.81 to 13.88, 77 pairs)\n")


class Page:
    """Texts to print, charts by their files, and where they are from."""

    def __init__(self, folder):
        self.folder, self.texts, self.charts, self.used = folder, [], {}, []

    def products(self, name, operation="spgemm"):
        """None where there are no times."""
        path = self.folder / (name + ".jsonl")
        products = Products(path, operation) if path.exists() else None
        if not products or not products.matrices:
            return None
        self.used.append(products)
        return products

    def add(self, title, lines, drawn_as=None):
        self.texts.append(titled(title, lines))
        if drawn_as and len(lines) > 1:
            chart = bar_chart(title, lines, tuple(range(1, len(lines[0]))))
            self.charts[self.folder / f"paper_003_spgemm_{drawn_as}.svg"] = chart


def page_of(folder):
    page = Page(folder)
    for operation, what, name in (("spgemm", "the whole multiply", "figure_8"),
                                  ("spgemm_numeric", "the numeric phase", "figure_8_numeric")):
        if banded := page.products("figure_8", operation):
            title = f"Fig. 8: C = A A of banded matrices, {what}, GFLOPS by virtual warps a block of 128 threads"
            page.add(title, figure_8(banded), name)
    if alone := page.products("figures_9_10"):
        host = page.products("host")
        for number, where, names in zip((9, 10), ("of the matrices below the median", "of the matrices above it"), groups(alone)):
            page.add(f"Fig. {number}: GFLOPS {where}", figure_9(alone, host, names), f"figure_{number}")
            page.texts.append("".join(lead(alone, names)))
    if pairs := page.products("table_2"):
        for ours in (DVW, AUTO):
            for theirs in ("kokkoskernels", "cusparse"):
                title = f"Table II: A B, speedup of {CONTENDERS[ours]} over {CONTENDERS[theirs]}, A by row, B by column"
                page.add(title, table_2(pairs, ours, theirs))
                page.texts.append(pairs_text(summary_of(speedups(pairs.matrices, theirs, ours).values())))
    return page


def add_arguments(parser):
    parser.add_argument("folder", metavar="OUT_DIR", type=pathlib.Path, nargs="?")
    parser.add_argument("--large", nargs="+", metavar=("N MOST FILE", "FILE"),
                        help="print at most MOST of the files of matrices that have N rows and columns or more")


def run(asked):
    if (asked.folder is None) == (asked.large is None):
        raise Unusable("either OUT_DIR or --large N MOST FILE...")
    if asked.large:
        if len(asked.large) < 3 or not all(word.isdecimal() for word in asked.large[:2]):
            raise Unusable("--large needs two numbers and files", 3)
        print(*large([*map(pathlib.Path, asked.large[2:])], *map(int, asked.large[:2])), sep="\n")
        return
    page = page_of(asked.folder)
    if not page.used:
        raise Unusable(f"{asked.folder}: there are no times in f64", 3)
    first = page.used[0].first()
    print(f"Paper 003, Sec. VII, on {first.device}, f64, commit {first.commit}\n", *page.texts,
          reasons_of(row for products in page.used for row in products.skipped), sep="\n", end="")
    save_charts(page.charts)
