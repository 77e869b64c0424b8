# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tables of papers of SpGEMM from invented results."""

import gzip
import json
import re
import shutil
import struct
import unittest

from reporting import HERE, ReportTest, Run
from heddle_report.quickstart import sentence
from heddle_report.rows import row_of

DVW, FIXED, AUTO, PAPER = ("heddle::" + name for name in ("hybrid_sparse_dvw", "hybrid_sparse", "auto", "scatter_vector_paper"))
KK, CUSPARSE = "kokkoskernels::SPGEMM_KK", "cusparse::alg1"


def row(matrix, implementation, ms, **other):
    row = {"operation": "spgemm", "matrix": matrix, "rows": 1000, "cols": 1000, "nnz": 1000, "value_type": "f64",
           "implementation": implementation, "device": "a device", "commit": "0123456789ab", **other}
    if ms is None:
        return row
    return {"median_ms": ms, "gflops": 100 / ms, "roofline_gflops": 500.0, **row}


class Paper001(ReportTest):
    # Over cuSPARSE, the faster of its two on each: 2 and 4, harmonic mean 2 / (1/2 + 1/4); over Kokkos Kernels 3, on a alone.
    ROWS = [
        {"operation": "self_check", "matrix": "", "implementation": "read"},
        row("b", AUTO, 1.0, nnz=2000),
        row("b", CUSPARSE, 4.0),
        row("a", AUTO, 2.0),
        row("a", CUSPARSE, 8.0),
        row("a", "cusparse::alg2", 4.0),
        row("a", KK, 6.0),
        row("a", "heddle::register_merge", 8.0),
        row("a", "heddle::esc_global", 20.0),
        row("a", AUTO, 0.001, operation="spgemm_numeric"),
        row("a", AUTO, 0.001, value_type="f32"),
    ]
    SKIPPED = [row(matrix, "heddle::esc", None, skipped="not there") for matrix in "ab"]

    def run_on(self, rows):
        return self.run_well("paper-001", self.write("paper_001.jsonl", rows))

    def test_means_maxima_and_what_they_are_of(self):
        lines = self.run_on(self.ROWS).cells
        self.assertIn("of 2 matrices with 1,000 to 2,000 entries", lines[0][0])
        for line in (
            ["heddle::auto", "2.67 (4) of 2", "3 (3) of 1", "10 (10) of 1", "-", "-"],
            ["heddle::register_merge", "0.5 (0.5) of 1", "0.75 (0.75) of 1", "2.5 (2.5) of 1", "-", "-"],
            ["heddle::shared_merge", "-", "-", "-", "-", "-"],
            ["FastSparse, K40m (Fig. 2)", "2.48 (38.38)", "-", "6.57 (31.56)", "-", "1.12 (2.82)"],
        ):
            self.assertIn(line, lines)

    def test_matrices_are_by_entries(self):
        lines = self.run_on(self.ROWS).cells
        at = lines.index(["a", "1,000", "50", "2", "3", "10", "-", "-"])
        self.assertEqual(lines[at + 1], ["b", "2,000", "100", "4", "-", "-", "-", "-"])

    def test_what_was_skipped_is_said_once(self):
        self.assertEqual(self.run_on(self.ROWS + self.SKIPPED).out.count("skipped: heddle::esc on 2 matrices: not there"), 1)
        self.assertEqual(self.run_on(self.ROWS + self.SKIPPED[1:]).out.count("skipped: heddle::esc on b: not there"), 1)

    def test_a_chart_is_there_where_matplotlib_is(self):
        self.assertIn(self.charts_of("paper-001", self.write("paper_001.jsonl", self.ROWS)), (None, ["paper_001.svg"]))

    def test_files_without_times(self):
        for rows, reason in ((self.SKIPPED, "no times"), ([], "no times"), ("no JSON\n", "line 1: not a JSON object")):
            self.refused(reason, "paper-001", self.write("paper_001.jsonl", rows))


