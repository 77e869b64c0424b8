# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tables of heddle::auto beside cuSPARSE, Kokkos Kernels and tables of peers."""

import math

from performance_tables.rows import FAMILIES, Unusable, case_asked_for, family_of, joined, measured, with_joined
from performance_tables.text import geometric_mean, harmonic_mean, markdown


def times_over(matrices, family):
    """matrix -> time of a family over that of heddle::auto"""
    return {
        name: of_family[family]["median_ms"] / of_family["heddle"]["median_ms"]
        for name, of_family in matrices.items()
        if all("median_ms" in of_family.get(one, {}) for one in (family, "heddle"))
    }


def speedups_of(results, peers_file):
    """case -> what is compared with -> matrix -> speedup"""
    table = {
        case: {title: times_over(matrices, family) for family, title in FAMILIES.items()}
        for case, matrices in results.items()
    }
    if peers_file:
        for case, row in joined("peers", peers_file, results):
            table[case].setdefault("fastest peer", {})[row["matrix"]] = row["peer_ratio"]
    return table


def roofline_percent(row):
    """Of the GFLOPS that compulsory bytes and operations allow; rows from before roofline_gflops have the parts."""
    roof = row.get("roofline_gflops")
    if roof is None:
        intensity = row["gflops"] / row["gbytes_per_s"]
        roof = min(row.get("machine_gflops", math.inf), intensity * row["machine_gbytes_per_s"])
    return 100 * row["gflops"] / roof


def means(speedups):
    rows = [
        [title, str(len(numbers)), f"{geometric_mean(numbers):.2f}", f"{harmonic_mean(numbers):.2f}",
         f"{min(numbers):.2f}", f"{max(numbers):.2f}"]
        for title, numbers in ((title, of_matrix.values()) for title, of_matrix in speedups.items())
        if numbers
    ]
    return markdown(["speedup over", "matrices", "geometric mean", "harmonic mean", "least", "most"], rows)


def baselines(arguments):
    what, _, rest = arguments.partition(" of ")
    files, peers_file = with_joined(rest)
    case = case_asked_for(what)
    results = measured(files)
    if case not in results:
        raise Unusable(f"{arguments}: no such rows")
    speedups = speedups_of(results, peers_file)[case]
    peers = {row["matrix"]: row for of, row in joined("peers", peers_file, results) if of == case} if peers_file else {}
    head = ["matrix", "nnz", "ms", "GB/s", "% roofline"]
    for title in FAMILIES.values():
        head += [title, "ms", "speedup"]
    if peers_file:
        head += ["fastest peer", "speedup"]
    rows, skipped = [], []
    for matrix, of_family in results[case].items():
        ours = of_family.get("heddle", {})
        if "median_ms" not in ours:
            skipped.append(f"{matrix} ({ours.get('skipped', 'not measured')})")
            continue
        row = [matrix, str(ours["nnz"]), f"{ours['median_ms']:.3g}", f"{ours['gbytes_per_s']:.0f}",
               f"{roofline_percent(ours):.0f}"]
        for family, title in FAMILIES.items():
            theirs = of_family.get(family, {})
            row += ["", "", ""] if "median_ms" not in theirs else [
                theirs["implementation"].partition("::")[2], f"{theirs['median_ms']:.3g}",
                f"{speedups[title][matrix]:.2f}"
            ]
        if peers_file:
            row += [peers[matrix]["peer"], f"{peers[matrix]['peer_ratio']:.2f}"] if matrix in peers else ["", ""]
        rows.append(row)
    yield from markdown(head, rows)
    yield ""
    yield from means(speedups)
    if skipped:
        yield ""
        yield "Without a time: " + "; ".join(skipped) + "."


def overview(arguments):
    files, peers_file = with_joined(arguments)
    titles = [*FAMILIES.values()] + (["fastest peer"] if peers_file else [])
    head = ["operation", "type", "k", "layout"]
    for title in titles:
        head += [f"over {title}", "least", "matrices"]
    rows = []
    for case, speedups in speedups_of(measured(files), peers_file).items():
        row = [*map(str, case)]
        for title in titles:
            numbers = speedups.get(title, {}).values()
            row += ["", "", ""] if not numbers else [
                f"{geometric_mean(numbers):.2f}", f"{min(numbers):.2f}", str(len(numbers))
            ]
        if any(row[len(case):]):
            rows.append(row)
    return markdown(head, rows)


def ratios_named(kind, arguments):
    """What stands before " of ", and the rows of the joined file, which has to be there."""
    what, _, rest = arguments.partition(" of ")
    files, file = with_joined(rest)
    if not file:
        raise Unusable(f"{arguments}: names no file of heddle-perf peers")
    return what, joined(kind, file, measured(files))


def tables(arguments):
    operation, of_peers = ratios_named("peers", arguments)
    ratios = {}
    for case, row in of_peers:
        if case[0] == operation:
            of_case = ratios.setdefault(case[1:], {title: [] for title in ("fastest peer", *FAMILIES)})
            of_case["fastest peer"].append((row["peer_ratio"], row["matrix"]))
            for family, best in row.get("families", {}).items():
                of_case[family].append((best["peer_ratio"], row["matrix"]))
    if not ratios:
        raise Unusable(f"{arguments}: no such rows")
    head = ["type", "k", "layout"]
    for title in ("fastest peer", *FAMILIES.values()):
        head += [title, "least", "matrices"]
    rows = []
    for case, of_case in ratios.items():
        row = [*map(str, case)]
        for numbers in of_case.values():
            row += ["", "", ""] if not numbers else [
                f"{geometric_mean([ratio for ratio, _ in numbers]):.2f}", "{:.2f} ({})".format(*min(numbers)), str(len(numbers))
            ]
        rows.append(row)
    return markdown(head, rows)


def agreement(arguments):
    tolerance, of_baselines = ratios_named("agreement", arguments)
    ratios = {}
    for case, row in of_baselines:
        ratios.setdefault((*case, FAMILIES[family_of(row)]), {})[row["matrix"]] = row["ratio"]
    within = 1 + float(tolerance)
    rows, agreeing, total = [], 0, 0
    for key, of_matrix in ratios.items():
        numbers = of_matrix.values()
        off = {name: ratio for name, ratio in of_matrix.items() if max(ratio, 1 / ratio) > within}
        agreeing, total = agreeing + len(numbers) - len(off), total + len(numbers)
        rows.append(
            [*map(str, key), f"{len(numbers) - len(off)} of {len(numbers)}", f"{geometric_mean(numbers):.3f}",
             f"{min(numbers):.2f}", f"{max(numbers):.2f}",
             ", ".join(f"{name} {ratio:.2f}" for name, ratio in off.items())]
        )
    percent = f"{100 * float(tolerance):g} %"
    head = ["operation", "type", "k", "layout", "baseline", f"within {percent}", "geometric mean", "least", "most"]
    yield from markdown([*head, "off"], rows)
    yield ""
    yield f"{agreeing} of {total} baselines agree within {percent}."


TABLES = {"baselines": baselines, "overview": overview, "tables": tables, "agreement": agreement}
