# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""HTML pages from jinja2 templates: one file each, which needs no network."""

import math
import pathlib
from dataclasses import dataclass

import jinja2

from heddle_report.statistics import short_number

TEMPLATES = pathlib.Path(__file__).parent / "templates"


@dataclass
class Chart:
    """A chart with what is said below it; wide ones take both columns of the page."""

    svg: str
    about: str = ""
    is_wide: bool = False


@dataclass
class Table:
    """Cells are texts, numbers (NaN: empty) or jinja2's Markup. Columns that are empty throughout are left out."""

    head: list
    lines: list

    def __post_init__(self):
        used = [n for n in range(len(self.head)) if any(not is_empty(line[n]) for line in self.lines)]
        self.head = [self.head[n] for n in used]
        self.lines = [[line[n] for n in used] for line in self.lines]


def is_empty(cell):
    return cell == "" or cell is None or (isinstance(cell, float) and math.isnan(cell))


def is_number(cell):
    return isinstance(cell, (int, float))


def render(template, **values):
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters["number"] = short_number
    environment.tests["a_number"] = is_number
    return environment.get_template(template).render(values)
