# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tables of docs/papers.md: methods beside each other as performance profiles, shares of rooflines, and what is of one paper."""

import dataclasses
import math
from fnmatch import fnmatchcase
from typing import NamedTuple

from heddle_report import doc_tables_of_leads
from heddle_report.doc_tables_of_leads import Lead, device_of
from heddle_report.doc_tables_of_times import table
from heddle_report.fastest import Contenders, cell
from heddle_report.results import charged
from heddle_report.rows import Unusable, grouped, object_of
from heddle_report.segment_model import FIXED, compared, models_of, over_best, read_measurements
from heddle_report.statistics import harmonic_mean, spread_of, summary_of

WITHIN = (1, 1.5, 2, 4, 16)  # times the fastest time


class Method(NamedTuple):
    """A title, patterns of implementations, and layouts of B and C."""

    title: str
    patterns: tuple
    layouts: tuple = ("row", "row")
    is_charged: bool = False  # with the transposition of C
    format: str = ""  # of rows of heddle-perf formats
    is_loop: bool = False  # of k SpMVs


CSR = ("cusparse::csr*",)
METHODS = {
    "auto": Method("`auto`", ("heddle::auto",)),
    "auto(NT)": Method("`auto`, column-major", ("heddle::auto",), ("col", "col")),
    "auto_row_segmented": Method("`auto_row_segmented`", ("heddle::auto_row_segmented",)),
    "csr_element": Method("`csr_element`", ("heddle::portable::csr_element",)),
    "cusparse": Method("cuSPARSE, row-major", ("cusparse::*",)),
    "cusparse_csr": Method("cuSPARSE's CSR, row-major", CSR),
    "cusparse(NT)": Method("cuSPARSE (NT)", CSR, ("col", "col")),
    "cusparse(T)": Method("cuSPARSE (T)", CSR, ("row", "col")),
    "cusparse(T)+transposition": Method("cuSPARSE (T) and a transposition", CSR, ("row", "col"), True),
    "cusparse_loop": Method("k times cuSPARSE's SpMV", CSR, is_loop=True),
    "spmv_loop": Method("loop of heddle's SpMV", ("spmv_loop::heddle",), ("col", "col")),
    "csr_merge_loop": Method("k times `csr_merge`", ("heddle::cuda_native::csr_merge",), is_loop=True),
    "csr_shared": Method("`csr_shared`", ("heddle::cuda_native::csr_shared",)),
    "ell": Method("`auto` on ELL", ("heddle::auto",), format="ell"),
    "ell_shared": Method("`ell_shared`", ("heddle::cuda_native::ell_shared",), format="ell"),
    "sellp_paper": Method("`sellp_paper` (MAGMA's SELL-P)", ("heddle::cuda_native::sellp_paper",), format="sell"),
}


def method_of(name):
    if name not in METHODS:
        raise Unusable(f"{name} is no method; there are {', '.join(METHODS)}")
    return METHODS[name]


def is_of(method, row):
    return row.format == method.format and any(fnmatchcase(row.implementation, pattern) for pattern in method.patterns)


def loop_of(row, k):
    """k calls of an SpMV as an SpMM would be."""
    return dataclasses.replace(row, operation="spmm", k=k, layout="row", layout_c="row", median_ms=k * row.median_ms)


def fastest_rows(rows, method):
    """(type, k) -> matrix -> the fastest row of a method"""
    found = {}
    for row in rows:
        if row.skipped or not row.median_ms > 0 or not is_of(method, row):
            continue
        if "spmm" in row.operation and (row.layout, row.layout_c) != method.layouts:
            continue
        row = charged(row) if method.is_charged else row
        of_case = found.setdefault((row.value_type, row.k), {})
        if row.matrix not in of_case or row.median_ms < of_case[row.matrix].median_ms:
            of_case[row.matrix] = row
    return found


def rows_for(rows, operation, method):
    """Those of an operation; SpMV's for each k of SpMM where a method is a loop of it."""
    of_operation = [row for row in rows if row.operation in (operation, f"formats_{operation}")]
    if not method.is_loop:
        return of_operation
    widths = sorted({row.k for row in of_operation})
    return [loop_of(row, k) for row in rows if row.operation == "spmv" for k in widths]


def percent(numbers, most):
    return f"{100 * sum(number <= most for number in numbers) / len(numbers):.0f}"


