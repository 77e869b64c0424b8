# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tables of paper 002 (Zhao and Li): its kernel times beside ours.

The numbers are those of its Figs. 3, 6, 9, 11 and 13 and, where a figure is a chart alone, of the files behind it in its public
repository, mli43/Cuda-Optimization-for-SpMM (folder analysis_new, commit af0730a): coo_new.json, csr_new.json, bsr_new.json,
ell_experiments.json and sparsity.json.
"""

import math
from typing import NamedTuple

from heddle_report.doc_tables_of_times import table
from heddle_report.fastest import cell
from heddle_report.rows import Unusable

# Kernel times in ms: basic kernels first, and what the others are called there.
COLUMNS = ("COO", "cuSPARSE COO", "CSR", "CSR, column-major B", "CSR, shuffles", "cuSPARSE CSR", "BSR", "BSR: stored places per entry",
           "ELL", "ELL, shared memory", "ELL, column-major B", "ELL, shared memory, column-major B")
# Case of Table 1: its matrix, and those columns. Places per entry: the densities of bsr_new.json over those of coo_new.json.
CASES = {
    "small_10x10": ("cmu_small_10x10", 0.435, 7.587, 0.483, 0.051, 0.025, 9.488, 0.445, 1.11, 0.281, 0.036, 0.017, 0.021),
    "small_32x32": ("Hamrle1", 0.433, 7.456, 0.457, 0.053, 0.024, 8.306, 0.451, 4.57, 0.287, 0.044, 0.021, 0.031),
    "small_210": ("n3c5-b6", 0.442, 7.463, 0.461, 0.043, 0.024, 13.017, 0.443, 1.0, 0.275, 0.045, 0.024, 0.028),
    "medium_1484": ("qh1484", 1.585, 4.713, 0.491, 0.155, 0.091, 8.014, 2.263, 4.61, 0.783, 1.869, 0.532, 1.627),
    "medium_2048": ("dw1024", 2.527, 4.543, 0.982, 0.551, 0.135, 7.064, 1.99, 3.96, 1.238, 4.53, 6.876, 6.837),
    "medium_2880": ("g7jac010", 4.161, 3.972, 0.514, 1.017, 0.228, 7.057, 7.693, 6.22, 1.496, 8.309, 1.337, 11.002),
    "medium_4000": ("tols4000", 6.142, 6.832, 0.605, 2.132, 0.379, 5.264, 9.155, 3.49, 1.333, 39.699, 3.07, 20.207),
    "medium_4096": ("sampled_2372_4096_933343", 69.011, 9.902, 3.337, 4.94, 4.92, 7.311, 188.113, 2.75, 45.605, 572.322, 45.842,
                    214.913),
    "large_15120": ("ch7-6-b5", 11.135, 8.33, 1.189, 4.462, 1.591, 9.011, 50.037, 9.13, 6.351, 161.4, 5.825, 119.003),
    "large_20000": ("ACTIVSg10K", 58.625, 10.038, 4.902, 45.813, 8.473, 11.325, 312.407, 8.01, 40.565, 1783.096, 38.369, 743.253),
    "large_21074": ("GL7d25", 156.052, 14.024, 13.759, 216.019, 35.685, 14.63, 2423.662, 1.0, 159.827, 104075.547, 1113.185,
                    45272.783),
    "large_25605": ("n4c6-b13", 106.102, 13.044, 9.29, 24.859, 15.303, 13.407, 134.343, 1.0, 90.262, 7498.655, 91.912, 2154.597),
}
# Density: kernel and total ms of their CSR, cuSPARSE's CSR, their COO and cuSPARSE's COO (Figs. 21 and 22).
DENSITIES = {
    0.1: (0.969, 4.884, 7.17, 52.001, 8.547, 12.624, 8.42, 38.975),
    0.2: (4.969, 9.562, 7.951, 40.767, 24.086, 28.266, 6.898, 48.362),
    0.3: (1.52, 6.334, 9.025, 38.424, 24.744, 29.042, 5.939, 33.567),
    0.4: (3.983, 8.373, 9.261, 37.002, 34.718, 39.097, 7.404, 41.309),
    0.5: (2.089, 21.433, 8.301, 45.896, 45.078, 49.641, 7.642, 35.335),
    0.6: (2.401, 6.937, 10.075, 37.863, 59.083, 64.277, 8.042, 36.851),
    0.7: (2.649, 7.249, 9.461, 37.473, 73.019, 79.578, 8.072, 37.511),
    0.8: (3.001, 12.308, 10.253, 42.818, 72.138, 108.067, 8.271, 36.452),
    0.9: (3.21, 7.932, 9.335, 51.072, 81.853, 87.141, 8.455, 37.677),
}


# The paper's mappings.
MAPPINGS = {"coo": "heddle::portable::coo_atomic", "csr": "heddle::portable::csr_element", "bsr": "heddle::portable::bsr_block_atomic",
            "ell": "heddle::portable::ell_atomic"}
# Kernels with shared memory.
SHARED = {"csr": "heddle::cuda_native::csr_shared", "ell": "heddle::cuda_native::ell_shared"}


class Ours(NamedTuple):
    """Kernel times of a matrix in a format, f32 and row-major; serial is that of the format's serial code."""

    mapping: float = math.nan
    serial: float = math.nan
    cusparse: float = math.nan  # the fastest of its algorithms of the format
    auto: float = math.nan
    shared: float = math.nan  # the kernel with shared memory


