# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tables of row-major A B by classes of matrices: shares of bounds, implementations step by step."""

from performance_tables.rows import Unusable, json_of, layout_of, rows_of
from performance_tables.text import geometric_mean, markdown


def classes_of(text):
    """name -> its matrices"""
    classes = {}
    for one in text.split(";"):
        name, colon, matrices = one.partition(":")
        if not colon or not matrices.split():
            raise Unusable(f"{one.strip()}: no class of matrices")
        classes[name.strip()] = matrices.split()
    return classes


def own_by_class(files, names, classes):
    """class, type and k -> rows of heddle's `names`, matrix by matrix, of row-major A B; those that lack one are left out"""
    table = {}
    for row in rows_of(files):
        name = row.get("implementation", "").removeprefix("heddle::")
        if row["operation"] == "spmm" and layout_of(row) == "row" and name in names and "median_ms" in row:
            table.setdefault((row["value_type"], row["k"]), {}).setdefault(row["matrix"], {})[name] = row
    for title, matrices in classes.items():
        for (value_type, k), of_matrix in sorted(table.items()):
            rows = [of_matrix[matrix] for matrix in matrices if len(of_matrix.get(matrix, {})) == len(names)]
            if rows:
                yield title, value_type, k, [[of_name[name] for name in names] for of_name in rows]


def level_2_gbytes_per_s(file):
    """The fastest point of a sweep that no first-level cache holds, of 256 KiB a multiprocessor."""
    try:
        sweep = json_of(file)["cache_sweep"]
        return 4 * max(point["gwords_per_s"] for point in sweep if point["bytes"] > 256 << 10)
    except (ValueError, KeyError) as problem:
        raise Unusable(f"{file}: {problem}") from problem


def bounds(arguments):
    files, _, rest = arguments.partition(" within ")
    caches, _, classes = rest.partition(" by ")
    level_2 = level_2_gbytes_per_s(caches)
    rows = []
    for title, value_type, k, of_class in own_by_class(files.split(), ["auto"], classes_of(classes)):
        shares = []
        for (row,) in of_class:
            seconds, size = row["median_ms"] / 1e3, {"f32": 4, "f64": 8}[value_type]
            products = row["nnz"] * k * size
            entries = row["nnz"] * (size + 4) + row["rows"] * k * size
            shares.append([
                row["gbytes_per_s"] / row["machine_gbytes_per_s"],
                (products + entries) / (level_2 * 1e9 * seconds),
                products / (row["machine_shared_gbytes_per_s"] * 1e9 * seconds),
            ])
        rows.append([title, value_type, str(k), str(len(shares)),
                     *(f"{100 * geometric_mean(numbers):.0f}" for numbers in zip(*shares))])
    if not rows:
        raise Unusable(f"{arguments}: no such rows")
    return markdown(["class", "type", "k", "matrices", "% of compulsory", "% of level 2", "% of shared memory"], rows)


def steps(arguments):
    what, _, rest = arguments.partition(" of ")
    files, _, classes = rest.partition(" by ")
    names = what.split()
    rows = [
        [title, value_type, str(k), str(len(of_class)),
         *(f"{geometric_mean([row[0]['median_ms'] / row[n]['median_ms'] for row in of_class]):.2f}"
           for n in range(1, len(names)))]
        for title, value_type, k, of_class in own_by_class(files.split(), names, classes_of(classes))
    ]
    if not rows:
        raise Unusable(f"{arguments}: no such rows")
    titles = [f"`{name.rpartition('::')[2]}`" for name in names[1:]]
    return markdown(["class", "type", "k", "matrices", *titles], rows)


TABLES = {"bounds": bounds, "steps": steps}
