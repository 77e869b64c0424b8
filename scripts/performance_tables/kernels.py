# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tables of heddle's own implementations: shares of a ceiling, plans, layouts and A^T B, steps of SpGEMM."""

from spgemm_phases import percent_of_bound, rest_of

from performance_tables.rows import Unusable, measured, own_rows, rows_of
from performance_tables.text import geometric_mean, markdown


def kernels(arguments):
    what, _, rest = arguments.partition(" of ")
    files, _, ceiling = rest.partition(" below ")
    value_type, operation = what.split()
    table = own_rows(value_type, operation, files.split())
    if not table:
        raise Unusable(f"{arguments}: no such rows")
    names = sorted(
        {name for rows in table.values() for name in rows if name.startswith("cuda_native::") or name == "auto_reuse"}
    )
    head = ["matrix", "nnz a row", "ms", "GB/s", f"% of {ceiling}", *(name.rpartition("::")[2] for name in names)]
    rows = []
    for matrix, of_matrix in table.items():
        auto = of_matrix[""]
        rows.append(
            [matrix, f"{auto['nnz'] / max(1, auto['rows']):.1f}", f"{auto['median_ms']:.3g}",
             f"{auto['gbytes_per_s']:.0f}", f"{100 * auto['gbytes_per_s'] / float(ceiling):.0f}",
             *(f"{of_matrix[name]['median_ms']:.3g}" if name in of_matrix else "" for name in names)]
        )
    return markdown(head, rows)


def plans(arguments):
    operation, _, files = arguments.partition(" of ")
    rows = []
    for value_type in ("f32", "f64"):
        calls = {
            matrix: (of_matrix[""]["plan_ms"] / of_matrix[""]["median_ms"], of_matrix[""]["plan_ms"])
            for matrix, of_matrix in own_rows(value_type, operation, files.split()).items()
        }
        if calls:
            ordered = sorted(calls, key=calls.get)
            median, most = ordered[len(ordered) // 2], ordered[-1]
            rows.append([value_type, f"{calls[median][0]:.1f}", f"{calls[most][0]:.1f} ({most})",
                         f"{max(ms for _, ms in calls.values()):.2f}"])
    return markdown(["type", "plan in calls: median", "most", "longest plan: ms"], rows)


def ways(arguments):
    files = arguments.removeprefix("of ").split()
    table = measured(files)
    rows = []
    for operation, value_type, k, layout in table:
        if (operation, layout) != ("spmm", "row"):
            continue
        plain = table[operation, value_type, k, layout]
        row = [value_type, str(k)]
        for other in (("spmm", value_type, k, "col"), ("spmm_t", value_type, k, "row")):
            ratios = {
                matrix: of_family["heddle"]["median_ms"] / plain[matrix]["heddle"]["median_ms"]
                for matrix, of_family in table.get(other, {}).items()
                if "median_ms" in of_family.get("heddle", {}) and "median_ms" in plain.get(matrix, {}).get("heddle", {})
            }
            most = max(ratios, key=ratios.get, default=None)
            row += [f"{geometric_mean(ratios.values()):.2f}", f"{ratios[most]:.2f} ({most})"] if ratios else ["", ""]
        rows.append(row)
    return markdown(["type", "k", "column-major over row-major", "most", "A^T B over A B", "most"], rows)


def phases(arguments):
    _, _, files = arguments.partition("of ")
    rows = [row for row in rows_of(files.split()) if row["operation"] == "spgemm_phases"]
    if not rows:
        raise Unusable(f"{arguments}: no such rows")
    steps = [step for step in rows[0]["steps_ms"] if any(row["steps_ms"][step] for row in rows)]
    lines = []
    for row in sorted(rows, key=lambda row: row["nnz"]):
        times = [row["median_ms"], *(row["steps_ms"][step] for step in steps), rest_of(row)]
        lines.append([row["matrix"], str(row["nnz"]), *(f"{ms:.3g}" for ms in times), str(row["launches"]),
                      f"{percent_of_bound(row):.1f}"])
    return markdown(["matrix", "nnz", "call, ms", *steps, "the rest", "launches", "bound, %"], lines)


TABLES = {"kernels": kernels, "plans": plans, "ways": ways, "phases": phases}
