#!/usr/bin/env python3
# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tables that scripts/paper_001.py makes of invented results."""

import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
SCRIPT = HERE.parents[1] / "scripts" / "paper_001.py"


def row(matrix, implementation, ms, **other):
    return {
        "operation": "spgemm",
        "matrix": matrix,
        "nnz": 1000,
        "value_type": "f64",
        "implementation": implementation,
        "median_ms": ms,
        "gflops": 10 / ms,
        "device": "a device",
        "commit": "0123456789ab",
        **other,
    }


# Over cuSPARSE, the faster of its two on each: 2 and 4, harmonic mean 2 / (1/2 + 1/4); over Kokkos Kernels 3, on a alone.
ROWS = [
    {"operation": "self_check", "matrix": "", "implementation": "read"},
    row("b", "heddle::auto", 1.0, nnz=2000),
    row("b", "cusparse::alg1", 4.0),
    row("a", "heddle::auto", 2.0),
    row("a", "cusparse::alg1", 8.0),
    row("a", "cusparse::alg2", 4.0),
    row("a", "kokkoskernels::SPGEMM_KK", 6.0),
    row("a", "heddle::register_merge", 8.0),
    row("a", "heddle::esc_global", 20.0),
    row("a", "heddle::auto", 0.001, operation="spgemm_numeric"),
    row("a", "heddle::auto", 0.001, value_type="f32"),
]
SKIPPED = [
    {"operation": "spgemm", "matrix": m, "value_type": "f64", "implementation": "heddle::esc", "skipped": "not there"}
    for m in "ab"
]


class Paper001(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.results = pathlib.Path(folder.name) / "paper_001.jsonl"

    def run_on(self, rows):
        self.results.write_text("".join(json.dumps(one) + "\n" for one in rows), encoding="utf-8")
        command = [sys.executable, "-B", str(SCRIPT), str(self.results)]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    def lines(self, rows):
        done = self.run_on(rows)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("of 2 matrices with 1,000 to 2,000 entries", done.stdout)
        return [re.split(r" {2,}", line.strip()) for line in done.stdout.splitlines()]

    def test_means_maxima_and_what_they_are_of(self):
        lines = self.lines(ROWS)
        self.assertIn(["heddle::auto", "2.67 (4) of 2", "3 (3) of 1", "10 (10) of 1", "-"], lines)
        self.assertIn(["heddle::register_merge", "0.5 (0.5) of 1", "0.75 (0.75) of 1", "2.5 (2.5) of 1", "-"], lines)
        self.assertIn(["heddle::shared_merge", "-", "-", "-", "-"], lines)
        self.assertIn(["FastSparse, K40m (Fig. 2)", "2.48 (38.38)", "-", "6.57 (31.56)", "1.12 (2.82)"], lines)

    def test_matrices_are_by_entries(self):
        lines = self.lines(ROWS)
        at = lines.index(["a", "1,000", "5", "2", "3", "10", "-"])
        self.assertEqual(lines[at + 1], ["b", "2,000", "10", "4", "-", "-", "-"])

    def test_what_was_skipped_is_said_once(self):
        text = self.run_on(ROWS + SKIPPED).stdout
        self.assertEqual(text.count("skipped: heddle::esc on 2 matrices: not there"), 1)
        self.assertEqual(self.run_on(ROWS + SKIPPED[1:]).stdout.count("skipped: heddle::esc on b: not there"), 1)

    def test_a_chart_is_there_where_matplotlib_is(self):
        done = self.run_on(ROWS)
        self.assertNotEqual("no matplotlib" in done.stderr, self.results.with_name("paper_001.svg").exists())

    def test_wrong_usage_and_wrong_files(self):
        self.assertIn("no times", self.run_on(SKIPPED).stderr)
        self.assertEqual(self.run_on([]).returncode, 3)
        self.results.write_text("no JSON\n", encoding="utf-8")
        for arguments, code in (([], 2), (["--help"], 0), ([str(self.results)], 3), ([str(self.results) + "x"], 3)):
            done = subprocess.run([sys.executable, "-B", str(SCRIPT), *arguments], capture_output=True, check=False)
            self.assertEqual(done.returncode, code)


if __name__ == "__main__":
    unittest.main()
