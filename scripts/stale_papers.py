#!/usr/bin/env python3
# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lists the rows of docs/papers.md whose numbers are older than their kernels.

A row cites result files with the commit that they were measured at, `results/FILE` (COMMIT, ...), and names kernels, such as
`cuda_native::row_segments`, `register_merge` or `heddle::auto`. For each file and each kernel that both the file and the row have this says how many commits since
then changed the kernel's sources: the file that defines it and what that includes of its own folder and of rows/; for automatic choices
all of the operation's folder. Sources whose code is the same but for place, comments and includes are said to be moved. A kernel that an
item of the page's section "Kernels that changed since" names is explained there, unless the item says that it is to be measured again. This
is no test: numbers may be older than a change that did not touch speed.

usage: stale_papers.py [--all] [PAGE]      --all: also rows that are current
"""

import functools
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(Path(__file__).resolve().parent))
from check_papers import citations, rows_of, section_of, text_of  # noqa: E402

NATIVE, PORTABLE = "backends/cuda_native/heddle/cuda_native", "algorithms/heddle/impl"
# Accumulators of SpGEMM have no struct with their name.
ACCUMULATORS = {
    "register_merge": [f"{NATIVE}/spgemm/merge_registers.cuh"],
    "register_merge_one_to_one": [f"{NATIVE}/spgemm/merge_registers.cuh"],
    "shared_merge": [f"{NATIVE}/spgemm/merge_shared.cuh"],
    "esc": [f"{NATIVE}/spgemm/sorted_products.cuh"],
    "shared_hash": [f"{NATIVE}/spgemm/numeric_table.cuh", f"{NATIVE}/spgemm/symbolic_table.cuh"],
    "esc_global": [f"{PORTABLE}/papers/esc.hpp"],
    "scatter_vector_paper": [f"{NATIVE}/papers/spgemm_scatter_kernels.cuh"],
    "hybrid_sparse": [f"{NATIVE}/papers/spgemm_scatter_kernels.cuh", f"{NATIVE}/papers/spgemm_scatter_policy.hpp"],
    "hybrid_sparse_dvw": [f"{NATIVE}/papers/spgemm_scatter_kernels.cuh", f"{NATIVE}/papers/spgemm_scatter_policy.hpp"],
    "auto_row_segmented": [f"{NATIVE}/spmm/row_segments.cuh"],
}
EXPLAINED = "Kernels that changed since"
FEW = 3  # kernels of a file that a row need not name


def git(*arguments):
    return subprocess.run(["git", "-C", str(ROOT), *arguments], capture_output=True, text=True, check=True).stdout


def bare(code):
    """The code without comments, includes and blanks."""
    code = re.sub(r"/\*.*?\*/", "", code, flags=re.DOTALL)
    code = re.sub(r"//.*|^\s*#\s*(include|pragma once).*", "", code, flags=re.MULTILINE)
    return re.sub(r"\s+", "", code)


def shown(commit, path):
    """A file as of a commit; empty where it was not there."""
    done = subprocess.run(["git", "-C", str(ROOT), "show", f"{commit}:{path}"], capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else ""


@functools.cache
def is_known(commit):
    return subprocess.run(["git", "-C", str(ROOT), "cat-file", "-e", f"{commit}^{{commit}}"], capture_output=True, check=False).returncode == 0


@functools.cache
def old_names(commit):
    """path of today -> path as of the commit, of files that were moved"""
    names = {}
    for line in git("diff", "--find-renames=40%", "--diff-filter=R", "--name-status", commit, "HEAD").splitlines():
        _, old, new = line.split("\t")
        names[new] = old
    return names


@functools.cache
def defining(name):
    """The sources that name an implementation."""
    quoted = f'"{name}"'
    return [path for path in git("ls-files", NATIVE, PORTABLE).splitlines()
            if quoted in (text := (ROOT / path).read_text(encoding="utf-8")) and re.search(r"\bname\s*=", text)]


def with_includes(paths):
    """The sources and what they include of their own folder and of rows/."""
    found, open_paths = [], list(paths)
    while open_paths:
        path = open_paths.pop(0)
        if path in found or not (ROOT / path).is_file():
            continue
        found.append(path)
        for other in re.findall(r"#include <heddle/([^>]+)>", (ROOT / path).read_text(encoding="utf-8")):
            for folder in ("backends/cuda_native/heddle/", "algorithms/heddle/"):
                included = folder + other
                if Path(included).parent == Path(path).parent or included.startswith(f"{NATIVE}/rows/"):
                    open_paths.append(included)
    return found


@functools.cache
def sources_of(kernel, operation):
    if kernel == "auto":
        folders = {"spmv": ("spmv",), "spmm": ("spmm",), "spgemm": ("spgemm",)}.get(operation, ())
        return git("ls-files", *(f"{room}/{folder}" for room in (NATIVE, PORTABLE) for folder in folders)).splitlines() if folders else []
    if kernel in ACCUMULATORS:
        return with_includes(ACCUMULATORS[kernel])
    return with_includes(defining(kernel))


@functools.cache
def kernels_of(file, commit=""):
    """Those of heddle's that a file has rows of, measured at a commit or at any, without numbers of virtual warps."""
    path = ROOT / "perf_tests" / file
    lines = text_of(path).splitlines() if path.exists() else []
    found = [name for line in lines if not commit or re.search(rf'"commit": ?"{re.escape(commit)}"', line)
             for name in re.findall(r'"implementation": ?"heddle::([\w:]+)"', line)]
    return {re.sub(r"(?<=scatter_vector_paper)_\d+$", "", name) for name in found}


