#!/usr/bin/env python3
# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks includes between the headers of the native backend (docs/architecture.md, "Rooms").

A chain of includes has at most so many files, both ends counted, and goes down only: a header includes headers of its own
room or of a lower one, so that no operation includes another or the kernels of papers.

usage: check_includes.py FOLDER [MOST]

FOLDER has heddle/cuda_native/; MOST is 6 unless given.
"""

import re
import sys
from pathlib import Path

MOST = 6
ROOMS = {"device": 0, "rows": 1, "spmv": 2, "spmm": 2, "spgemm": 2, "papers": 3}
INCLUDE = re.compile(r"^#include <heddle/cuda_native/(.*)>$", re.MULTILINE)


def includes_by_file(folder):
    """The headers of the backend, and which of them each includes, by their names below heddle/cuda_native/."""
    root = Path(folder) / "heddle" / "cuda_native"
    return {path.relative_to(root).as_posix(): INCLUDE.findall(path.read_text(encoding="ascii"))
            for path in sorted(root.rglob("*")) if path.suffix in (".hpp", ".cuh")}


def longest_chains(includes):
    """The longest chain of includes from each file, or a chain that ends where it began."""
    chains = {}

    def chain_from(name, above):
        if name in above:
            return [name]
        if name not in chains:
            below = [chain_from(other, above + [name]) for other in includes.get(name, [])]
            chains[name] = [name] + max(below, key=len, default=[])
        return chains[name]

    for name in includes:
        chain_from(name, [])
    return chains


def is_above(name, other):
    """Whether the header `other` stands in a room that `name` must not include."""
    room, other_room = name.split("/")[0], other.split("/")[0]
    return room != other_room and ROOMS.get(other_room, len(ROOMS)) >= ROOMS.get(room, -1)


def complaints(folder, most=MOST):
    includes = includes_by_file(folder)
    found = [f"{name} includes {other}, which is not in a room below its own"
             for name, others in includes.items() for other in others if is_above(name, other)]
    chains = longest_chains(includes)
    for name, chain in chains.items():
        if len(set(chain)) < len(chain):
            found.append(f"{name} includes itself: {' > '.join(chain)}")
        # Of a chain that is too long the files below the first ones are told of by these.
        elif len(chain) > most and not any(name in others for others in includes.values()):
            found.append(f"{name} includes {len(chain)} files one through the other, {most} are allowed: {' > '.join(chain)}")
    return found


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    found = complaints(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else MOST)
    print("\n".join(found), end="\n" if found else "")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
