# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A page after paper 000's Fig. 7 of what heddle-perf calibrate measured: fixed parameters of row segments, those of its model, and
the best."""

import argparse
import re
from dataclasses import dataclass, field
from typing import NamedTuple

from heddle_report.charts import Series, new_axes, scatter, svg_of
from heddle_report.page import Chart, Table, render
from heddle_report.paper import Object
from heddle_report.rows import Unusable, object_of, objects_of, replace_file
from heddle_report.statistics import short_number, summary_of
from heddle_report.timings import ms_text, ratio_text

ABOUT = "makes an HTML page of what calibrate measured (paper 000, Fig. 7)"


class Configuration(NamedTuple):
    """Parameters of row segments: CF_V, threshold and CF_H."""

    vertical: int
    threshold: int
    horizontal: int

    def __str__(self):
        return ",".join(map(str, self))


# CF_V as panels of paper 000 are made for, the middle threshold, CF_H of its section 4.1.
FIXED = {"f32": Configuration(2, 8, 2), "f64": Configuration(2, 8, 1)}


@dataclass
class Measured:
    """All that was measured of a matrix in one value type."""

    name: str
    features: dict = field(default_factory=dict)  # by CF_V, which makes panels narrower or wider
    times: dict = field(default_factory=dict)  # configuration -> the object with median_ms
    fixed: Configuration = None
    model: Configuration = None

    @property
    def best(self):
        """The fastest; of several the first."""
        return min(sorted(self.times), key=self.ms)

    @property
    def nnz(self):
        return next(iter(self.times.values()))["nnz"]

    @property
    def is_training(self):
        return next(iter(self.times.values()))["training"]

    def ms(self, configuration):
        return self.times[configuration]["median_ms"]


def configuration(text):
    if not re.fullmatch(r"[1-9]\d*(,[1-9]\d*){2}", text, re.ASCII):
        raise argparse.ArgumentTypeError(f'parameters "{text}", expected CF_V, threshold and CF_H such as 2,8,1')
    return Configuration(*map(int, text.split(",")))


def read_measurements(path):
    """The rows of a calibration, which are of one device and one k."""
    rows = [Object(where, data) for where, data in objects_of(path)
            if str(Object(where, data)["operation"]).startswith("calibrate")]
    devices, widths = {row["device"] for row in rows}, {row["k"] for row in rows if row["operation"] == "calibrate"}
    if len(devices) != 1 or len(widths) != 1:
        raise Unusable(f"{path} has {len(devices)} devices and {len(widths)} k, expected one of each")
    return rows, devices.pop(), widths.pop()


def matrices_of(rows, value_type):
    """By entries; a matrix without times or without features is left out."""
    matrices = {}
    for row in rows:
        if row["value_type"] != value_type or row["operation"] not in ("calibrate", "calibrate_features"):
            continue
        matrix = matrices.setdefault(row["matrix"], Measured(row["matrix"]))
        if row["operation"] == "calibrate":
            matrix.times[configuration(row["parameters"])] = row
        else:
            matrix.features[int(row["parameters"])] = row["features"]
    return sorted((matrix for matrix in matrices.values() if matrix.times and matrix.features), key=lambda m: (m.nnz, m.name))


def read_model(path, device):
    """value type -> the model of it on that device"""
    models = object_of(path).get("models", [])
    found = {model["value_type"]: Object(path, model) for model in models if model["device"] == device}
    if not found:
        raise Unusable(f"{path}: no model of {device}; there are {', '.join(sorted({model['device'] for model in models}))}", 3)
    return found


def threshold_of(tree, features):
    """Nodes ask whether a feature is at most a limit; each goes to one behind it."""
    at = 0
    while "threshold" not in tree[at]:
        node = tree[at]
        after = node["at_most"] if features[node["feature"]] <= node["limit"] else node["above"]
        if not at < after < len(tree):
            raise ValueError(f"node {at} of the tree goes to {after}")
        at = after
    return tree[at]["threshold"]


def milliseconds(cost, additions, entries):
    return cost["per_accumulation_ms"] * additions + cost["per_entry_ms"] * entries


def chosen_by(model, matrix):
    """What the model takes for a matrix among the configurations that were measured: as conversion and plan would."""
    chosen = Configuration(model["vertical"], threshold_of(model["tree"], matrix.features[model["vertical"]]), model["horizontal"])
    costs = {}
    for vertical, heavy in model.get("heavy", {}).items():
        candidate = chosen._replace(vertical=int(vertical))
        if any(heavy.values()) and candidate in matrix.times:
            row = matrix.times[candidate]
            light = milliseconds(model["light"], row["rows"], row["nnz"] - row["heavy_nnz"]) if "light" in model else 0
            costs[candidate] = milliseconds(heavy, row["segments"], row["heavy_nnz"]) + light
    return min(sorted(costs), key=costs.get, default=chosen)


def compared(rows, value_type, model, fixed):
    """The matrices that were measured with fixed parameters and with those of the model."""
    matrices = [matrix for matrix in matrices_of(rows, value_type) if model["vertical"] in matrix.features]
    for matrix in matrices:
        matrix.fixed, matrix.model = fixed, chosen_by(model, matrix)
    return [matrix for matrix in matrices if matrix.fixed in matrix.times and matrix.model in matrix.times]


WAYS = {"no model": "fixed", "model": "model", "best": "best"}


def chart_of(matrices, value_type, k):
    axes = new_axes(f"Row segments without model, with it and at best: {value_type}, k = {k}", "entries of A", "GFLOPS", x_log=True,
                    size=(11, 4))
    all_series = []
    for look, (name, way) in enumerate(WAYS.items()):
        all_series.append(Series(name, look=look))
        for matrix in matrices:
            taken = getattr(matrix, way)
            gflops = 2e-6 * matrix.nnz * k / matrix.ms(taken)
            kind = "(training), " if matrix.is_training else ", "
            all_series[-1].add(matrix.nnz, gflops, f"{matrix.name}{' ' * matrix.is_training}{kind}{name}, {taken}: "
                                                   f"{short_number(gflops)} GFLOPS")
        axes.plot(all_series[-1].x, all_series[-1].y, color=all_series[-1].color, linewidth=0.8, alpha=0.6)
    scatter(axes, all_series)
    return Chart(svg_of(axes), is_wide=True)


def table_of(matrices):
    lines = []
    for matrix in matrices:
        taken = [getattr(matrix, way) for way in WAYS.values()]
        cells = [cell for one in taken for cell in (str(one), ms_text(matrix.ms(one)))]
        lines.append([matrix.name, matrix.nnz, "training" if matrix.is_training else "test", *cells])
    return Table(["matrix", "entries", "set", *(title for name in WAYS for title in (name, "ms"))], lines)


def over_best(matrices, way):
    return summary_of(matrix.ms(getattr(matrix, way)) / matrix.ms(matrix.best) for matrix in matrices)


def add_arguments(parser):
    parser.add_argument("results", metavar="RESULTS", help="what calibrate --results wrote")
    parser.add_argument("--model", required=True, metavar="FILE", help="what calibrate --out wrote")
    parser.add_argument("-o", "--out", required=True, metavar="FILE", help="the page to write")
    parser.add_argument("--fixed", action="append", type=configuration, metavar="CF_V,T,CF_H",
                        help="parameters of no model, for f32 and, if given again, for f64 [2,8,2 and 2,8,1]")
    parser.epilog = "Example:\n  heddle-perf model-chart model.jsonl --model model.json --out model.html"


def run(asked):
    rows, device, k = read_measurements(asked.results)
    fixed = dict(zip(FIXED, (asked.fixed[0], asked.fixed[-1]))) if asked.fixed else FIXED
    sections = []
    try:
        for value_type, model in sorted(read_model(asked.model, device).items()):
            if matrices := compared(rows, value_type, model, fixed[value_type]):
                sections.append((value_type, matrices))
    except (AttributeError, KeyError, IndexError, TypeError, ValueError) as problem:
        raise Unusable(f"{asked.model}: not a model of row segments: {problem!r}", 3) from problem
    if not sections:
        raise Unusable(f"{asked.results} has no matrix with times of all three")
    parts = []
    for value_type, matrices in sections:
        means = {name: over_best(matrices, way) for name, way in WAYS.items() if way != "best"}
        said = ", ".join(f"{name} {ratio_text(of.geometric)}" for name, of in means.items())
        print(f"{value_type}, {len(matrices)} matrices, time over the best: {said} (geometric mean)")
        most = "; ".join(f"{name} {ratio_text(of.geometric)}, {ratio_text(of.most)}" for name, of in means.items())
        parts.append({"title": value_type, "chart": chart_of(matrices, value_type, k), "table": table_of(matrices),
                      "about": f"{len(matrices)} matrices on {device}. Times over the best, geometric mean and most: {most}."})
    replace_file(asked.out, render("model_chart.html", title="Model of row segments", parts=parts))
