# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# Figures, tables and the page of heddle-perf report, from results that can be worked out by hand.

import contextlib
import dataclasses
import io
import json
import math
import os
import pathlib
import re
import sys
import tempfile
import types
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "perf_tests"))
from heddle_report.interpreter import needs_pages  # noqa: E402

needs_pages(os.path.abspath(__file__))
from heddle_report import report, section_figures  # noqa: E402
from heddle_report.__main__ import main  # noqa: E402
from heddle_report.contenders import contenders_of, speedups_of  # noqa: E402
from heddle_report.figures import Figure, chart_of  # noqa: E402
from heddle_report.figures_across import figures_across  # noqa: E402
from heddle_report.opening import compared_of, opening_figures, worst_of  # noqa: E402
from heddle_report.results import EntryRange, Input, Section, sections_of  # noqa: E402
from heddle_report.rows import Row  # noqa: E402
from heddle_report.section_figures import figures_of  # noqa: E402
from heddle_report.tables import cases_table, speedup_table  # noqa: E402
from test_heddle_report_results import FORMATS, TWO, of_format, product, result  # noqa: E402


def series(figure, name):
    (found,) = [one for one in figure.series if one.name == name]
    return found


def figure(figures, title):
    return next(one for one in figures if one.title.startswith(title))


def titles(figures):
    return [one.title for one in figures]


def of_section(rows):
    return figures_of(Section("t", rows))


def with_more(rows, number, **more):
    return [dataclasses.replace(row, **more) if n == number else row for n, row in enumerate(rows)]


