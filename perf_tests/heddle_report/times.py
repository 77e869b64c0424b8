# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tables of seconds a call as text, after Table III of paper 004 (docs/papers.md)."""

import math
import re
from dataclasses import dataclass, field

from heddle_report.contenders import OURS, Contender, best_name, best_of, library_name, series_name
from heddle_report.rows import grouped
from heddle_report.statistics import text_table


@dataclass
class Kernel:
    """A column: each of heddle's implementations, each serial code, and the best of a library, of cuSPARSE in each format."""

    contender: Contender  # rows with times
    head: tuple  # format, library or backend, name
    skipped: list = field(default_factory=list)  # a row per problem without a time


def format_in_name(row):
    """cuSPARSE's names have the format before the algorithm or the size: csr of csr_alg1_pre, sell of sell8."""
    if row.library_prefix != "cusparse" or row.operation.startswith("spgemm"):
        return ""
    return re.split(r"_alg|_default|\d", row.implementation.partition("::")[2])[0]


def role_of(row):
    if row.library_prefix == OURS:
        return "automatic" if row.is_automatic else "named"
    return "serial" if row.library_prefix == "serial" else "library"


def kernel_key(row):
    role = role_of(row)
    return (role, row.library_prefix, format_in_name(row)) if role == "library" else (role, series_name(row))


def kernel_of(rows):
    first, count = rows[0], len(grouped(rows, series_name))
    library, _, algorithm = first.implementation.rpartition("::")
    name, head = series_name(first), (f"{first.format} {first.parameters}".strip(), library.removeprefix("heddle::"), algorithm)
    if role_of(first) == "library":
        head = (format_in_name(first), library_name(first.library_prefix), algorithm if count == 1 else f"best of {count}")
        name = name if count == 1 else best_name(f"{head[1]} {head[0]}".rstrip(), count)
    kernel = Kernel(Contender(role_of(first), name, best_of(row for row in rows if not row.skipped)), head)
    problems = grouped(rows, lambda row: row.problem)
    kernel.skipped = [of[0] for problem, of in problems.items() if not kernel.contender.on(problem)]
    return kernel


def kernels_of(rows):
    """Of one section: heddle's, then libraries', then serial code, each in the order of rows."""
    kernels = [kernel_of(of) for of in grouped(rows, kernel_key).values()]
    kernels.sort(key=lambda kernel: {"library": 1, "serial": 2}.get(kernel.contender.role, 0))
    for look, kernel in enumerate(kernels):
        kernel.contender.look = look
    return kernels


def seconds_text(ms):
    return f"{1e-3 * ms:.2e}" if math.isfinite(ms) else "-"


def cell(kernel, problem, time):
    row = kernel.contender.on(problem)
    if row:
        return seconds_text(getattr(row, time))
    return "skipped" if any(row.problem == problem for row in kernel.skipped) else "-"


def table_of(kernels, rows, time):
    heads = zip(*(kernel.head for kernel in kernels))
    lines = [[*left, *head] for left, head in zip([[""] * 3, [""] * 3, ["matrix", "rows", "entries"]], heads) if any([*left, *head])]
    for problem, of in grouped(rows, lambda row: row.problem).items():
        lines.append([problem, str(of[0].rows), str(of[0].nnz), *(cell(kernel, problem, time) for kernel in kernels)])
    return text_table(lines, is_trimmed=False)


def calls_text(rows):
    """The budget may have cut some short."""
    calls = [row.runs for row in rows if not row.skipped and math.isfinite(row.runs)]
    if not calls:
        return ""
    return " of " + (f"{min(calls):g} to " if min(calls) < max(calls) else "") + f"{max(calls):g} calls"


def reasons_of(kernels):
    """A line per matrix and reason."""
    pairs = [(row, kernel) for kernel in kernels for row in kernel.skipped]
    for (problem, reason), of in grouped(pairs, lambda pair: (pair[0].problem, pair[0].skipped)).items():
        yield f"  skipped on {problem}: {'; '.join(kernel.contender.name for _, kernel in of)}: {reason}\n"


def times_of(section):
    kernels = kernels_of(section.rows)
    timed = [kernel for kernel in kernels if kernel.contender.rows]
    text, calls = f"{section.title} ({section.first.device})\n", calls_text(section.rows)
    for mean, time in (("mean", "mean_ms"), ("median", "median_ms")):
        if timed and any(math.isfinite(getattr(row, time)) for row in section.timed):
            text += f"\nseconds a call, {mean}{calls}\n" + table_of(timed, section.rows, time)
    reasons = "".join(reasons_of(kernels))
    return text + ("\n" + reasons if reasons else "")


def times_text(sections):
    return "\n".join(map(times_of, sections))
