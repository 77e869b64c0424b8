# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Charts as SVG for a page, drawn by matplotlib."""

import html
import io
import logging
import math
import re
from dataclasses import dataclass, field

import matplotlib
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from heddle_report.statistics import short_number, spread_of

logging.getLogger("matplotlib").setLevel(logging.ERROR)  # a warning about its caches is none about results
matplotlib.rcParams.update(
    {
        "svg.fonttype": "none",  # text stays text
        "text.parse_math": False,  # a name with $ is a name
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

# After Okabe and Ito; the first is heddle's. Looks beyond these are the same, hollow.
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

    @property
    def is_hollow(self):
        return self.look >= len(COLORS)


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


def label_short_axes(axes):
    """A logarithmic axis of few decades has hardly a power of ten on it."""
    for axis in (axes.xaxis, axes.yaxis):
        low, high = axis.get_view_interval()
        if axis.get_scale() == "log" and high < 500 * low:
            axis.set_major_locator(LogLocator(subs=(1, 2, 5) if high > 5 * low else range(1, 10)))


def add_legend(axes, names):
    """Between the title and the chart, so that it never covers points. (The outside legends of figures came with matplotlib 3.7.)"""
    if names:
        longest = max(map(len, names))
        width = axes.figure.get_size_inches()[0]
        columns = max(1, min(len(names), int(width * 13 / (longest + 5))))
        axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncol=columns, columnspacing=1.2, handletextpad=0.4, borderaxespad=0.2)
        rows = math.ceil(len(names) / columns)
        axes.set_title(axes.get_title(loc="left"), pad=6 + 13 * rows)
        axes.figure.set_figheight(axes.figure.get_figheight() + 0.18 * (rows - 1))


def finish(axes):
    label_short_axes(axes)
    add_legend(axes, axes.get_legend_handles_labels()[1])


def set_tips(marks, tips):
    """Of a collection. One address alone would be lost, as matplotlib draws all marks at once then."""
    marks.set_urls([*("tip:" + tip for tip in tips), None])


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
            facecolors="none" if series.is_hollow or n in hollow else series.color,
            edgecolors=series.color,
            linewidths=0.8,
            alpha=0.85,
            label=series.name,
        )
        set_tips(marks, [series.tips[i] for i in shown])
    finish(axes)


def lines(axes, all_series, *, mark=None, steps=None):
    for series in all_series:
        axes.plot(
            series.x, series.y, color=series.color, label=series.name, marker=mark, markersize=4, linewidth=1.6, drawstyle=steps,
            linestyle="--" if series.is_hollow else "-",
        )
    finish(axes)


def group_ticks(axes, groups):
    lines_of_groups = [group.replace(", ", ",\n") for group in groups]
    longest = max(len(line) for group in lines_of_groups for line in group.split("\n"))
    is_long = longest * len(groups) > 12 * axes.figure.get_size_inches()[0]
    axes.grid(axis="x", visible=False)
    axes.set_xticks(range(len(groups)), groups if is_long else lines_of_groups, rotation=90 if is_long else 0, fontsize=7 if is_long else 9)
    axes.set_xlim(-0.6, max(len(groups), 4) - 0.4)  # few bars need not be wide


def draw_bars(axes, series, lefts, bottoms, tops, width, tips):
    fill = {"facecolor": "none", "edgecolor": series.color} if series.is_hollow else {"color": series.color}
    heights = [top - bottom for bottom, top in zip(bottoms, tops)]
    drawn = axes.bar(lefts, heights, width, bottom=bottoms, align="edge", label=series.name, **fill)
    for bar, tip in zip(drawn, tips):
        bar.set_url("tip:" + tip)


def bars(axes, groups, all_series, *, base=0):
    """Groups of upright bars: y of a series has a value per group, NaN where there is none. base is where bars begin."""
    width = 0.8 / max(1, len(all_series))
    is_log = axes.get_yscale() == "log"
    for n, series in enumerate(all_series):
        shown = [g for g, value in enumerate(series.y) if math.isfinite(value) and (value > 0 or not is_log)]
        if not shown:
            continue
        values = [series.y[g] for g in shown]
        # Of a logarithmic axis bars begin below all values, unless it is said where.
        start = base if base > 0 or not is_log else min((v for s in all_series for v in s.y if v > 0), default=1) / 2
        tips = [series.tips[g] if series.tips else f"{groups[g]}, {series.name}: {short_number(series.y[g])}" for g in shown]
        draw_bars(axes, series, [g - 0.4 + n * width for g in shown], [start] * len(shown), values, width, tips)
    group_ticks(axes, groups)
    finish(axes)


def boxes(axes, groups, all_series):
    """Groups of boxes: y of a series has a list of values per group. A box has the middle half of them, with a line from the
    least to the most and a white one at the median."""
    width = 0.8 / max(1, len(all_series))
    axes.use_sticky_edges = False  # which leave no room above a box of one value
    for n, series in enumerate(all_series):
        shown = [g for g, values in enumerate(series.y) if values]
        if not shown:
            continue
        spreads = [spread_of(series.y[g]) for g in shown]
        lefts = [g - 0.4 + (n + 0.1) * width for g in shown]
        centers = [left + 0.4 * width for left in lefts]
        axes.vlines(centers, [s.least for s in spreads], [s.most for s in spreads], color=series.color, linewidth=1.2)
        tips = [f"{groups[g]}, {series.name}: median {short_number(s.median)}, from {short_number(s.least)} to "
                f"{short_number(s.most)}, {len(series.y[g])} cases" for g, s in zip(shown, spreads)]
        draw_bars(axes, series, lefts, [s.lower for s in spreads], [s.upper for s in spreads], 0.8 * width, tips)
        for color, line_width in ((series.color, 5), ("white", 1.5)):  # a box of one value is a line
            axes.hlines([s.median for s in spreads], lefts, [left + 0.8 * width for left in lefts], color=color, linewidth=line_width)
    group_ticks(axes, groups)
    finish(axes)


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
