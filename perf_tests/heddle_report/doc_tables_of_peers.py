# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tables of heddle::auto beside cuSPARSE, Kokkos Kernels and tables of peers."""

from heddle_report.fastest import FAMILIES, cell, speedups, spread
from heddle_report.rows import Unusable, grouped
from heddle_report.statistics import geometric_mean, harmonic_mean, markdown
from heddle_report.timings import family_of

CASE = ["operation", "type", "k", "layout"]


def peers_of(asked):
    """problem -> matrix -> the object that peers made, where the directive names a file of them"""
    table = {}
    for problem, data in asked.joined("peers") if "with" in asked.said else ():
        table.setdefault(problem, {})[data["matrix"]] = data
    return table


def compared(matrices, peers):
    """what heddle is compared with -> matrix -> speedup"""
    table = {title: speedups(matrices, family) for family, title in FAMILIES.items()}
    return {**table, "fastest peer": {matrix: data["peer_ratio"] for matrix, data in peers.items()}}


def baselines(asked):
    """baselines TYPE OPERATION[:K][:LAYOUT] of FILE... [with PEERS]: per matrix heddle::auto, the fastest of cuSPARSE and of
    Kokkos Kernels, and the ratio to the fastest peer; then means of the speedups"""
    problem, results = asked.problem(*asked.words), asked.fastest()
    if problem not in results:
        raise Unusable("no such rows")
    peers = peers_of(asked).get(problem, {})
    ratios = compared(results[problem], peers)
    lines, skipped = [], []
    for matrix, contenders in results[problem].items():
        ours = contenders["heddle"]
        if not ours.median_ms > 0:
            skipped.append(f"{matrix} ({ours.skipped or 'not measured'})")
            continue
        line = [matrix, str(ours.nnz), cell(ours.median_ms), cell(ours.gbytes_per_s, "{:.0f}"), cell(ours.roofline_percent, "{:.0f}")]
        for family, title in FAMILIES.items():
            row = contenders[family]
            name = row.implementation.partition("::")[2]
            line += [name, cell(row.median_ms), f"{ratios[title][matrix]:.2f}"] if matrix in ratios[title] else [""] * 3
        if "with" in asked.said:
            line += [peers[matrix]["peer"], f"{peers[matrix]['peer_ratio']:.2f}"] if matrix in peers else [""] * 2
        lines.append(line)
    head = ["matrix", "nnz", "ms", "GB/s", "% roofline"]
    head += [text for title in FAMILIES.values() for text in (title, "ms", "speedup")]
    yield from markdown(head + ["fastest peer", "speedup"] * ("with" in asked.said), lines)
    yield ""
    means = []
    for title, numbers in ratios.items():
        if numbers:
            count, mean, *ends = spread(numbers.values())
            means.append([title, count, mean, f"{harmonic_mean(numbers.values()):.2f}", *ends])
    yield from markdown(["speedup over", "matrices", "geometric mean", "harmonic mean", "least", "most"], means)
    if skipped:
        yield ""
        yield "Without a time: " + "; ".join(skipped) + "."


def overview(asked):
    """overview FILE... [with PEERS]: those means of every operation, type, k and layout"""
    peers = peers_of(asked)
    titles = [*FAMILIES.values()] + ["fastest peer"] * ("with" in asked.said)
    lines = []
    for problem, matrices in asked.fastest().items():
        ratios = compared(matrices, peers.get(problem, {}))
        cells = [spread(ratios[title].values()) if ratios[title] else [""] * 4 for title in titles]
        if any(ratios[title] for title in titles):
            lines.append([*map(str, problem), *(text for count, mean, least, _ in cells for text in (mean, least, count))])
    return markdown(CASE + [text for title in titles for text in (f"over {title}", "least", "matrices")], lines)


def tables(asked):
    """tables OPERATION of FILE... with PEERS: the fastest peer and the best of cuSPARSE and of Kokkos Kernels in the tables of
    peers, their times over those of heddle::auto: geometric mean and least by type, k and layout"""
    of_operation = [item for item in asked.joined("peers") if item[0].operation == asked.words[0]]
    if not of_operation:
        raise Unusable("no such rows")
    lines = []
    for problem, items in grouped(of_operation, lambda item: item[0]).items():
        lines.append([*map(str, problem[1:])])
        for family in (None, *FAMILIES):
            best = [(data if family is None else data.get("families", {}).get(family), data["matrix"]) for _, data in items]
            ratios = [(peer["peer_ratio"], matrix) for peer, matrix in best if peer]
            lines[-1] += ([f"{geometric_mean([ratio for ratio, _ in ratios]):.2f}", "{:.2f} ({})".format(*min(ratios)),
                           str(len(ratios))] if ratios else [""] * 3)
    titles = ("fastest peer", *FAMILIES.values())
    return markdown(CASE[1:] + [text for title in titles for text in (title, "least", "matrices")], lines)


def agreement(asked):
    """agreement TOLERANCE of FILE... with AGREEMENT: baselines measured here over those of a table"""
    tolerance = float(asked.words[0]) if asked.words else 0
    of_baseline = grouped(asked.joined("agreement"), lambda item: (*item[0], FAMILIES[family_of(item[1]["implementation"])]))
    lines, agreeing, total = [], 0, 0
    for case, items in of_baseline.items():
        ratios = {data["matrix"]: data["ratio"] for _, data in items}
        off = [f"{matrix} {ratio:.2f}" for matrix, ratio in ratios.items() if max(ratio, 1 / ratio) > 1 + tolerance]
        total, agreeing = total + len(ratios), agreeing + len(ratios) - len(off)
        count, _, *ends = spread(ratios.values())
        lines.append([*map(str, case), f"{len(ratios) - len(off)} of {count}", f"{geometric_mean(ratios.values()):.3f}",
                      *ends, ", ".join(off)])
    within = f"within {100 * tolerance:g} %"
    yield from markdown([*CASE, "baseline", within, "geometric mean", "least", "most", "off"], lines)
    yield ""
    yield f"{agreeing} of {total} baselines agree {within}."


TABLES = (baselines, overview, tables, agreement)
