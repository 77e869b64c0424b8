#!/usr/bin/env python3
# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the tables of docs/performance.md, docs/spmv.md and docs/spmm.md from the JSON Lines under perf_tests/results.

    scripts/performance.py            writes them
    scripts/performance.py --check    says whether they are what the files give, and ends with 1 if not

--page and --results name another page and another folder of results. A page holds comments that say what stands
between them and `<!-- end -->`:

    <!-- summary FILE... -->                  geometric means of speedups by operation, type and k
    <!-- cases TYPE OPERATION[:K]... of FILE... -->   a row a matrix, times and speedup of each operation
    <!-- variants FILE... -->                 geometric mean of times of heddle::auto over those of the first file
    <!-- reading FILE -->                     rates of reading files
    <!-- formats TYPE OPERATION LAYOUT FORMAT[:PARAMETERS]... of FILE... -->   a row a matrix: the time of the first
                                              format, and of each other one with its speedup over the first
    <!-- baselines TYPE OPERATION[:K][:LAYOUT] of FILE... [with PEERS] -->   a row a matrix: heddle::auto, the fastest
                                              of cuSPARSE and of Kokkos Kernels, and the ratio to the fastest peer;
                                              then means of the speedups
    <!-- overview FILE... [with PEERS] -->    those means of every operation, type, k and layout
    <!-- agreement TOLERANCE of FILE... with AGREEMENT -->   baselines measured here over those of a table
    <!-- kernels TYPE OPERATION[:K] of FILE... below GB/S -->   a row a matrix: heddle::auto, its compulsory bytes a
                                              second as a share of a ceiling, and the ms of every native implementation of
                                              heddle's and of plans with reuse
    <!-- plans OPERATION[:K] of FILE... -->   the plan of heddle::auto in calls: its median and its most, by type
    <!-- ways of FILE... -->                  times of heddle::auto for column-major B and C and for A^T B over those of A B
                                              with row-major ones: geometric mean and most, by type and k
    <!-- phases of FILE... -->                what scripts/spgemm_phases.sh measured: a row a matrix, milliseconds of each step
    <!-- parts FORMAT of FILE... -->          what heddle-perf-parts measured: a row a matrix, the heaviest part over the mean
                                              with equal rows, and of SpMV and SpMM the time as a whole and how many times
                                              as fast it is in equal rows and in balanced ones
    <!-- bounds FILE... within CACHES by CLASSES -->   of heddle::auto's time for row-major A B, by class, type and k, the
                                              share that three bounds allow: compulsory bytes from memory; every entry's
                                              row of B from the level-2 cache; and a word of B a product from shared
                                              memory. CACHES is what heddle-perf machine wrote
    <!-- steps IMPLEMENTATION... of FILE... by CLASSES -->   how many times as fast as the first each implementation
                                              of heddle's is for row-major A B: geometric means by class, type and k

