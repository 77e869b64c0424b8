# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Means of ratios, and tables as Markdown."""

import math


def geometric_mean(numbers):
    return math.exp(sum(map(math.log, numbers)) / len(numbers))


def harmonic_mean(numbers):
    return len(numbers) / sum(1 / number for number in numbers)


def markdown(head, rows):
    yield "| " + " | ".join(head) + " |"
    yield "|" + "|".join("---" if n == 0 else "--:" for n in range(len(head))) + "|"
    for row in rows:
        yield "| " + " | ".join(row) + " |"
