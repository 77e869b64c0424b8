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
    <!-- tables OPERATION of FILE... with PEERS -->   how many times as long as heddle::auto the fastest peer, and the best
                                              of cuSPARSE and of Kokkos Kernels, take in the tables of peers: geometric
                                              mean and least, by type, k and layout
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
import pathlib
import re
import sys

from performance_tables import baselines, classes, formats, kernels, rows, speedups

ROOT = pathlib.Path(__file__).resolve().parent.parent
RESULTS = ROOT / "perf_tests" / "results"
PAGES = [ROOT / "docs" / f"{page}.md" for page in ("performance", "spmv", "spmm", "spgemm")]
TABLES = {name: table for module in (speedups, baselines, formats, kernels, classes) for name, table in module.TABLES.items()}
DIRECTIVE = re.compile(rf"(<!-- ({'|'.join(TABLES)}) (.*?) -->\n).*?(<!-- end -->)", re.DOTALL)


def filled(text):
    return DIRECTIVE.sub(
        lambda match: match[1] + "\n".join(TABLES[match[2]](match[3])) + "\n" + match[4], text
    )


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--page", type=pathlib.Path, action="append")
    parser.add_argument("--results", type=pathlib.Path, default=RESULTS)
    asked = parser.parse_args(arguments)
    rows.read_from(asked.results)
    for page in asked.page or PAGES:
        before = page.read_text(encoding="utf-8")
        try:
            after = filled(before)
        except rows.Unusable as problem:
            sys.exit(f"{page.name}: {problem}")
        if asked.check and before != after:
            sys.exit(f"{page.name} is not what the results give: run scripts/performance.py")
        if not asked.check:
            page.write_text(after, encoding="utf-8")


if __name__ == "__main__":
    main()
