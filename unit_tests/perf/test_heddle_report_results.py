# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# What a report reads and whom it compares; nothing here needs matplotlib.

import argparse
import dataclasses
import gzip
import json
import math
import os
import pathlib
import sys
import tempfile
import types
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "perf_tests"))
from heddle_report import results  # noqa: E402
from heddle_report.contenders import contenders_of, headline, not_charted, speedups_of  # noqa: E402
from heddle_report.rows import Row, Unusable  # noqa: E402
from heddle_report.times import kernels_of, times_text  # noqa: E402


def result(matrix, implementation, ms, **more):
    """2 GFLOPS and 4 GB/s at 1 ms, on a machine of 10 GB/s and 8 GFLOPS."""
    return Row(**{**dict(operation="spmv", matrix=matrix, implementation=implementation, index_types="int32,int32", value_type="f64",
                         device="a device", commit="abc", rows=100, cols=100, nnz=1000, median_ms=ms, gflops=2 / ms,
                         gbytes_per_s=4 / ms, machine_gbytes_per_s=10, machine_gflops=8), **more})


def product(implementation, ms, **more):
    return result("a", implementation, ms, **{**dict(operation="spmm", layout="row", layout_c="row", k=8), **more})


def of_format(matrix, format, implementation, ms, **more):
    """Of SpMV by formats, with a mean a quarter above the median."""
    parameters = "8,8,1" if format == "sell" else ""
    return result(matrix, implementation, ms, **{**dict(operation="formats_spmv", format=format, parameters=parameters,
                                                        mean_ms=1.25 * ms, runs=1000), **more})


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def file(self, name, *rows):
        path = self.folder / name
        path.write_text("".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows))
        return path

    ROW = {"operation": "spmv", "matrix": "m", "value_type": "f64", "implementation": "heddle::auto", "median_ms": 0.5, "nnz": 5,
           "gflops": None, "gbytes_per_s": 3.0, "device": "d"}

    def test_a_case_that_comes_again_replaces_the_first_and_other_rows_are_named(self):
        self.file("a.jsonl", self.ROW, {**self.ROW, "matrix": "n"})
        self.file("b.jsonl", {**self.ROW, "plan_ms": 7}, {**self.ROW, "index_types": "x"})
        self.file("c.jsonl", {"operation": "read", "file": "f"}, {"operation": "calibrate"}, {"operation": "calibrate"})
        self.file("d.jsonl")
        check = {"operation": "self_check", "implementation": "copy", "gbytes_per_s": 9, "warning": "busy"}
        more = self.file("more.text", check, {**self.ROW, "operation": "spmm"}, {**self.ROW, "joined": "peers"})
        read = results.read_input([self.folder, more])
        self.assertEqual(read.files, 5)
        self.assertEqual([(row.operation, row.matrix) for row in read.results],
                         [("spmv", "m"), ("spmv", "n"), ("spmv", "m"), ("spmm", "m")])
        self.assertEqual(read.results[0].plan_ms, 7)
        self.assertTrue(math.isnan(read.results[0].gflops))
        self.assertEqual([row.warning for row in read.checks], ["busy"])
        self.assertEqual(read.notes, ["c.jsonl: left out 2 rows of calibrate, 1 of read", "d.jsonl: no results in it",
                                      "more.text: left out 1 row of peers", "1 row of a.jsonl: replaced by later ones of b.jsonl"])

    def test_files_may_be_packed(self):
        plain = self.file("a.jsonl", self.ROW, {**self.ROW, "matrix": "n"})
        (self.folder / "b.jsonl.gz").write_bytes(gzip.compress(plain.read_bytes()))
        plain.unlink()
        packed = self.folder / "b.jsonl.gz"
        for paths in ([packed], [self.folder]):
            self.assertEqual([row.matrix for row in results.read_input(paths).results], ["m", "n"])
        whole = packed.read_bytes()
        for broken in (whole[:-9], whole[:20] + b"\xff\xff" + whole[22:], b"{}\n"):
            packed.write_bytes(broken)
            with self.assertRaisesRegex(Unusable, f"^{packed}: cannot be read: "):
                results.read_input([packed])

    def test_what_is_wrong_with_a_file(self):
        for line in ('{"operation":', "[]", "", '{"operation":"spmv","matrix":5}', "null", {**self.ROW, "gflops": "2"},
                     {**self.ROW, "median_ms": None}):
            path = self.file("bad.jsonl", self.ROW, line, self.ROW)
            with self.assertRaisesRegex(Unusable, f"^{path}, line 2: ") as problem:
                results.read_input([path])
            self.assertEqual(problem.exception.exit_code, 3)


