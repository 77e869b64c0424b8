# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Means of ratios, and numbers and tables as text."""

import math
import statistics
from dataclasses import dataclass


def geometric_mean(numbers):
    return math.exp(sum(map(math.log, numbers)) / len(numbers))


def harmonic_mean(numbers):
    return len(numbers) / sum(1 / number for number in numbers)


@dataclass
class Summary:
    """What is said of several ratios."""

    count: int
    geometric: float
    harmonic: float
    least: float
    most: float
    above_one: int


def summary_of(ratios):
    ratios = list(ratios)
    if not ratios:
        return Summary(0, math.nan, math.nan, math.nan, math.nan, 0)
    above = sum(ratio > 1 for ratio in ratios)
    return Summary(len(ratios), geometric_mean(ratios), harmonic_mean(ratios), min(ratios), max(ratios), above)


@dataclass
class Spread:
    least: float
    lower: float  # quartile
    median: float
    upper: float
    most: float


def spread_of(numbers):
    """Quartiles between the numbers that are nearest."""
    numbers = sorted(numbers)
    lower, median, upper = statistics.quantiles(numbers, method="inclusive") if len(numbers) > 1 else numbers * 3
    return Spread(numbers[0], lower, median, upper, numbers[-1])


def short_number(value):
    """Three digits, or all of a whole number; empty where there is none."""
    if value is None or not math.isfinite(value):
        return ""
    if abs(value) >= 1000 or value == int(value):
        return f"{value:,.0f}"
    return f"{value:.3g}"


def text_table(lines, texts=1, is_trimmed=True):
    """Cells in columns, each line two spaces in; the first `texts` columns at the left, numbers at the right. Lines end without
    blanks, if is_trimmed."""
    widths = [max(map(len, column)) for column in zip(*lines)]
    table = ""
    for line in lines:
        cells = [cell.ljust(width) if n < texts else cell.rjust(width) for n, (cell, width) in enumerate(zip(line, widths))]
        line = "  " + "  ".join(cells)
        table += (line.rstrip() if is_trimmed else line) + "\n"
    return table


def markdown(head, lines):
    yield "| " + " | ".join(head) + " |"
    yield "|" + "|".join("---" if n == 0 else "--:" for n in range(len(head))) + "|"
    for line in lines:
        yield "| " + " | ".join(line) + " |"
