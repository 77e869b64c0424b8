# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What heddle-perf calibrate measured of row segments (paper 000, section 4): fixed parameters, those of a model, and the best."""

import argparse
import re
from dataclasses import dataclass, field
from typing import NamedTuple

from heddle_report.paper import Object
from heddle_report.rows import Unusable, object_of, objects_of
from heddle_report.statistics import summary_of


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
    return models_of(object_of(path), path, device)


def models_of(data, path, device):
    models = data.get("models", [])
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


def over_best(matrices, way):
    return summary_of(matrix.ms(getattr(matrix, way)) / matrix.ms(matrix.best) for matrix in matrices)
