#!/usr/bin/env python3
# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tables that scripts/paper_003_spgemm.py makes of invented results."""

import gzip
import json
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
SCRIPT = HERE.parents[1] / "scripts" / "paper_003_spgemm.py"
DVW, FIXED, AUTO, PAPER = ("heddle::" + name for name in ("hybrid_sparse_dvw", "hybrid_sparse", "auto", "scatter_vector_paper"))
KK, CUSPARSE = "kokkoskernels::SPGEMM_KK", "cusparse::alg1"


def row(matrix, implementation, ms, **other):
    return {
        "operation": "spgemm",
        "matrix": matrix,
        "rows": 1000,
        "cols": 1000,
        "nnz": 1000,
        "value_type": "f64",
        "implementation": implementation,
        "median_ms": ms,
        "gflops": 100 / ms,
        "roofline_gflops": 500.0,
        "device": "a device",
        "commit": "0123456789ab",
        **other,
    }


BANDED = [
    row(name, f"{PAPER}_{warps}", ms) for name in ("band15", "banded_perm_300_15") for warps, ms in ((1, 4), (4, 2), (8, 8))
]
BANDED += [row("band15", PAPER, 1), row("band15", AUTO, 0.5), row("band15", AUTO, 0.25, operation="spgemm_numeric")]
ALONE = [row(name, DVW, ms) for name, ms in (("a", 1), ("b", 2), ("c", 4))]
ALONE += [row("a", FIXED, 2), row("b", FIXED, 1), row("c", KK, 8), row("c", "kokkoskernels::SPGEMM_KK_SPEED", 6)]
HOST = [row("c", AUTO, 10, device="a host"), row("c", KK, 20, device="a host")]
PAIRS = [
    row("a_top_9 * a_top_9", DVW, 1),
    row("a_top_9 * a_top_9", KK, 4),
    row("a_top_9 * b_top_9", DVW, 2),
    row("a_top_9 * b_top_9", KK, 2),
    row("a_top_9 * b_top_9", CUSPARSE, 6),
    row("b_top_9 * a_top_9", AUTO, 2),
    {**row("b_top_9 * a_top_9", DVW, 1), "skipped": "no memory"},
]
del PAIRS[-1]["median_ms"]


