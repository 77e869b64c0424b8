# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The files that name heddle's version name the same one."""

import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ASKING = ("README.md", "docs/install.md", "docs/tpetra.md", "examples/CMakeLists.txt", "examples/tpetra/CMakeLists.txt",
          "unit_tests/install/CMakeLists.txt")


def text_of(file):
    return (ROOT / file).read_text(encoding="utf-8")


class Version(unittest.TestCase):
    def setUp(self):
        self.version = re.search(r"^  VERSION (\d+\.\d+\.\d+)$", text_of("CMakeLists.txt"), re.M)[1]

    def test_the_changelog_begins_with_it(self):
        numbered = re.findall(r"^## (\d+\.\d+\.\d+) - \d{4}-\d\d-\d\d$", text_of("CHANGELOG.md"), re.M)
        self.assertEqual(numbered[0], self.version)

    def test_applications_ask_for_its_minor_version(self):
        minor = self.version.rpartition(".")[0]
        for file in ASKING:
            asked = re.findall(r"find_package\(heddle ([\d.]+) REQUIRED", text_of(file))
            self.assertEqual(asked, [minor] * len(asked), file)
            self.assertTrue(asked, file)


if __name__ == "__main__":
    unittest.main()
