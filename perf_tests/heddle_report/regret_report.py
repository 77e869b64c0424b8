# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What heddle-perf regret measured, as tables and as a page with distributions: docs/zoo.md."""

import math

from heddle_report.interpreter import needs_pages
from heddle_report.options import number
from heddle_report.paper import save_charts
from heddle_report.regret import PARTS, finite, read_measured, within
from heddle_report.rows import grouped, replacing
from heddle_report.statistics import summary_of, text_table
from heddle_report.timings import ms_text, ratio_text

ABOUT = "says of what heddle-perf regret measured how good the automatic choice is"
READING = ("choice: time of heddle::auto over that of heddle's fastest kernel; kernels: over that of the fastest of all; lead: time of "
           "the fastest of other libraries over that of heddle::auto. mean: geometric; 99 %: that many cases are within; failed: "
           "cases in which heddle::auto has no time, which count as 10, 10 and, where another library has one, 0.1; long plans: "
           "above the larger of 20 calls and 0.3 ms (SpMV, SpMM with k = 32), or half of a whole multiply (numeric phase of SpGEMM).")
VALIDATION = "Cases of validation matrices are in sums alone, so that nothing is chosen by looking at them; --validation lists them too."
NUMBERS = ["cases", "failed", "choice mean", "99 %", "most", "kernels mean", "99 %", "most", "lead mean", "least", "long plans"]


def numbers_of(cases):
    """The cells of NUMBERS."""
    choice, kernels, lead = (finite(getattr(case, name) for case in cases) for name in ("choice", "kernels", "lead"))
    cells = [len(cases), sum(bool(case.auto.skipped) for case in cases)]
    for ratios in (choice, kernels):
        cells += [summary_of(ratios).geometric, within(ratios), summary_of(ratios).most]
    return [*cells, summary_of(lead).geometric, summary_of(lead).least, sum(case.is_plan_long for case in cases)]


def summary_lines(cases):
    """Of each problem and part."""
    groups = grouped(cases, lambda case: (case.problem, case.auto.part))
    return [[str(problem), part, *numbers_of(groups[problem, part])]
            for problem in grouped(cases, lambda case: case.problem) for part in PARTS if (problem, part) in groups]


def family_lines(cases, has_validation):
    """Of each operation and family, of all types and widths together, the worst family of an operation first."""
    def family(case):
        return case.auto.family if has_validation or case.auto.part != "validation" else "all of validation"

    lines = []
    for operation, of in grouped(cases, lambda case: case.problem.operation).items():
        found = [[operation, name, part, *numbers_of(some)]
                 for (part, name), some in grouped(of, lambda case: (case.auto.part, family(case))).items()]
        lines += sorted(found, key=lambda line: (PARTS.index(line[2]), -zero_if_nan(line[8])))
    return lines


def zero_if_nan(value):
    return value if math.isfinite(value) else 0


WORST = ["matrix", "family", "choice", "kernels", "lead", "auto ms", "chosen", "fastest of heddle", "ms", "fastest of others", "ms",
         "plan calls"]


def short_name(implementation):
    return implementation.removeprefix("heddle::")


def worst_line(case):
    own, peer = case.fastest_own, case.fastest_peer
    has_other = own and not own.is_automatic
    return [case.auto.matrix, case.auto.family, case.choice, case.kernels, case.lead, case.auto.median_ms,
            case.auto.skipped or case.auto.chosen, short_name(own.implementation) if has_other else "",
            own.median_ms if has_other else math.nan, peer.implementation if peer else "", peer.median_ms if peer else math.nan,
            case.plan_calls]


def worst_tables(cases, count):
    """problem -> the lines of its worst cases: by what is lost to any kernel, then to heddle's own."""
    for problem, of in grouped(cases, lambda case: case.problem).items():
        of = sorted(of, key=lambda case: (-zero_if_nan(case.kernels), -zero_if_nan(case.choice), case.auto.matrix))
        yield problem, [worst_line(case) for case in of[:count]]


PLANS = ["problem", "matrix", "family", "plan ms", "bound ms", "calls", "chosen"]


def plan_lines(cases, count):
    """The plans that take longest beside their bounds, and how many there are."""
    long = sorted((case for case in cases if case.is_plan_long), key=lambda case: -case.auto.plan_ms / case.plan_bound_ms)
    return [[str(case.problem), case.auto.matrix, case.auto.family, case.auto.plan_ms, case.plan_bound_ms, case.plan_calls,
             case.auto.chosen] for case in long[:count]], len(long)


def text_of(cell):
    if isinstance(cell, float):
        return "-" if math.isnan(cell) else ms_text(cell) if cell < 1e-2 else ratio_text(cell)
    return str(cell) or "-"


def print_table(head, lines, texts=1):
    print(text_table([head, *([text_of(cell)[:60] for cell in line] for line in lines)], texts=texts))


def listed(cases, has_validation):
    return [case for case in cases if has_validation or case.auto.part != "validation"]


