# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Figures of a report as data, and how they become charts."""

import math
from dataclasses import dataclass, field

from heddle_report import charts
from heddle_report.page import Chart

PAPERS = {
    "Hong et al. 2018": 'Hong et al., "Efficient Sparse-Matrix Multi-Vector Product on GPUs" (RS-SpMM), HPDC 2018',
    "Liu et al. 2018": 'Liu, He, Liu, Tan, "Register-based Implementation of the Sparse General Matrix-Matrix Multiplication on GPUs", '
                       "PPoPP 2018 (poster)",
    "Zhao and Li": 'Zhao, Li, "CUDA Optimization for Sparse Matrix-Matrix Multiplication" (CMU report)',
    "Kurt et al. 2017": 'Kurt et al., "Characterization of data movement requirements for sparse matrix computations on GPUs", 2017',
    "Anzt et al. 2014": 'Anzt, Tomov, Dongarra, "Implementing a Sparse Matrix Vector Product for the SELL-C/SELL-C-sigma formats on '
                        'NVIDIA GPUs", 2014',
}
MOST_GROUPS = 32  # in one column of the page, and of bars
MOST_BOXES = 4
MOST_BARS = 100
MOST_LABELS = 150


@dataclass
class Figure:
    """A chart with a sentence on how to read it; without points it is the reason why there is none."""

    title: str
    x: str
    y: str
    series: list
    about: str = ""
    missing: str = ""
    draw: str = "scatter"  # scatter, lines, steps; of groups: bars, boxes
    is_log: tuple = (True, True)
    groups: list = field(default_factory=list)
    base: float = 0  # where bars begin
    bounds: charts.Series = None  # short level lines: what cannot be passed
    references: list = field(default_factory=list)  # straight lines: x, y, and a name for the legend

    @property
    def has_points(self):
        if not self.groups:
            return any(series.x for series in self.series)
        return any(value > 0 for series in self.series for value in series.y) if self.draw == "bars" else bool(self.series)

    @property
    def is_wide(self):
        return len(self.groups) > (MOST_BOXES if self.draw == "boxes" else MOST_GROUPS) or len(self.groups) * len(self.series) > MOST_BARS


def span_of(all_series):
    """The least and the largest x."""
    xs = [x for series in all_series for x in series.x]
    return (min(xs), max(xs)) if xs else (math.nan, math.nan)


def level(y, all_series, name=""):
    """A level line through the whole of a chart."""
    return span_of(all_series), (y, y), name


def chart_of(figure):
    """As a part of a page."""
    has_groups = bool(figure.groups)
    axes = charts.new_axes(figure.title, figure.x, figure.y, x_log=figure.is_log[0] and not has_groups, y_log=figure.is_log[1],
                           size=(13.2, 3.6) if figure.is_wide else (6.4, 3.6))
    for x, y, name in figure.references:
        axes.plot(x, y, label=name or None, **charts.REFERENCE)
    if figure.bounds and figure.bounds.x:
        marks = axes.scatter(figure.bounds.x, figure.bounds.y, s=36, marker="_", color="#777777", label=figure.bounds.name)
        charts.set_tips(marks, figure.bounds.tips)
    if has_groups:
        groups = figure.groups if len(figure.groups) <= MOST_LABELS else [""] * len(figure.groups)
        if figure.base or figure.draw == "boxes":
            axes.axhline(1, **charts.REFERENCE)
        if figure.draw == "bars":
            charts.bars(axes, groups, figure.series, base=figure.base)
        else:
            charts.boxes(axes, groups, figure.series)
    elif figure.draw == "scatter":
        charts.scatter(axes, figure.series)
    else:
        charts.lines(axes, figure.series, steps="steps-post" if figure.draw == "steps" else None,
                     mark="o" if figure.draw == "lines" else None)
    if not figure.is_log[1]:
        axes.set_ylim(bottom=0)
    return Chart(charts.svg_of(axes), figure.about, figure.is_wide)
