# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The pages of one matrix (analysis) and of a calibration (model-chart), from invented rows."""

import copy
import json
import os
import unittest

from reporting import ReportTest

from heddle_report.interpreter import needs_pages  # noqa: E402

needs_pages(os.path.abspath(__file__))
from heddle_report import analysis, segment_model  # noqa: E402
from heddle_report.segment_model import Configuration, Measured  # noqa: E402

ANALYSIS = {
    "operation": "analyze", "matrix": "<name>", "rows": 4, "cols": 3, "nnz": 5, "value_type": "f64", "k": 32,
    "spmv_flops": 100.0, "spmv_bytes": 400.0, "spmm_flops": 3200.0, "spmm_bytes": 400.0,
    "device": "a machine", "machine_gbytes_per_s": 100.0, "machine_gflops": 200.0,
    "multiplies": {"spmv": {"name": "SpMV", "measured_ms": 1e-5, "measured_flops_per_byte": 0.125}, "spmm": {"name": "SpMM, k = 32"}},
    "advice": ["Take A < B."],
    "tables": {"bounds": [["multiply", "flops"], ["SpMV", "1,000"]], "measured": [], "figures": [["figure", "value"], ["rows", "4"]],
               "orders": [["order", "bandwidth"], ["as it is", "2"]]},
    "row_lengths": [[0, 1], [1, 0], [2, 3], [4, 0]], "distances": [[1, 0.25], [2, 0.75]],
    "density": {"height": 2, "width": 3, "most": 2, "entries": [-1, 2, -2, 1, 2]},
}  # fmt: skip


class Analysis(ReportTest):
    def page(self, *rows, **more):
        words = [word for name, value in more.items() for word in (f"--{name}", value)]
        self.run_well("analysis", self.write("rows.jsonl", rows), "--out", self.folder / "page.html", *words)
        return (self.folder / "page.html").read_text(encoding="utf-8")

    def test_the_page_has_advice_tables_and_charts(self):
        page = self.page(ANALYSIS)
        for part in ("<h1>&lt;name&gt;</h1>", "<li>Take A &lt; B.</li>", "a machine, 100 GB/s; values f64", ">1,000<", ">as it is<",
                     "data:image/png;base64,", "Roofline of a machine", "Row lengths", "Distances of neighbouring entries",
                     # 100 GB/s and a quarter flop per byte; 8 flops per byte are above the ridge; 100 flops in 10 ns.
                     "SpMV: 25 GFLOPS", "SpMM, k = 32: 200 GFLOPS", "SpMV measured: 10 GFLOPS", "2, rows: 3"):
            self.assertIn(part, page)
        self.assertNotIn("4, rows", page)  # an empty bin behind the last

    def test_a_matrix_without_entries_has_no_more_than_its_picture(self):
        page = self.page({**ANALYSIS, "nnz": 0, "density": {"height": 1, "width": 1, "most": 1, "entries": [-1]}})
        self.assertIn("data:image/png;base64,", page)
        self.assertNotIn("Roofline", page)

    def test_pieces_without_entries_are_counted(self):
        self.assertEqual(analysis.counts_of(ANALYSIS["density"]), [[0, 2, 0], [0, 1, 2]])

    def test_one_row_of_several_is_named(self):
        other = {**ANALYSIS, "matrix": "other"}
        self.assertIn("<h1>other</h1>", self.page(ANALYSIS, {"operation": "spmv"}, other, matrix="other"))
        for rows, message in (([ANALYSIS, other], "2 rows of analyze, expected one.*: <name>, other"), ([], "0 rows of analyze")):
            self.refused(message, "analysis", self.write("rows.jsonl", rows), "--out", self.folder / "page.html")

    def test_rows_that_lack_something_are_refused(self):
        few = copy.deepcopy(ANALYSIS)
        few["density"]["entries"].pop()
        for row, message in ((few, "line 1: not a row of analyze: .*5 pieces in place of 6"),
                             ({key: ANALYSIS[key] for key in ANALYSIS if key != "advice"}, "line 1: no advice")):
            self.refused(message, "analysis", self.write("rows.jsonl", [row]), "--out", self.folder / "other.html")
        self.assertFalse((self.folder / "other.html").exists())

    def test_a_page_that_cannot_be_written(self):
        rows = self.write("rows.jsonl", [ANALYSIS])
        self.refused("cannot write .*none/page.html: No such file", "analysis", rows, "--out", self.folder / "none" / "page.html")


