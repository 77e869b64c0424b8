#!/usr/bin/env python3
# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The table that scripts/paper_004_profile.py makes of a log of Nsight Compute with invented numbers."""

import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
SCRIPT = HERE.parents[1] / "scripts" / "paper_004_profile.py"
SAMPLE = HERE / "ncu_sample.csv"


def run(*arguments):
    return subprocess.run([sys.executable, "-B", str(SCRIPT), *map(str, arguments)], capture_output=True, text=True, check=False)


class Profile(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.log = pathlib.Path(folder.name) / "log.csv"

    def figures(self, text):
        """Name, paper's figure and ours of each row."""
        self.log.write_text(text, encoding="utf-8")
        done = run(self.log)
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = done.stdout.splitlines()
        self.assertEqual(lines[1], "")
        return {row[0]: row[1:] for row in (re.split(r" {2,}", line.strip()) for line in lines[3:])}

    def refusal(self, text):
        self.log.write_text(text, encoding="utf-8")
        done = run(self.log)
        self.assertEqual((done.returncode, done.stdout), (3, ""))
        return done.stderr

    def test_every_row_in_the_units_of_the_paper(self):
        figures = self.figures(SAMPLE.read_text(encoding="utf-8"))
        self.assertEqual(
            figures,
            {
                "execution time": ["7.02 ms", "0.4128 ms"],
                "grid size": ["343 x 344 x 1", "171 x 172 x 1"],
                "block size": ["8 x 8 x 1", "8 x 8 x 1"],
                "registers/thread": ["40", "32"],
                "shared memory of a block": ["512 kB", "512 bytes"],
                "device memory throughput (read)": ["212.59 GB/s", "2,500 GB/s"],
                "device memory throughput (write)": ["1.34 GB/s", "12.34 GB/s"],
                "shared memory throughput (load)": ["25.78 GB/s", "128 GB/s"],  # 1e9 wavefronts of 128 bytes
                "shared memory throughput (store)": ["17.19 GB/s", "64 GB/s"],
                "L2 throughput (read)": ["24.36 GB/s", "3,200 GB/s"],  # 1e11 sectors of 32 bytes
                "L2 throughput (write)": ["1.07 GB/s", "16 GB/s"],
                "L2 hit rate": ["30.34 %", "41.26 %"],
                "shared memory efficiency": ["100 %", "n/a"],
                "warp execution efficiency": ["100 %", "75 %"],  # 24 of 32 threads
                "instructions per warp": ["250,053", "1,234"],
                "issued instructions per cycle (IPC)": ["1.30", "0.82"],
                "executed instructions per cycle (IPC)": ["0.75", "0.81"],
                "achieved occupancy": ["0.47", "0.47"],
                "multiprocessor activity": ["99.8 %", "98.76 %"],
            },
        )

    def test_the_kernel_is_named(self):
        self.assertTrue(run(SAMPLE).stdout.startswith("void heddle::cuda_native::spmv_sellp_paper_kernel<double, int, int>("))

    def test_units_with_prefixes(self):
        text = SAMPLE.read_text(encoding="utf-8")
        text = text.replace('"ns","412,800"', '"us","412.8"').replace('"byte/second","12,340,000,000"', '"Gbyte/s","12.34"')
        figures = self.figures(text)
        self.assertEqual(figures["execution time"][1], "0.4128 ms")
        self.assertEqual(figures["device memory throughput (write)"][1], "12.34 GB/s")

    def test_metrics_that_are_asked_for_are_those_of_the_sample(self):
        asked = run("--metrics").stdout.strip().split(",")
        text = SAMPLE.read_text(encoding="utf-8")
        self.assertEqual(sorted(asked), sorted(re.findall(r'metrics","([^"]+)"', text)))

    def test_a_metric_that_is_not_there_is_no_number(self):
        lines = SAMPLE.read_text(encoding="utf-8").splitlines(keepends=True)
        figures = self.figures("".join(line for line in lines if "lts__t_sector_hit_rate" not in line))
        self.assertEqual(figures["L2 hit rate"][1], "n/a")

    def test_logs_without_one_kernel_are_refused_with_what_ncu_said(self):
        error = "==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to access NVIDIA GPU Performance Counters"
        self.assertIn("ERR_NVGPUCTRPERM", self.refusal(f"==PROF== Connected\n{error}\n"))
        text = SAMPLE.read_text(encoding="utf-8")
        rows = [line for line in text.splitlines(keepends=True) if line.startswith('"0"')]
        self.assertIn("2 launches", self.refusal(text + rows[0].replace('"0"', '"1"', 1)))
        self.assertIn("no column Metric Value", self.refusal(text.replace("Metric Value", "Value")))

    def test_wrong_usage(self):
        self.assertEqual(run().returncode, 2)
        self.assertEqual(run("--help").returncode, 0)
        done = run(self.log.with_name("missing.csv"))
        self.assertEqual(done.returncode, 3)
        self.assertIn("missing.csv", done.stderr)


if __name__ == "__main__":
    unittest.main()