def data_of(asked):
    """Of each contest and case, by type and k: the case, name of a method -> matrix -> row, and the matrices that all of them take."""
    operation, *names = asked.words
    rows, methods = list(asked.rows()), {name: method_of(name) for name in names}
    found = {name: fastest_rows(rows_for(rows, operation, method), method) for name, method in methods.items()}
    for case in sorted(found[names[0]]):
        there = {name: of[case] for name, of in found.items() if case in of}
        matrices = [matrix for matrix in there[names[0]] if all(matrix in of for of in there.values())]
        if len(there) > 1 and matrices:
            yield case, there, matrices


def contest(asked):
    """contest OPERATION METHOD... of FILE...: by type and k, GFLOPS of each method, how many times as fast as it the first is,
    and a performance profile: the share of the matrices that all of them take on which it is the fastest, or within 1.5, 2, 4 or 16 times the fastest time"""
    names, lines = asked.words[1:], []
    for case, there, matrices in asked.once(data_of):
        best = {matrix: min(of[matrix].median_ms for of in there.values()) for matrix in matrices}
        for name, of in there.items():
            speed = spread_of(of[matrix].gflops for matrix in matrices)
            over = summary_of(of[matrix].median_ms / there[names[0]][matrix].median_ms for matrix in matrices)
            ratio = [f"{number:.2f}" for number in (over.geometric, over.least, over.most)] if name != names[0] else [""] * 3
            slower = [of[matrix].median_ms / best[matrix] for matrix in matrices]
            lines.append([case[0], str(case[1]), METHODS[name].title, str(len(matrices)),
                          *(f"{number:.0f}" for number in (speed.least, speed.median, speed.most)), *ratio,
                          *(percent(slower, most) for most in WITHIN)])
    return table(["type", "k", "method", "matrices", "GFLOPS: least", "median", "most", f"{METHODS[names[0]].title} over it: mean",
                  "least", "most", "fastest: %", *(f"within {most:g} times: %" for most in WITHIN[1:])], lines)


def leads_of(cases):
    """Of the contests with both ways of paper 000's cuSPARSE: how many times as fast as each of them the first method is."""
    for (value_type, k), there, matrices in cases:
        if not {"cusparse(T)", "cusparse(NT)"} <= there.keys():
            continue
        (_, first), *others = there.items()
        for name, of in others:
            yield Lead(f"{value_type}, k = {k}", METHODS[name].title, device_of(first.values()),
                       {matrix: of[matrix].median_ms / first[matrix].median_ms for matrix in matrices})


def tips_of(cases):
    return doc_tables_of_leads.tips_of(leads_of(cases))


def draw(charts, cases):
    return doc_tables_of_leads.draw(charts, list(leads_of(cases)))


def rooflines(asked):
    """rooflines OPERATION METHOD of FILE...: by type and k, what share of the roofline of the compulsory bytes is reached"""
    operation, name = asked.words
    rows = [row for row in asked.rows() if row.operation == operation]
    lines = []
    for (value_type, k), of in sorted(fastest_rows(rows, method_of(name)).items()):
        shares = {matrix: row.roofline_percent for matrix, row in of.items() if math.isfinite(row.roofline_percent)}
        if not shares:
            continue
        spread, most = spread_of(shares.values()), max(shares, key=shares.get)
        speed = spread_of(row.gflops for row in of.values())
        lines.append([value_type, str(k), str(len(shares)), *(f"{number:.0f}" for number in (speed.least, speed.median, speed.most)),
                      f"{spread.least:.0f}", f"{spread.median:.0f}", f"{spread.most:.0f} ({most})",
                      str(sum(share >= 80 for share in shares.values()))])
    return table(["type", "k", "matrices", "GFLOPS: least", "median", "most", "% of the roofline: least", "median", "most",
                  "matrices above 80 %"], lines)


def heavy(asked):
    """heavy FILE...: per matrix the share of entries in heavy segments and GFLOPS of row segments by type and k"""
    rows = [row for row in asked.rows()
            if row.operation == "spmm" and is_of(METHODS["auto_row_segmented"], row) and not row.skipped]
    cases = sorted({(row.value_type, row.k) for row in rows})
    types = sorted({value_type for value_type, _ in cases})
    lines = []
    for matrix, of in grouped(rows, lambda row: row.matrix).items():
        by_case = {(row.value_type, row.k): row for row in of}
        shares = {row.value_type: row.heavy_share for row in of}
        lines.append([matrix, *(cell(shares.get(value_type, math.nan), "{:.2f}") for value_type in types),
                      *(cell(by_case[case].gflops, "{:.0f}") if case in by_case else "" for case in cases)])
    lines.sort(key=lambda line: (line[1], line[0]))
    return table(["matrix", *(f"heavy share, {value_type}" for value_type in types),
                  *(f"GFLOPS: {value_type}, k = {k}" for value_type, k in cases)], lines)