def run(*arguments):
    command = [sys.executable, "-B", str(SCRIPT), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


class Paper003Spgemm(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.out = pathlib.Path(folder.name)

    def write(self, name, rows):
        (self.out / name).write_text("".join(json.dumps(one) + "\n" for one in rows), encoding="utf-8")

    def write_all(self):
        for name, rows in (("figure_8", BANDED), ("figures_9_10", ALONE), ("host", HOST), ("table_2", PAIRS)):
            self.write(name + ".jsonl", rows)

    def tables(self):
        """Lines of each table by its title's beginning, and the whole text."""
        done = run(self.out)
        self.assertEqual(done.returncode, 0, done.stderr)
        parts = re.split(r"^((?:Fig\.|Table) .*)\n\n", done.stdout, flags=re.MULTILINE)
        return {
            title: [re.split(r" {2,}", line) for line in body.strip().splitlines()]
            for title, body in zip(parts[1::2], parts[2::2])
        }, done.stdout

    def table(self, tables, *words):
        found = [body for title, body in tables.items() if all(word in title for word in words)]
        self.assertEqual(len(found), 1, words)
        return found[0]

    def test_virtual_warps_by_band(self):
        self.write_all()
        tables, text = self.tables()
        self.assertIn("on a device, f64, commit 0123456789ab", text)
        lines = self.table(tables, "Fig. 8", "whole")
        self.assertEqual(lines[1], ["15", "500", "25", "-", "50", "12.5", "100", "200"])
        self.assertEqual(lines[2], ["15, permuted", "500", "25", "-", "50", "12.5", "-", "-"])
        self.assertEqual(self.table(tables, "Fig. 8", "numeric")[1], ["15", "500", "-", "-", "-", "-", "-", "400"])

    def test_groups_are_split_at_the_median(self):
        self.write_all()
        tables, text = self.tables()
        # dvw, fixed, scatter vectors, auto, KKMEM, cuSPARSE, and on the host auto and KKMEM
        self.assertEqual(self.table(tables, "Fig. 9")[1], ["c", "25", "-", "-", "-", "16.67", "-", "10", "5"])
        high = self.table(tables, "Fig. 10")
        self.assertEqual([high[1][:3], high[2][:3]], [["b", "50", "100"], ["a", "100", "50"]])
        self.assertIn("hybrid_sparse_dvw over hybrid_sparse: ahead on 1 of 2, 1 times as fast", text)
        self.assertIn("hybrid_sparse_dvw over KKMEM: ahead on 1 of 1, 1.5 times as fast", text)

    def test_pairs_of_submatrices(self):
        self.write_all()
        tables, text = self.tables()
        lines = self.table(tables, "Table II", "hybrid_sparse_dvw over KKMEM")
        self.assertEqual(lines[1:3], [["a", "4", "1"], ["b", "-", "-"]])
        self.assertIn("1 to 4, geometric mean 2, 2 pairs", text)
        self.assertEqual(self.table(tables, "Table II", "hybrid_sparse_dvw over cuSPARSE")[1], ["a", "-", "3"])
        self.assertIn("no pair has both times", text)
        self.assertIn(f"skipped: {DVW} on b_top_9 * a_top_9: no memory", text)

    def test_a_part_alone(self):
        self.write("table_2.jsonl", PAIRS)
        tables, _ = self.tables()
        self.assertTrue(all("Table II" in title for title in tables))

    def test_matrices_of_table_2(self):
        files = [self.out / name for name in ("small.bin", "other.bin", "cage12.mtx", "few.mtx.gz", "2cubes_sphere.bin")]
        for path, rows, cols in zip(files, (99, 100, 200, 100, 300), (500, 100, 150, 120, 300)):
            text = f"%%MatrixMarket matrix coordinate real general\n% a comment\n\n{rows} {cols} 1\n1 1 1\n".encode()
            if path.suffix == ".bin":
                path.write_bytes(b"CSRB1\n" + struct.pack("<3q", rows, cols, 0) + bytes(4 * (rows + 1)))
            else:
                path.write_bytes(gzip.compress(text) if path.suffix == ".gz" else text)
        for most, expected in (("9", (4, 2, 1, 3)), ("3", (4, 2, 1))):
            done = run("--large", "100", most, *files)
            self.assertEqual((done.returncode, done.stdout.split()), (0, [str(files[n]) for n in expected]), done.stderr)
        files[0].write_bytes(b"no matrix")
        self.assertIn("small.bin is no CSRB1 file", run("--large", "100", "9", *files).stderr)
        files[2].write_text("% no sizes\n", encoding="utf-8")
        self.assertEqual(run("--large", "100", "9", files[2]).returncode, 3)

    def test_charts_are_there_where_matplotlib_is(self):
        self.write_all()
        done = run(self.out)
        charts = {path.name for path in self.out.glob("*.svg")}
        expected = {f"paper_003_spgemm_figure_{n}.svg" for n in ("8", "8_numeric", "9", "10")}
        self.assertEqual(charts, set() if "no matplotlib" in done.stderr else expected)

    def test_wrong_usage_and_wrong_files(self):
        self.assertEqual(run().returncode, 2)
        self.assertEqual(run("--help").returncode, 0)
        self.assertEqual(run("--large", "many", "9", self.out / "x").returncode, 3)
        self.assertIn("no times", run(self.out).stderr)
        self.write("table_2.jsonl", PAIRS[-1:])
        self.assertEqual(run(self.out).returncode, 3)
        (self.out / "table_2.jsonl").write_text("no JSON\n", encoding="utf-8")
        self.assertIn("table_2.jsonl, line 1 is not JSON", run(self.out).stderr)


if __name__ == "__main__":
    unittest.main()
