# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import math
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(__file__))
from reporting import ReportTest  # noqa: E402

from heddle_report.interpreter import wants_pages  # noqa: E402
from heddle_report.regret import read_measured, slowdown, within  # noqa: E402

LACKS_PAGES = wants_pages(__file__ if __name__ == "__main__" else None)


def row(implementation, ms=None, **more):
    """Of zoo_nets_1, spmv f64, unless told otherwise; without a time it is skipped."""
    times = {"median_ms": float(ms), "plan_ms": 0.1} if ms else {"skipped": "no memory"}
    return {"operation": "spmv", "matrix": "zoo_nets_1", "family": "nets", "part": "tuning", "nnz": 100, "k": 1, "value_type": "f64",
            "implementation": implementation, "commit": "abc", "device": "a GPU", **times, **more}


def auto(ms=None, **more):
    return row("heddle::auto", ms, **({"chosen": "cuda_native::csr_tiles"} if ms else {}), **more)


def of_matrix(rows, name, family, part):
    return [{**one, "matrix": name, "family": family, "part": part} for one in rows]


class Ratios(ReportTest):
    def only_case(self, *rows):
        (case,) = read_measured([self.write("rows.jsonl", rows)]).cases
        return case

    def test_ties_are_half_a_microsecond_below_ten(self):
        self.assertEqual(slowdown(0.0064, 0.006), 1)
        self.assertEqual(slowdown(0.006, 0.0064), 1)
        self.assertAlmostEqual(slowdown(0.0066, 0.006), 1.1)
        self.assertAlmostEqual(slowdown(0.0104, 0.0101), 0.0104 / 0.0101)  # ten and more
        self.assertAlmostEqual(slowdown(0.0103, 0.0097), 0.0103 / 0.0097)

    def test_choice_is_over_our_fastest_and_kernels_over_the_fastest_of_all(self):
        case = self.only_case(auto(3), row("heddle::cuda_native::csr_tiles", 3.1), row("heddle::cuda_native::csr_merge", 2),
                              row("cusparse::csr_alg1", 4), row("cusparse::csr_alg2", 1), row("cusparse::bsr2"))
        self.assertEqual((case.choice, case.kernels), (1.5, 3))
        self.assertAlmostEqual(case.lead, 1 / 3)
        self.assertEqual(case.fastest_own.implementation, "heddle::cuda_native::csr_merge")
        self.assertEqual(case.fastest_peer.implementation, "cusparse::csr_alg2")

    def test_a_choice_that_is_the_fastest(self):
        case = self.only_case(auto(1), row("heddle::cuda_native::csr_merge", 2), row("cusparse::csr_alg1", 4))
        self.assertEqual((case.choice, case.kernels, case.lead), (1, 1, 4))

    def test_without_others_there_is_nothing_to_say(self):
        case = self.only_case(auto(1))
        self.assertTrue(all(map(math.isnan, (case.choice, case.kernels, case.lead))))
        case = self.only_case(auto(2), row("cusparse::csr_alg1", 1))
        self.assertTrue(math.isnan(case.choice))
        self.assertEqual((case.kernels, case.lead), (2, 0.5))
        case = self.only_case(auto(2), row("heddle::portable::csr_team", 1), row("cusparse::csr_alg1"))
        self.assertEqual((case.choice, case.kernels), (2, 2))
        self.assertTrue(math.isnan(case.lead))

    def test_a_choice_that_failed_counts_a_tenth(self):
        for others in ([row("heddle::cuda_native::csr_merge", 2)], [row("heddle::cuda_native::csr_merge")]):
            case = self.only_case(auto(), *others, row("cusparse::csr_alg1", 4))
            self.assertEqual((case.choice, case.kernels, case.lead), (10, 10, 0.1))

    def test_what_no_library_multiplies_is_no_lead_of_any(self):
        case = self.only_case(auto(), row("cusparse::csr_alg1"))
        self.assertEqual(case.kernels, 10)
        self.assertTrue(math.isnan(case.lead))

    def test_a_choice_that_failed_before_others_were_tried(self):
        rows = [auto(), *of_matrix([auto(1), row("heddle::cuda_native::csr_merge", 2)], "zoo_nets_2", "nets", "tuning"),
                auto(operation="spgemm")]
        failed, measured, alone = read_measured([self.write("rows.jsonl", rows)]).cases
        self.assertEqual((failed.choice, failed.kernels, measured.choice), (10, 10, 1))
        self.assertTrue(all(map(math.isnan, (failed.lead, alone.choice, alone.kernels, alone.lead))))

    def test_what_is_not_compared(self):
        others = [row(name, 0.1) for name in ("heddle::auto_size_t", "heddle::auto_convert", "serial::csr", "heddle::step_packets")]
        case = self.only_case(auto(2), *others, row("heddle::portable::csr_team", 1))
        self.assertEqual((case.choice, case.kernels), (2, 2))
        mixed = row("cusparse::csr_alg1_mixed", 0.1, operation="spmm", k=8, layout="row", layout_c="col")
        case = self.only_case(auto(2, operation="spmm", k=8, layout="row"), mixed,
                              row("cusparse::csr_alg1", 1, operation="spmm", k=8, layout="row"))
        self.assertEqual((case.kernels, case.lead), (2, 0.5))

    def test_of_a_case_that_comes_again_the_last_row_counts(self):
        self.assertEqual(self.only_case(auto(), row("heddle::portable::csr_team", 1), auto(4)).choice, 4)

    def test_share_of_cases_within(self):
        self.assertEqual(within([1.0] * 99 + [7]), 1)
        self.assertEqual(within([1.0] * 98 + [5, 7]), 5)
        self.assertEqual(within([3, 1, 2]), 3)
        self.assertTrue(math.isnan(within([])))

    def test_bounds_of_plans(self):
        for ms, plan_ms, more, is_long in ((1, 19, {}, False), (1, 21, {}, True), (0.001, 0.29, {}, False), (0.001, 0.31, {}, True),
                                           (0.1, 2.1, {"operation": "spmm", "k": 32, "layout": "row"}, True),
                                           (0.1, 2.1, {"operation": "spmm", "k": 128, "layout": "row"}, False)):
            self.assertEqual(self.only_case(auto(ms, **{**more, "plan_ms": plan_ms})).is_plan_long, is_long, (ms, plan_ms, more))
        self.assertFalse(self.only_case(auto()).is_plan_long)
        for plan_ms, is_long in ((1.9, False), (2.1, True)):
            whole = auto(4, operation="spgemm", plan_ms=0)
            numeric = auto(1, operation="spgemm_numeric", plan_ms=plan_ms)
            cases = read_measured([self.write("rows.jsonl", [numeric, whole])]).cases
            self.assertEqual([(case.problem.operation, case.is_plan_long) for case in cases],
                             [("spgemm", False), ("spgemm_numeric", is_long)])