class Paper003(ReportTest):
    FIGURES = {"operation": "analyze", "matrix": "m", "nnz": 1000, "heavy_share": 0.25, "products": 5000, "products_nnz": 3000,
               "spmv_flops": 2000.0, "spmv_words": 2500.0, "spgemm_flops": 10000.0, "spgemm_words": 10000.0,
               "spmv_upper_words": 2750, "spmv_parts": 2, "spgemm_upper_words": 15000, "spgemm_parts": 4,
               "spgemm_as_it_is_words": 20000}
    ORDER = {"operation": "reorder", "matrix": "m", "implementation": "degree", "seconds": 0.5, "heavy_share": 0.75}

    def time(self, operation, matrix, **other):
        """0.01 ms: 1e6 operations and 1e6 compulsory bytes are 100 GFLOPS and 100 GB/s."""
        rates = {"gflops": 100.0, "gbytes_per_s": 100.0, "machine_gbytes_per_s": 300.0}
        return {**row(matrix, AUTO, 0.01, operation=operation), **rates, **other}

    def setUp(self):
        super().setUp()
        self.times = [
            self.time("spmv", "m"),
            self.time("spgemm", "m"),
            self.time("spgemm", "m__degree", gflops=125.0),
            self.time("spgemm", "band15", gflops=200.0),
            self.time("spgemm", "banded_perm_40000_15"),
            self.time("spgemm", "banded_40000_31", gflops=50.0),
            row("m", AUTO, None, operation="spmm", skipped="no memory"),
            self.time("spmv", "m", implementation="eigen::spmv", gflops=999.0),
        ]
        self.write("figures.jsonl", [self.FIGURES])
        self.write("orders.jsonl", [self.ORDER])
        self.write("times.jsonl", self.times)

    def count(self, *cases):
        """1.5e6 bytes in two launches, each."""
        (self.folder / "dram").mkdir(exist_ok=True)
        for case in cases:
            shutil.copy(HERE / "ncu_dram.csv", self.folder / "dram" / f"{case}.csv")

    def tables(self):
        text = self.run_well("paper-003", self.folder).out
        self.assertIn("Paper 003 on a device, f64, commit 0123456789ab", text)
        parts = re.split(r"^((?:Table|Fig\.) \w+): .*\n\n", text, flags=re.MULTILINE)
        return {title: [re.split(r" {2,}", line.strip()) for line in body.strip().splitlines()[1:]]
                for title, body in zip(parts[1::2], parts[2::2])}

    def test_tables_without_counts(self):
        self.assertEqual(self.tables(), {
            "Table I": [["m", "1,000", "3,000", "10,000", "1"]],
            "Fig. 3": [["m", "100", "100", "-", "0.8", "-", "1"]],
            "Fig. 5": [["m", "2", "1.1", "-", "-", "4", "1.5", "2", "-", "-"]],
            "Fig. 6": [["m", "as it is", "-", "25", "100", "-", "-", "-", "100", "-"],
                       ["m", "degree", "0.5", "75", "-", "-", "-", "-", "125", "-"]],
            # The roofline of compulsory bytes: an operation a byte at 300 GB/s.
            "Fig. 7": [["15", "200", "600", "-", "100", "300", "-"], ["31", "50", "150", "-", "-", "-", "-"]],
        })

    def test_counted_bytes_are_those_of_all_launches(self):
        self.count("spmv.m", "spmm.m", "spgemm.m__degree", "spgemm.banded_perm_40000_15")
        # Half the compulsory bytes of SpMV.
        self.write("times.jsonl", [one for one in self.times if one["operation"] != "spmm"] + [self.time("spmm", "m", gbytes_per_s=50.0)])
        tables = self.tables()
        self.assertEqual(tables["Fig. 3"], [["m", "100", "100", "0.5333", "0.8", "-", "1"]])
        self.assertEqual(tables["Fig. 5"], [["m", "2", "1.1", "-", "1.5", "4", "1.5", "2", "-", "3"]])
        self.assertEqual(tables["Fig. 6"][0][5], "0.0015")
        self.assertEqual(tables["Fig. 6"][1][9], "0.0015")
        self.assertEqual(tables["Fig. 7"][0], ["15", "200", "600", "-", "100", "200", "1.5"])

    def test_counts_stay_where_their_logs_are_gone(self):
        self.count("spmv.m", "spgemm.m__degree", "spgemm.never_timed")
        before = self.tables()
        rows = [json.loads(line) for line in (self.folder / "counts.jsonl").read_text(encoding="utf-8").splitlines()]
        self.assertEqual(rows, [{"operation": "counted", "multiply": operation, "matrix": matrix, "value_type": "f64", "k": 1,
                                 "device": "a device", "commit": "0123456789ab", "dram_bytes": 1500000}
                                for operation, matrix in (("spgemm", "m__degree"), ("spmv", "m"))])
        shutil.rmtree(self.folder / "dram")
        self.assertEqual(self.tables(), before)

    def test_a_log_without_counts_costs_the_counts_alone(self):
        text = (HERE / "ncu_dram.csv").read_text(encoding="utf-8")
        for log, reason in (("==WARNING== No kernels were profiled.\n", "No kernels were profiled"),
                            (text.replace('"200,000"', '"n/a"'), "no count of dram__bytes_write.sum")):
            self.write("dram/spmv.m.csv", log)
            self.assertIn(reason, self.run_well("paper-003", self.folder).err)

    def test_a_matrix_without_upper_bounds_or_product(self):
        kept = ("operation", "matrix", "nnz", "heavy_share", "products", "spmv_flops", "spmv_words")
        self.write("figures.jsonl", [{key: self.FIGURES[key] for key in kept}])
        tables = self.tables()
        self.assertEqual(tables["Table I"], [["m", "1,000", "-", "10,000", "-"]])
        self.assertEqual(tables["Fig. 5"], [["m", "-", "-", "-", "-", "-", "-", "-", "-", "-"]])

    def test_charts_are_there_where_matplotlib_is(self):
        self.assertIn(self.charts_of("paper-003", self.folder), (None, [f"paper_003_figure_{n}.svg" for n in (3, 5, 6, 7)]))

    def test_files_that_lack_something(self):
        for name, rows, reason in (("figures.jsonl", [{"matrix": "m"}], "figures.jsonl, line 1: no nnz"),
                                   ("times.jsonl", [], "no times of heddle::auto"),
                                   ("times.jsonl", "no JSON\n", "times.jsonl, line 1: not a JSON object")):
            self.write(name, rows)
            self.refused(reason, "paper-003", self.folder)


