# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tables (CSV) of what others measured, as rows: docs/heddle_perf.md, "Comparing", has the rules."""

import csv
import math
import re

from heddle_report.rows import Row, Unusable
from heddle_report.timings import is_like_any

NEEDED = ("implementation", "matrix", "median_ms")


def lines_of(path):
    """The number of the line where it begins and the fields of each row that is not an empty line."""
    begin = 1
    try:
        with open(path, encoding="utf-8-sig", newline="") as text:
            reader = csv.reader(text, strict=True)
            for fields in reader:
                if fields:
                    yield begin, fields
                begin = reader.line_num + 1
    except csv.Error as problem:
        raise Unusable(f"{path}, line {begin}: {problem}", 3) from problem
    except (OSError, UnicodeDecodeError) as problem:
        raise Unusable(f"{path}: cannot be read: {problem}", 3) from problem


class Cells(dict):
    """A row's fields by the names of their columns; a column that is not there is empty."""

    where = ""

    def __missing__(self, column):
        return ""

    def number(self, column, kind=float):
        digits = r"\d+" if kind is int else r"(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?"
        if re.fullmatch(digits, self[column], re.ASCII) and 0 < (value := kind(self[column])) < math.inf:
            return value
        raise Unusable(f'{self.where}: {column} is "{self[column]}", not a number above zero', 3)


def cells_of(path):
    rows = lines_of(path)
    number, columns = next(rows, (1, None))
    if columns is None:
        raise Unusable(f"{path}, line 1: no row that names the columns", 3)
    for column in columns:
        if columns.count(column) > 1:
            raise Unusable(f"{path}, line {number}: two columns are called {column}", 3)
    for column in NEEDED:
        if column not in columns:
            raise Unusable(f"{path}, line {number}: no column is called {column}", 3)
    for number, fields in rows:
        where = f"{path}, line {number}"
        if len(fields) != len(columns):
            raise Unusable(f"{where}: {len(fields)} fields, but the header names {len(columns)} columns", 3)
        cells = Cells(zip(columns, fields))
        cells.where = where
        yield cells


def set_problem(row, cells, value_type):
    """What its columns say; where they do not, the words of its name."""
    words = row.implementation.split("_")
    if "k" in cells:
        row.k = cells.number("k", int)
        operation = ("spmv" if row.k == 1 else "spmm") + ("_t" if "T" in words else "")
    else:
        operation = "spgemm_numeric" if words[-1] == "numeric" else "spgemm"
    row.value_type = cells["type"] if "type" in cells else value_type
    row.operation = cells["operation"] or operation
    row.layout = cells["layout"]
    if row.layout not in ("", "row", "col"):
        raise Unusable(f'{cells.where}: layout is "{row.layout}", not row or col', 3)
    if not row.layout and row.operation.startswith("spmm"):
        row.layout = "col" if "col" in words else "row"
    row.layout_c = row.layout


def why_skipped(cells, unchecked):
    if cells["check"] not in ("", "ok"):
        return cells["check"]
    if not cells["median_ms"]:
        return "no time"
    needs_check = "check" in cells and not is_like_any(cells["implementation"], unchecked)
    return "not checked" if needs_check and not cells["check"] else ""


def read_peer_table(path, excluded=(), unchecked=(), value_type="f64"):
    """Its rows but for those of names that are like one of excluded; those like one of unchecked need no check."""
    rows = []
    for cells in cells_of(path):
        if is_like_any(cells["implementation"], excluded):
            continue
        row = Row(implementation=cells["implementation"], matrix=cells["matrix"], skipped=why_skipped(cells, unchecked))
        set_problem(row, cells, value_type)
        for column in ("nnz", "nnz_a"):
            row.nnz = cells.number(column, int) if cells[column] else row.nnz
        if not row.skipped:
            row.median_ms = cells.number("median_ms")
        rows.append(row)
    return rows
