# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A page after paper 000's Fig. 7 of what heddle-perf calibrate measured: fixed parameters of row segments, those of its model, and
the best."""

from heddle_report.charts import Series, new_axes, scatter, svg_of
from heddle_report.page import Chart, Table, render
from heddle_report.rows import Unusable, replace_file
from heddle_report.segment_model import FIXED, compared, configuration, over_best, read_measurements, read_model
from heddle_report.statistics import short_number
from heddle_report.timings import ms_text, ratio_text

ABOUT = "makes an HTML page of what calibrate measured (paper 000, Fig. 7)"
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