def print_report(measured, asked):
    for line in measured.about + measured.notes:
        print(line)
    print(f"\n{READING}\n")
    print_table(["problem", "part", *NUMBERS], summary_lines(measured.cases), texts=2)
    print_table(["by family", "family", "part", *NUMBERS], family_lines(measured.cases, asked.validation), texts=3)
    cases = listed(measured.cases, asked.validation)
    for problem, lines in worst_tables(cases, asked.worst):
        print(f"{problem}: the worst {len(lines)}")
        print_table(WORST, lines, texts=2)
    lines, count = plan_lines(cases, asked.worst)
    if count:
        print(f"plans above their bound: {count}" + (f", of which the longest {len(lines)}" if len(lines) < count else ""))
        print_table(PLANS, lines, texts=3)
    if len(cases) < len(measured.cases):
        print(VALIDATION)


# Series of the distributions: name of the ratio, part, look.
SHOWN = [("choice", "tuning", 0), ("choice", "validation", 8), ("kernels", "tuning", 4), ("kernels", "validation", 12)]
LEADS = [("lead", "tuning", 2), ("lead", "validation", 10)]


def distribution(cases, shown):
    """Series of the share of cases in percent, from the first ratio on."""
    from heddle_report.charts import Series

    all_series = []
    for name, part, look in shown:
        ratios = sorted(finite(getattr(case, name) for case in cases if case.auto.part == part))
        series = Series(f"{name}, {part} ({len(ratios)})", look=look)
        for n, ratio in enumerate(ratios):
            series.add(ratio, 100 * (n + 1) / len(ratios))
        all_series += [series] if ratios else []
    return all_series


def figures_of(problem, cases):
    from heddle_report.figures import Figure

    for title, x, shown, about in (
            ("what the choice loses", "time of heddle::auto over the fastest", SHOWN, "Further to the left is better."),
            ("lead over other libraries", "time of the fastest of other libraries over heddle::auto", LEADS,
             "Further to the right is better.")):
        figure = Figure(f"{problem}: {title}", x, "% of matrices within", distribution(cases, shown), about, draw="steps",
                        is_log=(True, False), references=[((1, 1), (0, 100), "")])
        if figure.has_points:
            yield figure


# Operations of the one chart of leads, in its order.
LEAD_OF = {"spmv": "SpMV", "spmm": "SpMM", "spgemm": "SpGEMM", "spgemm_numeric": "SpGEMM, numeric phase"}


def lead_chart(cases):
    """The distribution of the lead over other libraries: a line for each operation, with all of its types and widths."""

    def draw(charts):
        axes = charts.new_axes("Lead over other libraries", "time of the fastest of other libraries over that of heddle::auto",
                               "% of cases below", x_log=True)
        axes.plot((1, 1), (0, 100), **charts.REFERENCE)
        all_series = []
        for look, (operation, name) in enumerate(LEAD_OF.items()):
            leads = sorted(finite(case.lead for case in cases if case.problem.operation == operation))
            series = charts.Series(f"{name} ({len(leads)})", look=look)
            for n, lead in enumerate(leads):
                series.add(lead, 100 * (n + 1) / len(leads))
            all_series += [series] if leads else []
        charts.lines(axes, all_series, steps="steps-post")
        axes.set_ylim(0, 100)
        return axes

    return draw


def page_of(measured, asked):
    from heddle_report.figures import chart_of
    from heddle_report.page import Table, render

    cases = listed(measured.cases, asked.validation)
    charts = [chart_of(figure) for problem, of in grouped(measured.cases, lambda case: case.problem).items()
              for figure in figures_of(problem, of)]
    lines, count = plan_lines(cases, asked.worst)
    return render("regret.html", title="Regret", about=measured.about, notes=measured.notes, reading=READING, charts=charts,
                  summary=Table(["problem", "part", *NUMBERS], summary_lines(measured.cases)),
                  families=Table(["operation", "family", "part", *NUMBERS], family_lines(measured.cases, asked.validation)),
                  worst=[(str(problem), Table(WORST, of)) for problem, of in worst_tables(cases, asked.worst)],
                  plans=Table(PLANS, lines), plan_count=count, hidden="" if len(cases) == len(measured.cases) else VALIDATION)


def whole_number(text):
    return int(number(0, 1e6)(text))


def add_arguments(parser):
    parser.add_argument("paths", metavar="DIR_OR_FILE", nargs="+",
                        help="files that regret --json wrote, packed by gzip or not; of a folder all its *.jsonl and *.jsonl.gz")
    parser.add_argument("-o", "--out", metavar="PAGE", help="also writes an HTML page with the distributions as charts")
    parser.add_argument("--lead-chart", metavar="FILE.svg", help="also writes one chart: the distribution of the lead by operation")
    parser.add_argument("--worst", type=whole_number, default=20, metavar="N", help="how many cases of a problem are listed [%(default)s]")
    parser.add_argument("--validation", action="store_true",
                        help="also lists families and cases of the validation part, by which nothing may be chosen")
    parser.epilog = "Example:\n  heddle-perf regret-report zoo.jsonl -o regret.html --worst 10"


def run(asked):
    if asked.out:
        needs_pages()
    measured = read_measured(asked.paths)
    if asked.out:
        with replacing(asked.out) as page:  # charts take long to draw
            page.write(page_of(measured, asked))
    if asked.lead_chart:
        save_charts({asked.lead_chart: lead_chart(measured.cases)})
    print_report(measured, asked)