def preprocessing(asked):
    """preprocessing METHOD of FILE...: the plan in calls by type and k: least, median, most"""
    (name,) = asked.words
    rows = [row for row in asked.rows() if row.operation == "spmm"]
    lines = []
    for (value_type, k), of in sorted(fastest_rows(rows, method_of(name)).items()):
        calls = {matrix: row.plan_calls for matrix, row in of.items() if math.isfinite(row.plan_calls)}
        if not calls:
            continue
        spread, most = spread_of(calls.values()), max(calls, key=calls.get)
        lines.append([value_type, str(k), str(len(calls)), f"{spread.least:.1f}", f"{spread.median:.1f}", f"{spread.most:.1f} ({most})"])
    if not lines:
        raise Unusable("no such rows")
    return table(["type", "k", "matrices", "plan in calls: least", "median", "most"], lines)


def model(asked):
    """model FILE within MODEL: row segments with fixed parameters and with those of a model, over the best parameters measured:
    geometric mean and most, of the matrices that trained it and of the others"""
    rows, device, _ = read_measurements(asked.folder / asked.files[0])
    lines = []
    for value_type, of_type in sorted(models_of(object_of(asked.folder / asked.said["within"]), asked.said["within"], device).items()):
        matrices = compared(rows, value_type, of_type, FIXED[value_type])
        for title, wanted in (("training", [one for one in matrices if one.is_training]),
                              ("test", [one for one in matrices if not one.is_training]), ("all", matrices)):
            if wanted:
                worst = max(wanted, key=lambda one: one.ms(one.model) / one.ms(one.best))
                fixed, chosen = over_best(wanted, "fixed"), over_best(wanted, "model")
                lines.append([value_type, title, str(len(wanted)), f"{fixed.geometric:.3f}", f"{fixed.most:.2f}",
                              f"{chosen.geometric:.3f}", f"{chosen.most:.2f} ({worst.name})"])
    return table(["type", "set", "matrices", "no model: mean", "most", "model: mean", "most"], lines)


def held_out(asked):
    """held_out FILE: row segments over the best parameters measured, of matrices held out one by one while all others teach: with one
    threshold for all, and with a tree for thresholds"""
    rows, _, _ = read_measurements(asked.folder / asked.files[0])
    chosen = grouped([row for row in rows if row["operation"] == "calibrate_held_out"], lambda row: (row["value_type"], row["parameters"]))
    lines = []
    for value_type in sorted({value_type for value_type, _ in chosen}):
        line = [value_type, str(len(chosen[value_type, "single"]))]
        for way in ("single", "tree"):
            worst = max(chosen[value_type, way], key=lambda row: row["over_best"])
            over = summary_of(row["over_best"] for row in chosen[value_type, way])
            line += [f"{over.geometric:.3f}", f"{over.most:.2f} ({worst['matrix']})"]
        lines.append(line)
    if not lines:
        raise Unusable("no matrix was held out")
    return table(["type", "matrices", "one threshold: mean", "most", "tree: mean", "most"], lines)


def products_of(asked):
    """matrix -> contenders of whole multiplies in f64, those with a time"""
    found = {}
    for row in asked.rows():
        if row.operation == "spgemm" and row.value_type == "f64" and not row.skipped:
            of_matrix = found.setdefault(row.matrix, Contenders())
            of_matrix[row.implementation.removeprefix("heddle::")] = row
    return found


def merges(asked):
    """merges OURS... of FILE... within ROW_LENGTHS: harmonic mean (most) of how many times as fast as
    register_merge_one_to_one each is: on all matrices, on those with at most 1.5 % of their entries in rows of more than 32, and
    on those that have no such row. ROW_LENGTHS is what scripts/row_lengths.py wrote"""
    lengths = {data["matrix"]: data for file in [asked.said["within"].strip()] for data in asked.objects([file])}
    products = products_of(asked)
    sets = {"all": lambda data: True,
            "at most 1.5 % of entries in longer rows": lambda data: data["entries_in_rows_above_32"] <= 0.015 * data["nnz"],
            "no longer row": lambda data: data["longest_row"] <= 32}
    lines = []
    for title, takes in sets.items():
        wanted = [of for matrix, of in products.items() if takes(lengths[matrix])]
        line = [title, str(len(wanted))]
        for name in asked.words:
            ratios = [of["register_merge_one_to_one"].median_ms / of[name].median_ms for of in wanted]
            line.append(f"{harmonic_mean(ratios):.2f} ({max(ratios):.2f})")
        lines.append(line)
    return table(["matrices", "how many", *(f"`{name}`" for name in asked.words)], lines)


