# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Figs. 2 and 3 of paper 001 (Liu et al., register-based SpGEMM) from what scripts/paper_001.sh measured.

C = A A in f64, the whole multiply with all allocations. A speedup is the time of the other over ours; means are harmonic, as
the paper's are. CUSP's and RMerge's code is not here: heddle's kernels of the same methods stand for them. Rows of C that
register_merge, register_merge_one_to_one, shared_merge, esc or shared_hash cannot take are done as auto does them
(docs/spgemm.md). "-" stands where no matrix has both times. A chart is beside RESULTS as paper_001.svg where Python has
matplotlib.
"""

import pathlib

from heddle_report.fastest import speedups
from heddle_report.paper import Products, reasons_of, save_charts, titled
from heddle_report.statistics import summary_of

ABOUT = __doc__
OURS = ["heddle::" + name for name in ("auto", "register_merge", "shared_merge", "esc", "shared_hash")]
CUSP, ONE_TO_ONE, RMERGE = "heddle::esc_global", "heddle::register_merge_one_to_one", "heddle::portable::iterated_merge"
OTHERS = {"cusparse": "cuSPARSE", "kokkoskernels": "Kokkos Kernels", CUSP: "CUSP (esc_global)",
          ONE_TO_ONE: "register_merge_one_to_one", RMERGE: "RMerge (iterated_merge)"}
# Section 3: harmonic mean and maximum over 956 matrices.
PAPER = {
    "FastSparse, K40m (Fig. 2)": {"cusparse": (2.48, 38.38), CUSP: (6.57, 31.56), RMERGE: (1.12, 2.82)},
    "FastSparse, Titan X (Fig. 3)": {"cusparse": (1.16, 56.48), CUSP: (3.75, 25.76), RMERGE: (1.78, 6.50)},
}


def mean_text(mean, most, count=None):
    return f"{mean:.3g} ({most:.4g})" + (f" of {count}" if count else "")


def means(products):
    lines = [("", *OTHERS.values())]
    for ours in OURS:
        of_others = [summary_of(speedups(products.matrices, theirs, ours).values()) for theirs in OTHERS]
        lines.append((ours, *(mean_text(of.harmonic, of.most, of.count) if of.count else None for of in of_others)))
    for name, figures in PAPER.items():
        lines.append((name, *(mean_text(*figures[theirs]) if theirs in figures else None for theirs in OTHERS)))
    return lines


def by_matrix(products):
    lines = [("matrix", "nnz", "GFLOPS", *("over " + name for name in OTHERS.values()))]
    for matrix in sorted(products.matrices, key=lambda name: products.first(name).nnz):
        contenders = products.matrices[matrix]
        lines.append((matrix, products.first(matrix).nnz, contenders[OURS[0]].gflops, *map(contenders.speedup, OTHERS)))
    return lines


def chart(lines):
    def draw(charts):
        axes = charts.new_axes("", "entries of A", "speedup of " + OURS[0], x_log=True, y_log=True)
        all_series = [charts.Series(name, look=n) for n, name in enumerate(OTHERS.values())]
        for matrix, entries, _, *of_others in lines[1:]:
            for series, speedup in zip(all_series, of_others):
                series.add(entries, speedup, matrix)
        charts.scatter(axes, all_series)
        axes.axhline(1, **charts.REFERENCE)
        return axes

    return draw


def add_arguments(parser):
    parser.add_argument("results", metavar="RESULTS", type=pathlib.Path, help="what heddle-perf spgemm --json wrote")


def run(asked):
    products = Products(asked.results)
    first, entries = products.first(), [products.first(matrix).nnz for matrix in products.matrices]
    matrices = by_matrix(products)
    print(f"Paper 001 on {first.device}, f64, commit {first.commit}: C = A A of {len(entries)} matrices "
          f"with {min(entries):,} to {max(entries):,} entries\n"
          "Rows that a merge, esc or shared_hash by name cannot take are done as auto does them.\n")
    print(titled("Figs. 2 and 3: harmonic mean (maximum) of speedups over, and of how many matrices", means(products)))
    print(titled("Speedups of heddle::auto", matrices))
    print(reasons_of(products.skipped), end="")
    save_charts({asked.results.with_name("paper_001.svg"): chart(matrices)})