class Reports(ReportTest):
    def setUp(self):
        super().setUp()
        case = [auto(3), row("heddle::cuda_native::csr_merge", 2), row("cusparse::csr_alg2", 1, library="cuSPARSE 12.9.4")]
        good = [auto(1), row("heddle::cuda_native::csr_merge", 2), row("cusparse::csr_alg2", 2)]
        failed = [auto(), row("heddle::cuda_native::csr_merge", 2), row("cusparse::csr_alg2", 2)]
        rows = [*of_matrix(case, "zoo_nets_1", "nets", "tuning"), *of_matrix(good, "zoo_nets_2", "nets", "tuning"),
                *of_matrix(failed, "zoo_web_1", "web", "tuning"), *of_matrix(case, "zoo_netlist_1", "netlist", "validation"),
                {"operation": "regret", "matrix": "zoo_nets_1", "parameters": "spmv"}, {"operation": "self_check", "implementation": "read"}]
        self.file = self.write("rows.jsonl", rows)

    def test_summary(self):
        done = self.run_well("regret-report", self.file)
        lines = done.cells
        # Geometric means of 1.5, 1, 10; 3, 1, 10; 1/3, 2, 0.1.
        self.assertIn(["spmv f64", "tuning", "3", "1", "2.466", "10.00", "10.00", "3.107", "10.00", "10.00", "0.4055", "0.1000", "0"], lines)
        self.assertIn(["spmv f64", "validation", "1", "0", "1.500", "1.500", "1.500", "3.000", "3.000", "3.000", "0.3333", "0.3333", "0"],
                      lines)
        self.assertIn("4 matrices: 3 for tuning, 1 for validation; all cases of 1 have run", done.out)
        self.assertIn("beside: cuSPARSE 12.9.4", done.out)

    def test_families_and_worst_cases(self):
        lines = self.run_well("regret-report", self.file).cells
        self.assertEqual([line[1] for line in lines if line[0] == "spmv" and len(line) > 5], ["web", "nets", "all of validation"])
        self.assertIn(["spmv", "nets", "tuning", "2", "0", "1.225", "1.500", "1.500", "1.732", "3.000", "3.000", "0.8165", "0.3333", "0"],
                      lines)
        worst = [line for line in lines if line[0].startswith("zoo_")]
        self.assertEqual([line[0] for line in worst], ["zoo_web_1", "zoo_nets_1", "zoo_nets_2"])
        self.assertEqual(worst[0][5:7], ["-", "no memory"])
        self.assertEqual(worst[1][2:], ["1.500", "3.000", "0.3333", "3.000", "cuda_native::csr_tiles", "cuda_native::csr_merge", "2.000",
                                        "cusparse::csr_alg2", "1.000", "0.0333"])
        shown = self.run_well("regret-report", self.file, "--worst", "1").cells
        self.assertEqual([line[0] for line in shown if line[0].startswith("zoo_")], ["zoo_web_1"])

    def test_nothing_of_validation_is_listed_unless_asked_for(self):
        done = self.run_well("regret-report", self.file)
        self.assertNotIn("netlist", done.out)
        self.assertIn("--validation lists them too", done.out)
        done = self.run_well("regret-report", self.file, "--validation")
        self.assertIn("zoo_netlist_1", done.out)
        self.assertIn(["spmv", "netlist", "validation"], [line[:3] for line in done.cells])

    def test_long_plans(self):
        long = self.write("long.jsonl", of_matrix([auto(1, plan_ms=50.0)], "zoo_web_2", "web", "tuning"))
        done = self.run_well("regret-report", self.file, long)
        self.assertIn("plans above their bound: 1", done.out)
        self.assertIn(["spmv f64", "zoo_web_2", "web", "50.00", "20.00", "50.00", "cuda_native::csr_tiles"], done.cells)

    def test_what_may_mislead_is_said(self):
        more = self.write("more.jsonl", [auto(1, commit="def+", matrix="zoo_nets_3"), row("heddle::auto", 1, part="", matrix="wave", noise="its calls differ"),
                                         row("cusparse::csr_alg1", 1, noise="its calls differ"),
                                         row("heddle::portable::csr_team", skipped="wrong result: entry (0, 0) is off"),
                                         row("cusparse::csr_alg1", 1, matrix="zoo_nets_4")])
        done = self.run_well("regret-report", self.file, more)
        for line in ("rows are of 2 builds: abc, def\\+", "uncommitted changes", "1 of 16 rows are noisy", "wrong results: heddle::portable::csr_team \\(1\\)",
                     "1 cases without a row of heddle::auto", "1 rows of matrices that are not of the zoo"):
            self.assertRegex(done.out, line)

    def test_wrong_input(self):
        self.refused("no row of heddle::auto on a matrix of the zoo", "regret-report", self.write("none.jsonl", [row("cusparse::a", 1)]))
        self.refused("line 1: median_ms should be above zero", "regret-report",
                     self.write("wrong.jsonl", [row("heddle::auto", 1, median_ms=0)]))
        self.refused("'-1' is not a number from 0", "regret-report", self.file, "--worst", "-1", code=2)

    @unittest.skipIf(LACKS_PAGES, LACKS_PAGES)
    def test_page(self):
        self.run_well("regret-report", self.file, "-o", self.folder / "page.html")
        page = (self.folder / "page.html").read_text(encoding="utf-8")
        self.assertEqual(page.count("<svg"), 2)
        for text in ("spmv f64: what the choice loses", "kernels, tuning (3)", "choice, validation (1)", "lead, tuning (3)", "zoo_web_1"):
            self.assertIn(text, page)
        self.assertNotIn("zoo_netlist_1", page)

    @unittest.skipIf(LACKS_PAGES, LACKS_PAGES)
    def test_the_chart_of_leads(self):
        product = [{**one, "operation": "spmm", "k": 8, "layout": "row"} for one in (auto(1), row("cusparse::csr_alg1", 2))]
        self.run_well("regret-report", self.file, self.write("spmm.jsonl", product), "--lead-chart", self.folder / "lead.svg")
        chart = (self.folder / "lead.svg").read_text(encoding="utf-8")
        self.assertTrue(chart.startswith("<svg "))
        for text in ("SpMV (4)", "SpMM (1)"):
            self.assertIn(text, chart)
        self.assertNotIn("SpGEMM", chart)
        self.assertNotIn("zoo_netlist_1", chart)


if __name__ == "__main__":
    unittest.main()
