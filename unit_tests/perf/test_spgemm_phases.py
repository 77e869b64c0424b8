#!/usr/bin/env python3
# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The table that scripts/spgemm_phases.py makes of invented times and invented logs of Nsight Compute."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "spgemm_phases.py"
TIME = {
    "operation": "spgemm",
    "matrix": "m",
    "nnz": 10,
    "products_nnz": 20,
    "value_type": "f64",
    "implementation": "heddle::auto",
    "median_ms": 2.0,
    "gbytes_per_s": 100.0,
    "machine_gbytes_per_s": 400.0,
    "device": "a device",
    "commit": "abc",
}
HEADER = '"ID","Kernel Name","Metric Name","Metric Unit","Metric Value"\n'
KERNELS = (
    ("void heddle::cuda_native::spgemm_bound_factor_kernel<int>(int)", 100),
    ("void heddle::cuda_native::list_row_classes_kernel<int>(int)", 20),
    ("void heddle::cuda_native::spgemm_find_merged_kernel<4, 2>(int)", 300),
    ("void heddle::cuda_native::spgemm_sorted_kernel<4>(int)", 200),
    ("void cub::detail::scan::DeviceScanKernel<int>(int)", 30),
    ("void heddle::cuda_native::spgemm_sum_kernel<32>(int)", 400),
    ("void heddle::cuda_native::spgemm_searched_kernel<32>(int)", 50),
    ("void heddle::cuda_native::spgemm_multiply_sorted_kernel<int>(int)", 60),
    ("void elsewhere<int>(int)", 7),
)


def run(*arguments):
    return subprocess.run([sys.executable, "-B", str(SCRIPT), *map(str, arguments)], capture_output=True, text=True, check=False)


class Phases(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "kernels").mkdir()

    def write(self, rows, kernels):
        (self.folder / "times.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        body = "".join(f'"{n}","{name}","gpu__time_duration.sum","us","{value}"\n' for n, (name, value) in enumerate(kernels))
        (self.folder / "kernels" / "m.csv").write_text("==PROF== Connected\n" + HEADER + body, encoding="utf-8")

    def test_steps_add_up(self):
        self.write([TIME, {**TIME, "operation": "spgemm_numeric"}, {**TIME, "matrix": "without a profile"}], KERNELS)
        done = run(self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        (row,) = map(json.loads, (self.folder / "spgemm_phases.jsonl").read_text(encoding="utf-8").splitlines())
        expected = {"survey": 0.1, "classes": 0.02, "columns found": 0.5, "columns placed": 0.03, "sums": 0.45, "both at once": 0.06,
                    "others": 0.007}
        self.assertEqual(row["steps_ms"].keys(), expected.keys())
        for step, milliseconds in expected.items():
            self.assertAlmostEqual(row["steps_ms"][step], milliseconds)
        self.assertEqual(row["launches"], len(KERNELS))
        self.assertAlmostEqual(row["bound_ms"], 0.5)  # 100 of 400 GB/s for 2 ms
        line = next(line for line in done.stdout.splitlines() if line.startswith("m "))
        self.assertEqual(line.split()[-4:], ["0.833", "9", "0.5", "25"])

    def test_a_kernel_without_a_time_is_said(self):
        self.write([TIME], [(KERNELS[0][0], "n/a")])
        done = run(self.folder)
        self.assertEqual(done.returncode, 1)
        self.assertIn("no time of void heddle::cuda_native::spgemm_bound_factor_kernel", done.stderr)
        self.assertIn("no matrix has both", done.stderr)

    def test_usage(self):
        self.assertEqual(run("--metrics").stdout.strip(), "gpu__time_duration.sum")
        self.assertEqual(run().returncode, 2)
        self.assertEqual(run("--help").returncode, 0)


if __name__ == "__main__":
    unittest.main()
