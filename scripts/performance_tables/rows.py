# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What tables are made of: rows of results, the cases they are of, and the fastest of each family."""

import json
import math

FAMILIES = {"cusparse": "cuSPARSE", "kokkoskernels": "Kokkos Kernels"}
FOLDER = None  # of results: read_from


class Unusable(Exception):
    """What a directive asks for is not what the files have."""


def read_from(folder):
    """From now on files are named relative to that folder."""
    global FOLDER
    FOLDER = folder


def rows_of(files):
    for name in files:
        try:
            with open(FOLDER / name, encoding="utf-8") as lines:
                yield from (json.loads(line) for line in lines)
        except (OSError, ValueError) as problem:
            raise Unusable(f"{name}: {problem}") from problem


def json_of(file):
    """Of a file that is one object."""
    try:
        return json.loads((FOLDER / file).read_text(encoding="utf-8"))
    except (OSError, ValueError) as problem:
        raise Unusable(f"{file}: {problem}") from problem


def layout_of(row):
    """Rows from before there was a key layout have it in the name."""
    if not row["operation"].startswith("spmm"):
        return ""
    if "layout_c" in row:  # computes something else than those whose B and C are alike
        return f"{row['layout']} to {row['layout_c']}"
    return row.get("layout") or ("col" if row["implementation"].endswith("_col") else "row")


def case_of(row):
    return row["operation"], row["value_type"], row.get("k", 1), layout_of(row)


def case_asked_for(what):
    value_type, operation = what.split()
    name, *parts = operation.split(":")
    k = int(parts[0]) if parts else 1
    layout = parts[1] if len(parts) > 1 else "row"
    return name, value_type, k, layout if name.startswith("spmm") else ""


def family_of(row):
    """Whose it is; of heddle's own only the automatic choice counts, of others only baselines."""
    name = row.get("implementation", "")
    if "layout" not in row:
        name = name.removesuffix("_col")
    if name == "heddle::auto":
        return "heddle"
    family = name.partition("::")[0]
    return family if family in FAMILIES else None


def measured(files):
    """case -> matrix -> family or implementation -> its fastest row, or the one skipped where none has a time"""
    table = {}
    for row in rows_of(files):
        family = family_of(row)
        if family is None:
            continue
        best = table.setdefault(case_of(row), {}).setdefault(row["matrix"], {})
        for name in (family, row["implementation"]):
            if row.get("median_ms", math.inf) <= best.get(name, {}).get("median_ms", math.inf):
                best[name] = row
    return table


def joined(kind, file, results):
    """The rows of a file that `heddle-perf peers` made of the same results, checked to be of these."""
    for row in rows_of([file]):
        if row.get("joined") != kind:
            raise Unusable(f"{file}: a row is not of {kind}")
        case = case_of(row)
        if case not in results:
            continue
        measured_row = results[case].get(row["matrix"], {}).get(row["implementation"], {})
        if measured_row.get("median_ms") != row["median_ms"]:
            raise Unusable(
                f"{file}: {row['matrix']}, {' '.join(map(str, case))}, is of other results: run heddle-perf peers again"
            )
        yield case, row


def with_joined(arguments):
    files, _, file = arguments.partition(" with ")
    return files.split(), file.strip()


def own_rows(value_type, operation, files):
    """matrix -> implementation of heddle -> its row; "" is what it chooses by itself"""
    case = case_asked_for(f"{value_type} {operation}")
    table = {}
    for row in rows_of(files):
        if "median_ms" not in row or case_of(row) != case:
            continue
        family, _, name = row["implementation"].partition("::")
        if family == "heddle":
            table.setdefault(row["matrix"], {})["" if name == "auto" else name] = row
    return {matrix: rows for matrix, rows in table.items() if "" in rows}
