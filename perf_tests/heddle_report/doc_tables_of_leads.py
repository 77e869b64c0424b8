# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The table of README.md, heddle::auto beside other libraries with where it is slower, and the chart of the same speedups."""

import re
from dataclasses import dataclass

from heddle_report.doc_tables_of_times import table
from heddle_report.doc_tables_of_zoo import RATIO, measured_cases
from heddle_report.fastest import FAMILIES, fastest_of, speedups
from heddle_report.rows import Unusable
from heddle_report.statistics import geometric_mean

NAMES = {"spmv": "SpMV", "spmv_t": "SpMV, A^T x", "spmm": "SpMM", "spmm_t": "SpMM, A^T B", "spgemm": "SpGEMM", "spgemm_numeric": "SpGEMM, numeric phase"}
FAMILY_OF = {title: family for family, title in FAMILIES.items()}
PEERS = "published codes"


@dataclass
class Lead:
    """One operation beside one library, or the fastest of several: the speedup of heddle on each matrix."""

    title: str
    other: str
    device: str
    speedups: dict

    @property
    def mean(self):
        return geometric_mean(self.speedups.values())

    @property
    def least(self):
        return min(self.speedups, key=self.speedups.get)

    @property
    def slower(self):
        return sum(speedup < 1 for speedup in self.speedups.values())


def device_of(rows):
    """A short name of the one device that all rows are of, such as H100 for NVIDIA H100 80GB HBM3."""
    names = {row.device for row in rows} - {""}
    if len(names) != 1:
        raise Unusable(f"rows are of {len(names)} devices")
    (name,) = names
    if gpu := re.match(r"NVIDIA (\S+)", name):
        return gpu[1]
    return ", ".join(re.sub(r"Intel|\(R\)|Processor|[()]", " ", name).strip().split(maxsplit=1))


def speedups_of(asked, rows, other):
    """problem -> matrix -> speedup. Of the zoo these are leads, in which a case that others have a time for, and heddle has not, counts as 0.1."""
    found = {}
    if any(row.part for row in rows):
        if other != "cuSPARSE":
            raise Unusable(f"of the zoo there is no {other}")
        for case in measured_cases(asked):
            if case.lead > 0:
                found.setdefault(case.problem, {})[case.auto.matrix] = case.lead
    elif other == PEERS:
        for problem, data in asked.joined("peers"):
            found.setdefault(problem, {})[data["matrix"]] = data["peer_ratio"]
    else:
        found = {problem: speedups(matrices, FAMILY_OF[other]) for problem, matrices in fastest_of(rows).items()}
    return found


def data_of(asked):
    """OTHER: OPERATION[:K]... of FILE...; ..."""
    value_type = asked.files[0]
    for group in asked.classes.split(";"):
        other, _, operations = group.strip().partition(": ")
        if other not in (*FAMILY_OF, PEERS):
            raise Unusable(f"{other}: expected {', '.join([*FAMILY_OF, PEERS])}")
        peers = f" with {asked.said['with']}" if other == PEERS else ""
        of_group = type(asked)(operations + peers, asked.folder)
        rows = of_group.rows()
        device, found = device_of(rows), speedups_of(of_group, rows, other)
        for operation in of_group.words:
            problem = of_group.problem(value_type, operation)
            if not found.get(problem):
                raise Unusable(f"no such rows of {operation}")
            title = NAMES[problem.operation] + (f", k = {problem.k}" if problem.layout else "")
            yield Lead(title, other, device, found[problem])


def leads(asked):
    """leads TYPE [with PEERS] by OTHER: OPERATION[:K]... of FILE...; ...: heddle::auto beside cuSPARSE, Kokkos Kernels or published
    codes, the fastest of each on each matrix: geometric mean and least of the speedups, and on how many matrices it is slower"""
    lines = [[lead.title, lead.other, lead.device, f"{lead.mean:.2f}", f"{lead.speedups[lead.least]:.2f} (`{lead.least}`)",
              f"{lead.slower} of {len(lead.speedups)}"] for lead in asked.once(data_of)]
    head, _, *body = table(["operation", "compared with", "on", "speedup", "least", "slower on"], lines)
    return [head, "|---|---|---|--:|:--|--:|", *body]


def tips_of(all_leads):
    """What is said of each point of the chart, which is all that its data are."""
    return [f"{lead.title}, {lead.other}, {lead.device}: {matrix} {RATIO.format(speedup)}"
            for lead in all_leads for matrix, speedup in lead.speedups.items()]


def draw(charts, all_leads):
    """A line for each lead, from the top: a point for each matrix, and a bar at the geometric mean."""
    axes = charts.new_axes("Speedup: a point per matrix, a bar at the mean",
                           "time of the other library over the time of heddle", "", x_log=True,
                           size=(7.6, 0.36 * len(all_leads) + 1.1))
    axes.axvline(1, **charts.REFERENCE)
    others = list(dict.fromkeys(lead.other for lead in all_leads))
    for n, lead in enumerate(all_leads):
        color = charts.COLORS[others.index(lead.other)]
        # Points of a line are spread over its height in a fixed order, so that few cover each other.
        heights = [n + 0.22 * ((5 * m) % 7 - 3) / 3 for m in range(len(lead.speedups))]
        marks = axes.scatter(list(lead.speedups.values()), heights, s=9, color=color, alpha=0.45, linewidths=0)
        charts.set_tips(marks, tips_of([lead]))
        axes.plot((lead.mean, lead.mean), (n - 0.36, n + 0.36), color=color, linewidth=3)
        axes.text(1.01, n, f"{lead.mean:.2f}", transform=axes.get_yaxis_transform(), va="center", color=color, fontweight="bold")
    axes.set_yticks(range(len(all_leads)), [f"{lead.title} / {lead.other}, {lead.device}" for lead in all_leads])
    axes.set_ylim(len(all_leads) - 0.5, -0.5)
    axes.grid(axis="y", visible=False)
    charts.label_short_axes(axes)
    return axes


TABLES = (leads,)
