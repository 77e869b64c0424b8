#!/usr/bin/env python3
# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Figs. 2 and 3 of paper 001 (Liu et al., register-based SpGEMM) from what scripts/paper_001.sh measured.

    scripts/paper_001.py RESULTS.jsonl    the tables; a chart beside RESULTS as paper_001.svg where Python has matplotlib

C = A A in f64, the whole multiply with all allocations. A speedup is the time of the other over ours; means are harmonic, as
the paper's are. CUSP's and RMerge's code no longer builds: heddle's kernels of the same methods stand for them. Rows of C that
register_merge, register_merge_one_to_one, shared_merge, esc or shared_hash cannot take are done as auto does them (docs/spgemm.md).
"-" stands where no matrix has both times.
"""

import pathlib
import sys

from paper_004_profile import Unusable
from paper_tables import pyplot_of, rows_of, table_of
from spgemm_times import Times, harmonic_mean, reasons_of

OURS = ["heddle::" + name for name in ("auto", "register_merge", "shared_merge", "esc", "shared_hash")]
CUSP, RMERGE = "heddle::esc_global", "heddle::register_merge_one_to_one"
OTHERS = {
    "cusparse": "cuSPARSE",
    "kokkoskernels": "Kokkos Kernels",
    CUSP: "CUSP (esc_global)",
    RMERGE: "RMerge (register_merge_one_to_one)",
}
# Section 3: harmonic mean and maximum over 956 matrices.
PAPER = {
    "FastSparse, K40m (Fig. 2)": {"cusparse": (2.48, 38.38), CUSP: (6.57, 31.56), RMERGE: (1.12, 2.82)},
    "FastSparse, Titan X (Fig. 3)": {"cusparse": (1.16, 56.48), CUSP: (3.75, 25.76), RMERGE: (1.78, 6.50)},
}


def mean_text(mean, most, count=None):
    return f"{mean:.3g} ({most:.4g})" + (f" of {count}" if count else "")


def means(times):
    lines = [("", *OTHERS.values())]
    for ours in OURS:
        line = [ours]
        for theirs in OTHERS:
            speedups = times.speedups(ours, theirs)
            line.append(mean_text(harmonic_mean(speedups), max(speedups), len(speedups)) if speedups else None)
        lines.append(tuple(line))
    for name, figures in PAPER.items():
        lines.append((name, *(mean_text(*figures[theirs]) if theirs in figures else None for theirs in OTHERS)))
    return lines


def by_matrix(times):
    lines = [("matrix", "nnz", "GFLOPS", *("over " + name for name in OTHERS.values()))]
    for matrix, rows in sorted(times.rows.items(), key=lambda item: next(iter(item[1].values()))["nnz"]):
        entries = next(iter(rows.values()))["nnz"]
        speedups = (times.speedup(matrix, OURS[0], theirs) for theirs in OTHERS)
        lines.append((matrix, entries, times.gflops(matrix, OURS[0]), *speedups))
    return lines


def draw(path, lines):
    pyplot = pyplot_of("scripts/paper_001.py")
    if pyplot is None:
        return
    figure, axes = pyplot.subplots(figsize=(7, 4))
    for n, name in enumerate(OTHERS.values(), 3):
        places = [(line[1], line[n]) for line in lines[1:] if line[n] is not None]
        if places:
            axes.scatter(*zip(*places), s=12, label=name)
    axes.axhline(1, color="gray", linewidth=0.8)
    axes.set(xscale="log", yscale="log", xlabel="entries of A", ylabel="speedup of " + OURS[0])
    if axes.has_data() and axes.get_legend_handles_labels()[0]:
        axes.legend(fontsize=7)
    figure.savefig(path, bbox_inches="tight")
    pyplot.close(figure)


def main(arguments):
    if len(arguments) != 1 or arguments[0].startswith("-"):
        print(__doc__.strip(), file=sys.stdout if arguments == ["--help"] else sys.stderr)
        return 0 if arguments == ["--help"] else 2
    results = pathlib.Path(arguments[0])
    try:
        if not results.exists():
            raise Unusable("there is no such file")
        times = Times(rows_of(results))
        first = times.first()
        entries = [next(iter(rows.values()))["nnz"] for rows in times.rows.values()]
        tables = {"means": means(times), "matrices": by_matrix(times)}
    except (OSError, KeyError, Unusable) as problem:
        print(f"scripts/paper_001.py: {results}: {problem!r}", file=sys.stderr)
        return 3
    print(
        f"Paper 001 on {first['device']}, f64, commit {first['commit']}: C = A A of {len(entries)} matrices "
        f"with {min(entries):,} to {max(entries):,} entries\n"
        "Rows that a merge, esc or shared_hash by name cannot take are done as auto does them.\n"
    )
    print(table_of("Figs. 2 and 3: harmonic mean (maximum) of speedups over, and of how many matrices", tables["means"]))
    print(table_of("Speedups of heddle::auto", tables["matrices"]))
    print(reasons_of(times.skipped), end="")
    draw(results.with_name("paper_001.svg"), tables["matrices"])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
