# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tables of heddle's times: beside Kokkos Kernels, of its implementations, formats and parts, and as shares of bounds."""

import math
import pathlib

from heddle_report.fastest import cell, speedups, spread
from heddle_report.rows import STEPS, Unusable, grouped, object_of
from heddle_report.spgemm_phases import percent_of_bound, rest_of
from heddle_report.statistics import geometric_mean, markdown

AUTO, KOKKOS = "heddle::auto", "kokkoskernels"


def table(head, lines):
    if not lines:
        raise Unusable("no such rows")
    return markdown(head, lines)


def most(numbers):
    """The largest, with the name of its matrix."""
    name = max(numbers, key=numbers.get)
    return f"{numbers[name]:.2f} ({name})"


def classes_of(asked):
    """The title and the matrices of each class."""
    for one in asked.classes.split(";"):
        title, colon, matrices = one.partition(":")
        if not colon or not matrices.split():
            raise Unusable(f"{one.strip()}: no class of matrices")
        yield title.strip(), matrices.split()


def summary(asked):
    """summary FILE...: geometric means of speedups by operation, type and k"""
    lines = [[problem.operation, problem.value_type, str(problem.k), *spread(speedups(matrices, KOKKOS).values())]
             for problem, matrices in asked.fastest().items() if speedups(matrices, KOKKOS)]
    return table(["operation", "type", "k", "matrices", "geometric mean", "least", "most"], lines)


def cases(asked):
    """cases TYPE OPERATION[:K]... of FILE...: per matrix the times and the speedup of each operation"""
    value_type, *operations = asked.words
    results = asked.fastest()
    columns = [results[asked.problem(value_type, operation)] for operation in operations]
    head, lines = ["matrix", "rows", "nnz"], []
    for operation in operations:
        head += [f"{operation.replace(':', ' k = ')}: ms", "Kokkos Kernels", "speedup"]
    for matrix, contenders in columns[0].items():
        lines.append([matrix, str(contenders[AUTO].rows), str(contenders[AUTO].nnz)])
        for column in columns:
            is_there = matrix in speedups(column, KOKKOS)
            times = [cell(column[matrix][name].median_ms) for name in (AUTO, KOKKOS)] if is_there else []
            lines[-1] += [*times, f"{column[matrix].speedup(KOKKOS):.2f}"] if is_there else [""] * 3
    return table(head, lines)


def solver_steps(asked):
    """solver_steps FILE...: per matrix and step of heddle-perf solver-steps, times without epilogues and of the fastest of each library over heddle::auto"""
    others = {"heddle::auto_apart": "apart", "cusparse": "cuSPARSE", KOKKOS: "Kokkos Kernels"}
    results, lines = asked.fastest(), []
    for matrix in dict.fromkeys(name for matrices in results.values() for name in matrices):
        for problem in sorted((problem for problem in results if problem.operation in STEPS),
                              key=lambda problem: list(STEPS).index(problem.operation)):
            of = results[problem].get(matrix, {})
            if AUTO not in of:
                continue
            ratios = [cell(of.speedup(name), "{:.2f}") for name in others]
            lines.append([matrix, STEPS[problem.operation], of[AUTO].chosen, cell(1e3 * of[AUTO].median_ms), *ratios])
    return table(["matrix", "step", "kernel", "us", *others.values()], lines)


def variants(asked):
    """variants FILE...: geometric mean of times of heddle::auto over those of the first file"""
    results = [asked.fastest([file]) for file in asked.files]
    lines = []
    for problem, first in results[0].items():
        lines.append([*map(str, problem[:3])])
        for result in results:
            ratios = [contenders[AUTO].median_ms / first[matrix][AUTO].median_ms
                      for matrix, contenders in result.get(problem, {}).items() if matrix in first]
            ratios = [ratio for ratio in ratios if math.isfinite(ratio)]
            lines[-1].append(f"{geometric_mean(ratios):.3f} ({len(ratios)})" if ratios else "")
    return table(["operation", "type", "k", *(pathlib.Path(name).stem for name in asked.files)], lines)