def operations(asked):
    """operations FILE...: what heddle-perf analyze counted of C = A A: entries, operations and how many a word at most"""
    lines = [[data["matrix"], str(data["nnz"]), str(data["products_nnz"]), f"{2e-6 * data['products']:.1f}",
              f"{data['spgemm_flops'] / data['spgemm_words']:.3f}"] for data in asked.objects() if data["operation"] == "analyze"]
    return table(["matrix", "nnz(A)", "nnz(C)", "10^6 operations", "operations per word at most"], lines)


def dense(asked):
    """dense of FILE...: cuBLAS on A as a dense matrix (paper 003, Fig. 2): GFLOPS and the share of memory's speed of a vector, and for k
    columns GFLOPS and how many times those of a vector they are"""
    rows = [row for row in asked.rows() if row.implementation in ("cublas::gemv", "cublas::gemm") and not row.skipped
            and row.operation in ("spmv", "spmm") and row.layout in ("", "row")]
    lines = []
    for (matrix, value_type), of in grouped(rows, lambda row: (row.matrix, row.value_type)).items():
        speed = {row.k: 2e-6 * row.rows * row.cols * row.k / row.median_ms for row in of}
        for row in of:
            if row.k == 1:
                share = 100 * row.rows * row.cols * row.value_bytes / (row.median_ms * 1e6 * row.machine_gbytes_per_s)
                lines.append([matrix, str(row.rows), value_type, "1", f"{speed[1]:.0f}", f"{share:.0f}", ""])
            elif 1 in speed:
                lines.append([matrix, str(row.rows), value_type, str(row.k), f"{speed[row.k]:.0f}", "", f"{speed[row.k] / speed[1]:.1f}"])
    return table(["matrix", "rows", "type", "k", "GFLOPS", "% of memory's speed", "times those of k = 1"], lines)


PAPER_SLICES = "8,8,1"  # rows and threads of paper 004's slices, and no sorting
# Columns of Table III of paper 004.
SPMV_METHODS = {"CSR": ("csr", "heddle::cuda_native::csr_scalar"), "ELLPACK": ("ell", "heddle::cuda_native::ell"),
                "SELL-P": ("sell", "heddle::cuda_native::sellp_paper"), "SELL of ours": ("sell", "heddle::cuda_native::sell_slices"),
                "HYB": ("hyb", "heddle::portable::hyb_parts"), "cuSPARSE CSR": ("csr", "cusparse::csr*"),
                "cuSPARSE SELL": ("csr", "cusparse::sell*")}


def sellp(asked):
    """sellp FILE: Table III of paper 004: means in microseconds, and the paper's kernel over CSR, ELLPACK and the better of cuSPARSE's"""
    rows = [row for row in asked.rows() if row.operation == "formats_spmv" and not row.skipped]
    lines = []
    for matrix, of in grouped(rows, lambda row: row.matrix).items():
        means = {}
        for title, (kind, pattern) in SPMV_METHODS.items():
            fits = [row.mean_ms for row in of if row.format == kind and fnmatchcase(row.implementation, pattern)
                    and row.parameters in ("", PAPER_SLICES)]
            means[title] = 1e3 * min(fits, default=math.nan)
        if math.isnan(means["SELL-P"]):
            continue
        ratios = [means["CSR"], means["ELLPACK"], min(means["cuSPARSE CSR"], means["cuSPARSE SELL"])]
        lines.append([matrix, str(of[0].nnz), *map(cell, means.values()), *(cell(other / means["SELL-P"], "{:.2f}") for other in ratios)])
    return table(["matrix", "nnz", *means, "SELL-P over CSR", "over ELLPACK", "over the better of cuSPARSE"], lines)


def slices(asked):
    """slices TYPE IMPLEMENTATION of FILE...: SpMV of SELL, microseconds by matrix and by height, alignment and sigma of slices"""
    value_type, name = asked.words
    rows = [row for row in asked.rows() if (row.operation, row.format, row.value_type) == ("formats_spmv", "sell", value_type)
            and row.implementation == f"heddle::{name}" and not row.skipped]
    shapes = sorted({row.parameters for row in rows}, key=lambda text: [*map(int, text.split(","))])
    lines = []
    for matrix, of in grouped(rows, lambda row: row.matrix).items():
        times = {row.parameters: 1e3 * row.median_ms for row in of}
        lines.append([matrix, *(cell(times.get(shape, math.nan)) for shape in shapes)])
    return table(["matrix", *shapes], lines)


TABLES = (contest, rooflines, heavy, preprocessing, model, held_out, merges, operations, dense, sellp, slices)
