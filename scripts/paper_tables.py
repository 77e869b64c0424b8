# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the scripts of several papers share: rows of results, tables as text, charts where Python has matplotlib."""

import json
import sys

from paper_004_profile import Unusable


def rows_of(path):
    rows = []
    if not path.exists():
        return rows
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            rows.append(json.loads(line))
        except ValueError as problem:
            raise Unusable(f"{path.name}, line {number} is not JSON") from problem
    return rows


def ratio(a, b):
    return a / b if a is not None and b else None


def text_of(value):
    if value is None:
        return "-"
    if isinstance(value, str):
        return value
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:.4g}" if abs(value) < 1e4 else f"{value:,.0f}"


def table_of(title, lines):
    cells = [[text_of(value) for value in line] for line in lines]
    widths = [max(len(line[c]) for line in cells) for c in range(len(cells[0]))]
    body = "\n".join("  ".join([line[0].ljust(widths[0])] + [t.rjust(w) for t, w in zip(line[1:], widths[1:])]) for line in cells)
    return f"{title}\n\n{body}\n"


def pyplot_of(script):
    """matplotlib's pyplot for charts as SVG; None, with a line that says so, where Python has none."""
    try:
        import matplotlib  # pylint: disable=import-outside-toplevel
    except ImportError:
        print(f"{script}: Python has no matplotlib: no charts", file=sys.stderr)
        return None
    matplotlib.use("svg")
    from matplotlib import pyplot  # pylint: disable=import-outside-toplevel

    return pyplot


def draw(pyplot, path, title, lines, columns):
    """Bars of these columns, a group a line."""
    figure, axes = pyplot.subplots(figsize=(max(6, 0.5 * len(lines)), 4))
    labels = [" ".join(str(cell) for cell in line[: columns[0]] if isinstance(cell, str)) for line in lines[1:]]
    for n, column in enumerate(columns):
        heights = [line[column] if line[column] is not None else 0 for line in lines[1:]]
        places = [i + 0.8 * n / len(columns) for i in range(len(heights))]
        axes.bar(places, heights, 0.8 / len(columns), label=lines[0][column])
    axes.set_xticks(range(len(labels)), labels, rotation=90)
    axes.set_title(title, fontsize=8)
    axes.legend(fontsize=7)
    figure.savefig(path, bbox_inches="tight")
    pyplot.close(figure)