class Figures(unittest.TestCase):
    def test_gflops_by_entries_have_a_mark_per_matrix_and_its_bound(self):
        one = figure(of_section(TWO), "GFLOPS by entries")
        ours, library = one.series
        self.assertEqual((ours.x, ours.y, library.y), ([1000, 5000], [2, 1], [2 / 3, 2]))
        self.assertEqual(library.tips[0], "a, cusparse::csr_alg2: 0.667 GFLOPS")
        self.assertEqual((one.bounds.x, one.bounds.y), ([1000, 5000], [5, 5]))  # per matrix, not per row
        none = figure(of_section([dataclasses.replace(row, gflops=math.nan) for row in TWO]), "GFLOPS by entries")
        self.assertEqual((none.has_points, none.missing), (False, "no row has GFLOPS"))

    def test_the_roofline_has_the_highest_ceilings(self):
        figures = of_section(with_more(TWO, 0, machine_gbytes_per_s=5, roofline_gflops=5))
        self.assertEqual(figure(figures, "Share").series[0].y, [40, 20])
        one = figure(figures, "Roofline")
        self.assertEqual((one.series[0].x, one.series[0].y), ([0.5, 0.5], [2, 1]))
        arithmetic, memory = one.references
        self.assertEqual((arithmetic[2], arithmetic[0][0], arithmetic[1]), ("8 GFLOPS", 0.8, (8, 8)))
        self.assertEqual((memory[2], memory[0][1], memory[1]), ("10 GB/s", 0.8, (10 * memory[0][0], 8)))
        unknown = figure(of_section([dataclasses.replace(row, machine_gflops=math.nan) for row in TWO]), "Roofline")
        self.assertEqual([line[2] for line in unknown.references], ["10 GB/s"])

    def test_a_performance_profile_counts_matrices(self):
        rows = [*TWO, result("c", "heddle::auto", 1)]
        one = figure(of_section(rows), "Performance profile")
        ours, library = one.series
        self.assertEqual((ours.x, ours.y), ([1, 1, 1, 2, 3], [0, 1 / 3, 2 / 3, 1, 1]))
        self.assertEqual((library.x, library.y), ([1, 1, 3, 3], [0, 1 / 3, 2 / 3, 2 / 3]))
        self.assertEqual(figure(of_section([TWO[0], TWO[3]]), "Performance").missing, "only one implementation")
        for few in (TWO[:2], with_more(TWO, 2, noise="busy")):
            self.assertEqual(figure(of_section(few), "Performance").missing, "fewer than two matrices whose times are not noisy")
        slow = figure(of_section([dataclasses.replace(row, median_ms=1000) if n in (1, 2) else row for n, row in enumerate(rows)]),
                      "Performance")
        self.assertIn("ends at 32", slow.about)
        self.assertEqual((series(slow, library.name).x[-1], series(slow, library.name).y[-1]), (32, 1 / 3))

    def test_plans_cost_so_many_calls(self):
        rows = with_more(with_more(TWO, 0, plan_ms=5), 2, plan_ms=6)
        self.assertEqual([one.y for one in figure(of_section(rows), "Plan cost").series], [[5], [2]])
        self.assertEqual(figure(of_section(TWO), "Plan cost").missing, "no row has the time of a plan")
        whole = product("heddle::auto", 1, operation="spgemm", layout="", layout_c="")  # plans within the call
        self.assertNotIn("Plan cost in calls", titles(of_section([whole])))

    def test_gflops_by_heavy_share_are_of_the_rows_that_have_it(self):
        rows = [product("heddle::auto", 1, heavy_share=0.7), product("cusparse::x", 1)]
        (cloud,) = figure(of_section(rows), "GFLOPS by share").series
        self.assertEqual((cloud.x, cloud.y), ([0.7], [2]))

    def test_speedups_by_bins_and_by_entries(self):
        figures = of_section([*TWO, result("a", "serial::csr", 100), result("a", "heddle::kernel", 100)])
        histogram = figure(figures, "Speedups")
        self.assertEqual(histogram.title, "Speedups of heddle::auto")
        self.assertEqual(histogram.groups, ["0.5 to 0.71", "0.71 to 1", "1 to 1.4", "1.4 to 2", "2 to 2.8", "2.8 to 4"])
        (over,) = histogram.series  # neither serial code nor heddle's own
        self.assertEqual((over.name, over.y), ("over cuSPARSE, best of 2", [1, 0, 0, 0, 0, 1]))
        by_entries = figure(figures, "Speedups of heddle::auto by entries").series[0]
        self.assertEqual((by_entries.x, by_entries.y), ([1000, 5000], [3, 0.5]))
        alone = of_section([TWO[0], result("a", "serial::csr", 8), result("a", "heddle::kernel", 4)])
        self.assertEqual([one.name for one in figure(alone, "Speedups").series], ["over serial::csr", "over heddle::kernel"])
        self.assertIn("something to compare it with", figure(of_section([TWO[0]]), "Speedups").missing)

    def test_formats_have_bars_by_matrix_and_lines_where_only_the_density_differs(self):
        more = dict(operation="formats_spmm", prologue_ms=1, epilogue_ms=1, serial_ms=20, k=7)
        rows = [of_format("a", "csr", "heddle::auto", 2, **more), of_format("a", "ell", "heddle::auto", 4, **more)]
        for title, values in (("Execution", [2, 4]), ("Total time", [4, 6]), ("Computation speedup", [10, 5]),
                              ("Total speedup", [5, 20 / 6])):
            one = figure(of_section(rows), title)
            self.assertEqual(one.groups, ["a, k = 7"])
            self.assertEqual([[round(y, 9) for y in bars.y] for bars in one.series], [[round(value, 9)] for value in values], title)
        sweep = [of_format(f"m{nnz}", "csr", "heddle::auto", 2, nnz=nnz, **more) for nnz in (3000, 1000, 2000)]
        (line,) = figure(of_section(sweep), "Execution over density, 100 x 100, k = 7").series
        self.assertEqual(line.x, [0.1, 0.2, 0.3])
        self.assertEqual(figure(of_section(with_more(sweep, 1, matrix="another")), "Execution").groups[0], "m3000, k = 7")

    def test_spmv_of_formats_has_every_kernel_unless_there_are_too_many(self):
        means, medians = (one for one in of_section(FORMATS) if one.title.startswith("GFLOPS by matrix"))
        self.assertEqual((means.groups, len(means.series)), (["a", "b"], 5))  # without serial code
        self.assertEqual((means.series[2].y[0], medians.series[2].y[0], medians.series[3].y[1]), (2 / 1.25, 2, 0.2))
        self.assertTrue(math.isnan(medians.series[1].y[1]))  # refused
        many = [of_format("a", "csr", f"heddle::{name}", 1) for name in ("auto", *(f"kernel_{n}" for n in range(20)))]
        self.assertEqual(len(figure(of_section(many), "GFLOPS by matrix").series), 1)

    def test_across_sections(self):
        narrow = product("heddle::auto", 1)
        by_k = figures_across(sections_of([dataclasses.replace(narrow, k=32, gflops=7), narrow]))
        self.assertEqual([(one.name, one.y) for one in by_k[0].series], [("k = 8", [2]), ("k = 32", [7])])
        self.assertEqual(figures_across(sections_of([narrow])), [])
        alone, both = (dataclasses.replace(narrow, operation=operation) for operation in ("spmm_t", "spmm_both"))
        (one,) = figures_across(sections_of([both, narrow, alone, product("cusparse::csr_alg1", 8, operation="spmm_t")]))
        self.assertEqual([(cloud.name, cloud.y, cloud.is_hollow) for cloud in one.series],
                         [("heddle::auto, A^T B", [2], False), ("cusparse::csr_alg1, A^T B", [0.25], False),
                          ("heddle::auto, both", [2], True)])
        self.assertIn("no rows of spmm_both", figures_across(sections_of([narrow, alone]))[0].about)
        spgemm = result("small", "heddle::auto", 1, operation="spgemm", nnz=10, gflops=6)
        gflops, words = figures_across(sections_of([result("big", "heddle::auto", 1), spgemm]))
        self.assertEqual(words.groups, ["small", "big"])  # by entries
        self.assertEqual((gflops.series[1].y[0], words.series[0].y[1], words.series[1].y[0]), (6, 4, 12))  # 0.5 and 1.5 per byte

    def test_a_chart_has_a_mark_with_a_tip_for_each_point_that_its_axes_show(self):
        chart = chart_of(figure(of_section(with_more(TWO, 0, gflops=0)), "GFLOPS by entries"))
        self.assertEqual(re.findall("<title>([^<]*GFLOPS)</title>", chart.svg).count("b, heddle::auto: 1 GFLOPS"), 1)
        self.assertNotIn("a, heddle::auto: 0", chart.svg)
        self.assertIn('aria-label="GFLOPS by entries of A"', chart.svg)
        self.assertIn(">cuSPARSE, best of 2</text>", chart.svg)
        self.assertNotIn("tip:", chart.svg)
        wide = Figure("t", "", "y", [section_figures.Series("s", y=[1.0] * 200)], draw="bars", groups=["m"] * 200)
        self.assertTrue(chart_of(wide).is_wide)
        self.assertNotIn(">m</text>", chart_of(wide).svg)  # 200 names cannot be read


