# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scripts/check_links.py on documents of which each has one fault, or none, and the pictures of the documents."""

import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
import check_links  # noqa: E402
import pictures  # noqa: E402

FENCE = "`" * 3


class Links(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "other.md").write_text(f"# Title\n\n## A^T x, by `atomics`\n\n## Twice\n\n## Twice\n\n{FENCE}sh\n## none\n{FENCE}\n")

    def check(self, text):
        page = self.folder / "page.md"
        page.write_text(f"# Page\n\n{text}\n")
        return [complaint.removeprefix(f"{page}:") for complaint in check_links.complaints(page)]

    def test_files_and_headings_that_are_there(self):
        self.assertEqual(self.check("[a](other.md) [b](other.md#at-x-by-atomics) [c](other.md#twice-1) [d](#page) ![e](other.md)"), [])

    def test_a_file_that_is_not_there_is_named_with_its_line(self):
        self.assertEqual(self.check("text\n[a](none.md)"), ["4: none.md: there is no such file"])

    def test_a_heading_that_is_not_there(self):
        for target in ("other.md#twice-2", "other.md#none", "#other"):
            self.assertEqual(self.check(f"[a]({target})"), [f"3: {target}: there is no such heading"])

    def test_code_the_web_and_the_reference_are_left_alone(self):
        self.assertEqual(self.check(f"`a[i](none.md)` [a](https://none/x) [b](api/index.html)\n\n{FENCE}cpp\n[](int i)\n{FENCE}"), [])


class Pictures(unittest.TestCase):
    def test_they_are_what_the_script_draws(self):
        self.assertEqual(pictures.main(["--check"]), 0)

    def test_another_picture_is_noticed(self):
        drawn = dict(pictures.PICTURES)
        self.addCleanup(pictures.PICTURES.update, drawn)
        pictures.PICTURES["formats.svg"] = lambda: "<svg/>"
        self.assertEqual(pictures.main(["--check"]), 1)


if __name__ == "__main__":
    unittest.main()
