# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The numbers of paper 000's section 7 (Hong et al., RS-SpMM) from SpMM with a dense matrix in row segments.

RESULTS is what `heddle-perf formats --format row_segmented --segments CF_V,T,CF_H --json` wrote. Vertical streaming loads a
word from shared memory for every two operations, so that twice the words which shared memory gives in a second are a bound.
The least number of words through load/store units is nnz k / R + M k + nnz k / (32 C): with C = CF_V, and R = 1, because each
entry loads its row of B. A profile is a log of ncu --csv --print-units base of one call in f32 with CF_V 4: a wavefront of
shared memory is counted as 128 bytes, a sector of global memory as 32. scripts/paper_000.sh runs all of it.
"""

from heddle_report.ncu import Metrics, total_of
from heddle_report.options import number
from heddle_report.paper import flush_table, warn
from heddle_report.rows import Unusable, rows_of

ABOUT = __doc__
# Bytes of what each metric counts.
BYTES = {
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum": 128,
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum": 128,
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum": 32,
    "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum": 32,
    "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum": 32,
}
LAUNCHES = 2  # of a call: light rows and heavy segments
WARP = 32
TITLES = ("", "k", "CF_V", "ms", "GFLOPS", "bound", "% of it", "1e9 words at least", "counted")
PAPER_SIZE, PAPER_K, PAPER_COARSENING = 8192, 65536, 4
PAPER_GFLOPS, PAPER_SHARED_GWORDS = 2495.81, 1977.25
PROFILED = ("f32", 4)  # value type and CF_V


def timed(path):
    found = [row for row in rows_of(path) if row.format == "row_segmented" and row.parameters and row.layout == "row"]
    rows = [row for row in found if not row.skipped]
    if not rows:
        reasons = sorted({f"; skipped: {row.skipped}" for row in found})
        raise Unusable(f"{path}: no times of row segments{''.join(reasons)}", 3)
    return rows


def line_of(name, size, k, coarsening, ms, gflops, shared_gwords, words):
    """A line of the table; size: rows and entries, words: as they were counted."""
    rows, nnz = size
    bound, least = 2 * shared_gwords, nnz * k + rows * k + nnz * k / (WARP * coarsening)
    return (name, str(k), str(coarsening), f"{ms:.4g}" if ms else "-", f"{gflops:.2f}", f"{bound:.2f}",
            f"{100 * gflops / bound:.1f}", f"{1e-9 * least:.4g}", f"{1e-9 * words:.4g}" if words else "-")


def table(rows, given, counted):
    """given: what shared memory gives, in GB/s; counted: words by k, of what is profiled."""
    lines = [TITLES]
    for row in rows:
        gbytes_per_s, coarsening = given or row.machine_shared_gbytes_per_s, int(row.parameters.split(",")[0])
        if not gbytes_per_s > 0:
            raise Unusable("no row has machine_shared_gbytes_per_s, as those measured on CUDA do: --shared-gbytes-per-s has to say "
                           "what shared memory gives", 3)
        words = counted.get(row.k) if (row.value_type, coarsening) == PROFILED else None
        lines.append(line_of(row.value_type, (row.rows, row.nnz), row.k, coarsening, row.median_ms, row.gflops,
                             gbytes_per_s / row.value_bytes, words))
    lines.append(line_of("f32, paper on a P100", (PAPER_SIZE, PAPER_SIZE**2), PAPER_K, PAPER_COARSENING, None, PAPER_GFLOPS,
                         PAPER_SHARED_GWORDS, None))
    return flush_table(lines)


def add_arguments(parser):
    parser.add_argument("--metrics", action=Metrics, const=BYTES)
    parser.add_argument("results", metavar="RESULTS")
    parser.add_argument("--shared-gbytes-per-s", type=number(0, above=True), metavar="N",
                        help="what shared memory gives [machine_shared_gbytes_per_s of the rows]")
    parser.add_argument("--profile", metavar="FILE", help="log of ncu --csv")
    parser.add_argument("--profile-k", type=int, metavar="K", help="the k of that profile")


def run(asked):
    if (asked.profile is None) != (asked.profile_k is None):
        raise Unusable("--profile and --profile-k go together")
    counted = {}
    try:
        if asked.profile is not None:
            counted[asked.profile_k] = total_of(asked.profile, BYTES, LAUNCHES) / 4  # words of f32
    except Unusable as problem:  # times are worth having without counts
        warn(f"no counts: {problem}")
    rows = timed(asked.results)
    lines, names = table(rows, asked.shared_gbytes_per_s, counted), ", ".join(sorted({row.implementation for row in rows}))
    print(f"{rows[0].matrix} ({rows[0].rows} x {rows[0].cols}, {rows[0].nnz} entries) on {rows[0].device}: {names}\n\n{lines}", end="")
