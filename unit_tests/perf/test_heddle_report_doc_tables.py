# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tables of documents, made of hand-made results."""

import json
import unittest

from reporting import ReportTest, Run


def result(matrix, implementation, ms, **more):
    """A row as heddle-perf writes it; 1000 GFLOPS at 1 ms, half of what the roofline allows."""
    row = {"operation": "spmm", "matrix": matrix, "rows": 10, "cols": 10, "nnz": 50, "k": 32, "value_type": "f64",
           "implementation": implementation, "layout": "row", **more}
    if ms is None:
        return {**row, "skipped": "no memory"}
    return {"median_ms": ms, "gflops": 1000 / ms, "gbytes_per_s": 500 / ms, "roofline_gflops": 2000.0, **row}


def joined(kind, row, **more):
    kept = ("operation", "matrix", "nnz", "k", "value_type", "layout", "implementation", "median_ms")
    return {"joined": kind, **{key: row[key] for key in kept if key in row}, **more}


class DocTables(ReportTest):
    def setUp(self):
        super().setUp()
        self.rows = [
            result("one", "heddle::auto", 1.0),
            result("one", "heddle::portable::csr_team", 0.1),
            result("one", "cusparse::csr_alg1", 4.0),
            result("one", "cusparse::csr_alg2", 2.0),
            result("one", "cusparse::csr_alg3", None),
            result("one", "kokkoskernels::native", 16.0),
            result("two", "heddle::auto", 0.5),
            result("two", "cusparse::csr_alg1", 4.0),
            result("three", "heddle::auto", None),
            result("one", "heddle::auto", 3.0, layout="col"),
            {"operation": "self_check", "matrix": "", "implementation": "copy", "gbytes_per_s": 4000.0},
            {"operation": "read", "file": "one.mtx", "median_ms": 1.0},
        ]
        self.write("spmm.jsonl", self.rows)

    def run_on(self, page, *arguments):
        return Run("doc-tables", "--page", self.write("page.md", page), "--results", self.folder, *arguments)

    def page(self):
        return (self.folder / "page.md").read_text(encoding="utf-8")

    def table(self, directive):
        """What stands below a directive after it."""
        done = self.run_on(f"before\n<!-- {directive} -->\nold\n<!-- end -->\nafter\n")
        self.assertEqual(done.code, 0, done.err)
        lines = self.page().splitlines()
        self.assertEqual([*lines[:2], *lines[-2:]], ["before", f"<!-- {directive} -->", "<!-- end -->", "after"])
        return lines[2:-2]

    def failure(self, directive):
        done = self.run_on(f"<!-- {directive} -->\n<!-- end -->\n")
        self.assertEqual((done.code, done.out), (1, ""))
        return done.err

    def test_parts(self):
        def part(matrix, operation, cut, ms, places):
            more = {"part_places": places, "median_ms": ms} if ms else {"skipped": "too long"}
            return {"operation": operation, "matrix": matrix, "nnz": 40, "format": "csr", "cut": cut, "parts": 2, **more}

        self.write("parts.jsonl", [
            *(part("uneven", "parts_spmv", cut, ms, places)
              for cut, ms, places in (("whole", 1.0, [40]), ("rows", 0.8, [30, 10]), ("entries", 0.5, [20, 20]))),
            part("uneven", "parts_spmm", "whole", 8.0, [40]),
            part("uneven", "parts_spmm", "rows", 5.0, [30, 10]),
            part("uneven", "parts_spmm", "entries", None, []),
            part("refused", "parts_spmv", "whole", None, []),
            {**part("other", "parts_spmv", "whole", 1.0, [40]), "format": "sell"},
        ])
        self.assertEqual(self.table("parts csr of parts.jsonl")[2:],
                         ["| uneven | 40 | 1.50 | 1 | 1.25 | 2.00 | 8 | 1.60 |  |"])
        self.assertIn("no such rows", self.failure("parts ell of parts.jsonl"))

    def test_phases(self):
        def phase(matrix, nnz, ms, steps):
            return {"operation": "spgemm_phases", "matrix": matrix, "nnz": nnz, "median_ms": ms, "bound_ms": 0.1, "launches": 9,
                    "steps_ms": {"survey": steps[0], "sums": steps[1], "others": 0.0}}

        self.write("phases.jsonl", [phase("large", 50, 2.0, (0.5, 2.5)), phase("small", 40, 1.0, (0.25, 0.5))])
        self.assertEqual(self.table("phases of phases.jsonl"), [
            "| matrix | nnz | call, ms | survey | sums | the rest | launches | bound, % |",
            "|---|--:|--:|--:|--:|--:|--:|--:|",
            "| small | 40 | 1 | 0.25 | 0.5 | 0.25 | 9 | 10.0 |",
            "| large | 50 | 2 | 0.5 | 2.5 | -1 | 9 | 5.0 |",
        ])

    def test_solver_steps(self):
        def row(operation, implementation, ms, **more):
            return {"operation": operation, "matrix": "grid", "value_type": "f64", "implementation": implementation, "k": 1,
                    "median_ms": ms, **more}

        self.write("solver_steps.jsonl", [
            row("spmv_cg", "heddle::auto", 0.5, chosen="portable::csr_team"),
            row("spmv_dot", "heddle::auto", 0.25, chosen="portable::csr_team"),
            row("spmv_dot", "heddle::auto_apart", 0.5),
            row("spmv_dot", "cusparse::csr_alg1", 1.0),
            row("spmv_dot", "cusparse::csr_alg2+cublas", 0.75),
            row("spmv", "heddle::auto", 7.0),
        ])
        self.assertEqual(self.table("solver_steps solver_steps.jsonl")[2:], [
            "| grid | A p and a dot product | portable::csr_team | 250 | 2.00 | 3.00 |  |",
            "| grid | CG iteration | portable::csr_team | 500 |  |  |  |",
        ])

    def test_multigrid(self):
        def row(matrix, implementation, *times, **more):
            keys = ("setup_ms", "setup_products_ms", "again_ms", "again_products_ms", "cycle_ms", "solve_ms")
            return {"operation": "multigrid", "matrix": matrix, "implementation": implementation, "iterations": 7,
                    **dict(zip(keys, times)), **more}

        rows = [
            row("grid", "heddle::auto", 1, 2, 30, 40, 5, 6),
            row("grid", "heddle::auto_reuse", 10, 20, 3, 4, 50, 60),
            row("grid", "cusparse::reuse", 4, 2, 6, 16, 10, 3),
            row("grid", "kokkoskernels::SPGEMM_KK", 8, 1, 3, 40, 20, 9),
            row("grid", "hypre::BoomerAMG_0.5", 0.1, 0.1, 0.1, 0.1, 0.1, 0.1),
            row("grid", "cusparse::other", skipped="no memory"),
            {**row("grid", "heddle::auto", 9, 9, 9, 9, 9, 9), "operation": "spmv"},
        ]
        self.write("multigrid.jsonl", rows)
        lines = self.table("multigrid multigrid.jsonl")
        self.assertEqual(lines[2:4], ["| grid | `heddle::auto` | 1 | 2 | 30 | 40 | 5 | 6 | 7 |",
                                      "|  | `heddle::auto_reuse` | 10 | 20 | 3 | 4 | 50 | 60 | 7 |"])
        self.assertEqual(len(lines), 7)
        # Of those with the same algorithm.
        self.assertEqual(self.table("multigrid_ratios multigrid.jsonl")[2:],
                         ["| grid | 4.00 | 0.50 | 0.10 | 0.40 | 2.00 | 0.50 |", "| geometric mean | 4.00 | 0.50 | 0.10 | 0.40 | 2.00 | 0.50 |"])
        self.write("multigrid.jsonl", rows[:2])
        self.assertIn("grid has no rows of", self.failure("multigrid_ratios multigrid.jsonl"))
        self.write("multigrid.jsonl", rows[-2:])
        self.assertIn("no such rows", self.failure("multigrid multigrid.jsonl"))
        self.write("multigrid.jsonl", [row("grid", "heddle::auto", 1, 2, 3, 4, 5, 6, setup_peak_bytes=1.5e6), rows[1]])
        self.assertEqual(self.table("multigrid multigrid.jsonl")[0], "| matrix | library | setup | products | again | products | V-cycle | solve | iterations | peak MB |")
        self.assertEqual(self.table("multigrid multigrid.jsonl")[2:], ["| grid | `heddle::auto` | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 1.5 |",
                                                                       "|  | `heddle::auto_reuse` | 10 | 20 | 3 | 4 | 50 | 60 | 7 |  |"])

    def test_baselines(self):
        lines = self.table("baselines f64 spmm:32 of spmm.jsonl")
        self.assertEqual(lines[2:4], [
            "| one | 50 | 1 | 500 | 50 | csr_alg2 | 2 | 2.00 | native | 16 | 16.00 |",
            "| two | 50 | 0.5 | 1000 | 100 | csr_alg1 | 4 | 8.00 |  |  |  |",
        ])
        # The harmonic mean of 2 and 8 is 2 / (1/2 + 1/8).
        self.assertIn("| cuSPARSE | 2 | 4.00 | 3.20 | 2.00 | 8.00 |", lines)
        self.assertIn("| Kokkos Kernels | 1 | 16.00 | 16.00 | 16.00 | 16.00 |", lines)
        self.assertEqual(lines[-1], "Without a time: three (no memory).")
        self.assertEqual(len(self.table("baselines f64 spmm:32:col of spmm.jsonl")), 6)

    def test_peers(self):
        peers = [joined("peers", self.rows[0], peer="rode", peer_ratio=1.5)]
        self.write("peers.jsonl", peers)
        lines = self.table("baselines f64 spmm:32 of spmm.jsonl with peers.jsonl")
        self.assertTrue(lines[2].endswith("| rode | 1.50 |"), lines[2])
        self.assertTrue(lines[3].endswith("| 8.00 |  |  |  |  |  |"), lines[3])
        self.assertIn("| fastest peer | 1 | 1.50 | 1.50 | 1.50 | 1.50 |", lines)

    def test_overview(self):
        self.write("peers.jsonl", [joined("peers", self.rows[0], peer="rode", peer_ratio=1.5),
                                   joined("peers", self.rows[9], peer="rode", peer_ratio=0.5)])
        lines = self.table("overview spmm.jsonl with peers.jsonl")
        self.assertEqual(lines[2:], [
            "| spmm | f64 | 32 | row | 4.00 | 2.00 | 2 | 16.00 | 16.00 | 1 | 1.50 | 1.50 | 1 |",
            "| spmm | f64 | 32 | col |  |  |  |  |  |  | 0.50 | 0.50 | 1 |",
        ])
        self.assertEqual(self.table("overview spmm.jsonl")[2:],
                         ["| spmm | f64 | 32 | row | 4.00 | 2.00 | 2 | 16.00 | 16.00 | 1 |"])

    def test_tables_are_of_what_peers_were_given(self):
        of_cusparse = {"cusparse": {"peer": "cusparse_a", "peer_ratio": 3.0}}
        self.write("peers.jsonl", [joined("peers", self.rows[0], peer="rode", peer_ratio=1.0, families=of_cusparse),
                                   joined("peers", self.rows[6], peer="rode", peer_ratio=4.0)])
        self.assertEqual(self.table("tables spmm of spmm.jsonl with peers.jsonl")[2:],
                         ["| f64 | 32 | row | 2.00 | 1.00 (one) | 2 | 3.00 | 3.00 (one) | 1 |  |  |  |"])
        self.assertIn("no such rows", self.failure("tables spmv of spmm.jsonl with peers.jsonl"))
        self.assertIn("names no file", self.failure("tables spmm of spmm.jsonl"))

    def test_agreement(self):
        self.write("agreement.jsonl", [
            joined("agreement", self.rows[3], peer="cusparse_b", ratio=1.05),
            joined("agreement", self.rows[7], peer="cusparse_a", ratio=0.5),
            joined("agreement", self.rows[5], peer="kokkoskernels_R", ratio=1.0),
        ])
        lines = self.table("agreement 0.1 of spmm.jsonl with agreement.jsonl")
        self.assertEqual(lines[2:4], [
            "| spmm | f64 | 32 | row | cuSPARSE | 1 of 2 | 0.725 | 0.50 | 1.05 | two 0.50 |",
            "| spmm | f64 | 32 | row | Kokkos Kernels | 1 of 1 | 1.000 | 1.00 | 1.00 |  |",
        ])
        self.assertEqual(lines[-1], "2 of 3 baselines agree within 10 %.")

    def test_ratios_of_other_results_are_refused(self):
        for kind, directive, row in (("peers", "overview spmm.jsonl", self.rows[0]),
                                     ("agreement", "agreement 0.1 of spmm.jsonl", self.rows[3])):
            other = {**row, "median_ms": row["median_ms"] * 2}
            self.write("other.jsonl", [joined(kind, other, peer="rode", peer_ratio=1.5, ratio=1.5)])
            self.assertIn("of other results", self.failure(f"{directive} with other.jsonl"))
        self.assertIn("is not of peers", self.failure("overview spmm.jsonl with spmm.jsonl"))

    def test_what_is_not_there_is_said(self):
        self.assertIn("no such rows", self.failure("baselines f32 spmm:32 of spmm.jsonl"))
        self.assertIn("missing.jsonl", self.failure("overview missing.jsonl"))
        self.assertIn("names no file", self.failure("agreement 0.1 of spmm.jsonl"))

    def test_rows_without_a_layout_are_understood(self):
        rows = [result("one", "heddle::auto", 1.0), result("one", "heddle::auto_col", 2.0),
                result("one", "kokkoskernels::native", 3.0), result("one", "kokkoskernels::native_col", 8.0)]
        for row in rows:
            del row["layout"], row["roofline_gflops"]
            row.update(machine_gflops=10000.0, machine_gbytes_per_s=2000.0)
        self.write("old.jsonl", rows)
        self.assertEqual(self.table("baselines f64 spmm:32 of old.jsonl")[2],
                         "| one | 50 | 1 | 500 | 25 |  |  |  | native | 3 | 3.00 |")
        self.assertIn("| 4.00 |", self.table("baselines f64 spmm:32:col of old.jsonl")[2])

    def test_check_says_whether_the_page_is_what_the_results_give(self):
        self.table("overview spmm.jsonl")
        made = self.page()
        self.assertEqual(self.run_on(made, "--check").code, 0)
        done = self.run_on(made.replace("4.00", "4.01"), "--check")
        self.assertEqual((done.code, done.err.count("page.md is not what the results give")), (1, 1))
        self.assertNotEqual(self.page(), made)

    def test_memory_is_beyond_what_is_multiplied(self):
        def row(matrix, implementation, **more):
            return {"operation": "spgemm", "matrix": matrix, "rows": 99, "nnz": 7, "value_type": "f64", "implementation": implementation,
                    "products_nnz": 8300, "median_ms": 1.0, **more}

        # C has 100 offsets of 4 bytes and 8300 entries of 12.
        self.write("rows.jsonl", [row("one", "heddle::auto", workspace_bytes=100000), row("one", "cusparse::alg1", workspace_bytes=400000),
                                  row("two", "heddle::auto", workspace_bytes=0), row("two", "cusparse::alg1", workspace_bytes=1600000),
                                  row("two", "cusparse::alg2", skipped="no memory")])
        self.assertEqual(self.table("memory f64 spgemm auto cusparse::alg1 cusparse::alg2 of rows.jsonl"), [
            "| matrix | C, MB | `auto` | `cusparse::alg1` | `cusparse::alg2` |",
            "|---|--:|--:|--:|--:|",
            "| one | 0.1 | 0.1 | 0.4 |  |",
            "| two | 0.1 | 0 | 1.6 |  |",
            "| over C |  | 1.00 | 8.00 |  |",
        ])

    def test_kernels_has_every_implementation_of_ours(self):
        rows = [
            result("one", "heddle::auto", 0.5, operation="spmv", k=1, layout="", rows=10, nnz=50, plan_ms=2.0),
            result("one", "heddle::cuda_native::csr_tiles", 1.0, operation="spmv", k=1, layout=""),
            result("one", "heddle::auto_reuse", 0.25, operation="spmv", k=1, layout=""),
            result("one", "heddle::portable::csr_team", 8.0, operation="spmv", k=1, layout=""),
            result("two", "heddle::auto", 1.0, operation="spmv", k=1, layout="", rows=10, nnz=20, plan_ms=1.0),
            result("three", "heddle::cuda_native::csr_tiles", 1.0, operation="spmv", k=1, layout=""),
        ]
        self.write("spmv.jsonl", rows)
        self.assertEqual(self.table("kernels f64 spmv of spmv.jsonl below 2000"), [
            "| matrix | nnz a row | ms | GB/s | % of 2000 | auto_reuse | csr_tiles |",
            "|---|--:|--:|--:|--:|--:|--:|",
            "| one | 5.0 | 0.5 | 1000 | 50 | 0.25 | 1 |",
            "| two | 2.0 | 1 | 500 | 25 |  |  |",
        ])
        self.assertEqual(self.table("plans spmv of spmv.jsonl")[2:], ["| f64 | 4.0 | 4.0 (one) | 2.00 |"])
        self.assertIn("no such rows", self.failure("kernels f32 spmv of spmv.jsonl below 2000"))

    def test_ways_are_over_row_major_a_times_b(self):
        rows = [*self.rows, result("one", "heddle::auto", 1.2, operation="spmm_t"),
                result("two", "heddle::auto", 1.0, operation="spmm_t"), result("two", "heddle::auto", 1.0, layout="col")]
        self.write("ways.jsonl", rows)
        self.assertEqual(self.table("ways of ways.jsonl"), [
            "| type | k | column-major over row-major | most | A^T B over A B | most |",
            "|---|--:|--:|--:|--:|--:|",
            "| f64 | 32 | 2.45 | 3.00 (one) | 1.55 | 2.00 (two) |",
        ])

    def test_bounds_are_shares_of_the_time(self):
        machine = {"machine_gbytes_per_s": 1000.0, "machine_shared_gbytes_per_s": 16.0}
        # 12800 bytes of products in 1 us: 12.8 GB/s; with 50 * 12 + 10 * 256 more, 15.96 from the level-2 cache.
        rows = [result("one", "heddle::auto", 0.001, gbytes_per_s=500.0, **machine),
                result("two", "heddle::auto", 0.004, gbytes_per_s=125.0, **machine),
                result("three", "heddle::auto", 0.001, gbytes_per_s=100.0, **machine),
                result("one", "heddle::auto", 9.0, layout="col", **machine)]
        self.write("bounds.jsonl", rows)
        sweep = [{"bytes": 1 << 18, "gwords_per_s": 100.0}, {"bytes": 1 << 19, "gwords_per_s": 9.975},
                 {"bytes": 1 << 20, "gwords_per_s": 9.0}]
        self.write("caches.json", json.dumps({"cache_sweep": sweep}))
        self.assertEqual(self.table("bounds bounds.jsonl within caches.json by a pair: one two; alone: three four"), [
            "| class | type | k | matrices | % of compulsory | % of level 2 | % of shared memory |",
            "|---|--:|--:|--:|--:|--:|--:|",
            "| a pair | f64 | 32 | 2 | 25 | 20 | 40 |",
            "| alone | f64 | 32 | 1 | 10 | 40 | 80 |",
        ])
        self.assertIn("no such rows", self.failure("bounds bounds.jsonl within caches.json by none: four"))
        self.assertIn("no class", self.failure("bounds bounds.jsonl within caches.json by one two"))
        self.assertIn("bounds.jsonl", self.failure("bounds bounds.jsonl within bounds.jsonl by a: one"))

    def test_repaid_sets_plans_against_what_calls_gain(self):
        rows = [result("one", f"heddle::cuda_native::{name}", ms, operation="spmv", k=1, layout="", cold_ms=2 * ms, plan_ms=plan)
                for name, ms, plan in (("csr_vector", 1.0, 4.0), ("csr_runs", 0.5, 16.0), ("csr_templates", 1.25, 5.0))]
        self.write("kept.jsonl", rows)
        self.assertEqual(self.table("repaid cuda_native::csr_vector cuda_native::csr_templates cuda_native::csr_runs of kept.jsonl")[2:], [
            "| one | f64 | `csr_vector` | 1 | 2 |  |  | 4 | 4 |  |",
            "| one | f64 | `csr_templates` | 1.25 | 2.5 | 0.80 | 0.80 | 5 | 4 | never |",
            "| one | f64 | `csr_runs` | 0.5 | 1 | 2.00 | 2.00 | 16 | 32 | 24 |",
        ])
        self.assertIn("no such rows", self.failure("repaid cuda_native::none of kept.jsonl"))

    def write_zoo(self):
        """A case that leads, one that loses to another kernel of ours and to a library, and one without a time; a plan too long."""
        rows = []
        for matrix, auto, own, peer in (("zoo_a", 1.0, 1.5, 2.0), ("zoo_b", 3.0, 1.5, 0.75), ("zoo_c", None, 1.0, 1.0)):
            chosen = {"chosen": "cuda_native::csr_rows", "plan_ms": 70.0 if matrix == "zoo_b" else 1.0}
            for name, ms, more in (("heddle::auto", auto, chosen), ("heddle::cuda_native::csr_stream", own, {}),
                                   ("cusparse::csr_alg1", peer, {}), ("cusparse::csr_alg2", None, {})):
                rows.append(result(matrix, name, ms, family="nets", part="validation", **more))
        self.write("zoo.jsonl", rows)

    def test_zoo_has_lead_kernels_and_choice(self):
        self.write_zoo()
        # Lead: 2, 1/4 and, of what failed, 0.1; kernels 1, 4, 10; choice 1, 2, 10.
        self.assertEqual(self.table("zoo zoo.jsonl"), [
            "| problem | cases | no time | lead: geometric mean | least | with a time alone: mean | least | 10 % are below | ahead or tied in "
            "| kernels: geometric mean | 90 % within | choice: geometric mean | 99 % within | long plans |",
            "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
            "| spmm f64, k = 32, row-major | 3 | 1 | 0.37 | 0.10 | 0.71 | 0.25 | 0.10 | 33 % | 3.42 | 10.00 | 2.71 | 10.00 | 1 |",
        ])
        self.write("auto.jsonl", [result("zoo_a", "heddle::auto", 1.0, part="tuning"), result("zoo_a", "cusparse::csr_alg1", 2.0, part="tuning")])
        self.assertEqual(self.table("zoo auto.jsonl")[0],
                         "| problem | cases | no time | lead: geometric mean | least | 10 % are below | ahead or tied in "
                         "| kernels: geometric mean | 90 % within | long plans |")
        self.assertIn("no row of heddle::auto on a matrix of the zoo", self.failure("zoo spmm.jsonl"))

    def test_losses_name_what_is_faster(self):
        self.write_zoo()
        self.assertEqual(self.table("losses spmm of zoo.jsonl by nets: zoo_b zoo_c; others: zoo_a")[2:], [
            "| nets | zoo_b | 10 | 5.0 | f64 | 32 | 3 | csr_rows | csr_stream | 1.5 | cusparse::csr_alg1 | 0.75 | 4.00 |",
            "|  | zoo_c | 10 | 5.0 | f64 | 32 | no time | csr_rows | csr_stream | 1 | cusparse::csr_alg1 | 1 | 10.00 |",
            "| others | zoo_a | 10 | 5.0 | f64 | 32 | 1 | csr_rows | csr_stream | 1.5 | cusparse::csr_alg1 | 2 | 1.00 |",
        ])
        self.assertIn("no such rows of zoo_d", self.failure("losses spmm of zoo.jsonl by nets: zoo_d"))
        self.assertIn("no such rows of zoo_a", self.failure("losses spmv of zoo.jsonl by nets: zoo_a"))
        self.assertIn("no class", self.failure("losses spmm of zoo.jsonl by zoo_a"))

    def test_steps_are_over_the_first(self):
        rows = [result("one", "heddle::step_columns", 8.0), result("one", "heddle::cuda_native::csr_rows", 4.0),
                result("two", "heddle::step_columns", 9.0), result("two", "heddle::cuda_native::csr_rows", 1.0),
                result("one", "heddle::auto", 2.0), result("two", "heddle::auto", 1.0),
                result("three", "heddle::auto", 2.0), result("three", "heddle::step_columns", 8.0)]
        self.write("steps.jsonl", rows)
        directive = "steps step_columns cuda_native::csr_rows auto of steps.jsonl by all: one two three"
        self.assertEqual(self.table(directive), [
            "| class | type | k | matrices | `csr_rows` | `auto` |",
            "|---|--:|--:|--:|--:|--:|",
            "| all | f64 | 32 | 2 | 4.24 | 6.00 |",
        ])
        self.assertIn("no such rows", self.failure("steps none auto of steps.jsonl by all: one"))


if __name__ == "__main__":
    unittest.main()