def matrix(neighbours, vertical=1, horizontal=1):
    """Its best threshold is 2 where neighbours stand together, else 12; every configuration is slower the further it is."""
    made, best = Measured("m"), 2 if neighbours > 0.5 else 12
    for v in (1, 2, 4):
        made.features[v] = {"gaps_1": neighbours}
        for h in (1, 2, 4):
            for t in range(1, 17):
                ms = 1.0 + (t - best) ** 2 + 500 * (v != vertical) + 1000 * (h != horizontal)
                made.times[Configuration(v, t, h)] = {"rows": 100, "nnz": 1000, "median_ms": ms, "segments": 10 * v, "heavy_nnz": 1000 - t}
    return made


def cost(additions, entries=0):
    return {"per_accumulation_ms": additions, "per_entry_ms": entries}


class Choices(unittest.TestCase):
    TREE = [{"feature": "gaps_1", "limit": 0.5, "at_most": 1, "above": 2}, {"threshold": 12}, {"threshold": 2}]

    def chosen(self, neighbours, **heavy):
        model = {"vertical": 2, "horizontal": 4, "tree": self.TREE, "heavy": {name[1:]: cost(of) for name, of in heavy.items()}}
        return segment_model.chosen_by(model, matrix(neighbours))

    def test_the_tree_says_the_threshold(self):
        self.assertEqual(self.chosen(0.9), (2, 2, 4))
        self.assertEqual(self.chosen(0.5), (2, 12, 4))

    def test_then_costs_say_cf_v(self):
        # 10, 20 and 40 segments with CF_V of 1, 2 and 4.
        self.assertEqual(self.chosen(0.9, v1=10, v2=1, v4=1).vertical, 2)
        self.assertEqual(self.chosen(0.9, v1=10, v2=1, v4=0.4).vertical, 4)
        self.assertEqual(self.chosen(0.9, v1=1, v2=1, v4=0.4).vertical, 1)
        self.assertEqual(self.chosen(0.9, v1=0, v4=1).vertical, 4)  # a cost of nothing is not known

    def test_light_entries_cost_too(self):
        # 998 of 1000 entries heavy with each CF_V: 0.5 for each; 2 light ones cost the same everywhere.
        model = {"vertical": 2, "horizontal": 4, "tree": self.TREE, "light": cost(0, 5), "heavy": {"1": cost(0, 2), "2": cost(0, 1)}}
        made = matrix(0.9)
        self.assertEqual(segment_model.chosen_by(model, made).vertical, 2)
        made.times[2, 2, 4]["heavy_nnz"] = 500  # 500 + 500 * 5 above 998 * 2 + 2 * 5
        self.assertEqual(segment_model.chosen_by(model, made).vertical, 1)

    def test_of_several_best_the_first(self):
        made = matrix(0.9)
        for time in made.times.values():
            time["median_ms"] = 1
        self.assertEqual(made.best, (1, 1, 1))

    def test_a_tree_that_would_not_end(self):
        with self.assertRaisesRegex(ValueError, "node 0 of the tree goes to 0"):
            segment_model.threshold_of([{**self.TREE[0], "above": 0}], {"gaps_1": 1})


