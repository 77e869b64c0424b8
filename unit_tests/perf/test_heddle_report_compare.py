# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import contextlib
import dataclasses
import io
import json
import os
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "perf_tests"))
from heddle_report.__main__ import main  # noqa: E402
from heddle_report.compare import Case, compared, groups_of  # noqa: E402
from heddle_report.rows import Row, Unusable  # noqa: E402
from heddle_report.timings import Problem, problem_of, timings_of  # noqa: E402

ROW = {"operation": "spmv", "matrix": "m", "value_type": "f64", "implementation": "a", "median_ms": 1}


def timing(matrix, ms, **more):
    return Row(**{**dict(operation="spmm", matrix=matrix, value_type="f64", k=32, layout="row", layout_c="row",
                         implementation="heddle::auto", index_types="int32,int32", median_ms=ms), **more})


def skipped(matrix):
    return timing(matrix, 0.0, skipped="no memory")


class Rules(unittest.TestCase):
    def test_only_changes_beyond_the_threshold_and_beyond_noise_count(self):
        names = ("same", "slower", "slowest", "faster", "within", "tiny")
        before = [timing(name, ms) for name, ms in zip(names, (1, 1, 1, 1, 1, 0.010))]
        after = [timing(name, ms) for name, ms in zip(names, (1, 1.2, 2, 0.5, 1.09, 0.014))]
        result = compared(before, after)
        self.assertEqual([(change.case.matrix, change.ratio) for change in result.slower], [("slowest", 2), ("slower", 1.2)])
        self.assertEqual([change.case.matrix for change in result.faster], ["faster"])
        self.assertEqual(len(result.both), 6)
        self.assertTrue(result.is_worse(allows_missing=True))
        self.assertEqual(len(compared(before, after, 1.05, 0).slower), 4)
        self.assertFalse(compared(before, after, 2.5, 0).is_worse())
        self.assertFalse(compared(before, before).is_worse())

    def test_cases_that_lost_their_time_are_worse_and_new_ones_are_not(self):
        before = [timing("a", 1), timing("b", 1), skipped("c"), skipped("d")]
        missing = compared(before, [timing("a", 1)])
        self.assertEqual(missing.missing, ["spmm f64, k = 32, row-major: b, heddle::auto"])  # c and d had no time to lose
        self.assertTrue(missing.is_worse())
        self.assertFalse(missing.is_worse(allows_missing=True))
        gone = compared(before, [timing("a", 1), skipped("b")])
        self.assertTrue(gone.skipped[0].endswith("b, heddle::auto: no memory"))
        self.assertTrue(gone.is_worse(allows_missing=True))
        more = compared(before, [timing(matrix, 1) for matrix in "abce"])
        self.assertEqual((more.added, more.is_worse()), (2, False))

    def test_cases_differ_in_each_part_of_what_they_are(self):
        old = timing("m", 1)
        for part in (dict(operation="spmm_t"), dict(value_type="f32"), dict(k=8), dict(layout="col", layout_c="col"),
                     dict(layout_c="col"), dict(matrix="other"), dict(implementation="heddle::auto_size_t"),
                     dict(index_types="int32,size_t"), dict(format="bsr"), dict(parameters="2x2")):
            result = compared([old], [dataclasses.replace(old, **part)])
            self.assertEqual((len(result.both), len(result.missing), result.added), (0, 1, 1), part)

    def test_changes_are_summed_up_by_problem_and_family(self):
        others = [timing("a", 1, implementation=f"cusparse::csr_alg{n}") for n in (1, 2)]
        result = compared([timing("a", 1), timing("b", 1), *others], [timing("a", 0.5), timing("b", 8), *others])
        (_, first, _), (_, second, ratios) = groups_of(result.both)
        self.assertEqual((first, second), ("cusparse", "heddle"))
        self.assertAlmostEqual(ratios.geometric, 2)
        self.assertEqual((ratios.least, ratios.most), (0.5, 8))

    def test_of_a_case_that_is_there_more_than_once_the_fastest_counts(self):
        result = compared([timing("m", 2), skipped("m"), timing("m", 1), timing("m", 3)], [skipped("m"), timing("m", 1)])
        self.assertEqual((result.repeated, len(result.both), result.slower), (4, 1, []))

    def test_names_of_cases(self):
        problem = Problem("formats_spmm", "f64", 32, "col")
        self.assertEqual(str(Case(problem, "wave", "heddle::auto", "int32,int32", "bsr", "3x3")),
                         "formats_spmm f64, k = 32, column-major: wave, bsr 3x3, heddle::auto")
        self.assertEqual(str(Case(problem, "wave", "heddle::auto")), "formats_spmm f64, k = 32, column-major: wave, heddle::auto")


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def file(self, name, *rows):
        path = self.folder / name
        path.write_text("".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows))
        return str(path)

    def ends_with(self, code, pattern, *arguments):
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            self.assertEqual(main(["compare", *map(str, arguments)]), code, err.getvalue())
        self.assertRegex(out.getvalue() + err.getvalue(), pattern)
        if code:
            self.assertEqual(err.getvalue().count("\n"), 1)

    def test_all_files_of_a_folder(self):
        first = self.file("b.jsonl", ROW, ROW)
        self.file("a.jsonl", ROW)
        self.file("notes.txt", "nothing")
        for paths, count in (([first], 2), ([self.folder], 3), ([self.folder, first], 5)):
            self.assertEqual(len(timings_of(paths)[0]), count)

    def test_what_is_wrong_with_a_file(self):
        for line, message in (('{"operation":', "c.jsonl, line 2: not a JSON"), ({**ROW, "median_ms": None}, "median_ms"),
                              ({**ROW, "median_ms": 0}, "c.jsonl, line 2: median_ms"), ({**ROW, "matrix": 1}, "matrix"),
                              ({"operation": "parts_spmv", "median_ms": 1}, "line 2: no implementation"),
                              ("[" * 100000, "c.jsonl, line 2")):
            with self.assertRaisesRegex(Unusable, message) as problem:
                timings_of([self.file("c.jsonl", ROW, line)])
            self.assertEqual(problem.exception.exit_code, 3)
        (self.folder / "empty").mkdir()
        for name, message in (("none", "none: cannot be read"), ("empty", r"no \*.jsonl")):
            with self.assertRaisesRegex(Unusable, message):
                timings_of([self.folder / name])

    def test_rows_of_other_kinds_are_left_out_and_named(self):
        check, analysis = {"operation": "self_check"}, {"operation": "analyze", "matrix": "m"}
        self.assertEqual(timings_of([self.file("a.jsonl", ROW, check)])[1], [])
        other = self.file("b.jsonl", analysis, check, analysis, {"version": 1})
        mixed = self.file("c.jsonl", ROW, {"operation": "spmv", "joined": "peers"}, check)
        rows, sentences = timings_of([self.folder])
        self.assertEqual(len(rows), 2)
        self.assertEqual(sentences, [f"{other}: skipped, nothing but 2 rows of analyze, 1 of no operation, 1 of self_check",
                                     f"{mixed}: left out 1 row of peers"])

    def test_rows_of_before_there_was_a_layout(self):
        spmm = {**ROW, "operation": "spmm", "implementation": "a_col", "k": 32}
        for row, layout, name in ((spmm, "col", "a"), ({**spmm, "implementation": "a"}, "row", "a"),
                                  ({**ROW, "implementation": "a_col"}, "", "a_col"),
                                  ({**spmm, "layout": "row"}, "row", "a_col"),
                                  ({**spmm, "layout": "row", "layout_c": "col"}, "row to col", "a_col")):
            (found,), _ = timings_of([self.file("a.jsonl", row)])
            self.assertEqual((problem_of(found).layout, found.implementation), (layout, name))

    def test_exit_codes(self):
        old, new = self.file("old.jsonl", ROW), self.file("new.jsonl", {**ROW, "median_ms": 2})
        gone = self.file("gone.jsonl", {"operation": "spmv", "matrix": "m", "value_type": "f64", "implementation": "a",
                                        "skipped": "no memory"})
        other = self.file("other.jsonl", {**ROW, "matrix": "other"})
        for code, pattern, *arguments in (
            (6, "spmv f64: m, a +1 +2 +2.000", old, new),
            (0, r"faster \(1\)", new, old),
            (0, "1 cases with times in both", old, new, "--threshold", 2.5),
            (0, "1 cases with times in both", old, "--min-ms", 1.5, new),
            (0, "0 cases with times in both", old, new, "--implementation", "b,cusparse::*"),
            (6, "had a time, now skipped.*\n.*no memory", old, gone, "--allow-missing"),
            (6, "had a time, now missing", old, other),
            (0, "had a time, now missing", old, other, "--allow-missing"),
            (2, "NEW", old),
            (2, "one argument too many", old, new, new),
            (2, "--threshold: '0.5' is not a number from 1 to 1e\\+06", old, new, "--threshold", 0.5),
            (2, "--min-ms: 'nan' is not a finite number of at least 0", old, new, "--min-ms", "nan"),
            (2, "unknown option '--treshold'; did you mean '--threshold'", old, new, "--treshold=2"),
            (3, "nowhere: cannot be read", old, self.folder / "nowhere"),
        ):
            with self.subTest(arguments):
                self.ends_with(code, pattern, *arguments)

    def test_parse_only_reads_no_file(self):
        self.assertEqual(main(["--parse-only", "compare", "nowhere", "nowhere"]), 0)
        with contextlib.redirect_stderr(io.StringIO()) as err:
            self.assertEqual(main(["--parse-only", "compare", "nowhere"]), 2)
            self.assertEqual(main(["comapre"]), 2)
        self.assertIn("did you mean 'compare'?", err.getvalue())


if __name__ == "__main__":
    unittest.main()
