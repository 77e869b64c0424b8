#!/usr/bin/env python3
# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the C++ that documents show with the sources that CI compiles.

A block of C++ in a Markdown file stands under a comment that names its source, <!-- compiled: FILE -->, or says that it
is none, <!-- a sketch, not compiled -->. Each of its paragraphs must be in that file, whatever the comments, blanks and
line breaks of both.

usage: check_snippets.py FILE.md...
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FENCE = "`" * 3
BLOCK = re.compile(rf"(?:<!-- ([^\n]*?) -->\n)?{FENCE}cpp\n(.*?)^{FENCE}$", re.DOTALL | re.MULTILINE)
SKETCH = "a sketch, not compiled"


def bare(code):
    """The code without comments and blanks."""
    return re.sub(r"\s+", "", re.sub(r"//.*", "", code))


def complaints(name, text, root=ROOT):
    """What is wrong with the blocks of a document."""
    found = []
    for block in BLOCK.finditer(text):
        mark, code = block.group(1), block.group(2)
        place = f"{name}:{text.count(chr(10), 0, block.start(2)) + 1}"
        if mark == SKETCH:
            continue
        if not mark or not mark.startswith("compiled: "):
            found.append(f"{place}: no comment above says where this is compiled")
            continue
        source = root / mark.removeprefix("compiled: ")
        if not source.is_file():
            found.append(f"{place}: there is no {mark.removeprefix('compiled: ')}")
            continue
        compiled = bare(source.read_text(encoding="utf-8"))
        for paragraph in filter(bare, code.split("\n\n")):
            if bare(paragraph) not in compiled:
                found.append(f"{place}: {source.name} has no '{paragraph.strip().splitlines()[0]}' as it stands here")
    return found


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    found = []
    for name in sys.argv[1:]:
        found += complaints(name, Path(name).read_text(encoding="utf-8"))
    print("\n".join(found), end="\n" if found else "")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