class Rules(unittest.TestCase):
    def test_a_bound_that_a_row_does_not_have_follows_from_the_machine(self):
        row = result("m", "heddle::auto", 1)  # 0.5 operations per byte at 10 GB/s
        self.assertEqual((row.bound_gflops, row.roofline_percent), (5, 40))
        self.assertEqual(dataclasses.replace(row, machine_gflops=3).bound_gflops, 3)
        self.assertEqual(dataclasses.replace(row, machine_gflops=math.nan).bound_gflops, 5)
        self.assertEqual(dataclasses.replace(row, roofline_gflops=4).roofline_percent, 50)
        self.assertTrue(math.isnan(dataclasses.replace(row, gbytes_per_s=math.nan).bound_gflops))

    def test_a_share_above_the_roofline_has_a_cache_and_noisy_times_have_none(self):
        fast = result("m", "heddle::auto", 0.1)
        self.assertTrue(math.isnan(fast.roofline_percent))
        self.assertAlmostEqual(dataclasses.replace(fast, cache="L3").roofline_percent, 400)
        self.assertTrue(math.isnan(dataclasses.replace(fast, cache="L3", noise="busy").roofline_percent))

    def test_a_range_of_entries_of_which_an_end_may_be_left_out(self):
        both = results.entry_range("1e5:2e8")
        self.assertEqual((both.least, both.most, str(both)), (100000, 200000000, "at least 100,000 and at most 200,000,000"))
        self.assertEqual((results.entry_range(":1000").least, str(results.entry_range("7:"))), (0, "at least 7"))
        for bad in ("", ":", "5", "1e5-2e8", "a:b", "1:b", "1 :2", "-1:2", "2:1", "1:2:3", "nan:5", ":1e30"):
            with self.assertRaisesRegex(argparse.ArgumentTypeError, "should be LEAST:MOST"):
                results.entry_range(bad)

    def chosen(self, rows, **more):
        asked = {**dict(square=False, nnz=results.EntryRange(), iterative=False), **more}
        return results.chosen(rows, types.SimpleNamespace(**asked))

    def test_filters_keep_square_matrices_and_ranges_of_entries(self):
        rows = [result("a", "x::y", 1), result("tall", "x::y", 1, rows=200), result("large", "x::y", 1, nnz=10**6)]
        kept, about = self.chosen(rows, square=True, nnz=results.entry_range(":1e5"))
        self.assertEqual([row.matrix for row in kept], ["a"])
        self.assertEqual(about, ["--square: square matrices only", "--nnz: matrices of at most 100,000 entries only",
                                 "the filters left out 2 of 3 rows"])
        self.assertEqual(self.chosen(rows), (rows, []))
        self.assertEqual(len(self.chosen(rows, nnz=results.entry_range("1000:1000"))[0]), 2)

    def test_iterative_charges_a_transposition_where_c_has_another_layout_than_b(self):
        row = product("a::b", 1, rows=1000, cols=500, layout_c="col")
        ms = 2 * 1000 * 8 * 8 / 10e9 * 1e3  # 1000 x 8 values of 8 bytes, read and written at 10 GB/s
        self.assertAlmostEqual(results.transposition_ms(row), ms)
        for more, factor in ((dict(operation="spmm_t"), 0.5), (dict(operation="spmm_both"), 1.5), (dict(value_type="f32"), 0.5),
                             (dict(layout_c="row"), 0)):
            self.assertAlmostEqual(results.transposition_ms(dataclasses.replace(row, **more)), factor * ms)
        (same, slower), about = self.chosen([product("a::b", 1), row], iterative=True)
        self.assertEqual(about, ["--iterative: 1 row whose C has another layout than B charged with a transposition"])
        self.assertEqual(same.median_ms, 1)
        for now, then in ((slower.median_ms, 1 + ms), (slower.gflops, 2 / (1 + ms)), (slower.gbytes_per_s, 4 / (1 + ms)),
                          (slower.bound_gflops, row.bound_gflops)):
            self.assertAlmostEqual(now, then)
        (unknown,), _ = self.chosen([dataclasses.replace(row, machine_gbytes_per_s=math.nan)], iterative=True)
        self.assertIn("no machine_gbytes_per_s", unknown.skipped)
        self.assertIn("1 row whose C has another layout than B: not charged", self.chosen([row])[1][0])

    def test_sections(self):
        a, wide = result("a", "heddle::auto", 1), product("heddle::auto", 1)
        of = [wide, a, dataclasses.replace(a, value_type="f32"), dataclasses.replace(wide, layout="col"), a,
              dataclasses.replace(a, operation="parts_spmv", format="csr", k=9)]
        titles = ["spmv f32", "spmv f64", "spmm f64, row-major, k = 8", "spmm f64, column-major, k = 8", "parts_spmv f64"]
        self.assertEqual([section.title for section in results.sections_of(of)], titles)
        self.assertEqual(len(results.sections_of(of)[1].rows), 2)
        other = dataclasses.replace(a, device="another")
        self.assertEqual([section.title for section in results.sections_of([a, other])], ["spmv f64 on a device", "spmv f64 on another"])
        formats = [of_format("a", "csr", "heddle::auto", 1, k=k) for k in (8, 9)]
        self.assertEqual(len(results.sections_of(formats)), 1)  # they are measured with a k for each matrix