def reading(asked):
    """reading FILE: rates of reading files"""
    return table(["file", "MB", "threads", "ms", "MB/s"],
                 [[data["file"], f"{data['file_bytes'] / 1e6:.1f}", str(data["threads"]), cell(data["median_ms"]),
                   f"{data['mbytes_per_s']:.0f}"] for data in asked.objects()])


def formats(asked):
    """formats TYPE OPERATION LAYOUT FORMAT[:PARAMETERS]... of FILE...: per matrix the time of the first format, and of each
    other one with its speedup over the first"""
    value_type, operation, layout, first, *others = asked.words
    wanted = (f"formats_{operation}", value_type, layout)
    rows = [row for row in asked.rows() if row.is_automatic and not row.skipped]
    rows = [row for row in rows if (row.operation, row.value_type, row.layout or "none") == wanted]
    head, lines = ["matrix", "nnz", "k", f"{first}: ms"], []
    for name in others:
        head += [f"{name.replace(':', ' ')}: ms", "speedup"]
    for (matrix, nnz, k), of_matrix in grouped(rows, lambda row: (row.matrix, row.nnz, row.k)).items():
        times = {":".join(filter(None, (row.format, row.parameters))): row.median_ms for row in of_matrix}
        if first in times:
            lines.append([matrix, str(nnz), str(k), cell(times[first])])
            for ms in (times.get(name, math.nan) for name in others):
                lines[-1] += [cell(ms), cell(times[first] / ms, "{:.2f}")]
    return table(head, lines)


def parts(asked):
    """parts FORMAT of FILE...: what heddle-perf-parts measured: per matrix the heaviest part over the mean with equal rows, and
    of SpMV and SpMM the time as a whole and how many times as fast it is in equal rows and in balanced ones"""
    wanted = [data for data in asked.objects() if data.get("format") == asked.words[0] and data["operation"].startswith("parts_")]
    lines = []
    for matrix, of_matrix in sorted(grouped(wanted, lambda data: data["matrix"]).items()):
        by_cut = {(data["operation"], data["cut"] if data["cut"] in ("whole", "rows") else "balanced"): data for data in of_matrix}
        if not any("median_ms" in data for data in of_matrix):
            continue
        rows = by_cut["parts_spmv", "rows"]
        lines.append([matrix, str(rows["nnz"]), f"{max(rows['part_places']) * rows['parts'] / sum(rows['part_places']):.2f}"])
        for operation in ("parts_spmv", "parts_spmm"):
            whole, *cut = (by_cut[operation, name].get("median_ms", math.nan) for name in ("whole", "rows", "balanced"))
            lines[-1] += [cell(whole), *(cell(whole / ms, "{:.2f}") for ms in cut)]
    return table(["matrix", "nnz", "equal rows: heaviest over mean", "SpMV on one: ms", "equal rows", "balanced",
                  "SpMM on one: ms", "equal rows", "balanced"], lines)


def kernels(asked):
    """kernels TYPE OPERATION[:K] of FILE... below GB/S: per matrix heddle::auto, its compulsory bytes per second as a share of
    a ceiling, and the ms of every native implementation of heddle's and of plans with reuse"""
    ceiling = asked.said["below"]
    of_problem = asked.fastest().get(asked.problem(*asked.words), {})
    matrices = {matrix: contenders for matrix, contenders in of_problem.items() if contenders[AUTO].median_ms > 0}
    names = {name for contenders in matrices.values() for name, row in contenders.items() if not row.skipped}
    names = sorted(name for name in names if name.startswith("heddle::cuda_native::") or name == AUTO + "_reuse")
    lines = []
    for matrix, contenders in matrices.items():
        auto = contenders[AUTO]
        lines.append([matrix, f"{auto.nnz / max(1, auto.rows):.1f}", cell(auto.median_ms), f"{auto.gbytes_per_s:.0f}",
                      f"{100 * auto.gbytes_per_s / float(ceiling):.0f}", *(cell(contenders[name].median_ms) for name in names)])
    return table(["matrix", "nnz a row", "ms", "GB/s", f"% of {ceiling}", *(name.rpartition("::")[2] for name in names)], lines)