class Paper003Spgemm(ReportTest):
    BANDED = [row(name, f"{PAPER}_{warps}", ms) for name in ("band15", "banded_perm_300_15") for warps, ms in ((1, 4), (4, 2), (8, 8))]
    BANDED += [row("band15", PAPER, 1), row("band15", AUTO, 0.5), row("band15", AUTO, 0.25, operation="spgemm_numeric")]
    ALONE = [row(name, DVW, ms) for name, ms in (("a", 1), ("b", 2), ("c", 4))]
    ALONE += [row("a", FIXED, 2), row("b", FIXED, 1), row("c", KK, 8), row("c", "kokkoskernels::SPGEMM_KK_SPEED", 6)]
    HOST = [row("c", AUTO, 10, device="a host"), row("c", KK, 20, device="a host")]
    PAIRS = [row("a_top_9 * a_top_9", DVW, 1), row("a_top_9 * a_top_9", KK, 4), row("a_top_9 * b_top_9", DVW, 2),
             row("a_top_9 * b_top_9", KK, 2), row("a_top_9 * b_top_9", CUSPARSE, 6), row("b_top_9 * a_top_9", AUTO, 2),
             row("b_top_9 * a_top_9", DVW, None, skipped="no memory")]

    def tables(self, **files):
        """Lines of each table by its title, and the whole text."""
        for name, rows in (files or dict(figure_8=self.BANDED, figures_9_10=self.ALONE, host=self.HOST, table_2=self.PAIRS)).items():
            self.write(name + ".jsonl", rows)
        text = self.run_well("paper-003-spgemm", self.folder).out
        parts = re.split(r"^((?:Fig\.|Table) .*)\n\n", text, flags=re.MULTILINE)
        return {title: [re.split(r" {2,}", line) for line in body.strip().splitlines()]
                for title, body in zip(parts[1::2], parts[2::2])}, text

    def table(self, tables, *words):
        found = [body for title, body in tables.items() if all(word in title for word in words)]
        self.assertEqual(len(found), 1, words)
        return found[0]

    def test_virtual_warps_by_band(self):
        tables, text = self.tables()
        self.assertIn("on a device, f64, commit 0123456789ab", text)
        lines = self.table(tables, "Fig. 8", "whole")
        self.assertEqual(lines[1], ["15", "500", "25", "-", "50", "12.5", "100", "200"])
        self.assertEqual(lines[2], ["15, permuted", "500", "25", "-", "50", "12.5", "-", "-"])
        self.assertEqual(self.table(tables, "Fig. 8", "numeric")[1], ["15", "500", "-", "-", "-", "-", "-", "400"])

    def test_groups_are_split_at_the_median(self):
        tables, text = self.tables()
        # dvw, fixed, scatter vectors, auto, KKMEM, cuSPARSE, and on the host auto and KKMEM
        self.assertEqual(self.table(tables, "Fig. 9")[1], ["c", "25", "-", "-", "-", "16.67", "-", "10", "5"])
        high = self.table(tables, "Fig. 10")
        self.assertEqual([high[1][:3], high[2][:3]], [["b", "50", "100"], ["a", "100", "50"]])
        self.assertIn("hybrid_sparse_dvw over hybrid_sparse: ahead on 1 of 2, 1 times as fast", text)
        self.assertIn("hybrid_sparse_dvw over KKMEM: ahead on 1 of 1, 1.5 times as fast", text)

    def test_pairs_of_submatrices(self):
        tables, text = self.tables()
        self.assertEqual(self.table(tables, "Table II", "hybrid_sparse_dvw over KKMEM")[1:3], [["a", "4", "1"], ["b", "-", "-"]])
        self.assertEqual(self.table(tables, "Table II", "hybrid_sparse_dvw over cuSPARSE")[1], ["a", "-", "3"])
        for line in ("1 to 4, geometric mean 2, 2 pairs", "no pair has both times", f"skipped: {DVW} on b_top_9 * a_top_9: no memory"):
            self.assertIn(line, text)

    def test_a_part_alone(self):
        tables, _ = self.tables(table_2=self.PAIRS)
        self.assertTrue(tables and all("Table II" in title for title in tables))

    def test_matrices_of_table_2(self):
        files = [self.folder / name for name in ("small.bin", "other.bin", "cage12.mtx", "few.mtx.gz", "2cubes_sphere.bin")]
        for path, rows, cols in zip(files, (99, 100, 200, 100, 300), (500, 100, 150, 120, 300)):
            text = f"%%MatrixMarket matrix coordinate real general\n% a comment\n\n{rows} {cols} 1\n1 1 1\n".encode()
            if path.suffix == ".bin":
                path.write_bytes(b"CSRB1\n" + struct.pack("<3q", rows, cols, 0) + bytes(4 * (rows + 1)))
            else:
                path.write_bytes(gzip.compress(text) if path.suffix == ".gz" else text)
        for most, expected in ((9, (4, 2, 1, 3)), (3, (4, 2, 1))):
            done = self.run_well("paper-003-spgemm", "--large", 100, most, *files)
            self.assertEqual(done.out.split(), [str(files[n]) for n in expected])
        files[0].write_bytes(b"no matrix")
        self.refused("small.bin is no CSRB1 file", "paper-003-spgemm", "--large", 100, 9, *files)
        self.refused("no line of sizes", "paper-003-spgemm", "--large", 100, 9, self.write("none.mtx", "% no sizes\n"))
        self.refused("two numbers", "paper-003-spgemm", "--large", "many", 9, files[1])

    def test_charts_are_there_where_matplotlib_is(self):
        self.tables()
        expected = [f"paper_003_spgemm_figure_{n}.svg" for n in ("10", "8", "8_numeric", "9")]
        self.assertIn(self.charts_of("paper-003-spgemm", self.folder), (None, expected))

    def test_files_without_times(self):
        for rows, reason in (([], "no times"), (self.PAIRS[-1:], "no times"), ("no JSON\n", "table_2.jsonl, line 1: not a JSON object")):
            self.write("table_2.jsonl", rows)
            self.refused(reason, "paper-003-spgemm", self.folder)