TWO = [result("a", "heddle::auto", 1), result("a", "cusparse::csr_alg1", 4), result("a", "cusparse::csr_alg2", 3),
       result("b", "heddle::auto", 2, nnz=5000), result("b", "cusparse::csr_alg1", 1, nnz=5000),
       result("b", "cusparse::csr_alg2", 8, nnz=5000)]


def names(contenders):
    return [contender.name for contender in contenders]


class Contenders(unittest.TestCase):
    def test_a_library_is_its_best_algorithm_on_each_matrix(self):
        ours, library = contenders_of(TWO)
        self.assertEqual((ours.name, library.name), ("heddle::auto", "cuSPARSE, best of 2"))
        self.assertEqual([(row.matrix, row.implementation) for row in library.rows],
                         [("a", "cusparse::csr_alg2"), ("b", "cusparse::csr_alg1")])
        self.assertIsNone(library.on("c"))

    def test_charts_have_the_named_ones_that_are_fastest_most_often(self):
        rows = [result("a", "heddle::auto", 1), result("a", "heddle::auto_size_t", 1)]
        winners = {"a": 5, "b": 5, "c": 5, "d": 3, "e": 3, "f": 2}
        rows += [result(matrix, f"heddle::kernel_{n}", 2 if n == winner else 10) for n in range(1, 6) for matrix, winner in winners.items()]
        self.assertEqual(names(contenders_of(rows)), ["heddle::auto", "heddle::kernel_5", "heddle::kernel_3", "heddle::kernel_2"])
        self.assertEqual(not_charted(rows), ["heddle::auto_size_t", "heddle::kernel_1", "heddle::kernel_4"])

    def test_libraries_keep_their_look_and_many_unknown_ones_are_one(self):
        rows = [result("a", name, 1) for name in ("heddle::auto", "kokkoskernels::native", "one::x", "two::x", "serial::csr", "heddle::b")]
        found = contenders_of(rows)
        self.assertEqual(names(found), ["heddle::auto", "kokkoskernels::native", "one::x", "serial::csr", "two::x", "heddle::b"])
        self.assertEqual(len({contender.look for contender in found}), 6)
        self.assertEqual(found[1].look, contenders_of([result("a", "kokkoskernels::merge", 1)])[0].look)
        found = contenders_of([*rows, result("a", "three::x", 5)])
        self.assertEqual(names(found)[2:], ["other libraries, best of 3", "serial::csr", "heddle::b"])

    def test_speedups_on_the_matrices_that_both_have(self):
        more = [result("b", "kokkoskernels::x", 5), result("c", "kokkoskernels::x", 5), result("a", "serial::csr", 9)]
        cusparse, kokkoskernels, serial = speedups_of(contenders_of(TWO + more))
        self.assertEqual([case.ratio for case in cusparse.cases], [3, 0.5])
        self.assertEqual((kokkoskernels.over, [case.ratio for case in kokkoskernels.cases]), ("kokkoskernels::x", [2.5]))
        self.assertEqual((serial.role, cusparse.summary.above_one, cusparse.summary.least), ("serial", 1, 0.5))
        self.assertAlmostEqual(cusparse.summary.geometric, math.sqrt(1.5))
        self.assertEqual(speedups_of(contenders_of([TWO[1]])), [])
        self.assertEqual([one.over for one in headline(contenders_of(TWO + more))], ["cuSPARSE, best of 2", "kokkoskernels::x"])
        self.assertEqual([one.over for one in headline(contenders_of([TWO[0], more[2]]))], ["serial::csr"])

    def test_noisy_times_have_no_ratio(self):
        for noisy in (0, 2):  # heddle's, and the library's best
            rows = [dataclasses.replace(row, noise="busy") if n == noisy else row for n, row in enumerate(TWO)]
            (over,) = speedups_of(contenders_of(rows))
            self.assertEqual([case.ours.matrix for case in over.cases], ["b"])

    def test_formats_are_compared_each_with_its_serial_code_and_the_fastest_with_libraries(self):
        rows = [of_format("a", "ell", "heddle::auto", 4, serial_ms=20), of_format("a", "csr", "heddle::auto", 2, serial_ms=20),
                of_format("a", "csr", "kokkoskernels::native", 8), of_format("a", "csr", "heddle::portable::csr_team", 3)]
        found = speedups_of(contenders_of(rows))
        self.assertEqual([(one.of, one.over, one.cases[0].ratio) for one in found],
                         [("ell", "its serial code", 5), ("ell", "csr kokkoskernels::native", 2), ("csr", "its serial code", 10),
                          ("csr", "csr kokkoskernels::native", 4)])
        (over,) = headline(contenders_of(rows))
        self.assertEqual(over.cases[0].ratio, 4)
        self.assertEqual(not_charted(rows), ["csr heddle::portable::csr_team"])
        self.assertEqual(names(contenders_of(rows[2:])), ["csr heddle::portable::csr_team", "csr kokkoskernels::native"])


