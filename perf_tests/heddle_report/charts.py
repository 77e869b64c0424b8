# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Charts as SVG for a page, drawn by matplotlib."""

import html
import io
import math
import re
from dataclasses import dataclass, field

import matplotlib
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, NullFormatter

from heddle_report.statistics import short_number

matplotlib.rcParams.update(
    {
        "svg.fonttype": "none",  # text stays text
        "svg.hashsalt": "heddle",  # the same chart gives the same bytes
        "font.family": "sans-serif",
        "font.size": 9,
        "axes.titlesize": 10,
        "axes.titleweight": "bold",
        "axes.titlelocation": "left",
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.grid": True,
        "axes.axisbelow": True,
        "grid.color": "#e3e6ea",
        "legend.fontsize": 8,
        "legend.frameon": False,
    }
)

# After Okabe and Ito; the first is heddle's.
COLORS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9", "#7a5c00", "#555555")
MARKS = "osD^vPX*"
REFERENCE = {"color": "#333333", "linewidth": 1, "linestyle": "--"}


@dataclass
class Series:
    """Points or bars with one name in the legend. look chooses color and mark; tips are shown under the pointer."""

    name: str
    x: list = field(default_factory=list)
    y: list = field(default_factory=list)
    look: int = 0
    tips: list = field(default_factory=list)

    def add(self, x, y, tip=""):
        if math.isfinite(x) and math.isfinite(y):
            self.x.append(x)
            self.y.append(y)
            self.tips.append(tip)

    @property
    def color(self):
        return COLORS[self.look % len(COLORS)]


def new_axes(title, x_label, y_label, *, x_log=False, y_log=False, size=(6.4, 3.6)):
    figure = Figure(figsize=size, layout="constrained")
    axes = figure.add_subplot()
    axes.set(title=title, xlabel=x_label, ylabel=y_label)
    for axis, scale, is_log in ((axes.xaxis, axes.set_xscale, x_log), (axes.yaxis, axes.set_yscale, y_log)):
        if is_log:
            scale("log")
            axis.set_minor_formatter(NullFormatter())
        axis.set_major_formatter(FuncFormatter(lambda value, place: axis_number(value)))
    return axes


def axis_number(value):
    for unit, letter in ((1e12, " T"), (1e9, " G"), (1e6, " M"), (1e3, " k")):
        if abs(value) >= max(unit, 1e4) * (1 - 1e-9):
            return f"{value / unit:.4g}{letter}"
    return f"{value:.4g}"


def add_legend(axes, names):
    """Below the chart, so that it never covers points."""
    if names:
        longest = max(map(len, names))
        width = axes.figure.get_size_inches()[0]
        columns = max(1, min(len(names), int(width * 13 / (longest + 5))))
        axes.figure.legend(loc="lower left", ncols=columns, columnspacing=1.2, handletextpad=0.4)
        share = (0.2 * math.ceil(len(names) / columns) + 0.1) / axes.figure.get_size_inches()[1]
        axes.figure.get_layout_engine().set(rect=(0, share, 1, 1 - share))  # matplotlib 3.6 has no legend outside


def scatter(axes, all_series, *, hollow=()):
    """Marks with tips, without those that a logarithmic axis cannot show."""
    for n, series in enumerate(all_series):
        shown = [
            i
            for i, (x, y) in enumerate(zip(series.x, series.y))
            if (x > 0 or axes.get_xscale() != "log") and (y > 0 or axes.get_yscale() != "log")
        ]
        marks = axes.scatter(
            [series.x[i] for i in shown],
            [series.y[i] for i in shown],
            s=18,
            marker=MARKS[series.look % len(MARKS)],
            facecolors="none" if n in hollow else series.color,
            edgecolors=series.color,
            linewidths=0.8,
            alpha=0.85,
            label=series.name,
        )
        marks.set_urls(["tip:" + series.tips[i] for i in shown])
    add_legend(axes, [series.name for series in all_series])


def lines(axes, all_series, *, mark=None, steps=None):
    for series in all_series:
        axes.plot(
            series.x, series.y, color=series.color, label=series.name, marker=mark, markersize=4, linewidth=1.6, drawstyle=steps
        )
    add_legend(axes, [series.name for series in all_series])


def bars(axes, groups, all_series, *, base=0):
    """Groups of upright bars: y of a series has a value per group, NaN where there is none. base is where bars begin."""
    width = 0.8 / max(1, len(all_series))
    for n, series in enumerate(all_series):
        for group, value in enumerate(series.y):
            if math.isfinite(value) and (value > 0 or axes.get_yscale() != "log"):
                tip = series.tips[group] if series.tips else f"{groups[group]}, {series.name}: {short_number(value)}"
                left = group - 0.4 + n * width
                bar = axes.bar(left, value - base, width, bottom=base, align="edge", color=series.color)[0]
                bar.set_url("tip:" + tip)
        axes.bar(0, 0, 0, bottom=max(base, 1e-9), color=series.color, label=series.name)  # for the legend alone
    axes.grid(axis="x", visible=False)
    axes.set_xticks(range(len(groups)), groups, rotation=90 if len(groups) > 5 else 0, fontsize=7 if len(groups) > 5 else 9)
    axes.set_xlim(-0.6, len(groups) - 0.4)
    add_legend(axes, [series.name for series in all_series])


def svg_of(axes):
    """The chart as an SVG element. Its address links, which carry the tips, become titles."""
    text = io.StringIO()
    axes.figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
    svg = text.getvalue()
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r'<a xlink:href="tip:([^"]*)"[^>]*>', r"<g><title>\1</title>", svg).replace("</a>", "</g>")
    svg = re.sub(r' id="[A-Za-z][A-Za-z0-9.]*_\d{1,5}"', "", svg)  # not unique in a page
    svg = re.sub(r"<metadata>.*?</metadata>\s*", "", svg, flags=re.DOTALL)
    svg = re.sub(r"\s*<!--.*?-->\s*", "\n", svg, flags=re.DOTALL)
    title = html.escape(axes.get_title(loc="left"))
    return re.sub(r"<svg ", f'<svg role="img" aria-label="{title}" ', svg, count=1)