def ours_of(asked):
    """(matrix, format) -> Ours"""
    found = {}
    for row in asked.rows():
        if row.skipped or (row.value_type, row.layout) != ("f32", "row") or row.layout_c != row.layout:
            continue
        library, _, algorithm = row.implementation.partition("::")
        name = algorithm.split("_")[0] if library == "cusparse" else row.format
        if name not in MAPPINGS:
            continue
        old = found.setdefault((row.matrix, name), Ours())
        if row.is_automatic:
            new = old._replace(auto=row.median_ms)
        elif row.implementation == MAPPINGS[name]:
            new = old._replace(mapping=row.median_ms)
        elif row.implementation == SHARED.get(name):
            new = old._replace(shared=row.median_ms)
        elif library == "serial":
            new = old._replace(serial=row.median_ms)
        elif library == "cusparse" and not old.cusparse < row.median_ms:
            new = old._replace(cusparse=row.median_ms)
        else:
            continue
        found[row.matrix, name] = new
    return found


def four_formats(asked):
    """four_formats kernels: the kernel times of paper 002, in ms; four_formats FORMAT... of FILE: those of its basic kernels and, beside
    them, ours of f32 with row-major B and C: the same mapping, how many times as fast as the format's serial code it is, cuSPARSE
    (COO and CSR) and heddle::auto; four_formats shared of FILE: the kernels with shared memory of CSR and ELL beside the mapping. A case
    without ours is left out"""
    if asked.words == ["shared"]:
        ours, lines = ours_of(asked), []
        for case, (matrix, *times) in CASES.items():
            csr, ell = (ours.get((matrix, name), Ours()) for name in SHARED)
            if math.isfinite(csr.shared) or math.isfinite(ell.shared):
                paper = [cell(times[COLUMNS.index(name)], "{:.3f}") for name in ("ELL", "ELL, shared memory")]
                lines.append([case, matrix, cell(csr.mapping), cell(csr.shared), cell(csr.shared / csr.mapping), *paper, cell(ell.mapping),
                              cell(ell.shared), cell(ell.shared / ell.mapping)])
        return table(["case", "matrix", "CSR: mapping", "shared memory", "over mapping", "ELL: paper", "paper, shared memory", "mapping",
                      "shared memory", "over mapping"], lines)
    if asked.words:
        wanted = [word.upper() for word in asked.words]
        if not set(wanted) <= {"COO", "CSR", "BSR", "ELL"}:
            raise Unusable(f"formats are coo, csr, bsr, ell, not {' '.join(asked.words)}")
        ours, head, lines = ours_of(asked), ["case", "matrix"], []
        with_cusparse = {"COO", "CSR"}
        for name in wanted:
            head += [f"{name}: paper", "mapping", "over serial", *(["cuSPARSE"] if name in with_cusparse else []), "`auto`"]
        for case, (matrix, *times) in CASES.items():
            if not any((matrix, name.lower()) in ours for name in wanted):
                continue
            lines.append([case, matrix])
            for name in wanted:
                one = ours.get((matrix, name.lower()), Ours())
                lines[-1] += [cell(times[COLUMNS.index(name)], "{:.3f}"), cell(one.mapping), cell(one.serial / one.mapping, "{:.2f}"),
                              *([cell(one.cusparse)] if name in with_cusparse else []), cell(one.auto)]
        return table(head, lines)
    lines = [[case, matrix, *(f"{number:.2f}" if "places" in name else f"{number:.3f}" for name, number in zip(COLUMNS, times))]
             for case, (matrix, *times) in CASES.items()]
    return table(["case", "matrix", *COLUMNS], lines)


def density(asked):
    """density paper: of paper 002's density sweep the kernel times in ms, and how many times as long cuSPARSE takes; density sweep of
    FILE: ours, by its mappings, cuSPARSE and heddle::auto"""
    if asked.words == ["sweep"]:
        ours, lines = ours_of(asked), []
        for share in DENSITIES:
            matrix = f"pruned_2048_2048_{round(100 * (1 - share))}"
            csr, coo = (ours.get((matrix, name), Ours()) for name in ("csr", "coo"))
            if math.isfinite(csr.cusparse):
                lines.append([f"{share:g}", *map(cell, (csr.mapping, csr.cusparse, csr.auto, coo.mapping, coo.cusparse))])
        return table(["density", "CSR mapping", "cuSPARSE CSR", "`auto`", "COO mapping", "cuSPARSE COO"], lines)
    if asked.files != ["paper"]:
        raise Unusable("expected the word paper")
    lines = []
    for share, (csr, csr_total, theirs, theirs_total, coo, _, theirs_coo, _) in DENSITIES.items():
        lines.append([f"{share:g}", f"{csr:.3f}", f"{theirs:.3f}", f"{theirs / csr:.2f}", f"{theirs_total / csr_total:.2f}",
                      f"{coo:.3f}", f"{theirs_coo:.3f}"])
    return table(["density", "CSR", "cuSPARSE CSR", "cuSPARSE over CSR: kernel", "total", "COO (refused by its check)", "cuSPARSE COO"],
                 lines)


TABLES = (four_formats, density)
