#!/usr/bin/env python3
# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The table that scripts/paper_000.py makes of invented results and an invented log of Nsight Compute."""

import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
SCRIPT = HERE.parents[1] / "scripts" / "paper_000.py"
PROFILE = HERE / "ncu_row_segments.csv"

ROW = {
    "operation": "formats_spmm",
    "matrix": "block_diagonal_1_256",
    "rows": 256,
    "cols": 256,
    "nnz": 65536,
    "k": 32,
    "value_type": "f32",
    "implementation": "heddle::cuda_native::row_segments",
    "format": "row_segmented",
    "parameters": "4,1,1",
    "layout": "row",
    "median_ms": 0.1,
    "gflops": 50.0,
    "device": "a device",
}


def run(*arguments):
    return subprocess.run([sys.executable, "-B", str(SCRIPT), *map(str, arguments)], capture_output=True, text=True, check=False)


class Section7(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.results = pathlib.Path(folder.name) / "results.jsonl"
        self.log = pathlib.Path(folder.name) / "log.csv"

    def run_on(self, rows, *arguments):
        self.results.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        return run(self.results, *arguments)

    def lines(self, rows, *arguments):
        done = self.run_on(rows, *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return [re.split(r" {2,}", line.strip()) for line in done.stdout.splitlines()[2:]]

    def refusal(self, rows, *arguments):
        done = self.run_on(rows, *arguments)
        self.assertEqual((done.returncode, done.stdout), (3, ""))
        return done.stderr

    def test_shares_and_least_words(self):
        rows = [{"operation": "self_check", "matrix": ""}, ROW, {**ROW, "value_type": "f64", "parameters": "2,1,1"}]
        self.assertEqual(
            self.lines(rows, "--shared-gbytes-per-s", 400),
            [
                ["k", "CF_V", "ms", "GFLOPS", "bound", "% of it", "1e9 words at least", "counted"],
                # 65536 32 + 256 32 + 65536 32 / (32 4) words; 100 Gwords/s.
                ["f32", "32", "4", "0.1", "50.00", "200.00", "25.0", "0.002122", "-"],
                ["f64", "32", "2", "0.1", "50.00", "100.00", "50.0", "0.002138", "-"],
                ["f32, paper on a P100", "65536", "4", "-", "2495.81", "3954.50", "63.1", "4433", "-"],
            ],
        )

    def test_the_bandwidth_of_the_rows_counts_unless_one_is_given(self):
        row = {**ROW, "machine_shared_gbytes_per_s": 800}
        self.assertEqual(self.lines([row])[1][5:7], ["400.00", "12.5"])
        self.assertEqual(self.lines([row], "--shared-gbytes-per-s", 400)[1][5:7], ["200.00", "25.0"])
        self.assertIn("--shared-gbytes-per-s has to say", self.refusal([ROW]))

    def test_counts_stand_beside_the_case_that_was_profiled(self):
        rows = [ROW, {**ROW, "k": 128}, {**ROW, "parameters": "2,1,1"}, {**ROW, "value_type": "f64"}]
        lines = self.lines(rows, "--shared-gbytes-per-s", 400, "--profile", PROFILE, "--profile-k", 32)
        # 63,000 wavefronts of 128 bytes and 15,000 sectors of 32, of both launches.
        self.assertEqual([line[8] for line in lines[1:5]], ["0.002136", "-", "-", "-"])

    def test_a_log_without_counts_costs_the_counts_alone(self):
        text = PROFILE.read_text(encoding="utf-8")
        heavy_only = "".join(line for line in text.splitlines(keepends=True) if not line.startswith('"0"'))
        for log, reason in (
            ("==WARNING== No kernels were profiled.\n", "No kernels were profiled"),
            (heavy_only, "1 launches of kernels, expected 2"),
            (text.replace('"4,000"', '"n/a"'), "no count of l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum"),
        ):
            self.log.write_text(log, encoding="utf-8")
            done = self.run_on([ROW], "--shared-gbytes-per-s", 400, "--profile", self.log, "--profile-k", 32)
            self.assertEqual(done.returncode, 0)
            self.assertIn(reason, done.stderr)
            self.assertRegex(done.stdout, r"f32 +32 +4 .* -\n")

    def test_metrics_that_are_asked_for_are_those_of_the_sample(self):
        asked = run("--metrics").stdout.strip().split(",")
        text = PROFILE.read_text(encoding="utf-8")
        self.assertEqual(sorted(asked), sorted(set(re.findall(r'metrics","([^"]+)"', text))))

    def test_results_without_times_are_refused_with_their_reasons(self):
        skipped = {key: value for key, value in ROW.items() if key != "median_ms"}
        self.assertIn("skipped: no memory", self.refusal([{**skipped, "skipped": "no memory"}]))
        self.assertIn("no times of row segments", self.refusal([{**ROW, "format": "csr", "parameters": ""}]))
        self.results.write_text("no JSON\n", encoding="utf-8")
        done = run(self.results)
        self.assertEqual(done.returncode, 3)
        self.assertIn("line 1 is not JSON", done.stderr)

    def test_wrong_usage(self):
        self.assertEqual(run().returncode, 2)
        self.assertEqual(run("--help").returncode, 0)
        self.assertEqual(self.run_on([ROW], "--profile", PROFILE).returncode, 2)
        self.assertEqual(self.run_on([ROW], "--shared-gbytes-per-s", 0).returncode, 2)
        self.assertEqual(run(self.results.with_name("missing.jsonl")).returncode, 3)


if __name__ == "__main__":
    unittest.main()
