# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The page of heddle-perf analyze, of the row that its --json wrote."""

import math

from matplotlib.colors import LinearSegmentedColormap

from heddle_report.charts import REFERENCE, Series, bars, new_axes, scatter, svg_of
from heddle_report.page import Chart, Table, render
from heddle_report.paper import Object
from heddle_report.rows import Unusable, objects_of, replace_file
from heddle_report.statistics import short_number

ABOUT = "makes the page of analyze of what its --json wrote"
# From a light blue, so that a single entry is seen, to a dark one.
SHADES = LinearSegmentedColormap.from_list("entries", ["#96bee6", "#001446"])
SHADES.set_bad("white")


def counts_of(density):
    """Lines of the pieces' entries; -n stands for n pieces without entries."""
    counts = []
    for count in density["entries"]:
        counts += [count] if count > 0 else [0] * -count
    width = density["width"]
    if len(counts) != width * density["height"]:
        raise ValueError(f"{len(counts)} pieces in place of {width * density['height']}")
    return [counts[start : start + width] for start in range(0, len(counts), width)]


def pattern_chart(row):
    """Darker by the logarithm of the share of a piece that is filled."""
    scale = math.log1p(row["density"]["most"])
    shades = [[math.log1p(count) / scale if count else math.nan for count in line] for line in counts_of(row["density"])]
    height = 5 * min(2, max(0.2, row["rows"] / max(1, row["cols"])))
    axes = new_axes("Entries", "column", "row", size=(6.4, height + 0.8))
    axes.imshow(shades, SHADES, vmin=0, vmax=1, interpolation="none", extent=(0, row["cols"], row["rows"], 0))
    axes.grid(visible=False)
    return Chart(svg_of(axes), "Where entries are: darker where there are more.")


def roofline_chart(row):
    """The multiplies, and what was measured of them, under the machine's lines (paper 003, Fig. 2)."""
    peak, rate = row["machine_gflops"], row["machine_gbytes_per_s"]
    all_series, measured = [], Series("measured", look=3)
    for look, (operation, multiply) in enumerate(row["multiplies"].items()):
        flops, name = row[operation + "_flops"], multiply["name"]
        series = Series(name, look=look)
        x = flops / row[operation + "_bytes"]
        series.add(x, min(peak, x * rate), f"{name}: {short_number(min(peak, x * rate))} GFLOPS")
        all_series.append(series)
        if "measured_ms" in multiply:
            y = 1e-6 * flops / multiply["measured_ms"]
            measured.add(multiply["measured_flops_per_byte"], y, f"{name} measured: {short_number(y)} GFLOPS")
    axes = new_axes(f"Roofline of {row['device']}", "flops per byte", "GFLOPS", x_log=True, y_log=True)
    marks = [x for series in [*all_series, measured] for x in series.x]
    low, ridge, high = min([*marks, peak / rate]) / 2, peak / rate, max([*marks, peak / rate]) * 4
    axes.plot([low, ridge], [low * rate, peak], label=f"memory, {short_number(rate)} GB/s", **REFERENCE)
    axes.plot([ridge, high], [peak, peak], label=f"arithmetic, {short_number(peak)} GFLOPS", **{**REFERENCE, "linestyle": ":"})
    scatter(axes, all_series + [measured] * bool(measured.x))
    return Chart(svg_of(axes), "What each multiply can reach at most: a mark below the corner waits for memory.")


def histogram(title, x_label, y_label, bins, about):
    """Bins behind the last with any are left out."""
    used = max((n for n, (_, count) in enumerate(bins) if count), default=0) + 1
    axes = new_axes(title, x_label, y_label)
    bars(axes, [short_number(least) for least, _ in bins[:used]], [Series(y_label, y=[count for _, count in bins[:used]])])
    return Chart(svg_of(axes), about)


def charts_of(row):
    yield pattern_chart(row)
    if row["nnz"]:
        yield roofline_chart(row)
        yield histogram("Row lengths", "entries of a row, from", "rows", row["row_lengths"], "Rows by powers of 2.")
        shares = [(least, 100 * share) for least, share in row["distances"]]
        yield histogram("Distances of neighbouring entries", "columns, from", "share, %", shares,
                        "By powers of 4 (paper 000, section 4.2).")


def tables_of(row):
    return {name: Table(lines[0], lines[1:]) if lines else None for name, lines in row["tables"].items()}


def add_arguments(parser):
    parser.add_argument("rows", metavar="FILE", help="what analyze --json wrote; - is standard input")
    parser.add_argument("--matrix", metavar="NAME", help="of several this one")
    parser.add_argument("-o", "--out", required=True, metavar="FILE", help="the page to write")
    parser.epilog = "Example:\n  heddle-perf analysis figures.jsonl --matrix stencil27_50 --out page.html"


def run(asked):
    path = "/dev/stdin" if asked.rows == "-" else asked.rows
    rows = [Object(where, data) for where, data in objects_of(path)
            if data.get("operation") == "analyze" and asked.matrix in (None, data.get("matrix"))]
    if len(rows) != 1:
        names = ", ".join(str(row.get("matrix")) for row in rows) or "none"
        raise Unusable(f"{path}: {len(rows)} rows of analyze, expected one, which --matrix says: {names}", 3)
    row = rows[0]
    try:
        page = render("analysis.html", title=row["matrix"], row=row, tables=tables_of(row), charts=list(charts_of(row)))
    except (AttributeError, KeyError, IndexError, TypeError, ValueError) as problem:
        raise Unusable(f"{row.where}: not a row of analyze: {problem!r}", 3) from problem
    replace_file(asked.out, page)
