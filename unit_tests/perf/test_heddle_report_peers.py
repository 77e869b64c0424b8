# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import contextlib
import io
import json
import os
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "perf_tests"))
from heddle_report.__main__ import main  # noqa: E402
from heddle_report.peer_table import lines_of, read_peer_table  # noqa: E402
from heddle_report.peers import agreements, join  # noqa: E402
from heddle_report.rows import Row, Unusable  # noqa: E402
from heddle_report.timings import Problem, algorithm_of, family_of, ms_text, problem_of, ratio_text  # noqa: E402

HEADER = "implementation,matrix,rows,cols,nnz,k,type,preprocess_ms,median_ms,check\n"
SPMM = Problem("spmm", "f32", 32, "row")


def peer(name, matrix="m", ms="1", k=32, kind="f32", check="ok", nnz=100):
    return f"{name},{matrix},9,8,{nnz},{k},{kind},,{ms},{check}\n"


def result(matrix, implementation, ms, **more):
    return Row(**{**dict(operation="spmm", matrix=matrix, value_type="f32", k=32, layout="row", layout_c="row", nnz=100,
                         implementation=implementation, median_ms=ms), **more})


class Peers(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def file(self, name, text):
        (self.folder / name).write_text(text, encoding="utf-8", newline="")
        return str(self.folder / name)

    def table(self, *text, **more):
        return read_peer_table(self.file("peers.csv", "".join(text)), **more)

    def problems(self, *text, **more):
        return [problem_of(row) for row in self.table(*text, **more)]

    def refused(self, message, *text):
        with self.assertRaisesRegex(Unusable, message + "$") as problem:
            self.table(*text)
        self.assertEqual(problem.exception.exit_code, 3)

    def test_fields_have_what_their_quotes_say(self):
        text = '\ufeffname,"a ""quoted"" column",last\r\n\r\n"one, two","first line\nsecond line",""\nplain text,,""""'
        path = self.file("table.csv", text)
        self.assertEqual(list(lines_of(path)), [(1, ["name", 'a "quoted" column', "last"]),
                                                (3, ["one, two", "first line\nsecond line", ""]),
                                                (5, ["plain text", "", '"'])])
        self.assertEqual(self.table(HEADER), [])

    def test_malformed_tables(self):
        needed = "implementation,matrix,median_ms"
        for text, message in (("", "csv, line 1: no row that names the columns"),
                              ("\n\n", "line 1: no row that names the columns"),
                              (needed + ",matrix\n", "line 1: two columns are called matrix"),
                              (needed + "\na,m,1\n3\n", "line 3: 1 fields, but the header names 3 columns"),
                              (needed + "\na,m,1,2\n", "line 2: 4 fields, but the header names 3 columns"),
                              (needed + '\n"1\n2\n3', "line 2: unexpected end of data"),
                              (needed + '\na,m,"1\n"x\n', "line 2: ',' expected after '\"'"),
                              ("implementation,matrix\n", "line 1: no column is called median_ms"),
                              (HEADER + peer("a", k="1.5"), 'line 2: k is "1.5", not a number above zero'),
                              (needed + ",k,layout\na,m,1,2,left\n", 'line 2: layout is "left", not row or col')):
            self.refused(message, text)
        for ms in ("fast", "0", "-1", "nan", "inf", "1e999", "1.5ms", "1_0", " 1"):
            self.refused(f'line 3: median_ms is "{ms}", not a number above zero', HEADER, peer("a"), peer("b", ms=ms))
        for path in (self.folder, self.folder / "missing.csv"):
            with self.assertRaisesRegex(Unusable, "cannot be read"):
                read_peer_table(path)

    def test_names_say_what_was_computed(self):
        for name, k, problem in (("cusparse_spmv_csr_alg2", 1, ("spmv", "f32", 1, "")),
                                 ("cusparse_spmv_csr_alg2_T", 1, ("spmv_t", "f32", 1, "")),
                                 ("gespmm_seq", 32, ("spmm", "f32", 32, "row")),
                                 ("cusparse_alg1_col_T", 128, ("spmm_t", "f32", 128, "col")),
                                 ("kokkoskernels_spmm_T_R", 32, ("spmm_t", "f32", 32, "row")),
                                 ("hpspmm_T32_column", 32, ("spmm", "f32", 32, "row"))):  # words, not letters
            row, = self.table(HEADER, peer(name, k=k, ms="2.5e-1"))
            self.assertEqual((problem_of(row), row.median_ms, row.nnz, row.skipped), (problem, 0.25, 100, ""))

    def test_a_table_without_k_has_spgemm_of_the_type_asked_for(self):
        text = "implementation,matrix,nnz_a,median_ms\ncusparse_alg1_pool,m,100,0.25\ncusparse_reuse_numeric,m,100,0.125\n"
        self.assertEqual(self.problems(text, value_type="f32"), [("spgemm", "f32", 1, ""), ("spgemm_numeric", "f32", 1, "")])
        self.assertEqual(self.table(text)[0].nnz, 100)

    def test_columns_operation_and_layout_overrule_names(self):
        text = "median_ms,matrix,operation,layout,k,type,implementation\n1,m,spmm_t,col,1,f32,p\n"
        text += "1,m,spmv,,1,f32,p_T\n1,m,,row,8,f32,p_col\n"
        self.assertEqual(self.problems(text), [("spmm_t", "f32", 1, "col"), ("spmv", "f32", 1, ""), ("spmm", "f32", 8, "row")])

    def test_failed_unchecked_untimed_and_excluded_peers_do_not_count(self):
        table = self.table(HEADER, peer("good", ms="1.5"), peer("wrong", ms="0.1", check='"BAD, relerr 0.5"'),
                           peer("failed", ms="", check="FAIL not supported"), peer("untimed", ms=""),
                           peer("dasp_permuted_y", ms="0.1"),
                           peer("quick", ms="0.1", check=""), peer("kokkoskernels_R", ms="2", check=""),
                           peer("cusparse_csr2csc_alg1", ms="0.1"),
                           excluded=["dasp_permuted_y", "*csr2csc*"], unchecked=["kokkos*"])
        self.assertEqual([row.skipped for row in table], ["", "BAD, relerr 0.5", "FAIL not supported", "no time", "not checked",
                                                          ""])
        (joined,), _, _ = join(table, [result("m", "heddle::auto", 0.75)], "heddle::auto", ["wrong"])
        self.assertEqual([(pair.theirs.implementation, pair.families) for pair in joined.pairs], [("good", {})])

    def test_results_are_joined_with_the_fastest_peer_of_each_matrix(self):
        table = self.table(HEADER, peer("cusparse_a", "one", 4), peer("cusparse_b", "one", 3), peer("rode", "one", 2),
                           peer("rode", "two"),
                           peer("kokkoskernels_R", "two", 5), peer("rode", "three"), peer("rode", "four"),
                           peer("rode", "five", nnz=101),
                           peer("rode", "one", kind="f64"), peer("rode_col", "one", 0.1))
        ours = [result(matrix, "heddle::auto", ms) for matrix, ms in (("one", 1), ("two", 2), ("five", 1), ("six", 1))]
        ours += [result("one", "heddle::other", 0.1), result("three", "heddle::auto", 0, skipped="no memory"),
                 result("one", "heddle::auto", 1, operation="spmv", value_type="c32", k=1, layout="", layout_c="")]
        (joined,), without_results, without_peers = join(table, ours, "heddle::auto", ["cusparse", "kokkoskernels"])
        one, two = joined.pairs
        self.assertEqual((joined.problem, one.ours.matrix, one.ours.median_ms, two.ours.matrix), (SPMM, "one", 1, "two"))
        self.assertEqual((one.theirs.implementation, one.ratio_of(one.theirs), two.ratio_of(two.theirs)), ("rode", 2, 0.5))
        self.assertEqual({family: best.implementation for family, best in one.families.items()}, {"cusparse": "cusparse_b"})
        self.assertEqual(two.families["kokkoskernels"].median_ms, 5)
        self.assertEqual(joined.without_result, ["four", "three (skipped: no memory)"])
        self.assertEqual(joined.without_peer, ["six"])
        self.assertEqual(joined.of_other_size, ["five (101 entries in the table, 100 here)"])
        self.assertEqual(without_results, [("spmm", "f32", 32, "col"), ("spmm", "f64", 32, "row")])
        self.assertEqual(without_peers, [("spmv", "c32", 1, "")])

    def test_baselines_measured_here_agree_with_a_table_within_a_tolerance(self):
        table = self.table(HEADER, peer("cusparse_csr_alg1_row", "one"), peer("cusparse_bsr4", "one", 0.5),
                           peer("cusparse_csr_alg2", "one", 2),
                           *(peer("cusparse_csr_alg1", matrix) for matrix in ("two", "three", "five")),
                           peer("cusparse_csr_alg1", "four", nnz=99),
                           peer("kokkoskernels_spmm_R", "one", 3), peer("rode", "one", 0.1))
        ours = [result(*of) for of in (("one", "cusparse::csr_alg1", 1.09), ("one", "cusparse::csr_alg2", 1.5),
                                       ("one", "cusparse::coo", 0.1),
                                       ("one", "heddle::auto", 0.1), ("one", "kokkoskernels::native", 3),
                                       ("two", "cusparse::csr_alg1", 0.9),
                                       ("four", "cusparse::csr_alg1", 1), ("five", "cusparse::coo", 1))]
        cusparse, kokkoskernels = agreements(table, ours, ["cusparse", "kokkoskernels"])
        one, two = cusparse.pairs
        # Neither their bsr4 nor our coo, which only one side has.
        self.assertEqual((one.ours.implementation, one.theirs.implementation), ("cusparse::csr_alg1", "cusparse_csr_alg1_row"))
        self.assertEqual((one.ratio, one.agrees(0.1)), (1.09, True))
        self.assertEqual((two.ratio, two.agrees(0.1)), (0.9, False))  # 1 / 0.9 is 1.11
        self.assertEqual((cusparse.without_result, len(cusparse.of_other_size)), (["five", "three"], 1))
        self.assertEqual([pair.ratio for pair in kokkoskernels.pairs], [1])  # a family with one method on one side

    def test_words_of_names(self):
        for name, family, algorithm in (("cusparse::csr_alg1_pre", "cusparse", "csr alg1 pre"),
                                        ("cusparse_spmv_csr_alg1_pre_T", "cusparse", "csr alg1 pre"),
                                        ("kokkoskernels_SPGEMM_KK_numeric", "kokkoskernels", "SPGEMM KK"),
                                        ("kokkoskernels_spmm_T_R", "kokkoskernels", ""), ("csr5", "csr5", "")):
            self.assertEqual((family_of(name), algorithm_of(name)), (family, algorithm))
        self.assertEqual([str(SPMM), str(Problem("spmm_t", "f64", 1, "col")), str(Problem("spmv", "f64", 1, ""))],
                         ["spmm f32, k = 32, row-major", "spmm_t f64, k = 1, column-major", "spmv f64"])
        self.assertEqual([ms_text(0.00698765), ms_text(143.46)], ["0.006988", "143.5"])
        self.assertEqual([*map(ratio_text, (143.46, 12.5, 2, 0.5, 1e-4))], ["143.5", "12.50", "2.000", "0.5000", "1.0e-04"])

    def test_the_program(self):
        results = self.file("spmv.jsonl", "".join(json.dumps(
            {"operation": "spmv", "matrix": "m", "nnz": 100, "value_type": "f32", "implementation": name, "median_ms": 2,
             "commit": "c"}) + "\n"
            for name in ("heddle::auto", "serial::csr")))
        csv = self.file("peers.csv", HEADER + peer("cusparse_a", ms=1, k=1) + peer("kokkoskernels_native", ms=4, k=1, check="") +
                        peer("serial_csr", ms=3, k=1) + peer("other", "elsewhere", k=1))
        ratios = self.folder / "ratios.jsonl"
        spgemm = self.file("spgemm.csv", "implementation,matrix,median_ms\np,m,1\n")
        unreadable = self.file("malformed.csv", "implementation,matrix,median_ms\na,m\n")
        for code, pattern, *arguments in (
            (0, "m +2 +kokkoskernels_native +4 +2.000 +kokkoskernels_native +4 +2.000\n", "--exclude", "cusparse_*,serial*",
             "--unchecked", "kokkos*", "--family", "kokkoskernels", "--json", ratios),
            (0, "over the fastest peer: geometric mean 0.5000, least 0.5000 \\(m\\), 1 matrices"),
            (0, "no result for these matrices of the table: elsewhere"),
            (0, "only in the results: spmv f32", "--implementation", "serial::csr", spgemm,
             "--exclude", "cusparse*,kokkos*,serial*,other"),
            (0, "0 of 1 agree within 25 %", "--family", "serial", "--agreement", "--tolerance", 0.25),
            (0, "1 of 1 agree within 60 %", "--family", "serial", "--agreement", "--tolerance", 0.6),
            (2, "requires --agreement", "--tolerance", 0.2),
            (2, "'0' is not a finite number above 0", "--agreement", "--tolerance", 0),
            (2, "--type: invalid choice: 'f46'", "--type", "f46"),
            (3, "missing.csv: cannot be read", self.folder / "missing.csv"),
            (3, "malformed.csv, line 2: 2 fields", unreadable),
            (3, "cannot write .*: No such file", "--json", self.folder / "no" / "ratios.jsonl"),
        ):
            with self.subTest(arguments):
                self.ends_with(code, pattern, csv, results, *arguments)
        self.ends_with(2, "no table of peers", results)
        self.ends_with(2, "no results", csv)
        best = {"peer": "kokkoskernels_native", "peer_ratio": 2.0}
        self.assertEqual(list(json.loads(ratios.read_text()).items()), list({
            "joined": "peers", "operation": "spmv", "matrix": "m", "nnz": 100, "k": 1, "value_type": "f32",
            "implementation": "heddle::auto",
            "median_ms": 2.0, **best, "families": {"kokkoskernels": best}, "commit": "c"}.items()))
        self.ends_with(0, "agree", csv, results, "--agreement", "--family", "serial", "--json", ratios)
        row = json.loads(ratios.read_text())
        self.assertEqual([row[key] for key in ("joined", "peer", "ratio", "median_ms")], ["agreement", "serial_csr", 2 / 3, 2.0])

    def ends_with(self, code, pattern, *arguments):
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            self.assertEqual(main(["peers", *map(str, arguments)]), code, err.getvalue())
        self.assertRegex(out.getvalue() + err.getvalue(), pattern)
        if code:
            self.assertEqual(err.getvalue().count("\n"), 1)


if __name__ == "__main__":
    unittest.main()