class ModelChart(ReportTest):
    MODEL = {"device": "a <device>", "value_type": "f64", "vertical": 2, "horizontal": 1,
             "tree": [{"feature": "accumulations", "limit": 0.5, "at_most": 1, "above": 2}, {"threshold": 5}, {"threshold": 3}]}

    def times(self, matrix, nnz, parameters, ms, **more):
        return {"operation": "calibrate", "matrix": matrix, "value_type": "f64", "k": 16, "parameters": parameters, "rows": 7,
                "nnz": nnz, "training": matrix == "first", "segments": 3, "heavy_nnz": 5, "median_ms": ms, "device": "a <device>", **more}

    def features(self, matrix, accumulations):
        return {"operation": "calibrate_features", "matrix": matrix, "value_type": "f64", "k": 1, "parameters": "2",
                "features": {"accumulations": accumulations}, "device": "a <device>"}

    def setUp(self):
        super().setUp()
        self.rows = [
            self.features("second", 0.75), self.features("first", 0.25), self.features("no times", 0.5),
            *(self.times("second", 2000, parameters, ms) for parameters, ms in (("2,8,1", 4), ("2,3,1", 2), ("2,5,1", 1))),
            *(self.times("first", 1000, parameters, ms) for parameters, ms in (("2,8,1", 3), ("2,5,1", 1))),
            self.times("no features", 10, "2,8,1", 3),
            {"operation": "spmv", "device": "another"},
            {"operation": "calibrate_costs", "value_type": "f64", "parameters": "light,1", "device": "a <device>"},
        ]  # fmt: skip

    def asked(self, rows=None, model=None):
        self.write("model.json", json.dumps({"models": [self.MODEL if model is None else model]}))
        rows = self.write("rows.jsonl", self.rows if rows is None else rows)
        return ["model-chart", rows, "--model", self.folder / "model.json", "--out", self.folder / "page.html"]

    def test_matrices_by_entries(self):
        rows, device, k = segment_model.read_measurements(self.write("rows.jsonl", self.rows))
        self.assertEqual((device, k), ("a <device>", 16))
        self.assertEqual([(m.name, m.is_training) for m in segment_model.matrices_of(rows, "f64")], [("first", True), ("second", False)])
        self.assertEqual(segment_model.matrices_of(rows, "f32"), [])

    def test_a_model_stands_between_fixed_and_best_parameters(self):
        # Fixed 3 and 4, the model 1 and 2, both over a best of 1.
        self.assertEqual(self.run_well(*self.asked()).out,
                         "f64, 2 matrices, time over the best: no model 3.464, model 1.414 (geometric mean)\n")
        page = (self.folder / "page.html").read_text(encoding="utf-8")
        for part in ("2 matrices on a &lt;device&gt;", "no model 3.464, 4.000; model 1.414, 2.000",
                     # 2 * 2000 * 16 operations in 2 ms.
                     "second, model, 2,3,1: 0.032 GFLOPS", "first (training), best, 2,5,1: 0.032 GFLOPS", ">2,8,1<"):
            self.assertIn(part, page)

    def test_other_fixed_parameters_are_for_f32_and_then_for_f64(self):
        self.assertIn("no model 1.000,", self.run_well(*self.asked(), "--fixed", "4,8,1", "--fixed", "2,5,1").out)
        self.refused("no matrix with times of all three", *self.asked(), "--fixed", "4,8,1", code=2)
        for text in ("", "4", "4,16", "4,16,", "4,16,2,", "4,0,2", "a,1,2", "4;16;2"):
            self.refused(f'--fixed: parameters "{text}", expected CF_V', *self.asked(), f"--fixed={text}", code=2)

    def test_rows_of_several_devices_or_of_none(self):
        self.refused("1 devices and 2 k, expected one", *self.asked(self.rows + [self.times("x", 1, "2,8,1", 1, k=3)]), code=2)
        self.refused("0 devices and 0 k, expected one", *self.asked([]), code=2)
        self.refused("rows.jsonl, line 1: no device", *self.asked([{"operation": "calibrate"}]))

    def test_models_that_are_none(self):
        for model, message in (({**self.MODEL, "device": "other"}, "no model of a <device>; there are other"),
                               ({**self.MODEL, "tree": [{"feature": "none"}]}, "not a model of row segments"),
                               ({"device": "a <device>", "value_type": "f64"}, "model.json: no vertical")):
            self.refused(message, *self.asked(model=model))


if __name__ == "__main__":
    unittest.main()
