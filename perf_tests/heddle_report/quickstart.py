# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One sentence about heddle's automatic choice against the fastest method of Kokkos Kernels: geometric means over the cases
that both have times of."""

from heddle_report.fastest import fastest_of, speedups
from heddle_report.rows import rows_of
from heddle_report.statistics import geometric_mean

ABOUT = __doc__
NAMES = {"spmv": "SpMV", "spmm": "SpMM", "spgemm": "SpGEMM"}


def sentence(rows):
    results, parts = fastest_of(rows), []
    for operation, name in NAMES.items():
        problems = [matrices for problem, matrices in results.items() if problem.operation == operation]
        if ratios := [ratio for matrices in problems for ratio in speedups(matrices, "kokkoskernels").values()]:
            parts.append(f"{name} {geometric_mean(ratios):.2f} times ({len(ratios)} cases)")
    if not parts:
        return "No case has times of both heddle and Kokkos Kernels."
    text = "Speed of heddle over that of Kokkos Kernels, geometric means: " + ", ".join(parts) + "."
    if any(row.noise or row.warning for row in rows):
        text += " The machine was busy or its clock unsteady: take these numbers as rough ones."
    return text


def add_arguments(parser):
    parser.add_argument("files", metavar="FILE", nargs="+", help="what --json wrote")


def run(asked):
    print(sentence([row for file in asked.files for row in rows_of(file)]))
