# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tables and charts of README.md and docs/expect.md, made of hand-made results."""

import re
import unittest

from reporting import ReportTest, Run


def spmm(matrix, implementation, ms, device="NVIDIA H100 80GB HBM3", **more):
    row = {"operation": "spmm", "matrix": matrix, "rows": 10, "cols": 10, "nnz": 50, "k": 32, "value_type": "f64", "layout": "row",
           "implementation": implementation, "device": device, **more}
    return {**row, "skipped": "no memory"} if ms is None else {**row, "median_ms": ms}


class Leads(ReportTest):
    def setUp(self):
        super().setUp()
        self.write("some.jsonl", [spmm("one", "heddle::auto", 1.0), spmm("one", "kokkoskernels::native", 8.0),
                                  spmm("two", "heddle::auto", 1.0), spmm("two", "kokkoskernels::native", 0.5),
                                  spmm("three", "heddle::auto", 1.0)])
        self.write("zoo.jsonl", [spmm(matrix, name, ms, family="nets", part="validation")
                                 for matrix, auto, peer in (("zoo_a", 1.0, 4.0), ("zoo_b", None, 1.0), ("zoo_c", 1.0, None))
                                 for name, ms in (("heddle::auto", auto), ("cusparse::csr_alg1", peer), ("cusparse::csr_alg2", None))])

    def run_on(self, directive, *arguments):
        page = self.write("page.md", f"<!-- {directive} -->\n<!-- end -->\n")
        return Run("doc-tables", "--page", page, "--results", self.folder, *arguments)

    def lines(self, directive):
        done = self.run_on(directive)
        self.assertEqual(done.code, 0, done.err)
        return (self.folder / "page.md").read_text(encoding="utf-8").splitlines()[3:-1]

    def test_a_line_has_mean_least_and_how_often_heddle_is_slower(self):
        self.assertEqual(self.lines("leads f64 by Kokkos Kernels: spmm:32 of some.jsonl; cuSPARSE: spmm:32 of zoo.jsonl"), [
            "| SpMM, k = 32 | Kokkos Kernels | H100 | 2.00 | 0.50 (`two`) | 1 of 2 |",
            "| SpMM, k = 32 | cuSPARSE | H100 | 0.63 | 0.10 (`zoo_b`) | 1 of 2 |",  # what failed counts as 0.1
        ])

    def test_published_codes_are_those_of_the_same_results(self):
        peer = {"joined": "peers", "operation": "spmm", "matrix": "one", "nnz": 50, "k": 32, "value_type": "f64", "layout": "row",
                "implementation": "heddle::auto", "median_ms": 1.0, "peer": "rode", "peer_ratio": 1.5}
        self.write("peers.jsonl", [peer])
        directive = "leads f64 with peers.jsonl by published codes: spmm:32 of some.jsonl"
        self.assertEqual(self.lines(directive), ["| SpMM, k = 32 | published codes | H100 | 1.50 | 1.50 (`one`) | 0 of 1 |"])
        self.write("peers.jsonl", [{**peer, "median_ms": 2.0}])
        self.assertIn("is of other results", self.run_on(directive).err)

    def test_what_cannot_be_compared_is_refused(self):
        self.write("two_devices.jsonl", [spmm("one", "heddle::auto", 1.0), spmm("one", "kokkoskernels::native", 1.0, device="NVIDIA H200")])
        for directive, message in (("Eigen: spmm:32 of some.jsonl", "Eigen: expected cuSPARSE, Kokkos Kernels, published codes"),
                                   ("cuSPARSE: spmm:32 of some.jsonl", "no such rows of spmm:32"),
                                   ("Kokkos Kernels: spmm:32 of zoo.jsonl", "of the zoo there is no Kokkos Kernels"),
                                   ("Kokkos Kernels: spmm:32 of two_devices.jsonl", "rows are of 2 devices")):
            done = self.run_on(f"leads f64 by {directive}")
            self.assertEqual(done.code, 1)
            self.assertIn(message, done.err)

    def test_a_chart_of_other_numbers_is_drawn_again(self):
        directive, chart = "leads f64 by Kokkos Kernels: spmm:32 of some.jsonl", self.folder / "leads.svg"
        self.lines(directive)
        page = self.folder / "page.md"
        arguments = ["doc-tables", "--page", page, "--results", self.folder, "--chart", "leads", chart]
        self.assertIn("leads.svg is not what the results give", Run(*arguments, "--check").err)
        if self.charts_of(*arguments) is None:
            self.skipTest("no matplotlib")
        svg = chart.read_text(encoding="utf-8")
        self.assertEqual(re.findall("<title>(.*)</title>", svg),
                         ["SpMM, k = 32, Kokkos Kernels, H100: one 8.00", "SpMM, k = 32, Kokkos Kernels, H100: two 0.50"])
        self.assertEqual(Run(*arguments, "--check").code, 0)
        chart.write_text(svg.replace("two 0.50", "two 0.75"), encoding="utf-8")
        self.assertEqual(Run(*arguments, "--check").code, 1)

    def test_roofline_has_the_matrices_of_least_and_most_share(self):
        more = {"gbytes_per_s": 100.0, "roofline_gflops": 1000.0, "machine_gbytes_per_s": 500.0}
        self.write("roof.jsonl", [spmm(matrix, "heddle::auto", 1.0, gflops=gflops, **more)
                                  for matrix, gflops in (("one", 500.0), ("two", 100.0), ("three", 200.0))])
        directive = "roofline f64 spmm:32 of roof.jsonl"
        self.assertEqual(self.lines(directive), ["| SpMM, k = 32 | H100 | 3 | 10 % (`two`) | 20 % | 50 % (`one`) |"])
        self.assertIn("no such rows of spmm:8", self.run_on("roofline f64 spmm:8 of roof.jsonl").err)
        self.lines(directive)
        chart = self.folder / "roof.svg"
        arguments = ["doc-tables", "--page", self.folder / "page.md", "--results", self.folder, "--chart", "roofline", chart]
        if self.charts_of(*arguments) is None:
            self.skipTest("no matplotlib")
        self.assertEqual(re.findall("<title>(.*)</title>", chart.read_text(encoding="utf-8")),
                         [f"SpMM, k = 32: {tip}" for tip in ("two 100 GFLOPS, 10 %", "three 200 GFLOPS, 20 %", "one 500 GFLOPS, 50 %")])


if __name__ == "__main__":
    unittest.main()
