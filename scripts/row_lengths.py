#!/usr/bin/env python3
# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scripts/row_lengths.py FILE.bin...: the longest row of matrices in CSRB1 (docs/matrix_market.md), and how many of their entries
are in rows of more than 32 and of more than 128 entries, a JSON object per line. docs/papers.md says with it which matrices a merge of
at most 32 rows of B takes. rows_of_class: how many rows have 2^(n - 1) entries and more, but less than 2^n (0 for none), as
scripts/fit_spmm_choice.py wants to know."""

import array
import collections
import json
import pathlib
import struct
import sys

LIMITS = (32, 128)


def row_lengths(path):
    with open(path, "rb") as file:
        head = file.read(30)
        if len(head) < 30 or not head.startswith(b"CSRB1\n"):
            raise ValueError(f"{path} is no CSRB1 file")
        rows, _, nnz = struct.unpack("<3q", head[6:])
        offsets = array.array("i")
        offsets.fromfile(file, rows + 1)
    if sys.byteorder == "big":
        offsets.byteswap()
    lengths = [end - begin for begin, end in zip(offsets, offsets[1:])]
    above = {f"entries_in_rows_above_{limit}": sum(length for length in lengths if length > limit) for limit in LIMITS}
    return {"operation": "row_lengths", "matrix": pathlib.Path(path).stem, "rows": rows, "nnz": nnz,
            "longest_row": max(lengths, default=0), **above,
            "rows_of_class": sorted(collections.Counter(length.bit_length() for length in lengths).items())}


def main(paths):
    if not paths or paths == ["--help"]:
        print(__doc__)
        return 0 if paths else 2
    try:
        for path in paths:
            print(json.dumps(row_lengths(path), separators=(",", ":")))
    except (OSError, ValueError, EOFError) as problem:
        print(f"scripts/row_lengths.py: {problem}", file=sys.stderr)
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