class Opening(unittest.TestCase):
    ROWS = [*TWO, *(dataclasses.replace(row, value_type="f32", median_ms=4 * row.median_ms if row.is_automatic else row.median_ms)
                    for row in TWO), result("b", "kokkoskernels::x", 8), product("heddle::auto", 1), product("eigen::x", 0.25)]

    def test_bars_from_one_on_are_geometric_means_over_sections(self):
        spmv, spmm, spread = opening_figures(compared_of(sections_of(self.ROWS)))
        self.assertEqual((spmv.title, spmv.groups, spmv.base), ("SpMV: times as fast as each library", ["a", "b"], 1))
        cusparse, kokkoskernels = spmv.series
        self.assertEqual([round(y, 9) for y in cusparse.y], [1.5, 0.25])  # of 3 and 0.75, of 0.5 and 0.125
        self.assertTrue(math.isnan(kokkoskernels.y[0]) and kokkoskernels.y[1] == 4)
        self.assertEqual((spmm.title, spmm.series[0].name, spmm.series[0].y), ("SpMM: times as fast as each library", "over Eigen", [0.25]))
        self.assertEqual((spread.groups, [one.y for one in spread.series]),
                         (["SpMV", "SpMM"], [[[0.75, 0.125, 3, 0.5], []], [[4], []], [[], [0.25]]]))
        box = chart_of(spread).svg
        self.assertIn("<title>SpMV, over cuSPARSE: median 0.625, from 0.125 to 3, 4 cases</title>", box)

    def test_the_worst_come_first_and_noisy_ones_not_at_all(self):
        compared = compared_of(sections_of(self.ROWS))
        self.assertEqual([(one.section.title, one.case.ratio) for one in worst_of(compared)][:3],
                         [("spmv f32", 0.125), ("spmm f64, row-major, k = 8", 0.25), ("spmv f64", 0.5)])
        quiet = [dataclasses.replace(row, noise="busy") if row.value_type == "f32" else row for row in self.ROWS]
        self.assertEqual(len(compared_of(sections_of(quiet))), len(compared) - 2)
        self.assertEqual(opening_figures([]), [])


