# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rows of results: what heddle-perf --json writes, an object per line (docs/heddle_perf.md has the keys)."""

import contextlib
import dataclasses
import gzip
import json
import math
import os
import pathlib
import tempfile
import zlib
from dataclasses import dataclass

# Operations that have results, in the order of pages.
OPERATIONS = ("spmv", "spmv_t", "spmm", "spmm_t", "spmm_both", "spgemm", "spgemm_numeric", "formats_spmv", "formats_spmm",
              "formats_spgemm", "formats_spgemm_numeric")
# Of heddle-perf solver-steps: A p with what iterative methods do next.
STEPS = {"spmv_dot": "A p and a dot product", "spmv_residual": "Residual and its norm", "spmv_jacobi": "Jacobi step",
         "spmv_chebyshev": "Chebyshev step", "spmv_cg": "CG iteration"}
VALUE_BYTES = {"f32": 4, "f64": 8, "c32": 8, "c64": 16}
NAN = math.nan


class Unusable(Exception):
    """Input that cannot be used: the message says which and why."""

    def __init__(self, message, exit_code=2):
        super().__init__(message)
        self.exit_code = exit_code


@dataclass
class Row:
    """A measured case. Numbers that a row does not have are NaN, texts empty."""

    operation: str = ""
    matrix: str = ""
    value_type: str = ""
    index_types: str = ""
    implementation: str = ""
    device: str = ""
    commit: str = ""
    library: str = ""  # and version
    format: str = ""
    parameters: str = ""
    layout: str = ""  # of B: row, col
    layout_c: str = ""
    skipped: str = ""  # why there are no times
    warning: str = ""  # of a self-check
    noise: str = ""  # why the times are not to be trusted
    cache: str = ""  # that explains a share of the roofline above 100 %
    joined: str = ""  # made by peers
    family: str = ""  # of the zoo's matrices
    part: str = ""  # tuning, validation
    chosen: str = ""  # of heddle::auto: the kernel that its plan took
    rows: int = 0
    cols: int = 0
    nnz: int = 0
    k: int = 1
    plan_ms: float = NAN
    first_ms: float = NAN
    min_ms: float = NAN
    q1_ms: float = NAN
    median_ms: float = NAN
    q3_ms: float = NAN
    mean_ms: float = NAN
    cold_ms: float = NAN
    runs: float = NAN
    gflops: float = NAN
    gbytes_per_s: float = NAN
    roofline_gflops: float = NAN
    prologue_ms: float = NAN
    epilogue_ms: float = NAN
    serial_ms: float = NAN
    machine_gbytes_per_s: float = NAN
    machine_gflops: float = NAN
    machine_shared_gbytes_per_s: float = NAN
    products_nnz: float = NAN
    heavy_share: float = NAN
    workspace_bytes: float = NAN

    @property
    def library_prefix(self):
        return self.implementation.partition("::")[0]

    @property
    def is_automatic(self):
        return self.implementation == "heddle::auto"

    @property
    def problem(self):
        """What implementations are compared on."""
        return f"{self.matrix}, k = {self.k}" if self.k > 1 else self.matrix

    @property
    def total_ms(self):
        return self.prologue_ms + self.median_ms + self.epilogue_ms

    @property
    def plan_calls(self):
        return NAN if self.noise else self.plan_ms / self.median_ms

    @property
    def intensity(self):
        """Operations per compulsory byte."""
        return self.gflops / self.gbytes_per_s if self.gbytes_per_s else NAN

    @property
    def bound_gflops(self):
        """What the machine allows at most for the compulsory bytes and the operations."""
        if math.isfinite(self.roofline_gflops):
            return self.roofline_gflops
        of_memory = self.intensity * self.machine_gbytes_per_s
        return self.machine_gflops if self.machine_gflops < of_memory else of_memory

    @property
    def roofline_percent(self):
        """Noisy times have no share, and one above 100 % has to have a cache that explains it."""
        bound = NAN if self.noise else self.bound_gflops
        share = 100 * self.gflops / bound if bound else NAN
        return share if share <= 100 or self.cache else NAN

    @property
    def value_bytes(self):
        return VALUE_BYTES.get(self.value_type, 8)


FIELDS = {field.name: field.type for field in dataclasses.fields(Row)}


