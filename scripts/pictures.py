#!/usr/bin/env python3
# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws the schemes of the documents, as SVG: docs/formats.svg, docs/row_bundles.svg, docs/row_bins.svg and
docs/multigrid.svg; and docs/multigrid_times.svg, a chart of perf_tests/results/h200/multigrid.jsonl.

The formats are those of the 5 x 4 example of docs/formats.md, and are computed from it here.

usage: pictures.py [--check]      --check: only says (1) which file is not what this script draws
"""

import html
import json
import sys
from pathlib import Path

DOCS = Path(__file__).resolve().parent.parent / "docs"
RESULTS = DOCS.parent / "perf_tests" / "results"
ROWS, COLS = 5, 4
ENTRIES = {(0, 3): 1, (0, 1): 2, (2, 0): 3, (2, 1): 4, (2, 2): 5, (3, 3): 6, (4, 0): 7}  # in the order in which rows have them
COLORS = ("#9ecae9", "#dddddd", "#f7c97f", "#8fd3b6", "#e3b3d0")  # of a row
PADDING = "#f4f4f4"
CELL = 26


class Picture:
    def __init__(self, width, height, title):
        self.width, self.height, self.title, self.parts = width, height, title, []

    def text(self, x, y, text, *, size=13, anchor="start", weight="normal", color="#222222"):
        self.parts.append(f'<text x="{x:g}" y="{y:g}" font-size="{size}" text-anchor="{anchor}" font-weight="{weight}" '
                          f'fill="{color}">{html.escape(str(text))}</text>')

    def box(self, x, y, width, height, fill, *, stroke="#777777", dash=False):
        dashes = ' stroke-dasharray="3 2"' if dash else ""
        self.parts.append(f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" fill="{fill}" stroke="{stroke}"{dashes}/>')

    def line(self, x1, y1, x2, y2, *, color="#555555", width=1.2, is_arrow=False):
        arrow = ' marker-end="url(#arrow)"' if is_arrow else ""
        self.parts.append(f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" stroke="{color}" stroke-width="{width:g}"{arrow}/>')

    def cell(self, x, y, text="", fill="white", *, dash=False):
        self.box(x, y, CELL, CELL, fill, dash=dash)
        self.text(x + CELL / 2, y + CELL / 2 + 5, text, anchor="middle")

    def svg(self):
        head = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" width="{self.width}" '
                f'height="{self.height}" font-family="DejaVu Sans, Helvetica, Arial, sans-serif" role="img" '
                f'aria-label="{html.escape(self.title)}">')
        arrow = ('<defs><marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
                 '<path d="M0 0 8 4 0 8z" fill="#555555"/></marker></defs>')
        background = f'<rect width="{self.width}" height="{self.height}" fill="white"/>'
        return "\n".join([head, arrow, background, *self.parts, "</svg>\n"])


def row_of(i):
    """Columns and values of row i, as CSR stores them."""
    return [(j, value) for (row, j), value in ENTRIES.items() if row == i]


def draw_matrix(picture, x, y):
    for i in range(ROWS):
        for j in range(COLS):
            value = ENTRIES.get((i, j), "")
            picture.cell(x + j * CELL, y + i * CELL, value, COLORS[i] if value else "white")


def draw_slices(picture, x, y, height):
    """Rows in slices that are as wide as their longest row, of which the last may hang over; how many places that takes."""
    places = 0
    for first in range(0, ROWS, height):
        rows = range(first, first + height)
        width = max(len(row_of(i)) for i in rows)
        for i in rows:
            entries = [str(value) for _, value in row_of(i)]
            for place in range(width):
                is_there = place < len(entries)
                picture.cell(x + place * CELL, y, entries[place] if is_there else 0, COLORS[i] if is_there else PADDING, dash=not is_there)
                places += 1
            y += CELL
        y += 5
    return places


def draw_blocks(picture, x, y, height, width):
    places = 0
    for bi in range(-(-ROWS // height)):
        for bj in range(-(-COLS // width)):
            inside = [(bi * height + r, bj * width + c) for r in range(height) for c in range(width)]
            if not any(place in ENTRIES for place in inside):
                continue
            for i, j in inside:
                value = ENTRIES.get((i, j))
                picture.cell(x + j * CELL + 4 * bj, y + i * CELL + 4 * bi, 0 if value is None else value,
                             PADDING if value is None else COLORS[i], dash=value is None)
                places += 1
    return places


def formats():
    picture = Picture(860, 450, "The same matrix in CSR, COO, ELL, SELL and BSR")
    picture.text(20, 28, "A", weight="bold", size=15)
    draw_matrix(picture, 20, 40)
    in_rows = [(i, j, value) for i in range(ROWS) for j, value in row_of(i)]
    offsets = [sum(row < i for row, _, _ in in_rows) for i in range(ROWS + 1)]
    for x, name, arrays in ((170, "CSR", {"row_offsets": offsets, "columns": [j for _, j, _ in in_rows], "values": [v for *_, v in in_rows]}),
                            (510, "COO", {"rows": [i for i, *_ in in_rows], "columns": [j for _, j, _ in in_rows], "values": [v for *_, v in in_rows]})):
        picture.text(x, 28, name, weight="bold", size=15)
        for n, (array, numbers) in enumerate(arrays.items()):
            y = 40 + n * (CELL + 14)
            picture.text(x, y + 18, array, size=12)
            for m, number in enumerate(numbers):
                row = min(m, ROWS - 1) if array == "row_offsets" else in_rows[m][0]
                fill = "white" if array == "row_offsets" and m == ROWS else COLORS[row]
                picture.cell(x + 86 + m * CELL, y, number, fill)
    top = 232
    for x, name, about, draw in ((20, "ELL", "all rows as wide as the longest", lambda *at: draw_slices(picture, *at, ROWS)),
                                 (290, "SELL, slices of 2 rows", "each slice as wide as its longest row", lambda *at: draw_slices(picture, *at, 2)),
                                 (580, "BSR, blocks of 2 x 2", "blocks with an entry are stored whole", lambda *at: draw_blocks(picture, *at, 2, 2))):
        picture.text(x, top, name, weight="bold", size=15)
        picture.text(x, top + 20, about, size=12, color="#555555")
        places = draw(x, top + 34)
        picture.text(x + 125, top + 60, f"{places} places", size=12)
        picture.text(x + 125, top + 76, f"for {len(ENTRIES)} entries", size=12)
    return picture.svg()


BUNDLE = ((0, 1, 4), (0, 1, 4, 5), (0, 4, 5))  # columns of three neighbouring rows


def row_bundles():
    picture = Picture(860, 300, "Rows of a bundle share the loads of the rows of B")
    wanted = sum(len(row) for row in BUNDLE)
    union = sorted({j for row in BUNDLE for j in row})
    for x, title, about in ((20, "Row by row", f"{wanted} rows of B are loaded: one per entry"),
                            (450, "As a bundle of 3 rows", f"{len(union)} rows of B are loaded: one per column of the bundle")):
        picture.text(x, 28, title, weight="bold", size=15)
        picture.text(x, 48, about, size=12, color="#555555")
        is_bundle = x > 20
        picture.text(x, 82, "A", weight="bold")
        for i, row in enumerate(BUNDLE):
            for j in range(6):
                picture.cell(x + j * CELL, 92 + i * CELL, "", COLORS[(0, 2, 3)[i]] if j in row else "white")
        picture.text(x + 290, 82, "B", weight="bold")
        for j in range(6):
            picture.box(x + 290, 92 + j * 30, 90, 22, "#e8e8e8" if j in union else "white")
            picture.text(x + 300, 92 + j * 30 + 16, f"row {j}", size=12)
        for j in union:
            rows = [i for i, row in enumerate(BUNDLE) if j in row]
            for n, i in enumerate(rows[:1] if is_bundle else rows):
                begin = (x + 6 * CELL + 4, 92 + 1.5 * CELL) if is_bundle else (x + 6 * CELL + 4, 92 + (i + 0.5) * CELL)
                picture.line(*begin, x + 288, 92 + j * 30 + 11 + (n - 1) * 5 * (not is_bundle), is_arrow=True)
    picture.text(20, 290, "An arrow is one load of a row of B. A bit mask per column of the bundle says which of its rows have the entry.", size=12)
    return picture.svg()


BINS = (  # of docs/spgemm.md
    ("few products", "sorted in registers, or a\nbitmap of eight lanes", (3, 9, 5, 7, 4, 8)),
    ("more products", "table in shared memory,\na warp or a block per row", (22, 30, 18)),
    ("many products", "windows of columns,\nsums in C itself", (62,)),
    ("much of all products", "several warps or blocks\nshare one row", (96,)),
)


def row_bins():
    picture = Picture(860, 300, "SpGEMM sorts rows of C into bins by their number of products")
    picture.text(20, 28, "Rows of C, by products", weight="bold", size=15)
    order = (3, 62, 9, 22, 5, 96, 30, 7, 4, 18, 8)
    bin_of = {number: n for n, (*_, rows) in enumerate(BINS) for number in rows}
    colors = (COLORS[0], COLORS[2], COLORS[3], COLORS[4])
    for n, number in enumerate(order):
        picture.box(20, 44 + n * 22, 2 * number, 16, colors[bin_of[number]])
    for n, (name, kernel, rows) in enumerate(BINS):
        y = 44 + n * 62
        picture.line(232, 44 + 5 * 22, 298, y + 22, is_arrow=True)
        picture.text(306, y + 12, name, weight="bold")
        for line, text in enumerate(kernel.split("\n")):
            picture.text(306, y + 28 + 15 * line, text, size=12, color="#555555")
        for m, number in enumerate(rows):
            picture.box(520 + (m % 3) * 108, y + (m // 3) * 20, min(100, 2 * number) if len(rows) > 1 else 2 * number, 15, colors[n])
    picture.text(520, 28, "One launch per bin, side by side on streams", size=12, color="#555555")
    return picture.svg()


def grid(picture, x, y, cells, size, fill):
    for n in range(cells * cells):
        picture.box(x + n % cells * size / cells, y + n // cells * size / cells, size / cells, size / cells, fill)


def multigrid():
    picture = Picture(860, 330, "Setup of a multigrid hierarchy and a V-cycle, with the calls of heddle")
    picture.text(20, 28, "Setup, level by level", weight="bold", size=15)
    steps = (("A of a level", 8, COLORS[0], "filter, aggregate"), ("aggregates", 4, COLORS[2], "jacobi_product"),
             ("P, smoothed", 4, COLORS[3], "triple_product"), ("P^T A P: A of the next", 4, COLORS[0], ""))
    for n, (name, cells, fill, call) in enumerate(steps):
        y = 48 + 70 * n
        grid(picture, 20, y, cells, 48, fill)
        picture.text(84, y + 29, name)
        if call:
            picture.line(44, y + 50, 44, y + 69, is_arrow=True)
            picture.text(58, y + 64, call, size=11, color="#555555")
    picture.text(330, 28, "V-cycle", weight="bold", size=15)
    down, up = ((350, 60), (430, 140), (510, 220)), ((590, 140), (670, 60))
    points = [*down, *up]
    for n, (x, y) in enumerate(points):
        grid(picture, x, y, (8, 4, 2, 4, 8)[n], 40, COLORS[0])
        if n + 1 < len(points):
            x2, y2 = points[n + 1]
            picture.line(x + 42, y + 20 + (20 if y2 > y else -5), x2 - 2, y2 + (18 if y2 > y else 25), is_arrow=True)
    picture.text(420, 120, "P^T r", size=12)
    picture.text(500, 200, "P^T r", size=12)
    picture.text(582, 212, "x + P e", size=12)
    picture.text(662, 132, "x + P e", size=12)
    for n, line in enumerate(("Smoothing on each level: spmv with A.", "Restriction: spmv with P and Op::transpose.", "Prolongation: spmv with P, beta = 1.")):
        picture.text(330, 284 + 17 * n, line, size=12, color="#555555")
    return picture.svg()


def times_of(path):
    """Rows of heddle-perf multigrid by matrix and library."""
    matrices = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if "setup_ms" in row:
            matrices.setdefault(row["matrix"], {})[row["implementation"]] = row
    return matrices


def draw_time_bars(picture, x, y, width, bars, longest):
    """A bar for each (name, (part, ...)): its parts next to each other, and the sum in milliseconds; nothing was measured where there are no parts."""
    for n, (name, parts) in enumerate(bars):
        left, top = x, y + 17 * n
        for part, shade in zip(parts, ((COLORS[0], COLORS[1])[name != "heddle"], PADDING)):
            picture.box(left, top, part / longest * width, 14, shade)
            left += part / longest * width
        picture.text(x - 6, top + 11, name, size=10, anchor="end")
        picture.text(left + 5, top + 11, f"{sum(parts):.3g}" if parts else "no memory", size=10)


def multigrid_times():
    matrices = times_of(RESULTS / "h200" / "multigrid.jsonl")
    picture = Picture(860, 80 + 66 * len(matrices), "Time of multigrid setups and solves with the kernels of three libraries on an H200")
    panels = (("From nothing: setup and solve", "setup_ms", 250), ("New values: setup again and solve", "again_ms", 600))
    for title, setup, x in panels:
        picture.text(x, 28, title, weight="bold", size=14)
        for n, (matrix, rows) in enumerate(matrices.items()):
            names = (("heddle", "heddle::auto"), ("Kokkos Kernels", "kokkoskernels::SPGEMM_KK"), ("cuSPARSE", "cusparse::reuse"))
            bars = [(name, (rows[key][setup], rows[key]["solve_ms"]) if key in rows else ()) for name, key in names]
            draw_time_bars(picture, x, 52 + 66 * n, 200, bars, max(sum(parts) for _, parts in bars))
            if x < 300:
                picture.text(14, 52 + 66 * n + 28, matrix, size=10, weight="bold")
    note = ("Blue or gray: setup; white: solve; the number is the sum in ms. The bars of a matrix are to one scale. Plans of heddle are default ones. "
            "One H200.")
    picture.text(14, 66 + 66 * len(matrices), note, size=10, color="#555555")
    return picture.svg()


PICTURES = {"formats.svg": formats, "multigrid.svg": multigrid, "multigrid_times.svg": multigrid_times, "row_bundles.svg": row_bundles,
            "row_bins.svg": row_bins}


def main(arguments):
    if arguments not in ([], ["--check"]):
        sys.exit(__doc__)
    wrong = [name for name, draw in PICTURES.items()
             if not (DOCS / name).is_file() or (DOCS / name).read_text(encoding="utf-8") != draw()]
    if arguments:
        for name in wrong:
            print(f"docs/{name} is not what scripts/pictures.py draws")
        return 1 if wrong else 0
    for name in wrong:
        (DOCS / name).write_text(PICTURES[name](), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
