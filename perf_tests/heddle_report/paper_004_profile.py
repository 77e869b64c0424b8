# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Table II of paper 004 (Anzt, Tomov, Dongarra, SELL-P) from what Nsight Compute measured of one kernel.

The paper's figures are nvprof's, of its kernel on audikw_1 and a K40c. Ours are their counterparts of today, as NVIDIA's
table of nvprof's and Nsight Compute's metrics has them. Where these count other units they are turned into nvprof's: L2
sectors are 32 bytes, wavefronts of shared memory 128 bytes, instructions a cycle are of a multiprocessor.
scripts/paper_004_profile.sh asks ncu for them.
"""

from heddle_report.ncu import TIME, Metrics, launches_of, numbers_of
from heddle_report.paper import flush_table
from heddle_report.rows import Unusable

ABOUT = __doc__
SECTOR, WAVEFRONT, WARP = 32, 128, 32
# Name, the paper's figure, our unit, what turns the sum of the metrics in base units into it, and the metrics; without a
# factor it is one of the columns that ncu writes of each kernel.
ROWS = (
    ("execution time", "7.02 ms", "ms", 1e3, TIME),
    ("grid size", "343 x 344 x 1", "", None, "Grid Size"),
    ("block size", "8 x 8 x 1", "", None, "Block Size"),
    ("registers/thread", "40", "", 1, "launch__registers_per_thread"),
    # The paper says "512 kB", which no multiprocessor has: 64 sums in f64 are 512 bytes.
    ("shared memory of a block", "512 kB", "bytes", 1, "launch__shared_mem_per_block_static", "launch__shared_mem_per_block_dynamic"),
    ("device memory throughput (read)", "212.59 GB/s", "GB/s", 1e-9, "dram__bytes_read.sum.per_second"),
    ("device memory throughput (write)", "1.34 GB/s", "GB/s", 1e-9, "dram__bytes_write.sum.per_second"),
    ("shared memory throughput (load)", "25.78 GB/s", "GB/s", 1e-9 * WAVEFRONT,
     "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum.per_second"),
    ("shared memory throughput (store)", "17.19 GB/s", "GB/s", 1e-9 * WAVEFRONT,
     "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum.per_second"),
    ("L2 throughput (read)", "24.36 GB/s", "GB/s", 1e-9 * SECTOR, "lts__t_sectors_op_read.sum.per_second"),
    ("L2 throughput (write)", "1.07 GB/s", "GB/s", 1e-9 * SECTOR, "lts__t_sectors_op_write.sum.per_second"),
    ("L2 hit rate", "30.34 %", "%", 1, "lts__t_sector_hit_rate.pct"),
    ("shared memory efficiency", "100 %", "%", 1, "smsp__sass_average_data_bytes_per_wavefront_mem_shared.pct"),
    ("warp execution efficiency", "100 %", "%", 100 / WARP, "smsp__thread_inst_executed_per_inst_executed.ratio"),
    ("instructions per warp", "250,053", "", 1, "smsp__average_inst_executed_per_warp.ratio"),
    ("issued instructions per cycle (IPC)", "1.30", "", 1, "sm__inst_issued.avg.per_cycle_active"),
    ("executed instructions per cycle (IPC)", "0.75", "", 1, "sm__inst_executed.avg.per_cycle_active"),
    ("achieved occupancy", "0.47", "", 1e-2, "sm__warps_active.avg.pct_of_peak_sustained_active"),
    ("multiprocessor activity", "99.8 %", "%", 1, "sm__cycles_active.avg.pct_of_peak_sustained_elapsed"),
)
METRICS = [metric for row in ROWS if row[3] for metric in row[4:]]


def figure_of(rows, unit, factor, metrics):
    """Our figure as text, of the rows of one launch."""
    if not factor:
        return rows[0].get(metrics[0], "n/a").strip("()").replace(", ", " x ") or "n/a"
    numbers = numbers_of(rows)
    values = [numbers.get(metric) for metric in metrics]
    if None in values:
        return "n/a"
    value = round(factor * sum(values), 9)
    digits = 0 if value >= 1000 or value == int(value) else 4 if unit == "ms" else 2
    return f"{value:,.{digits}f} {unit}".strip()


def add_arguments(parser):
    parser.add_argument("--metrics", action=Metrics, const=METRICS)
    parser.add_argument("profile", metavar="FILE", help="log of ncu --csv")


def run(asked):
    launches = launches_of(asked.profile)
    if len(launches) != 1:
        raise Unusable(f"{asked.profile}: {len(launches)} launches of kernels, expected one", 3)
    (((_, kernel), rows),) = launches.items()
    ours = ["ours", *(figure_of(rows, unit, factor, metrics) for _, _, unit, factor, *metrics in ROWS)]
    theirs = flush_table([("", "paper 004, K40c"), *(row[:2] for row in ROWS)]).splitlines()
    print(f"{kernel}\n", *(f"{line}  {figure}".rstrip() for line, figure in zip(theirs, ours)), sep="\n")
