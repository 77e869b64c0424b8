#!/usr/bin/env python3
# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The numbers of paper 000's section 7 (Hong et al., RS-SpMM) from SpMM with a dense matrix in row segments.

    scripts/paper_000.py --metrics     the metrics to ask ncu for, with commas between
    scripts/paper_000.py RESULTS.jsonl [--shared-gbytes-per-s N] [--profile PROFILE.csv --profile-k K]

RESULTS.jsonl is what `heddle-perf formats --format row_segmented --segments CF_V,T,CF_H --json` wrote. Vertical streaming
loads a word from shared memory for every two operations, so that twice the words which shared memory gives in a second
are a bound. Its bandwidth is N, or where that is not given what the rows have as machine_shared_gbytes_per_s. The least
number of words through load/store units is nnz k / R + M k + nnz k / (32 C): with C = CF_V, and R = 1, because each entry
loads its row of B. PROFILE.csv is a log of ncu --csv --print-units base of one call in f32 with CF_V 4 and k = K: a
wavefront of shared memory is counted as 128 bytes, a sector of global memory as 32.
scripts/paper_000.sh runs all of it.
"""

import argparse
import json
import sys

from paper_004_profile import Unusable, launches_of, total_of

# Bytes of what each metric counts.
BYTES = {
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum": 128,
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum": 128,
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum": 32,
    "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum": 32,
    "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum": 32,
}
WORD = {"f32": 4, "f64": 8}
LAUNCHES = 2  # of a call: light rows and heavy segments
WARP = 32
PAPER_SIZE, PAPER_K, PAPER_COARSENING = 8192, 65536, 4
PAPER_GFLOPS, PAPER_SHARED_GWORDS = 2495.81, 1977.25
PROFILED = ("f32", 4)  # value type and CF_V


def least_words(rows, nnz, k, coarsening):
    return nnz * k + rows * k + nnz * k / (WARP * coarsening)


def rows_of(path):
    found = []
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            try:
                row = json.loads(line)
            except ValueError as problem:
                raise Unusable(f"line {number} is not JSON") from problem
            if row.get("format") == "row_segmented" and row.get("parameters") and row.get("layout") == "row":
                found.append(row)
    timed = [row for row in found if "median_ms" in row]
    if not timed:
        reasons = sorted({row["skipped"] for row in found if "skipped" in row})
        raise Unusable("no times of row segments" + "".join(f"; skipped: {reason}" for reason in reasons))
    return timed


def words_of(path):
    """Of all launches in a log of ncu; words are those of f32."""
    with open(path, encoding="utf-8") as log:
        launches = launches_of(log)
    if len(launches) != LAUNCHES:
        raise Unusable(f"{len(launches)} launches of kernels, expected {LAUNCHES}")
    return total_of(launches, BYTES) / WORD["f32"]


def bandwidth_of(row, given):
    if given is not None:
        return given
    if "machine_shared_gbytes_per_s" not in row:
        raise Unusable(
            "no row has machine_shared_gbytes_per_s, as those measured on CUDA do: --shared-gbytes-per-s has to say what "
            "shared memory gives"
        )
    return row["machine_shared_gbytes_per_s"]


def line_of(row, gbytes_per_s, counted):
    """A line of the table; counted: words by k, of f32 with CF_V 4."""
    word = WORD[row["value_type"]]
    coarsening = int(row["parameters"].split(",")[0])
    bound = 2 * gbytes_per_s / word
    least = least_words(row["rows"], row["nnz"], row["k"], coarsening)
    words = counted.get(row["k"]) if (row["value_type"], coarsening) == PROFILED else None
    return (
        row["value_type"],
        str(row["k"]),
        str(coarsening),
        f"{row['median_ms']:.4g}",
        f"{row['gflops']:.2f}",
        f"{bound:.2f}",
        f"{100 * row['gflops'] / bound:.1f}",
        f"{1e-9 * least:.4g}",
        f"{1e-9 * words:.4g}" if words is not None else "-",
    )


def paper_line():
    bound = 2 * PAPER_SHARED_GWORDS
    least = least_words(PAPER_SIZE, PAPER_SIZE**2, PAPER_K, PAPER_COARSENING)
    return (
        "f32, paper on a P100",
        str(PAPER_K),
        str(PAPER_COARSENING),
        "-",
        f"{PAPER_GFLOPS:.2f}",
        f"{bound:.2f}",
        f"{100 * PAPER_GFLOPS / bound:.1f}",
        f"{1e-9 * least:.4g}",
        "-",
    )


def table_of(rows, given, counted):
    titles = ("", "k", "CF_V", "ms", "GFLOPS", "bound", "% of it", "1e9 words at least", "counted")
    lines = [titles] + [line_of(row, bandwidth_of(row, given), counted) for row in rows] + [paper_line()]
    widths = [max(len(line[c]) for line in lines) for c in range(len(titles))]
    body = "\n".join("  ".join([line[0].ljust(widths[0])] + [t.rjust(w) for t, w in zip(line[1:], widths[1:])]) for line in lines)
    first = rows[0]
    names = ", ".join(sorted({row["implementation"] for row in rows}))
    return f"{first['matrix']} ({first['rows']} x {first['cols']}, {first['nnz']} entries) on {first['device']}: {names}\n\n{body}\n"


def arguments_of(words):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--metrics", action="store_true", help="print the metrics to ask ncu for")
    parser.add_argument("results", nargs="?")
    parser.add_argument("--shared-gbytes-per-s", type=float)
    parser.add_argument("--profile")
    parser.add_argument("--profile-k", type=int)
    asked = parser.parse_args(words)
    if not asked.metrics and asked.results is None:
        parser.error("RESULTS.jsonl is missing")
    if (asked.profile is None) != (asked.profile_k is None):
        parser.error("--profile and --profile-k go together")
    if asked.shared_gbytes_per_s is not None and not asked.shared_gbytes_per_s > 0:
        parser.error("--shared-gbytes-per-s is not above 0")
    return asked


def main(words):
    asked = arguments_of(words)
    if asked.metrics:
        print(",".join(BYTES))
        return 0
    counted = {}
    try:
        if asked.profile is not None:
            counted[asked.profile_k] = words_of(asked.profile)
    except (OSError, Unusable) as problem:  # times are worth having without counts
        print(f"scripts/paper_000.py: {asked.profile}: no counts: {problem}", file=sys.stderr)
    try:
        print(table_of(rows_of(asked.results), asked.shared_gbytes_per_s, counted), end="")
    except (OSError, Unusable) as problem:
        print(f"scripts/paper_000.py: {asked.results}: {problem}", file=sys.stderr)
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
