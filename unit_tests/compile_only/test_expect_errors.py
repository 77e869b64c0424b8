# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""refused/expect_errors.py: every error is one that the source expects, and there is one for each."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent / "refused"))
from expect_errors import complaints  # noqa: E402

SOURCE = "  // error: heddle: one\n  call();\n  // error: heddle: two\n  call();\n"
ONE = "file.hpp:5:3: error: static assertion failed: heddle: one, with more\n"
TWO = "file.hpp:9:3: error: static assertion failed: heddle: two\n"


class Complaints(unittest.TestCase):
    def test_as_expected(self):
        self.assertEqual(complaints(SOURCE, "In instantiation of ...\n" + TWO + "note: ...\n" + ONE), [])

    def test_missing(self):
        self.assertEqual(complaints(SOURCE, ONE), ["missing: heddle: two"])

    def test_twice(self):
        self.assertEqual(complaints(SOURCE, ONE + TWO + TWO),
                         ["not expected: error: static assertion failed: heddle: two"])

    def test_another(self):
        self.assertEqual(complaints(SOURCE, ONE + TWO + "file.cpp:1:1: error: expected ';'\n"),
                         ["not expected: error: expected ';'"])

    def test_nothing_is_expected(self):
        self.assertEqual(complaints("int main() {}", ""), ["the source expects no error"])


if __name__ == "__main__":
    unittest.main()