FORMATS = [of_format("a", "csr", "heddle::cuda_native::csr_scalar", 8), of_format("a", "csr", "cusparse::csr_alg1", 3),
           of_format("a", "csr", "cusparse::csr_alg2_pre", 2), of_format("a", "csr", "cusparse::sell8", 4),
           of_format("a", "csr", "serial::csr", 96), of_format("a", "ell", "heddle::cuda_native::ell", 5),
           of_format("a", "sell", "heddle::cuda_native::sellp_paper", 1), of_format("b", "csr", "heddle::cuda_native::csr_scalar", 80),
           of_format("b", "csr", "cusparse::csr_alg1", 10), of_format("b", "csr", "cusparse::csr_alg2_pre", 20),
           of_format("b", "ell", "heddle::cuda_native::ell", 1, skipped="too much padding")]


class Times(unittest.TestCase):
    def text(self, *rows):
        return times_text([results.Section("t", list(rows))])

    def test_a_row_per_matrix_and_a_column_per_kernel(self):
        self.assertEqual("\n" + self.text(*FORMATS), """
t (a device)

seconds a call, mean of 1000 calls
                                 csr          ell   sell 8,8,1        csr      sell       csr
                         cuda_native  cuda_native  cuda_native   cuSPARSE  cuSPARSE    serial
  matrix  rows  entries   csr_scalar          ell  sellp_paper  best of 2     sell8       csr
  a        100     1000     1.00e-02     6.25e-03     1.25e-03   2.50e-03  5.00e-03  1.20e-01
  b        100     1000     1.00e-01      skipped            -   1.25e-02         -         -

seconds a call, median of 1000 calls
                                 csr          ell   sell 8,8,1        csr      sell       csr
                         cuda_native  cuda_native  cuda_native   cuSPARSE  cuSPARSE    serial
  matrix  rows  entries   csr_scalar          ell  sellp_paper  best of 2     sell8       csr
  a        100     1000     8.00e-03     5.00e-03     1.00e-03   2.00e-03  4.00e-03  9.60e-02
  b        100     1000     8.00e-02      skipped            -   1.00e-02         -         -

  skipped on b: ell heddle::cuda_native::ell: too much padding
""")

    def test_kernels_without_any_time_have_no_column(self):
        rows = [of_format("a", "csr", "heddle::auto", 1), of_format("b", "csr", "heddle::auto", 1, runs=5),
                of_format("b", "ell", "heddle::auto", 1, skipped="no memory"),
                of_format("b", "sell", "heddle::auto", 1, skipped="no memory")]
        text = self.text(*rows)
        self.assertIn("mean of 5 to 1000 calls", text)
        self.assertIn("  matrix  rows  entries      auto\n  a ", text)
        self.assertIn("skipped on b: ell; sell 8,8,1: no memory\n", text)
        self.assertEqual(self.text(rows[2]), "t (a device)\n\n  skipped on b: ell: no memory\n")
        # Rows of before there were means have the other table alone, and heads end with blanks.
        self.assertEqual(self.text(result("a", "heddle::auto", 1), result("a", "kokkoskernels::native", 2)),
                         "t (a device)\n\nseconds a call, median\n"
                         "                           heddle  Kokkos Kernels\n"
                         "  matrix  rows  entries      auto          native\n"
                         "  a        100     1000  1.00e-03        2.00e-03\n")

    def test_a_library_that_has_one_of_several_algorithms_skipped(self):
        kernels = kernels_of([of_format("a", "csr", "kokkoskernels::native", 3), of_format("a", "csr", "heddle::auto", 2),
                              of_format("a", "csr", "kokkoskernels::merge", 1, skipped="no memory")])
        self.assertEqual(names(kernel.contender for kernel in kernels), ["csr", "Kokkos Kernels, best of 2"])
        self.assertEqual((kernels[0].head, kernels[1].skipped), (("csr", "heddle", "auto"), []))


if __name__ == "__main__":
    unittest.main()