def layout_of(data):
    """Rows of before there was a key layout have it in the name of the implementation."""
    if not data["operation"].startswith("spmm"):
        return data.get("layout", "")
    return data.get("layout") or ("col" if data.get("implementation", "").endswith("_col") else "row")


def row_of(data, where):
    """The Row of a JSON object; where is "file, line N"."""
    row = Row()
    if not isinstance(data.get("operation"), str):
        raise Unusable(f"{where}: no operation", 3)
    for name, kind in FIELDS.items():
        value = data.get(name)
        if value is None:
            continue
        fits = isinstance(value, str) if kind is str else isinstance(value, (int, float)) and not isinstance(value, bool)
        if not fits:
            raise Unusable(f"{where}: {name} should be a {'text' if kind is str else 'number'}", 3)
        setattr(row, name, value)
    row.layout = layout_of(data)
    row.layout_c = row.layout_c or row.layout
    if row.operation.startswith("spmm") and not data.get("layout"):
        row.implementation = row.implementation.removesuffix("_col")
    if row.operation in OPERATIONS and not row.joined:
        check_case(row, where)
    return row


def check_case(row, where):
    """What a row with a time has at least."""
    for name in ("implementation", "matrix", "value_type"):
        if not getattr(row, name):
            raise Unusable(f"{where}: no {name}", 3)
    if not row.skipped and not 0 < row.median_ms < math.inf:
        raise Unusable(f"{where}: median_ms should be above zero", 3)


def open_text(path, errors="strict"):
    """A text file to read from, packed by gzip where its name ends in .gz."""
    packed = str(path).endswith(".gz")
    return (gzip.open if packed else open)(path, "rt", encoding="utf-8", errors=errors)


UNREADABLE = (OSError, EOFError, zlib.error, UnicodeDecodeError)  # what reading such a file raises


def objects_of(path):
    """The JSON objects of a file, with "file, line N" of each."""
    try:
        with open_text(path) as lines:
            for number, line in enumerate(lines, 1):
                where = f"{path}, line {number}"
                try:
                    data = json.loads(line)
                except (ValueError, RecursionError) as problem:
                    raise Unusable(f"{where}: not a JSON object", 3) from problem
                if not isinstance(data, dict):
                    raise Unusable(f"{where}: not a JSON object", 3)
                yield where, data
    except UNREADABLE as problem:
        raise Unusable(f"{path}: cannot be read: {problem}", 3) from problem


def object_of(path):
    """The JSON object that a file is."""
    try:
        data = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    except OSError as problem:
        raise Unusable(f"{path}: cannot be read: {problem}", 3) from problem
    except (ValueError, RecursionError) as problem:
        raise Unusable(f"{path}: not a JSON object", 3) from problem
    if not isinstance(data, dict):
        raise Unusable(f"{path}: not a JSON object", 3)
    return data


def rows_of(path):
    """All rows of a file, of operations without results too."""
    for where, data in objects_of(path):
        yield row_of(data, where)


def files_of(path):
    """The file, or the *.jsonl and *.jsonl.gz of a folder."""
    path = pathlib.Path(path)
    if not path.is_dir():
        return [path]
    files = sorted([*path.glob("*.jsonl"), *path.glob("*.jsonl.gz")])
    if not files:
        raise Unusable(f"{path}: the folder has no *.jsonl", 3)
    return files


def grouped(items, key_of):
    """key -> items, in the order in which keys first come."""
    groups = {}
    for item in items:
        groups.setdefault(key_of(item), []).append(item)
    return groups


@contextlib.contextmanager
def replacing(path):
    """A second file to write to, which takes the place of the old one when the block ends without an exception. That it cannot
    be made is said before the block begins."""
    path = pathlib.Path(os.path.realpath(path))
    try:
        if path.exists() and not path.is_file():
            raise Unusable(f"cannot write {path}: it is not a regular file", 3)
        with tempfile.NamedTemporaryFile(
            "w", encoding="utf-8", dir=path.parent, prefix=f"{path.name}.part-", delete=False
        ) as part:
            try:
                yield part
                part.flush()
                os.fsync(part.fileno())
                umask = os.umask(0)
                os.umask(umask)
                os.chmod(part.name, 0o666 & ~umask)
                os.replace(part.name, path)
            except BaseException:
                os.unlink(part.name)
                raise
    except OSError as problem:
        raise Unusable(f"cannot write {path}: {problem.strerror}", 3) from problem


def replace_file(path, text):
    with replacing(path) as part:
        part.write(text)