class Quickstart(ReportTest):
    ROWS = [
        {"operation": "self_check", "matrix": "", "implementation": "read"},
        *(row(matrix, name, ms, operation="spmv")
          for matrix, name, ms in (("a", AUTO, 1.0), ("a", "kokkoskernels::native", 3.0), ("a", "kokkoskernels::merge", 2.0),
                                   ("b", AUTO, 1.0), ("b", "kokkoskernels::native", 8.0), ("c", AUTO, 1.0), ("c", "serial::csr", 9.0))),
        row("c", "kokkoskernels::native", None, operation="spmv", skipped="no memory"),
    ]

    def test_geometric_mean_over_cases_that_both_have(self):
        files = self.write("spmv.jsonl", self.ROWS), self.write("spgemm.jsonl", [row("a", AUTO, 2.0), row("a", KK, 3.0)])
        self.assertEqual(
            self.run_well("quickstart", *files).out,
            "Speed of heddle over that of Kokkos Kernels, geometric means: SpMV 4.00 times (2 cases), SpGEMM 1.50 times (1 cases).\n")

    def test_a_noisy_machine_is_said(self):
        rows = [row_of(data, "here") for data in [*self.ROWS, row("a", "serial::csr", 1.0, operation="spmv", noise="busy")]]
        self.assertIn("rough", sentence(rows))
        self.assertNotIn("rough", sentence(rows[:-1]))

    def test_nothing_to_compare(self):
        self.assertIn("No case", Run("quickstart", self.write("spmv.jsonl", self.ROWS[:2])).out)


if __name__ == "__main__":
    unittest.main()
