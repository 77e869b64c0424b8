# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles a file that must not compile, and compares the errors with those that its comments "// error: SENTENCE" name:
there is one error for each comment, and no other.

usage: expect_errors.py SOURCE COMMAND...
"""

import re
import subprocess
import sys
from pathlib import Path

EXPECTED = re.compile(r"^ *// error: (.+)$", re.MULTILINE)
ERROR = re.compile(r"\berror: .*")


def complaints(source, output):
    """What is wrong with the compiler's output."""
    missing = EXPECTED.findall(source)
    if not missing:
        return ["the source expects no error"]
    found = []
    for error in ERROR.findall(output):
        sentence = next((text for text in missing if text in error), None)
        if sentence is None:
            found.append(f"not expected: {error}")
        else:
            missing.remove(sentence)
    return found + [f"missing: {text}" for text in missing]


def main(arguments):
    source = Path(arguments[0]).read_text(encoding="ascii")
    done = subprocess.run(arguments[1:], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    wrong = complaints(source, done.stdout)
    if done.returncode == 0:
        wrong.append("the source compiles")
    if wrong:
        print(done.stdout)
    print("\n".join(wrong) or f"{len(EXPECTED.findall(source))} errors as expected")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
