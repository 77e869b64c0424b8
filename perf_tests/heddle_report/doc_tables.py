# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the tables of README.md and of the pages of docs/ that have any from results, and the charts docs/leads.svg (of
README.md), docs/roofline.svg (of docs/expect.md) and docs/rs_spmm.svg (of docs/papers.md).

A page holds comments `<!-- DIRECTIVE -->` that say what stands between them and `<!-- end -->`; the directives are below.
FILE is relative to perf_tests/results. A speedup is the time of the fastest method of Kokkos Kernels, or of what the
column names, over that of heddle::auto. K is 1 and LAYOUT row where they are left out. CLASSES is NAME: MATRIX...;
NAME: MATRIX...; tables have matrices of these alone. PEERS and AGREEMENT are what `heddle-perf peers --json` and
`heddle-perf peers --agreement --json` wrote of the same results: tables of peers are not in the repository, the ratios
to them are. Ratios that belong to other results are refused.
"""

import html
import pathlib
import re

from heddle_report import (doc_tables_of_leads, doc_tables_of_multigrid, doc_tables_of_paper_002, doc_tables_of_papers,
                           doc_tables_of_peers, doc_tables_of_roofline, doc_tables_of_times, doc_tables_of_zoo)
from heddle_report.rows import Unusable, objects_of, replace_file, row_of
from heddle_report.fastest import fastest_of
from heddle_report.interpreter import needs_pages
from heddle_report.timings import Problem, problem_of

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *(DOCS / f"{page}.md" for page in (
    "expect", "which_format", "which_option", "performance", "spmv", "spmm", "spgemm", "multigrid", "zoo", "papers"))]
MODULES = (doc_tables_of_times, doc_tables_of_peers, doc_tables_of_zoo, doc_tables_of_multigrid,
           doc_tables_of_papers, doc_tables_of_paper_002, doc_tables_of_leads, doc_tables_of_roofline)
# Directives that have a chart too: who draws it. On these pages it is kept in a file.
DRAWN = {"leads": doc_tables_of_leads, "roofline": doc_tables_of_roofline, "contest": doc_tables_of_papers}
CHARTS = {PAGES[0]: ("leads", DOCS / "leads.svg"), DOCS / "expect.md": ("roofline", DOCS / "roofline.svg"),
          DOCS / "papers.md": ("contest", DOCS / "rs_spmm.svg")}
TABLES = {table.__name__: table for module in MODULES for table in module.TABLES}
DIRECTIVE = re.compile(rf"(<!-- ({'|'.join(TABLES)}) (.*?) -->\n).*?(<!-- end -->)", re.DOTALL)
ABOUT = "\n".join([__doc__, *(f"  {table.__doc__}" for table in TABLES.values())])


class Asked:
    """What a directive asks for: the words at its beginning, and what follows of, with, within, below and by."""

    def __init__(self, text, folder):
        self.text, self.folder, self.made = text, folder, None
        text, _, self.classes = text.partition(" by ")
        first, *rest = re.split(r"(?:^| )(of|with|within|below) ", text)
        self.said = dict(zip(rest[::2], rest[1::2]))
        self.words = first.split() if "of" in self.said else []
        self.files = self.said.get("of", first).split()

    def objects(self, files=None):
        return (data for file in files or self.files for _, data in objects_of(self.folder / file))

    def rows(self, files=None):
        return [row_of(data, "a row") for data in self.objects(files)]

    def fastest(self, files=None):
        return fastest_of(self.rows(files))

    def once(self, make):
        """What make(self) yields, as a list that the table and the chart share."""
        if self.made is None:
            self.made = list(make(self))
        return self.made

    def problem(self, value_type, operation):
        """Of OPERATION[:K][:LAYOUT]."""
        name, k, layout, *_ = *operation.split(":"), "", ""
        return Problem(name, value_type, int(k or 1), (layout or "row") if name.startswith("spmm") else "")

    def joined(self, kind):
        """The objects that peers made of the same results, with the problem of each; they are checked to be of these."""
        if "with" not in self.said:
            raise Unusable("names no file of heddle-perf peers")
        file, results = self.said["with"].strip(), self.fastest()
        for data in self.objects([file]):
            if data.get("joined") != kind:
                raise Unusable(f"{file}: a row is not of {kind}")
            row = row_of(data, file)
            problem = problem_of(row)
            if problem not in results:
                continue
            measured = results[problem].get(row.matrix, {}).get(row.implementation)
            if not measured or measured.median_ms != row.median_ms:
                raise Unusable(f"{file}: {row.matrix}, {problem}, is of other results: run heddle-perf peers again")
            yield problem, data


def filled(text, folder):
    """The page with its tables, and what each asked for: name -> list."""
    everything = {}

    def table(match):
        try:
            asked = Asked(match[3], folder)
            everything.setdefault(match[2], []).append(asked)
            lines = list(TABLES[match[2]](asked))
        except (Unusable, ValueError, KeyError) as problem:
            raise Unusable(f"{match[2]} {match[3]}: {problem}", 1) from problem
        return match[1] + "\n".join(lines) + "\n" + match[4]

    return DIRECTIVE.sub(table, text), everything


def chart(all_asked, name, path, *, is_check):
    """Draws the chart of a page's tables of this name where the one that is there has other numbers, or says so."""
    drawer = DRAWN[name]
    data = [one for asked in all_asked for one in asked.once(drawer.data_of)]
    path = pathlib.Path(path)
    titles = re.findall(r"<title>(.*?)</title>", path.read_text(encoding="utf-8")) if path.is_file() else []
    if [html.unescape(title) for title in titles] == drawer.tips_of(data):
        return
    if is_check:
        raise Unusable(f"{path.name} is not what the results give: run python3 -m heddle_report doc-tables", 1)
    needs_pages()
    from heddle_report import charts  # pylint: disable=import-outside-toplevel

    replace_file(path, charts.svg_of(drawer.draw(charts, data)))


def add_arguments(parser):
    parser.add_argument("--check", action="store_true", help="only says (1) which page is not what the results give")
    parser.add_argument("--page", type=pathlib.Path, action="append", help="another page; may be given again")
    parser.add_argument("--chart", nargs=2, metavar=("NAME", "FILE.svg"), help="also the chart of the tables of this name: leads, roofline, contest")
    parser.add_argument("--results", type=pathlib.Path, default=ROOT / "perf_tests" / "results", help="another folder of results")


def run(asked):
    for page in asked.page or PAGES:
        try:
            before = page.read_text(encoding="utf-8")
            after, everything = filled(before, asked.results)
        except (Unusable, OSError) as problem:
            raise Unusable(f"{page.name}: {problem}", 1) from problem
        if asked.check and before != after:
            raise Unusable(f"{page.name} is not what the results give: run python3 -m heddle_report doc-tables", 1)
        if before != after:
            replace_file(page, after)
        name, path = asked.chart or CHARTS.get(page, ("", None))
        if name:
            chart(everything.get(name, []), name, path, is_check=asked.check)
