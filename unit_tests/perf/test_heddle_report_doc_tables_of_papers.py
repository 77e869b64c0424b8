# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tables of docs/papers.md, made of hand-made results."""

import json
import re
import unittest

from reporting import ReportTest, Run


def spmm(matrix, implementation, ms, **more):
    row = {"operation": "spmm", "matrix": matrix, "rows": 1000, "cols": 1000, "nnz": 5000, "k": 32, "value_type": "f32",
           "implementation": implementation, "layout": "row", "device": "NVIDIA H200", **more}
    if ms is None:
        return {**row, "skipped": "no memory"}
    return {"median_ms": ms, "gflops": 100 / ms, "gbytes_per_s": 50 / ms, "roofline_gflops": 200.0, "machine_gbytes_per_s": 1000.0, **row}


class DocTablesOfPapers(ReportTest):
    def run_on(self, page, *arguments):
        return Run("doc-tables", "--page", self.write("page.md", page), "--results", self.folder, *arguments)

    def table(self, directive):
        done = self.run_on(f"<!-- {directive} -->\n<!-- end -->\n")
        self.assertEqual(done.code, 0, done.err)
        return (self.folder / "page.md").read_text(encoding="utf-8").splitlines()[1:-1]

    def failure(self, directive):
        done = self.run_on(f"<!-- {directive} -->\n<!-- end -->\n")
        self.assertEqual((done.code, done.out), (1, ""))
        return done.err

    def write_contest(self):
        """RS-SpMM is the fastest on one of two matrices; a third lacks cuSPARSE (T)."""
        ours, mixed = "heddle::auto_row_segmented", "cusparse::csr_alg2_mixed"
        self.write("spmm.jsonl", [
            spmm("one", ours, 1.0), spmm("two", ours, 4.0), spmm("three", ours, 1.0),
            spmm("one", mixed, 9.0, layout_c="col"), spmm("one", "cusparse::csr_alg1_mixed", 8.0, layout_c="col"),
            spmm("two", mixed, 2.0, layout_c="col"), spmm("three", mixed, None, layout_c="col"),
            spmm("one", "cusparse::csr_alg1", 2.0, layout="col"), spmm("two", "cusparse::csr_alg1", 16.0, layout="col"),
            spmm("three", "cusparse::csr_alg1", 16.0, layout="col"),
            spmm("one", "cusparse::bsr2", 0.1, layout="col"), spmm("one", "cusparse::csr_alg1", 0.1),
        ])
        return "spmm auto_row_segmented cusparse(T) cusparse(NT) of spmm.jsonl"

    def test_contest_is_of_the_matrices_that_all_take(self):
        # Over (T) 8 and 0.5, over (NT) 2 and 4: geometric means 2 and 2.83. BSR and row-major rows are no (NT).
        self.assertEqual(self.table("contest " + self.write_contest()), [
            "| type | k | method | matrices | GFLOPS: least | median | most | `auto_row_segmented` over it: mean | least | most "
            "| fastest: % | within 1.5 times: % | within 2 times: % | within 4 times: % | within 16 times: % |",
            "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
            "| f32 | 32 | `auto_row_segmented` | 2 | 25 | 62 | 100 |  |  |  | 50 | 50 | 100 | 100 | 100 |",
            "| f32 | 32 | cuSPARSE (T) | 2 | 12 | 31 | 50 | 2.00 | 0.50 | 8.00 | 50 | 50 | 50 | 50 | 100 |",
            "| f32 | 32 | cuSPARSE (NT) | 2 | 6 | 28 | 50 | 2.83 | 2.00 | 4.00 | 0 | 0 | 50 | 50 | 100 |",
        ])

    def test_contest_beside_both_ways_of_cusparse_has_a_chart(self):
        directive, chart = self.write_contest(), self.folder / "rs.svg"
        self.run_on(f"<!-- contest {directive} -->\n<!-- end -->\n")
        arguments = ["doc-tables", "--page", self.folder / "page.md", "--results", self.folder, "--chart", "contest", chart]
        if self.charts_of(*arguments) is None:
            self.skipTest("no matplotlib")
        # Over (T) 8 and 0.5, over (NT) 2 and 4.
        self.assertEqual(re.findall("<title>(.*)</title>", chart.read_text(encoding="utf-8")),
                         [f"f32, k = 32, cuSPARSE {way}, H200: {tip}" for way, tip in (
                             ("(T)", "one 8.00"), ("(T)", "two 0.50"), ("(NT)", "one 2.00"), ("(NT)", "two 4.00"))])
        self.run_on(f"<!-- contest {directive.replace(' cusparse(NT)', '')} -->\n<!-- end -->\n")
        self.charts_of(*arguments)
        self.assertNotIn("<title>", chart.read_text(encoding="utf-8"))

    def test_contest_charges_a_transposition_where_asked(self):
        self.write_contest()
        # C has 1000 x 32 values of 4 bytes, read and written at 1000 GB/s: 0.256 ms * 1e-3.
        lines = self.table("contest spmm auto_row_segmented cusparse(T)+transposition of spmm.jsonl")
        self.assertIn("| cuSPARSE (T) and a transposition | 2 |", lines[3])
        self.write("short.jsonl", [spmm("one", "heddle::auto_row_segmented", 0.000256),
                                   spmm("one", "cusparse::csr_alg1_mixed", 0.000256, layout_c="col")])
        lines = self.table("contest spmm auto_row_segmented cusparse(T)+transposition of short.jsonl")
        self.assertIn("| 2.00 | 2.00 | 2.00 |", lines[3])

    def test_a_loop_of_spmv_takes_k_calls(self):
        self.write("rows.jsonl", [spmm("one", "heddle::auto_row_segmented", 2.0),
                                  spmm("one", "cusparse::csr_alg1", 0.25, operation="spmv", k=1, layout="")])
        self.assertIn("| k times cuSPARSE's SpMV | 1 | 400 | 400 | 400 | 4.00 |",
                      self.table("contest spmm auto_row_segmented cusparse_loop of rows.jsonl")[3])

    def test_contest_names_what_it_does_not_know(self):
        directive = self.write_contest()
        self.assertIn("cusp is no method", self.failure(f"contest {directive.replace('cusparse(T)', 'cusp')}"))
        self.assertIn("no such rows", self.failure("contest spmm_t auto cusparse of spmm.jsonl"))

    def test_rooflines(self):
        self.write("spmm.jsonl", [spmm("one", "cusparse::csr_alg1", 1.0), spmm("two", "cusparse::csr_alg1", 0.55)])
        self.assertEqual(self.table("rooflines spmm cusparse of spmm.jsonl")[2:],
                         ["| f32 | 32 | 2 | 100 | 141 | 182 | 50 | 70 | 91 (two) | 1 |"])

    def test_heavy_is_by_the_first_share(self):
        segments = "heddle::auto_row_segmented"
        self.write("rows.jsonl", [spmm("one", segments, 1.0, heavy_share=0.5), spmm("two", segments, 2.0, heavy_share=0.25),
                                  spmm("one", segments, 4.0, value_type="f64", heavy_share=0.75), spmm("one", "heddle::auto", 1.0),
                                  spmm("one", segments, 9.0, operation="spmm_t", heavy_share=0.5)])
        self.assertEqual(self.table("heavy rows.jsonl"), [
            "| matrix | heavy share, f32 | heavy share, f64 | GFLOPS: f32, k = 32 | GFLOPS: f64, k = 32 |",
            "|---|--:|--:|--:|--:|",
            "| two | 0.25 |  | 50 |  |",
            "| one | 0.50 | 0.75 | 100 | 25 |",
        ])

    def test_preprocessing_is_in_calls(self):
        segments = "heddle::auto_row_segmented"
        self.write("rows.jsonl", [spmm("one", segments, 1.0, plan_ms=2.0), spmm("two", segments, 2.0, plan_ms=12.0)])
        self.assertEqual(self.table("preprocessing auto_row_segmented of rows.jsonl")[2:], ["| f32 | 32 | 2 | 2.0 | 4.0 | 6.0 (two) |"])

    def test_model_has_training_and_test_apart(self):
        rows = []
        for matrix, training, times in (("learnt", True, (4.0, 3.0, 2.0)), ("new", False, (2.0, 6.0, 1.0))):
            common = {"matrix": matrix, "value_type": "f32", "device": "a GPU", "rows": 10, "nnz": 50, "k": 128}
            rows.append({"operation": "calibrate_features", "parameters": "2", "features": {"gaps_1": 0.5}, **common})
            # Fixed parameters, those of the model, the best.
            rows += [{"operation": "calibrate", "parameters": parameters, "median_ms": ms, "training": training, **common}
                     for parameters, ms in zip(("2,8,2", "2,4,2", "2,16,2"), times)]
        self.write("rows.jsonl", rows)
        self.write("model.json", json.dumps({"models": [{"device": "a GPU", "value_type": "f32", "vertical": 2, "horizontal": 2,
                                                         "tree": [{"threshold": 4}]}]}))
        self.assertEqual(self.table("model rows.jsonl within model.json"), [
            "| type | set | matrices | no model: mean | most | model: mean | most |",
            "|---|--:|--:|--:|--:|--:|--:|",
            "| f32 | training | 1 | 2.000 | 2.00 | 1.500 | 1.50 (learnt) |",
            "| f32 | test | 1 | 2.000 | 2.00 | 6.000 | 6.00 (new) |",
            "| f32 | all | 2 | 2.000 | 2.00 | 3.000 | 6.00 (new) |",
        ])

    def test_held_out_has_both_ways_to_choose(self):
        rows = [{"operation": "calibrate_held_out", "parameters": way, "matrix": matrix, "value_type": "f32", "device": "a GPU", "k": 128,
                 "over_best": over_best}
                for matrix, way, over_best in (("one", "single", 1.0), ("two", "single", 4.0), ("one", "tree", 1.5), ("two", "tree", 6.0))]
        timed = {"operation": "calibrate", "parameters": "2,8,2", "matrix": "one", "value_type": "f32", "device": "a GPU", "k": 128}
        self.write("rows.jsonl", [timed, *rows])
        self.assertEqual(self.table("held_out rows.jsonl"), [
            "| type | matrices | one threshold: mean | most | tree: mean | most |",
            "|---|--:|--:|--:|--:|--:|",
            "| f32 | 2 | 2.000 | 4.00 (two) | 3.000 | 6.00 (two) |",
        ])

    def test_merges_tell_matrices_by_their_rows(self):
        def product(matrix, name, ms):
            return {"operation": "spgemm", "matrix": matrix, "nnz": 100, "value_type": "f64", "implementation": f"heddle::{name}",
                    "median_ms": ms}

        self.write("rows.jsonl", [product("short", "register_merge", 1.0), product("short", "register_merge_one_to_one", 2.0),
                                  product("mixed", "register_merge", 1.0), product("mixed", "register_merge_one_to_one", 4.0),
                                  product("long", "register_merge", 4.0), product("long", "register_merge_one_to_one", 1.0)])
        self.write("lengths.jsonl", [{"operation": "row_lengths", "matrix": matrix, "nnz": 100, "longest_row": longest,
                                      "entries_in_rows_above_32": above}
                                     for matrix, longest, above in (("short", 32, 0), ("mixed", 33, 1), ("long", 60, 90))])
        # 3 / (1/2 + 1/4 + 4), 2 / (1/2 + 1/4), 2.
        self.assertEqual(self.table("merges register_merge of rows.jsonl within lengths.jsonl")[2:], [
            "| all | 3 | 0.63 (4.00) |", "| at most 1.5 % of entries in longer rows | 2 | 2.67 (4.00) |", "| no longer row | 1 | 2.00 (2.00) |"])

    def test_operations(self):
        self.write("figures.jsonl", [{"operation": "analyze", "matrix": "one", "nnz": 4, "products_nnz": 8, "products": 3000000,
                                      "spgemm_flops": 6000000, "spgemm_words": 4000000}, {"operation": "reorder", "matrix": "one"}])
        self.assertEqual(self.table("operations figures.jsonl")[2:], ["| one | 4 | 8 | 6.0 | 1.500 |"])

    def test_sellp_takes_means_and_the_better_of_cusparse(self):
        def spmv(kind, implementation, us, matrix="one"):
            return {"operation": "formats_spmv", "matrix": matrix, "nnz": 50, "value_type": "f64", "format": kind,
                    "implementation": implementation, "mean_ms": us * 1e-3, "median_ms": 1.0}

        self.write("rows.jsonl", [
            spmv("csr", "heddle::cuda_native::csr_scalar", 6.0), spmv("sell", "heddle::cuda_native::sellp_paper", 2.0),
            spmv("sell", "heddle::cuda_native::sell_slices", 1.0), spmv("csr", "cusparse::csr_alg1", 5.0),
            spmv("csr", "cusparse::sell8", 8.0), spmv("csr", "cusparse::sell32", 3.0),
            {**spmv("sell", "heddle::cuda_native::sellp_paper", 0.5), "parameters": "8,8,4096"},
            spmv("csr", "heddle::cuda_native::csr_scalar", 6.0, "cut_off")])
        self.assertEqual(self.table("sellp rows.jsonl"), [
            "| matrix | nnz | CSR | ELLPACK | SELL-P | SELL of ours | HYB | cuSPARSE CSR | cuSPARSE SELL | SELL-P over CSR "
            "| over ELLPACK | over the better of cuSPARSE |",
            "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
            "| one | 50 | 6 |  | 2 | 1 |  | 5 | 3 | 3.00 |  | 1.50 |",
        ])

    def test_slices_are_in_the_order_of_their_heights(self):
        def spmv(matrix, parameters, us, **more):
            return {"operation": "formats_spmv", "matrix": matrix, "nnz": 50, "value_type": "f64", "format": "sell", "parameters": parameters,
                    "implementation": "heddle::cuda_native::sellp_paper", "median_ms": us * 1e-3, **more}

        self.write("rows.jsonl", [spmv("one", "32,1,1", 3.0), spmv("one", "8,8,1", 2.0), spmv("one", "8,8,128", 1.0), spmv("two", "8,8,1", 4.0),
                                  spmv("two", "8,8,1", 9.0, implementation="heddle::auto"), spmv("two", "8,8,1", 9.0, value_type="f32")])
        self.assertEqual(self.table("slices f64 cuda_native::sellp_paper of rows.jsonl"), [
            "| matrix | 8,8,1 | 8,8,128 | 32,1,1 |", "|---|--:|--:|--:|", "| one | 2 | 1 | 3 |", "| two | 4 |  |  |"])

    def test_four_formats_have_the_papers_numbers_and_ours(self):
        lines = self.table("four_formats kernels")
        self.assertEqual(len(lines), 2 + 12)
        self.assertIn("| small_32x32 | Hamrle1 | 0.433 | 7.456 | 0.457 | 0.053 | 0.024 | 8.306 | 0.451 | 4.57 | 0.287 |", lines[3])
        def formats(implementation, ms, **more):
            return spmm("Hamrle1", implementation, ms, operation="formats_spmm", **{"format": "csr", **more})

        self.write("rows.jsonl", [formats("heddle::auto", 0.01), formats("heddle::auto", 0.5, layout="col"),
                                  formats("heddle::portable::csr_element", 0.02), formats("serial::csr", 0.4),
                                  formats("cusparse::csr_alg2", 0.04), formats("cusparse::csr_alg3_pre", 0.03),
                                  formats("cusparse::csr_alg2_mixed", 0.001, layout_c="col"), formats("cusparse::coo_alg4", 0.05),
                                  formats("cusparse::bsr2", 0.002), formats("heddle::portable::coo_atomic", 0.06, format="coo")])
        self.assertEqual(self.table("four_formats csr coo bsr of rows.jsonl"), [
            "| case | matrix | CSR: paper | mapping | over serial | cuSPARSE | `auto` | COO: paper | mapping | over serial | cuSPARSE | `auto` "
            "| BSR: paper | mapping | over serial | `auto` |",
            "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
            "| small_32x32 | Hamrle1 | 0.457 | 0.02 | 20.00 | 0.03 | 0.01 | 0.433 | 0.06 |  | 0.05 |  | 0.451 |  |  |  |"])
        self.assertIn("formats are", self.failure("four_formats sell of rows.jsonl"))

        self.write("shared.jsonl", [formats("heddle::portable::csr_element", 0.02), formats("heddle::cuda_native::csr_shared", 0.5),
                                    formats("heddle::cuda_native::ell_shared", 0.3, format="ell"),
                                    formats("heddle::cuda_native::ell_shared", 0.1, format="ell", layout="col")])
        self.assertEqual(self.table("four_formats shared of shared.jsonl"), [
            "| case | matrix | CSR: mapping | shared memory | over mapping | ELL: paper | paper, shared memory | mapping | shared memory "
            "| over mapping |", "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
            "| small_32x32 | Hamrle1 | 0.02 | 0.5 | 25 | 0.287 | 0.044 |  | 0.3 |  |"])

    def test_density(self):
        lines = self.table("density paper")
        self.assertEqual(len(lines), 2 + 9)
        self.assertEqual(lines[3], "| 0.2 | 4.969 | 7.951 | 1.60 | 4.26 | 24.086 | 6.898 |")
        self.assertIn("expected the word paper", self.failure("density other"))

        def sweep(implementation, ms, matrix="pruned_2048_2048_80", **more):
            return spmm(matrix, implementation, ms, operation="formats_spmm", **{"format": "csr", **more})

        self.write("rows.jsonl", [sweep("heddle::auto", 1.0), sweep("heddle::portable::csr_element", 3.0), sweep("cusparse::csr_alg2", 2.0),
                                  sweep("heddle::portable::coo_atomic", 9.0, format="coo"), sweep("cusparse::coo_alg4", 4.0),
                                  sweep("heddle::auto", 1.0, matrix="pruned_2048_2048_10")])
        self.assertEqual(self.table("density sweep of rows.jsonl"), [
            "| density | CSR mapping | cuSPARSE CSR | `auto` | COO mapping | cuSPARSE COO |", "|---|--:|--:|--:|--:|--:|",
            "| 0.2 | 3 | 2 | 1 | 9 | 4 |"])


if __name__ == "__main__":
    unittest.main()