FILE is relative to perf_tests/results. A speedup is the time of the fastest Kokkos Kernels method, or of what the
column names, over that of heddle::auto. K is 1 and LAYOUT row where they are left out. CLASSES is NAME: MATRIX...;
NAME: MATRIX...; tables have matrices of these alone. PEERS and AGREEMENT are what
`heddle-perf peers --json` and `heddle-perf peers --agreement --json` wrote of the same results: tables of peers are not
in the repository, the ratios to them are. Ratios that belong to other results are refused.
"""

import argparse
import json
import math
import pathlib
import re
import sys

from spgemm_phases import percent_of_bound, rest_of

ROOT = pathlib.Path(__file__).resolve().parent.parent
RESULTS = ROOT / "perf_tests" / "results"
PAGES = [ROOT / "docs" / f"{page}.md" for page in ("performance", "spmv", "spmm", "spgemm")]
DIRECTIVE = re.compile(
    r"(<!-- (summary|cases|variants|reading|formats|baselines|overview|agreement|kernels|plans|ways|parts|bounds|steps|phases) "
    r"(.*?) -->\n)"
    r".*?(<!-- end -->)",
    re.DOTALL,
)
FAMILIES = {"cusparse": "cuSPARSE", "kokkoskernels": "Kokkos Kernels"}


class Unusable(Exception):
    """What a directive asks for is not what the files have."""


def rows_of(files):
    for name in files:
        try:
            with open(RESULTS / name, encoding="utf-8") as lines:
                yield from (json.loads(line) for line in lines)
        except (OSError, ValueError) as problem:
            raise Unusable(f"{name}: {problem}") from problem


def times_of(files):
    """(operation, value type, k) -> matrix -> [heddle's row, fastest row of Kokkos Kernels]"""
    table = {}
    for row in rows_of(files):
        if "median_ms" not in row:
            continue
        ours = row["implementation"] == "heddle::auto"
        if not ours and not row["implementation"].startswith("kokkoskernels::"):
            continue
        pair = table.setdefault((row["operation"], row["value_type"], row["k"]), {}).setdefault(
            row["matrix"], [None, None]
        )
        best = pair[0 if ours else 1]
        if best is None or row["median_ms"] < best["median_ms"]:
            pair[0 if ours else 1] = row
    return table


def speedup(pair):
    return pair[1]["median_ms"] / pair[0]["median_ms"]


def complete(matrices):
    return {name: pair for name, pair in matrices.items() if None not in pair}


def geometric_mean(numbers):
    return math.exp(sum(map(math.log, numbers)) / len(numbers))


def markdown(head, rows):
    yield "| " + " | ".join(head) + " |"
    yield "|" + "|".join("---" if n == 0 else "--:" for n in range(len(head))) + "|"
    for row in rows:
        yield "| " + " | ".join(row) + " |"


def summary(arguments):
    rows = []
    for (operation, value_type, k), matrices in times_of(arguments.split()).items():
        speedups = [speedup(pair) for pair in complete(matrices).values()]
        if speedups:
            rows.append(
                [operation, value_type, str(k), str(len(speedups)), f"{geometric_mean(speedups):.2f}",
                 f"{min(speedups):.2f}", f"{max(speedups):.2f}"]
            )
    return markdown(["operation", "type", "k", "matrices", "geometric mean", "least", "most"], rows)


def cases(arguments):
    what, files = arguments.split(" of ")
    value_type, *operations = what.split()
    table = times_of(files.split())
    columns = []
    for operation in operations:
        name, _, k = operation.partition(":")
        columns.append((operation.replace(":", " k = "), table[(name, value_type, int(k or 1))]))
    head = ["matrix", "rows", "nnz"]
    for name, _ in columns:
        head += [f"{name}: ms", "Kokkos Kernels", "speedup"]
    rows = []
    for matrix in columns[0][1]:
        ours = columns[0][1][matrix][0]
        if ours is None:
            continue
        row = [matrix, str(ours["rows"]), str(ours["nnz"])]
        for _, matrices in columns:
            pair = matrices.get(matrix, [None, None])
            row += ["", "", ""] if None in pair else [
                f"{pair[0]['median_ms']:.3g}", f"{pair[1]['median_ms']:.3g}", f"{speedup(pair):.2f}"
            ]
        rows.append(row)
    return markdown(head, rows)


def variants(arguments):
    files = arguments.split()
    tables = [times_of([name]) for name in files]
    rows = []
    for case, first in tables[0].items():
        row = [*map(str, case)]
        for table in tables:
            ratios = [
                pair[0]["median_ms"] / first[matrix][0]["median_ms"]
                for matrix, pair in table.get(case, {}).items()
                if matrix in first and pair[0] and first[matrix][0]
            ]
            row.append(f"{geometric_mean(ratios):.3f} ({len(ratios)})" if ratios else "")
        rows.append(row)
    return markdown(["operation", "type", "k", *(pathlib.Path(name).stem for name in files)], rows)


def reading(arguments):
    rows = [
        [row["file"], f"{row['file_bytes'] / 1e6:.1f}", str(row["threads"]), f"{row['median_ms']:.3g}",
         f"{row['mbytes_per_s']:.0f}"]
        for row in rows_of(arguments.split())
    ]
    return markdown(["file", "MB", "threads", "ms", "MB/s"], rows)


def formats(arguments):
    what, files = arguments.split(" of ")
    value_type, operation, layout, *names = what.split()
    times = {}
    for row in rows_of(files.split()):
        of_this = (row["operation"], row.get("value_type"), row["implementation"], row.get("layout", "none"))
        if of_this == (f"formats_{operation}", value_type, "heddle::auto", layout) and "median_ms" in row:
            name = row["format"] + (f":{row['parameters']}" if row["parameters"] else "")
            times.setdefault((row["matrix"], row["nnz"], row["k"]), {})[name] = row["median_ms"]
    head = ["matrix", "nnz", "k", f"{names[0]}: ms"]
    for name in names[1:]:
        head += [f"{name.replace(':', ' ')}: ms", "speedup"]
    rows = []
    for (matrix, nnz, k), of_format in times.items():
        if names[0] not in of_format:
            continue
        first = of_format[names[0]]
        row = [matrix, str(nnz), str(k), f"{first:.3g}"]
        for name in names[1:]:
            ms = of_format.get(name)
            row += ["", ""] if ms is None else [f"{ms:.3g}", f"{first / ms:.2f}"]
        rows.append(row)
    return markdown(head, rows)


def layout_of(row):
    """Rows from before there was a key layout have it in the name."""
    if not row["operation"].startswith("spmm"):
        return ""
    if "layout_c" in row:  # computes something else than those whose B and C are alike
        return f"{row['layout']} to {row['layout_c']}"
    return row.get("layout") or ("col" if row["implementation"].endswith("_col") else "row")


def case_of(row):
    return row["operation"], row["value_type"], row.get("k", 1), layout_of(row)


def family_of(row):
    """Whose it is; of heddle's own only the automatic choice counts, of others only baselines."""
    name = row.get("implementation", "")
    if "layout" not in row:
        name = name.removesuffix("_col")
    if name == "heddle::auto":
        return "heddle"
    family = name.partition("::")[0]
    return family if family in FAMILIES else None


def measured(files):
    """case -> matrix -> family or implementation -> its fastest row, or the one skipped where none has a time"""
    table = {}
    for row in rows_of(files):
        family = family_of(row)
        if family is None:
            continue
        best = table.setdefault(case_of(row), {}).setdefault(row["matrix"], {})
        for name in (family, row["implementation"]):
            if row.get("median_ms", math.inf) <= best.get(name, {}).get("median_ms", math.inf):
                best[name] = row
    return table


def joined(kind, file, results):
    """The rows of a file that `heddle-perf peers` made of the same results, checked to be of these."""
    for row in rows_of([file]):
        if row.get("joined") != kind:
            raise Unusable(f"{file}: a row is not of {kind}")
        case = case_of(row)
        if case not in results:
            continue
        measured_row = results[case].get(row["matrix"], {}).get(row["implementation"], {})
        if measured_row.get("median_ms") != row["median_ms"]:
            raise Unusable(
                f"{file}: {row['matrix']}, {' '.join(map(str, case))}, is of other results: run heddle-perf peers again"
            )
        yield case, row


def with_joined(arguments):
    files, _, file = arguments.partition(" with ")
    return files.split(), file.strip()


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


def harmonic_mean(numbers):
    return len(numbers) / sum(1 / number for number in numbers)


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


def case_asked_for(what):
    value_type, operation = what.split()
    name, *parts = operation.split(":")
    k = int(parts[0]) if parts else 1
    layout = parts[1] if len(parts) > 1 else "row"
    return name, value_type, k, layout if name.startswith("spmm") else ""


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


def agreement(arguments):
    tolerance, _, rest = arguments.partition(" of ")
    files, file = with_joined(rest)
    if not file:
        raise Unusable(f"{arguments}: names no file of heddle-perf peers --agreement")
    ratios = {}
    for case, row in joined("agreement", file, measured(files)):
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


def own_rows(value_type, operation, files):
    """matrix -> implementation of heddle -> its row; "" is what it chooses by itself"""
    case = case_asked_for(f"{value_type} {operation}")
    table = {}
    for row in rows_of(files):
        if "median_ms" not in row or case_of(row) != case:
            continue
        family, _, name = row["implementation"].partition("::")
        if family == "heddle":
            table.setdefault(row["matrix"], {})["" if name == "auto" else name] = row
    return {matrix: rows for matrix, rows in table.items() if "" in rows}


def kernels(arguments):
    what, _, rest = arguments.partition(" of ")
    files, _, ceiling = rest.partition(" below ")
    value_type, operation = what.split()
    table = own_rows(value_type, operation, files.split())
    if not table:
        raise Unusable(f"{arguments}: no such rows")
    names = sorted(
        {name for rows in table.values() for name in rows if name.startswith("cuda_native::") or name == "auto_reuse"}
    )
    head = ["matrix", "nnz a row", "ms", "GB/s", f"% of {ceiling}", *(name.rpartition("::")[2] for name in names)]
    rows = []
    for matrix, of_matrix in table.items():
        auto = of_matrix[""]
        rows.append(
            [matrix, f"{auto['nnz'] / max(1, auto['rows']):.1f}", f"{auto['median_ms']:.3g}",
             f"{auto['gbytes_per_s']:.0f}", f"{100 * auto['gbytes_per_s'] / float(ceiling):.0f}",
             *(f"{of_matrix[name]['median_ms']:.3g}" if name in of_matrix else "" for name in names)]
        )
    return markdown(head, rows)


def plans(arguments):
    operation, _, files = arguments.partition(" of ")
    rows = []
    for value_type in ("f32", "f64"):
        calls = {
            matrix: (of_matrix[""]["plan_ms"] / of_matrix[""]["median_ms"], of_matrix[""]["plan_ms"])
            for matrix, of_matrix in own_rows(value_type, operation, files.split()).items()
        }
        if calls:
            ordered = sorted(calls, key=calls.get)
            median, most = ordered[len(ordered) // 2], ordered[-1]
            rows.append([value_type, f"{calls[median][0]:.1f}", f"{calls[most][0]:.1f} ({most})",
                         f"{max(ms for _, ms in calls.values()):.2f}"])
    return markdown(["type", "plan in calls: median", "most", "longest plan: ms"], rows)


def ways(arguments):
    files = arguments.removeprefix("of ").split()
    table = measured(files)
    rows = []
    for operation, value_type, k, layout in table:
        if (operation, layout) != ("spmm", "row"):
            continue
        plain = table[operation, value_type, k, layout]
        row = [value_type, str(k)]
        for other in (("spmm", value_type, k, "col"), ("spmm_t", value_type, k, "row")):
            ratios = {
                matrix: of_family["heddle"]["median_ms"] / plain[matrix]["heddle"]["median_ms"]
                for matrix, of_family in table.get(other, {}).items()
                if "median_ms" in of_family.get("heddle", {}) and "median_ms" in plain.get(matrix, {}).get("heddle", {})
            }
            most = max(ratios, key=ratios.get, default=None)
            row += [f"{geometric_mean(ratios.values()):.2f}", f"{ratios[most]:.2f} ({most})"] if ratios else ["", ""]
        rows.append(row)
    return markdown(["type", "k", "column-major over row-major", "most", "A^T B over A B", "most"], rows)


def parts(arguments):
    wanted, _, files = arguments.partition(" of ")
    table = {}
    for row in rows_of(files.split()):
        if row.get("format") == wanted and row["operation"].startswith("parts_"):
            cut = row["cut"] if row["cut"] in ("whole", "rows") else "balanced"
            table.setdefault(row["matrix"], {})[row["operation"].removeprefix("parts_"), cut] = row
    if not table:
        raise Unusable(f"{arguments}: no such rows")
    lines = []
    for matrix, of_matrix in sorted(table.items()):
        if not any("median_ms" in row for row in of_matrix.values()):
            continue
        rows = of_matrix["spmv", "rows"]
        line = [matrix, str(rows["nnz"]), f"{max(rows['part_places']) * rows['parts'] / sum(rows['part_places']):.2f}"]
        for operation in ("spmv", "spmm"):
            whole = of_matrix[operation, "whole"]["median_ms"]
            line.append(f"{whole:.3g}")
            for cut in ("rows", "balanced"):
                row = of_matrix[operation, cut]
                line.append(f"{whole / row['median_ms']:.2f}" if "median_ms" in row else "")
        lines.append(line)
    return markdown(["matrix", "nnz", "equal rows: heaviest over mean", "SpMV on one: ms", "equal rows", "balanced",
                     "SpMM on one: ms", "equal rows", "balanced"], lines)


def phases(arguments):
    _, _, files = arguments.partition("of ")
    rows = [row for row in rows_of(files.split()) if row["operation"] == "spgemm_phases"]
    if not rows:
        raise Unusable(f"{arguments}: no such rows")
    steps = [step for step in rows[0]["steps_ms"] if any(row["steps_ms"][step] for row in rows)]
    lines = []
    for row in sorted(rows, key=lambda row: row["nnz"]):
        times = [row["median_ms"], *(row["steps_ms"][step] for step in steps), rest_of(row)]
        lines.append([row["matrix"], str(row["nnz"]), *(f"{ms:.3g}" for ms in times), str(row["launches"]),
                      f"{percent_of_bound(row):.1f}"])
    return markdown(["matrix", "nnz", "call, ms", *steps, "the rest", "launches", "bound, %"], lines)


def classes_of(text):
    """name -> its matrices"""
    classes = {}
    for one in text.split(";"):
        name, colon, matrices = one.partition(":")
        if not colon or not matrices.split():
            raise Unusable(f"{one.strip()}: no class of matrices")
        classes[name.strip()] = matrices.split()
    return classes


def own_by_class(files, names, classes):
    """class, type and k -> rows of heddle's `names`, matrix by matrix, of row-major A B; those that lack one are left out"""
    table = {}
    for row in rows_of(files):
        name = row.get("implementation", "").removeprefix("heddle::")
        if row["operation"] == "spmm" and layout_of(row) == "row" and name in names and "median_ms" in row:
            table.setdefault((row["value_type"], row["k"]), {}).setdefault(row["matrix"], {})[name] = row
    for title, matrices in classes.items():
        for (value_type, k), of_matrix in sorted(table.items()):
            rows = [of_matrix[matrix] for matrix in matrices if len(of_matrix.get(matrix, {})) == len(names)]
            if rows:
                yield title, value_type, k, [[of_name[name] for name in names] for of_name in rows]


def level_2_gbytes_per_s(file):
    """The fastest point of a sweep that no first-level cache holds, of 256 KiB a multiprocessor."""
    try:
        sweep = json.loads((RESULTS / file).read_text(encoding="utf-8"))["cache_sweep"]
        return 4 * max(point["gwords_per_s"] for point in sweep if point["bytes"] > 256 << 10)
    except (OSError, ValueError, KeyError) as problem:
        raise Unusable(f"{file}: {problem}") from problem


def bounds(arguments):
    files, _, rest = arguments.partition(" within ")
    caches, _, classes = rest.partition(" by ")
    level_2 = level_2_gbytes_per_s(caches)
    rows = []
    for title, value_type, k, of_class in own_by_class(files.split(), ["auto"], classes_of(classes)):
        shares = []
        for (row,) in of_class:
            seconds, size = row["median_ms"] / 1e3, {"f32": 4, "f64": 8}[value_type]
            products = row["nnz"] * k * size
            entries = row["nnz"] * (size + 4) + row["rows"] * k * size
            shares.append([
                row["gbytes_per_s"] / row["machine_gbytes_per_s"],
                (products + entries) / (level_2 * 1e9 * seconds),
                products / (row["machine_shared_gbytes_per_s"] * 1e9 * seconds),
            ])
        rows.append([title, value_type, str(k), str(len(shares)),
                     *(f"{100 * geometric_mean(numbers):.0f}" for numbers in zip(*shares))])
    if not rows:
        raise Unusable(f"{arguments}: no such rows")
    return markdown(["class", "type", "k", "matrices", "% of compulsory", "% of level 2", "% of shared memory"], rows)


def steps(arguments):
    what, _, rest = arguments.partition(" of ")
    files, _, classes = rest.partition(" by ")
    names = what.split()
    rows = [
        [title, value_type, str(k), str(len(of_class)),
         *(f"{geometric_mean([row[0]['median_ms'] / row[n]['median_ms'] for row in of_class]):.2f}"
           for n in range(1, len(names)))]
        for title, value_type, k, of_class in own_by_class(files.split(), names, classes_of(classes))
    ]
    if not rows:
        raise Unusable(f"{arguments}: no such rows")
    titles = [f"`{name.rpartition('::')[2]}`" for name in names[1:]]
    return markdown(["class", "type", "k", "matrices", *titles], rows)


def filled(text):
    makers = {"summary": summary, "cases": cases, "variants": variants, "reading": reading, "formats": formats,
              "baselines": baselines, "overview": overview, "agreement": agreement, "kernels": kernels, "plans": plans,
              "ways": ways, "parts": parts, "bounds": bounds, "steps": steps, "phases": phases}
    return DIRECTIVE.sub(
        lambda match: match[1] + "\n".join(makers[match[2]](match[3])) + "\n" + match[4], text
    )


def main(arguments=None):
    global RESULTS
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--page", type=pathlib.Path, action="append")
    parser.add_argument("--results", type=pathlib.Path, default=RESULTS)
    asked = parser.parse_args(arguments)
    RESULTS = asked.results
    for page in asked.page or PAGES:
        before = page.read_text(encoding="utf-8")
        try:
            after = filled(before)
        except Unusable as problem:
            sys.exit(f"{page.name}: {problem}")
        if asked.check and before != after:
            sys.exit(f"{page.name} is not what the results give: run scripts/performance.py")
        if not asked.check:
            page.write_text(after, encoding="utf-8")


if __name__ == "__main__":
    main()
