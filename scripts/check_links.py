#!/usr/bin/env python3
# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the links between the documents: the file is there, and so is the heading behind #.

docs/api/, the pages that doxygen makes, is not looked into. scripts/site.sh checks the site's links again.

usage: check_links.py FILE.md...
"""

import re
import sys
from pathlib import Path

CODE = re.compile(r"^```.*?^```$|`[^`\n]*`", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\(([^)\s]*)\)")
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)


def anchors_of(text):
    """The anchors of a page's headings, as GitHub and the site make them."""
    found = set()
    for heading in HEADING.findall(re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)):
        heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        slug = re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")
        number, unique = 0, slug
        while unique in found:
            number += 1
            unique = f"{slug}-{number}"
        found.add(unique)
    return found


def without_code(text):
    """The same lines, code blanked out."""
    return CODE.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)


def complaints(path):
    text = path.read_text(encoding="utf-8")
    for match in LINK.finditer(without_code(text)):
        target, _, anchor = match[1].partition("#")
        if re.match(r"[a-z]+:", match[1]) or target.startswith("api/"):
            continue
        place = f"{path}:{text.count(chr(10), 0, match.start()) + 1}: {match[1]}"
        file = path.parent / target if target else path
        if not file.exists():
            yield f"{place}: there is no such file"
        elif anchor and (file.suffix != ".md" or anchor not in anchors_of(file.read_text(encoding="utf-8"))):
            yield f"{place}: there is no such heading"


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    found = [complaint for name in sys.argv[1:] for complaint in complaints(Path(name))]
    print("\n".join(found), end="\n" if found else "")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