def plans(asked):
    """plans OPERATION[:K] of FILE...: the plan of heddle::auto in calls: its median and its most, by type"""
    results, lines = asked.fastest(), []
    for value_type in ("f32", "f64"):
        matrices = results.get(asked.problem(value_type, *asked.words), {})
        rows = [contenders[AUTO] for contenders in matrices.values() if contenders[AUTO].plan_calls > 0]
        rows.sort(key=lambda row: (row.plan_calls, row.plan_ms))
        if rows:
            lines.append([value_type, f"{rows[len(rows) // 2].plan_calls:.1f}", f"{rows[-1].plan_calls:.1f} ({rows[-1].matrix})",
                          f"{max(row.plan_ms for row in rows):.2f}"])
    return table(["type", "plan in calls: median", "most", "longest plan: ms"], lines)


def ways(asked):
    """ways of FILE...: times of heddle::auto for column-major B and C and for A^T B over those of A B with row-major ones:
    geometric mean and most, by type and k"""
    results, lines = asked.fastest(), []
    for problem, plain in results.items():
        if (problem.operation, problem.layout) != ("spmm", "row"):
            continue
        lines.append([problem.value_type, str(problem.k)])
        for other in (problem._replace(layout="col"), problem._replace(operation="spmm_t")):
            ratios = {matrix: contenders[AUTO].median_ms / plain.get(matrix, contenders)[AUTO].median_ms
                      for matrix, contenders in results.get(other, {}).items() if matrix in plain}
            ratios = {matrix: ratio for matrix, ratio in ratios.items() if math.isfinite(ratio)}
            lines[-1] += [f"{geometric_mean(ratios.values()):.2f}", most(ratios)] if ratios else [""] * 2
    return table(["type", "k", "column-major over row-major", "most", "A^T B over A B", "most"], lines)


def phases(asked):
    """phases of FILE...: what scripts/spgemm_phases.sh measured: per matrix milliseconds of each step"""
    found = sorted((data for data in asked.objects() if data["operation"] == "spgemm_phases"), key=lambda data: data["nnz"])
    steps = [step for step in (found[0]["steps_ms"] if found else ()) if any(data["steps_ms"][step] for data in found)]
    lines = []
    for data in found:
        times = [data["median_ms"], *(data["steps_ms"][step] for step in steps), rest_of(data)]
        lines.append([data["matrix"], str(data["nnz"]), *map(cell, times), str(data["launches"]), f"{percent_of_bound(data):.1f}"])
    return table(["matrix", "nnz", "call, ms", *steps, "the rest", "launches", "bound, %"], lines)


def by_class(asked, names):
    """class, type, k and how many matrices as cells, and matrix by matrix the rows of heddle's `names`, of row-major A B;
    matrices that lack one are left out"""
    results = asked.fastest()
    for title, matrices in classes_of(asked):
        for problem in sorted(problem for problem in results if (problem.operation, problem.layout) == ("spmm", "row")):
            contenders = [results[problem][matrix] for matrix in matrices if matrix in results[problem]]
            rows = [[of_matrix["heddle::" + name] for name in names] for of_matrix in contenders]
            rows = [of_matrix for of_matrix in rows if all(row.median_ms > 0 for row in of_matrix)]
            if rows:
                yield [title, problem.value_type, str(problem.k), str(len(rows))], rows


def level_2_gbytes_per_s(asked):
    """The fastest point of a sweep that no first-level cache holds, of 256 KiB per multiprocessor."""
    sweep = object_of(asked.folder / asked.said["within"])["cache_sweep"]
    return 4 * max(point["gwords_per_s"] for point in sweep if point["bytes"] > 256 << 10)


