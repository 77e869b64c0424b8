# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scripts/check_snippets.py on documents of which each has one fault, or none."""

import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
import check_snippets  # noqa: E402

FENCE = "`" * 3


def document(mark, code):
    return f"# Title\n\n{mark}{FENCE}cpp\n{code}{FENCE}\n"


class Snippets(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        (Path(self.folder.name) / "source.cpp").write_text("int f(int x) // why\n{\n  return\n    x + 1;\n}\n")

    def tearDown(self):
        self.folder.cleanup()

    def check(self, mark, code):
        return check_snippets.complaints("page.md", document(mark, code), Path(self.folder.name))

    def test_blanks_and_comments_do_not_count(self):
        self.assertEqual(self.check("<!-- compiled: source.cpp -->\n", "return x + 1;   // more\n"), [])

    def test_paragraphs_are_found_one_by_one(self):
        self.assertEqual(self.check("<!-- compiled: source.cpp -->\n", "return x + 1;\n\nint f(int x)\n"), [])

    def test_other_code_is_found_with_its_line(self):
        found = self.check("<!-- compiled: source.cpp -->\n", "return x + 2;\n")
        self.assertEqual(found, ["page.md:5: source.cpp has no 'return x + 2;' as it stands here"])

    def test_a_block_names_its_source(self):
        found = self.check("", "return x + 1;\n")
        self.assertEqual(found, ["page.md:4: no comment above says where this is compiled"])

    def test_the_source_is_there(self):
        found = self.check("<!-- compiled: other.cpp -->\n", "return x + 1;\n")
        self.assertEqual(found, ["page.md:5: there is no other.cpp"])

    def test_comments_further_above_are_not_the_blocks(self):
        mark = "<!-- a table -->\nold\n<!-- end -->\n\n<!-- compiled: source.cpp -->\n"
        self.assertEqual(self.check(mark, "return x + 1;\n"), [])
        self.assertEqual(len(self.check("<!-- a table -->\n<!-- end -->\n\n", "return x + 1;\n")), 1)

    def test_a_sketch_is_not_compared(self):
        self.assertEqual(self.check("<!-- a sketch, not compiled -->\n", "anything\n"), [])


if __name__ == "__main__":
    unittest.main()