class Tables(unittest.TestCase):
    def test_cases_have_all_implementations_cold_beside_warm_and_no_ratio_where_it_is_noisy(self):
        rows = [result("a", "heddle::auto", 1, cold_ms=3), result("a", "cusparse::x", 2, cold_ms=5, index_types="int32,size_t"),
                result("a", "cusparse::y", 0.2, cache="L2"), result("a", "cusparse::z", 4, noise="busy"),
                result("a", "cusparse::none", 1, skipped="no way")]
        table = cases_table(Section("t", rows))
        lines = [dict(zip(table.head, line)) for line in table.lines]
        self.assertEqual(len(lines), 4)
        self.assertNotIn("plan ms", table.head)  # no row has it
        self.assertEqual(table.head[5:8], ["implementation", "ms", "cold ms"] if "k" in table.head else table.head[5:8])
        self.assertEqual([lines[1][key] for key in ("implementation", "ms", "cold ms", "x heddle::auto", "% of roofline")],
                         ["cusparse::x (int32,size_t)", 2, 5, 2, 20])
        self.assertEqual(lines[2]["% of roofline"], "200 (L2)")
        self.assertTrue(math.isnan(lines[3]["x heddle::auto"]) and math.isnan(lines[3]["% of roofline"]))
        self.assertEqual((lines[3]["noisy"], lines[3]["ms"]), ("busy", 4))
        (warm,) = speedup_table([(Section("t", rows), speedups_of(contenders_of(rows[:2])))]).lines
        self.assertEqual(warm[4], 2)
        self.assertAlmostEqual(warm[-1], 5 / 3)
        self.assertEqual(figure(of_section(rows[:2]), "Cold caches").series[0].y, [3])
        self.assertNotIn("Cold caches over warm ones", titles(of_section(TWO)))


def contents(rows, checks=(), notes=(), **more):
    asked = types.SimpleNamespace(**{**dict(square=False, nnz=EntryRange(), iterative=False), **more})
    return report.contents_of(Input(1, rows, list(checks), list(notes)), asked)


