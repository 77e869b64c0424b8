#!/usr/bin/env python3
# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Table II of paper 004 (Anzt, Tomov, Dongarra, SELL-P) from what Nsight Compute measured of one kernel.

    scripts/paper_004_profile.py --metrics     the metrics to ask ncu for, with commas between
    scripts/paper_004_profile.py PROFILE.csv   the paper's figures and ours, of a log of ncu --csv

The paper's figures are nvprof's, of its kernel on audikw_1 and a K40c. Ours are their counterparts of today, as NVIDIA's
table of nvprof's and Nsight Compute's metrics has them. Where these count other units they are turned into nvprof's: L2
sectors are 32 bytes, wavefronts of shared memory 128 bytes, instructions a cycle are of a multiprocessor.
scripts/paper_004_profile.sh runs both steps.
"""

import csv
import sys

# Name, the paper's figure, our unit, the metrics, and what makes a number of their values in base units. A metric may
# also be one of the columns that ncu writes of each kernel.
TIME = "gpu__time_duration.sum"
SECTOR, WAVEFRONT, WARP = 32, 128, 32
ROWS = [
    ("execution time", "7.02 ms", "ms", [TIME], lambda seconds: 1e3 * seconds),
    ("grid size", "343 x 344 x 1", "", ["Grid Size"], None),
    ("block size", "8 x 8 x 1", "", ["Block Size"], None),
    ("registers/thread", "40", "", ["launch__registers_per_thread"], lambda count: count),
    # The paper says "512 kB", which no multiprocessor has: 64 sums in f64 are 512 bytes.
    (
        "shared memory of a block",
        "512 kB",
        "bytes",
        ["launch__shared_mem_per_block_static", "launch__shared_mem_per_block_dynamic"],
        lambda static, dynamic: static + dynamic,
    ),
    (
        "device memory throughput (read)",
        "212.59 GB/s",
        "GB/s",
        ["dram__bytes_read.sum.per_second"],
        lambda rate: 1e-9 * rate,
    ),
    (
        "device memory throughput (write)",
        "1.34 GB/s",
        "GB/s",
        ["dram__bytes_write.sum.per_second"],
        lambda rate: 1e-9 * rate,
    ),
    (
        "shared memory throughput (load)",
        "25.78 GB/s",
        "GB/s",
        ["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum.per_second"],
        lambda rate: 1e-9 * WAVEFRONT * rate,
    ),
    (
        "shared memory throughput (store)",
        "17.19 GB/s",
        "GB/s",
        ["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum.per_second"],
        lambda rate: 1e-9 * WAVEFRONT * rate,
    ),
    (
        "L2 throughput (read)",
        "24.36 GB/s",
        "GB/s",
        ["lts__t_sectors_op_read.sum.per_second"],
        lambda rate: 1e-9 * SECTOR * rate,
    ),
    (
        "L2 throughput (write)",
        "1.07 GB/s",
        "GB/s",
        ["lts__t_sectors_op_write.sum.per_second"],
        lambda rate: 1e-9 * SECTOR * rate,
    ),
    ("L2 hit rate", "30.34 %", "%", ["lts__t_sector_hit_rate.pct"], lambda percent: percent),
    (
        "shared memory efficiency",
        "100 %",
        "%",
        ["smsp__sass_average_data_bytes_per_wavefront_mem_shared.pct"],
        lambda percent: percent,
    ),
    (
        "warp execution efficiency",
        "100 %",
        "%",
        ["smsp__thread_inst_executed_per_inst_executed.ratio"],
        lambda threads: 100 * threads / WARP,
    ),
    (
        "instructions per warp",
        "250,053",
        "",
        ["smsp__average_inst_executed_per_warp.ratio"],
        lambda count: count,
    ),
    (
        "issued instructions per cycle (IPC)",
        "1.30",
        "",
        ["sm__inst_issued.avg.per_cycle_active"],
        lambda count: count,
    ),
    (
        "executed instructions per cycle (IPC)",
        "0.75",
        "",
        ["sm__inst_executed.avg.per_cycle_active"],
        lambda count: count,
    ),
    (
        "achieved occupancy",
        "0.47",
        "",
        ["sm__warps_active.avg.pct_of_peak_sustained_active"],
        lambda percent: 1e-2 * percent,
    ),
    (
        "multiprocessor activity",
        "99.8 %",
        "%",
        ["sm__cycles_active.avg.pct_of_peak_sustained_elapsed"],
        lambda percent: percent,
    ),
]

COLUMNS = ("ID", "Kernel Name", "Metric Name", "Metric Unit", "Metric Value")
PREFIXES = {"": 1, "n": 1e-9, "u": 1e-6, "m": 1e-3, "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}
SECONDS = ("s", "second", "sec")


class Unusable(Exception):
    """What is in the log is not the profile of one kernel."""


def metrics():
    return [name for row in ROWS for name in row[3] if "__" in name]


def factor_of(unit):
    """What turns a number of this unit into one of seconds, bytes, bytes a second; 1 where there are no such."""
    first = unit.split("/")[0]
    for base in ("byte", *SECONDS):
        if first.endswith(base) and first[: -len(base)] in PREFIXES:
            return PREFIXES[first[: -len(base)]]
    return 1


def number_of(text, unit):
    """None where ncu has no number, as of a metric that this GPU does not have."""
    try:
        return float(text.replace(",", "")) * factor_of(unit)
    except ValueError:
        return None


def launches_of(lines):
    """The rows of the log by kernel launch; what programs and ncu print before and between them is passed over."""
    text = list(lines)
    start = next((n for n, line in enumerate(text) if line.startswith('"ID"')), None)
    if start is None:
        said = [line.strip() for line in text if "==ERROR==" in line or "==WARNING==" in line]
        raise Unusable("no table of metrics" + "".join(f"\n  {line}" for line in said))
    reader = csv.DictReader(line for line in text[start:] if line.startswith('"'))
    absent = [name for name in COLUMNS if name not in reader.fieldnames]
    if absent:
        raise Unusable("no column " + ", ".join(absent))
    launches = {}
    for row in reader:
        launches.setdefault((row["ID"], row["Kernel Name"]), []).append(row)
    return launches


def numbers_of(rows):
    """What one launch was measured to have, by metric."""
    return {row["Metric Name"]: number_of(row["Metric Value"], row["Metric Unit"]) for row in rows}


def total_of(launches, weights):
    """The weighted sum of these metrics over all launches, each of which must have them all."""
    total = 0
    for rows in launches.values():
        counts = numbers_of(rows)
        absent = [name for name in weights if counts.get(name) is None]
        if absent:
            raise Unusable("no count of " + ", ".join(absent))
        total += sum(weight * counts[name] for name, weight in weights.items())
    return total


def figures_of(rows):
    """Our column, of the rows of one launch."""
    numbers = numbers_of(rows)
    figures = []
    for _, _, unit, names, calculate in ROWS:
        if calculate is None:
            figures.append(rows[0].get(names[0], "n/a").strip("()").replace(", ", " x ") or "n/a")
            continue
        values = [numbers.get(name) for name in names]
        if None in values:
            figures.append("n/a")
            continue
        value = calculate(*values)
        digits = 0 if value >= 1000 or value == int(value) else 4 if unit == "ms" else 2
        figures.append(f"{value:,.{digits}f} {unit}".strip())
    return figures


def table_of(lines):
    launches = launches_of(lines)
    if len(launches) != 1:
        raise Unusable(f"{len(launches)} launches of kernels, expected one")
    ((_, kernel), rows) = next(iter(launches.items()))
    table = [("", "paper 004, K40c", "ours")]
    table += [(row[0], row[1], ours) for row, ours in zip(ROWS, figures_of(rows))]
    widths = [max(len(line[c]) for line in table) for c in range(2)]
    body = "\n".join(f"{name:<{widths[0]}}  {paper:>{widths[1]}}  {ours}".rstrip() for name, paper, ours in table)
    return f"{kernel}\n\n{body}\n"


def main(arguments):
    if arguments == ["--metrics"]:
        print(",".join(metrics()))
        return 0
    if len(arguments) != 1 or arguments[0].startswith("-"):
        print(__doc__.strip(), file=sys.stdout if arguments == ["--help"] else sys.stderr)
        return 0 if arguments == ["--help"] else 2
    try:
        with open(arguments[0], encoding="utf-8") as log:
            print(table_of(log), end="")
    except (OSError, Unusable) as problem:
        print(f"scripts/paper_004_profile.py: {arguments[0]}: {problem}", file=sys.stderr)
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
