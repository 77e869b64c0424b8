#!/usr/bin/env python3
# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tables that scripts/paper_003.py makes of invented results and an invented log of Nsight Compute, ncu_dram.csv, which
is a sample in the shape that its documentation gives --csv and no measurement."""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
SCRIPT = HERE.parents[1] / "scripts" / "paper_003.py"
COUNTED = HERE / "ncu_dram.csv"  # 1.5e6 bytes in two launches

FIGURES = {
    "operation": "analyze",
    "matrix": "m",
    "nnz": 1000,
    "heavy_share": 0.25,
    "products": 5000,
    "products_nnz": 3000,
    "spmv_flops": 2000.0,
    "spmv_words": 2500.0,
    "spgemm_flops": 10000.0,
    "spgemm_words": 10000.0,
    "spmv_upper_words": 2750,
    "spmv_parts": 2,
    "spgemm_upper_words": 15000,
    "spgemm_parts": 4,
}
# 0.01 ms: 1e6 operations and 1e6 compulsory bytes are 100 GFLOPS and 100 GB/s.
TIME = {
    "matrix": "m",
    "implementation": "heddle::auto",
    "median_ms": 0.01,
    "gflops": 100.0,
    "gbytes_per_s": 100.0,
    "machine_gbytes_per_s": 300.0,
    "device": "a device",
    "commit": "0123456789ab",
}
ORDER = {"operation": "reorder", "matrix": "m", "implementation": "degree", "seconds": 0.5, "heavy_share": 0.75}


def time(operation, matrix, **other):
    return {**TIME, "operation": operation, "matrix": matrix, **other}


TIMES = [
    time("spmv", "m"),
    time("spgemm", "m"),
    time("spgemm", "m__degree", gflops=125.0),
    time("spgemm", "band15", gflops=200.0),
    time("spgemm", "banded_perm_40000_15"),
    time("spgemm", "banded_40000_31", gflops=50.0),
    {"operation": "spmm", "matrix": "m", "implementation": "heddle::auto", "skipped": "no memory"},
    time("spmv", "m", implementation="eigen::spmv", gflops=999.0),
]


def run(*arguments):
    return subprocess.run([sys.executable, "-B", str(SCRIPT), *map(str, arguments)], capture_output=True, text=True, check=False)


class Paper003(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.out = pathlib.Path(folder.name)
        (self.out / "dram").mkdir()
        self.write("figures.jsonl", [FIGURES])
        self.write("orders.jsonl", [ORDER])
        self.write("times.jsonl", TIMES)

    def write(self, name, rows):
        (self.out / name).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")

    def count(self, operation, matrix):
        shutil.copy(COUNTED, self.out / "dram" / f"{operation}.{matrix}.csv")

    def tables(self):
        done = run(self.out)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("Paper 003 on a device, f64, commit 0123456789ab", done.stdout)
        parts = re.split(r"^((?:Table|Fig\.) \w+): .*\n\n", done.stdout, flags=re.MULTILINE)
        return {
            title: [re.split(r" {2,}", line.strip()) for line in body.strip().splitlines()[1:]]
            for title, body in zip(parts[1::2], parts[2::2])
        }

    def test_tables_without_counts(self):
        tables = self.tables()
        self.assertEqual(tables["Table I"], [["m", "1,000", "3,000", "10,000", "1"]])
        self.assertEqual(tables["Fig. 3"], [["m", "100", "100", "-", "0.8", "-", "1"]])
        self.assertEqual(tables["Fig. 5"], [["m", "2", "1.1", "-", "4", "1.5", "-"]])
        self.assertEqual(
            tables["Fig. 6"],
            [
                ["m", "as it is", "-", "25", "100", "-", "-", "-", "100", "-"],
                ["m", "degree", "0.5", "75", "-", "-", "-", "-", "125", "-"],
            ],
        )
        # The roofline of compulsory bytes: an operation a byte at 300 GB/s.
        self.assertEqual(
            tables["Fig. 7"],
            [["15", "200", "600", "-", "100", "300", "-"], ["31", "50", "150", "-", "-", "-", "-"]],
        )

    def test_counted_bytes_are_those_of_all_launches(self):
        for case in (("spmv", "m"), ("spgemm", "m__degree"), ("spgemm", "banded_perm_40000_15")):
            self.count(*case)
        tables = self.tables()
        self.assertEqual(tables["Fig. 3"], [["m", "100", "100", "0.5333", "0.8", "-", "1"]])
        self.assertEqual(tables["Fig. 5"], [["m", "2", "1.1", "1.5", "4", "1.5", "-"]])
        self.assertEqual(tables["Fig. 6"][0][5], "0.0015")
        self.assertEqual(tables["Fig. 6"][1][9], "0.0015")
        self.assertEqual(tables["Fig. 7"][0], ["15", "200", "600", "-", "100", "200", "1.5"])

    def test_counts_stay_where_their_logs_are_gone(self):
        for case in (("spmv", "m"), ("spgemm", "m__degree"), ("spgemm", "never_timed")):
            self.count(*case)
        before = self.tables()
        rows = [json.loads(line) for line in (self.out / "counts.jsonl").read_text(encoding="utf-8").splitlines()]
        self.assertEqual([(row["multiply"], row["matrix"]) for row in rows], [("spgemm", "m__degree"), ("spmv", "m")])
        self.assertEqual(rows[1]["operation"], "counted")
        self.assertEqual(rows[1]["dram_bytes"], 1500000)
        self.assertEqual(rows[1]["device"], "a device")
        shutil.rmtree(self.out / "dram")
        self.assertEqual(self.tables(), before)

    def test_a_log_without_counts_costs_the_counts_alone(self):
        text = COUNTED.read_text(encoding="utf-8")
        for log, reason in (
            ("==WARNING== No kernels were profiled.\n", "No kernels were profiled"),
            (text.replace('"200,000"', '"n/a"'), "no count of dram__bytes_write.sum"),
        ):
            (self.out / "dram" / "spmv.m.csv").write_text(log, encoding="utf-8")
            done = run(self.out)
            self.assertEqual(done.returncode, 0)
            self.assertIn(reason, done.stderr)

    def test_a_matrix_without_upper_bounds_or_product(self):
        kept = ("matrix", "nnz", "heavy_share", "products", "spmv_flops", "spmv_words")
        self.write("figures.jsonl", [{key: FIGURES[key] for key in kept}])
        tables = self.tables()
        self.assertEqual(tables["Table I"], [["m", "1,000", "-", "10,000", "-"]])
        self.assertEqual(tables["Fig. 5"], [["m", "-", "-", "-", "-", "-", "-"]])

    def test_charts_are_there_where_matplotlib_is(self):
        done = run(self.out)
        charts = sorted(path.name for path in self.out.glob("*.svg"))
        if "no matplotlib" in done.stderr:
            self.assertEqual(charts, [])
        else:
            self.assertEqual(charts, [f"paper_003_figure_{n}.svg" for n in (3, 5, 6, 7)])

    def test_metrics_that_are_asked_for_are_those_of_the_sample(self):
        asked = run("--metrics").stdout.strip().split(",")
        text = COUNTED.read_text(encoding="utf-8")
        self.assertEqual(sorted(asked), sorted(set(re.findall(r'metrics","([^"]+)"', text))))

    def test_wrong_usage_and_wrong_files(self):
        self.assertEqual(run().returncode, 2)
        self.assertEqual(run("--help").returncode, 0)
        self.assertEqual(run(self.out / "missing").returncode, 3)
        self.write("times.jsonl", [])
        self.assertIn("no times of heddle::auto", run(self.out).stderr)
        (self.out / "times.jsonl").write_text("no JSON\n", encoding="utf-8")
        self.assertIn("times.jsonl, line 1 is not JSON", run(self.out).stderr)


if __name__ == "__main__":
    unittest.main()
