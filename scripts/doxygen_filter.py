#!/usr/bin/env python3
# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A header as doxygen is to read it: doxygen 1.9 takes overloads that differ by the concept of an argument for one
function, so template arguments get names of their own, Csr Matrix becomes Csr CsrMatrixType.

usage: doxygen_filter.py FILE
"""

import re
import sys
from pathlib import Path

FORMATS = "Csr|Csc|Coo|Dcsr|Bsr|Ell|Sell|Hyb|RowSegmented|SparseMatrix|DenseMatrix"
# From template <...> to the end of what it declares, or to its body.
DECLARATION = re.compile(r"^template <[^\n]*\n(?:(?!^\{|^template)[^\n]*\n)*?[^\n]*(?:;$|^\{)", re.MULTILINE)
ARGUMENT = re.compile(rf"\b({FORMATS}) (Matrix|Target)\b")


def renamed(declaration):
    for concept, name in set(ARGUMENT.findall(declaration)):
        declaration = re.sub(rf"\b{name}\b", f"{concept}{name}Type", declaration)
    return declaration


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.stdout.write(DECLARATION.sub(lambda match: renamed(match.group(0)), Path(sys.argv[1]).read_text(encoding="utf-8")))