class Pages(unittest.TestCase):
    def test_what_is_missing_and_what_misleads_is_said_once(self):
        a = result("a", "heddle::auto", 1)
        check = Row(operation="self_check", implementation="copy", device="a device", gbytes_per_s=4270, warning="the card was busy")
        rows = [a, dataclasses.replace(a, device="another device", commit="def+"), dataclasses.replace(a, matrix="b", skipped="no way"),
                dataclasses.replace(a, matrix="c", noise="busy")]
        some = contents(rows, [check, dataclasses.replace(check, gbytes_per_s=4200)], ["f.jsonl: no results in it"])
        self.assertEqual(some.about, ["4 results of 1 file", "measured on a device, another device", "built from abc, def+",
                                      "self-check of a device: copy 4,270 GB/s"])
        self.assertEqual([line.partition(",")[0] for line in some.warnings],
                         ["self-check of a device: warning: the card was busy", "1 row noisy",
                          "rows are of 2 devices: a device", "rows are of 2 commits: abc",
                          "some rows are of a tree with uncommitted changes (+)"])
        self.assertEqual(some.missing[0], "f.jsonl: no results in it")
        self.assertTrue(some.missing[1].startswith("operations without rows: spmv_t, spmm, "))
        self.assertEqual(some.missing[2], "1 case skipped (spmv: 1); reasons stand in the sections")
        self.assertIn('chart "Performance profile": only one implementation (in spmv f64 on a device; spmv f64 on another device)',
                      some.missing)
        page = report.page_of(some)
        for line in (*some.warnings, *some.missing[:3]):
            self.assertEqual(page.count(line), 1, line)
        self.assertEqual(contents([a]).warnings, [])
        self.assertEqual(titles(of_section([rows[2]])), ["All charts"])

    def test_the_page_opens_with_the_comparison_and_spells_papers_out(self):
        page = report.page_of(contents([*TWO, dataclasses.replace(TWO[1], implementation="cusparse::other", skipped="no way")]))
        order = [page.index(text) for text in ("Heddle beside each library", "SpMV: times as fast", "Distribution of speedups",
                                               "The worst 2", "<h3>Means", "What is missing", 'id="section-1"', "Cases: 6",
                                               "Skipped: 1", "HPDC 2018")]
        self.assertEqual(order, sorted(order))
        self.assertNotRegex(page, "paper 00")
        self.assertIn('<a href="#section-1">spmv f64</a>', page)
        self.assertIn("No matrix has times without noise of both", report.page_of(contents([TWO[0]])))

    def test_the_page_escapes_what_it_shows_and_needs_nothing_else(self):
        bad = "<script>alert(1)</script>"
        odd = result(bad, "heddle::auto", 1, device=bad, commit=bad)
        page = report.page_of(contents([odd, dataclasses.replace(odd, implementation="heddle::<img>", skipped=bad),
                                        dataclasses.replace(odd, implementation=bad + "::x")], notes=[bad]))
        for outside in ("<script>alert", "<img", "<link", "src=", "@import", "https://"):
            self.assertNotIn(outside, page)
        self.assertIn("&lt;script&gt;alert(1)", page)
        self.assertIn("table.sortable", page)


class Command(unittest.TestCase):
    def test_options_messages_and_exit_codes(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            row = {"operation": "spmv", "matrix": "m", "value_type": "f64", "implementation": "heddle::auto", "median_ms": 1,
                   "rows": 3, "cols": 3, "nnz": 5, "device": "d"}
            (folder / "a.jsonl").write_text(json.dumps(row) + "\n")
            (folder / "bad.text").write_text('{"operation":"spmv"}\n')
            (folder / "empty").mkdir()
            page, times = folder / "page.html", folder / "times.txt"
            for code, pattern, *arguments in (
                (0, r"page.html: 1 result, 1 section\n  1 result of 1 file\n  measured on d\nmissing:\n  operations without",
                 folder, "-o", page, "--times", times),
                (0, "the filters left out 1 of 1 row\n", folder, "--square", "--iterative", "--nnz=:4", "--out", page),
                (2, "-o/--out", folder),
                (2, "--nnz: 'many' should be LEAST:MOST", folder, "--out", page, "--nnz", "many"),
                (2, "'--tims'; did you mean '--times'", folder, "--out", page, "--tims", times),
                (3, "bad.text, line 1: no implementation", folder / "bad.text", "--out", page),
                (3, r"has no \*.jsonl", folder / "empty", "--out", page),
                (3, "nowhere: cannot be read", folder / "nowhere", "--out", page),
                (3, "cannot write .*: No such file", folder, "--out", folder / "no" / "page.html"),
                (3, "cannot write .*: it is not a regular file", folder, "--out", folder / "empty"),
            ):
                out, err = io.StringIO(), io.StringIO()
                with self.subTest(arguments), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                    self.assertEqual(main(["report", *map(str, arguments)]), code)
                self.assertRegex(out.getvalue() + err.getvalue(), pattern)
                self.assertEqual(err.getvalue().count("\n"), 1 if code else 0)
            self.assertTrue(page.read_text().startswith("<!DOCTYPE html>"))
            self.assertIn("m          3        5  1.00e-03", times.read_text())


if __name__ == "__main__":
    unittest.main()