def named_in(text, kernels):
    """Kernels whose names stand in a text, with or without the backend."""
    spoken = {"auto": r"automatic choice|\bautomatic\b", "auto_row_segmented": r"RS-SpMM"}
    text = re.sub(r"results/\S+", "", text)
    return {kernel for kernel in kernels
            if re.search(rf"(?<!\w){re.escape(kernel.rpartition('::')[2])}(?!\w)|{spoken.get(kernel, '(?!)')}", text)}


def kernels_behind(row, file, commit):
    """The kernels of a file, at a commit, that a row names or, where it names none, its command does; all where there are few."""
    kernels = kernels_of(file, commit)
    has_few = len(kernels_of(file)) <= FEW
    return sorted(named_in(row.ours, kernels) or named_in(row.command, kernels) or (kernels if has_few else set()))


def explained_in(text):
    """The kernels of the section's items that are explained, as of the commits before today's."""
    items = re.split(r"^- ", section_of(text, EXPLAINED), flags=re.MULTILINE)[1:]
    return {name for item in items if "measured again" not in item for name in re.findall(r"`([^`]+)`", item)}


def operation_in(row):
    """That of the row's command or files."""
    found = re.search(r"heddle-perf (spmv|spmm|spgemm)\b|--operation (spmv|spmm)|heddle-perf (formats)\b", row.command)
    if found:
        name = next(filter(None, found.groups()))
        return "spmm" if name == "formats" else name
    return next((name for name in ("spgemm", "spmm", "spmv") if name in row.ours), {"000": "spmm", "001": "spgemm", "002": "spmm",
                                                                                    "003": "spgemm", "004": "spmv"}.get(row.paper, ""))


@functools.cache
def change_of(kernel, operation, commit):
    """What happened to a kernel since a commit; empty: nothing."""
    paths = sources_of(kernel, operation)
    if not paths:
        return "no source found"
    moved, changed, commits = [], [], set()
    for path in paths:
        old = old_names(commit).get(path, path)
        before, now = shown(commit, old), (ROOT / path).read_text(encoding="utf-8")
        if before == now:
            if old != path:
                moved.append(path)
        elif before and bare(before) == bare(now):
            moved.append(path)
        else:
            changed.append(path)
            commits |= set(git("log", "--format=%h", f"{commit}..HEAD", "--", old, path).split())
    if changed:
        names = ", ".join(Path(path).name for path in changed[:4]) + (f" and {len(changed) - 4} more" if len(changed) > 4 else "")
        return f"changed by {len(commits)} commits in {len(changed)} of {len(paths)} files ({names})"
    return f"only moved or commented ({len(moved)} of {len(paths)} files)" if moved else ""


def lines_of(page, text):
    explained = explained_in(text)
    for row in rows_of(text):
        for file, commit in dict.fromkeys(citations(row.ours)):
            base = commit.removesuffix("+")
            if not base:
                continue
            if not is_known(base):
                yield "unknown", f"{page}:{row.line}: {row.what[:60]}: {file} is of {commit}, which is not in this repository"
                continue
            for kernel in kernels_behind(row, file, commit):
                change = change_of(kernel, operation_in(row), base)
                kind = "current" if not change else "moved" if change.startswith("only") else "explained" if kernel in explained else "older"
                yield kind, f"{page}:{row.line}: {row.paper}, {row.what[:60]}: {kernel} since {commit} ({file}): {change or 'the same'}"


def main(arguments):
    if arguments == ["--help"]:
        print(__doc__)
        return 0
    wants_all = "--all" in arguments
    page = Path(next((name for name in arguments if not name.startswith("--")), ROOT / "docs" / "papers.md"))
    counts = {}
    for kind, line in lines_of(page.name, page.read_text(encoding="utf-8")):
        counts[kind] = counts.get(kind, 0) + 1
        if wants_all or kind != "current":
            print(f"{kind}: {line}")
    print("rows' kernels: " + ", ".join(f"{count} {kind}" for kind, count in sorted(counts.items())))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
