# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Figures that need more than one section: one k beside others, A^T B alone and with A B, SpMV beside SpGEMM."""

import dataclasses
import math

from heddle_report.charts import Series
from heddle_report.contenders import FILLED_LOOKS, contenders_of
from heddle_report.figures import Figure
from heddle_report.results import operands_of
from heddle_report.rows import grouped
from heddle_report.section_figures import ENTRIES, clouds, entries, gflops


def of_operations(sections, *operations):
    wanted = [section for section in sections if section.first.operation in operations]
    return [dataclasses.replace(section, rows=section.timed) for section in wanted if section.timed]


def leader_of(section):
    """The automatic choice, or the first where nothing of heddle's ran."""
    return contenders_of(section.rows)[0]


def gflops_by_width(sections):
    first, series = sections[0].first, []
    for look, section in enumerate(sections):
        (cloud,) = clouds([leader_of(section)], entries, gflops, f"GFLOPS, k = {section.first.k}")
        series.append(dataclasses.replace(cloud, name=f"k = {section.first.k}", look=look))
    return Figure(f"GFLOPS by k: {first.operation} {operands_of(first)}", ENTRIES, "GFLOPS", series,
                  f"{leader_of(sections[0]).name} on {first.device} (Hong et al. 2018, Fig. 8 a).", "no row has GFLOPS")


def transposed_products(sections):
    first, series = sections[0].first, []
    present = {section.first.operation for section in sections}
    for section in sections:
        if section.first.operation == "spmm":
            continue
        is_both = section.first.operation == "spmm_both"
        shown = [contender for contender in contenders_of(section.rows) if contender.role not in ("named", "serial")]
        what = "both" if is_both else "A^T B"
        for cloud in clouds(shown, entries, gflops, f"GFLOPS, {what}"):
            look = cloud.look % FILLED_LOOKS + (FILLED_LOOKS if is_both else 0)
            series.append(dataclasses.replace(cloud, name=f"{cloud.name}, {what}", look=look))
    lacking = [operation for operation in ("spmm_t", "spmm_both") if operation not in present]
    return Figure(f"A^T B alone and with A B: {operands_of(first)}, k = {first.k}", ENTRIES, "GFLOPS", series,
                  f"Filled: A^T B; hollow: A^T B and A B, with the operations of both; on {first.device} (Hong et al. 2018, Figs. 14 and "
                  "15)." + (f" There are no rows of {lacking[0]}." if lacking else ""),
                  "no rows of spmm_t and spmm_both with GFLOPS")


def operations_per_word(sections):
    """GFLOPS of SpMV and SpGEMM by matrix, and operations per word of them."""
    first, leaders = sections[0].first, [leader_of(section) for section in sections]
    nnz = {row.matrix: row.nnz for leader in leaders for row in leader.rows}
    matrices = sorted(nnz, key=lambda matrix: (nnz[matrix], matrix))

    def figure(title, label, value, about, missing, is_log):
        series = []
        for look, (section, leader) in enumerate(zip(sections, leaders)):
            rows = map(leader.on, matrices)
            series.append(Series(f"{section.first.operation}, {leader.name}", y=[value(row) if row else math.nan for row in rows],
                                 look=look))
        about = f"Matrices by their entries, on {first.device}. {about}"
        return Figure(f"{title}: {operands_of(first)}", "", label, series, about, missing, "bars", (False, is_log), matrices)

    return [figure("GFLOPS of SpMV and SpGEMM", "GFLOPS", gflops, "Kurt et al. 2017, Fig. 3, upper part.", "no row has GFLOPS", True),
            figure("Operations per word", "flops / word", lambda row: row.intensity * row.value_bytes,
                   "A word is as large as a value; words are the compulsory bytes, so these are upper bounds (Kurt et al. 2017, Fig. 3, "
                   "lower part, measures them).", "no row has both GFLOPS and GB/s", False)]


def figures_across(sections):
    products = of_operations(sections, "spmm", "spmm_t", "spmm_both")
    by_k = grouped(products, lambda s: (s.first.operation, s.first.value_type, s.first.layout, s.first.device))
    figures = [gflops_by_width(of) for of in by_k.values() if len(of) > 1]
    by_operands = grouped(products, lambda s: (s.first.value_type, s.first.layout, s.first.device, s.first.k))
    figures += [transposed_products(of) for of in by_operands.values() if {section.first.operation for section in of} != {"spmm"}]
    by_values = grouped(of_operations(sections, "spmv", "spgemm"), lambda s: (s.first.value_type, s.first.device))
    for of in by_values.values():
        figures += operations_per_word(of) if of[-1].first.operation == "spgemm" else []
    return figures