def bounds(asked):
    """bounds FILE... within CACHES by CLASSES: of heddle::auto's time for row-major A B, by class, type and k, the share that
    three bounds allow: compulsory bytes from memory; every entry's row of B from the level-2 cache; and a word of B per
    product from shared memory. CACHES is what heddle-perf machine wrote"""
    level_2, lines = level_2_gbytes_per_s(asked), []
    for cells, of_class in by_class(asked, ["auto"]):
        shares = []
        for (row,) in of_class:
            seconds, size = row.median_ms / 1e3, row.value_bytes
            products = row.nnz * row.k * size
            entries = row.nnz * (size + 4) + row.rows * row.k * size
            shares.append([row.gbytes_per_s / row.machine_gbytes_per_s, (products + entries) / (level_2 * 1e9 * seconds),
                           products / (row.machine_shared_gbytes_per_s * 1e9 * seconds)])
        lines.append(cells + [f"{100 * geometric_mean(numbers):.0f}" for numbers in zip(*shares)])
    return table(["class", "type", "k", "matrices", "% of compulsory", "% of level 2", "% of shared memory"], lines)


def steps(asked):
    """steps IMPLEMENTATION... of FILE... by CLASSES: how many times as fast as the first each implementation of heddle's is for
    row-major A B: geometric means by class, type and k"""
    lines = []
    for cells, of_class in by_class(asked, asked.words):
        ratios = ([rows[0].median_ms / row.median_ms for row in rows[1:]] for rows in of_class)
        lines.append(cells + [f"{geometric_mean(numbers):.2f}" for numbers in zip(*ratios)])
    return table(["class", "type", "k", "matrices", *(f"`{name.rpartition('::')[2]}`" for name in asked.words[1:])], lines)


def repaid(asked):
    """repaid NAME OTHER... of FILE...: per matrix and type milliseconds of heddle's kernels, with warm and with cold caches, how
    many times as fast as the first each is, its plan, and after how many calls what that takes more than the first's is repaid"""
    lines = []
    for problem, matrices in asked.fastest().items():
        for matrix, contenders in matrices.items():
            first, *others = (contenders["heddle::" + name] for name in asked.words)
            for row in (row for row in (first, *others) if row.median_ms > 0 and first.median_ms > 0):
                gain_ms, is_first = first.median_ms - row.median_ms, row is first
                calls = (row.plan_ms - first.plan_ms) / gain_ms if gain_ms > 0 else math.nan
                ratios = [math.nan] * 2 if is_first else [first.median_ms / row.median_ms, first.cold_ms / row.cold_ms]
                lines.append([matrix, problem.value_type, f"`{row.implementation.rpartition('::')[2]}`", cell(row.median_ms),
                              cell(row.cold_ms), *(cell(ratio, "{:.2f}") for ratio in ratios), cell(row.plan_ms), cell(row.plan_calls, "{:.0f}"),
                              "" if is_first else cell(calls, "{:.0f}") or "never"])
    return table(["matrix", "type", "kernel", "warm: ms", "cold: ms", "warm: over the first", "cold: over the first", "plan: ms",
                  "plan in calls", "repaid after calls"], lines)


def memory(asked):
    """memory TYPE OPERATION IMPLEMENTATION... of FILE...: per matrix the size of C and what each implementation takes at most beyond A,
    B and C, in MB; the last line has the geometric means of what they take over the bytes of C"""
    value_type, operation, *names = asked.words
    rows = [row for row in asked.rows() if row.operation == operation and row.value_type == value_type and not row.skipped]
    shares, lines = {name: [] for name in names}, []
    for matrix, of in grouped(rows, lambda row: row.matrix).items():
        taken = {row.implementation.removeprefix("heddle::"): row.workspace_bytes for row in of}
        c_bytes = 4 * (of[0].rows + 1) + (4 + of[0].value_bytes) * of[0].products_nnz
        for name in names:
            if taken.get(name, 0) > 0:
                shares[name].append(taken[name] / c_bytes)
        lines.append([matrix, f"{c_bytes / 1e6:.3g}", *(cell(taken.get(name, math.nan) / 1e6) for name in names)])
    if lines:
        lines.append(["over C", "", *(f"{geometric_mean(share):.2f}" if share else "" for share in shares.values())])
    return table(["matrix", "C, MB", *(f"`{name}`" for name in names)], lines)


TABLES = (summary, cases, solver_steps, variants, reading, formats, parts, kernels, plans, ways, phases, bounds, steps, repaid, memory)
