# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scripts/check_includes.py on backends of a few headers."""

import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
import check_includes  # noqa: E402


class Includes(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write(self, name, *others):
        path = self.folder / "heddle" / "cuda_native" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = ["#pragma once"] + [f"#include <heddle/cuda_native/{other}>" for other in others]
        path.write_text("\n".join(lines + ["#include <vector>", ""]), encoding="ascii")

    def write_chain(self, *names):
        for name, other in zip(names, names[1:]):
            self.write(name, other)
        self.write(names[-1])

    def test_a_chain_of_as_many_files_as_allowed(self):
        self.write_chain("spmv/a.cuh", "spmv/b.cuh", "device/c.hpp")
        self.assertEqual(check_includes.complaints(self.folder, 3), [])

    def test_a_longer_chain_is_shown_from_its_top(self):
        self.write_chain("spmv/a.cuh", "spmv/b.cuh", "device/c.hpp")
        self.assertEqual(
            check_includes.complaints(self.folder, 2),
            ["spmv/a.cuh includes 3 files one through the other, 2 are allowed: spmv/a.cuh > spmv/b.cuh > device/c.hpp"])

    def test_the_longest_of_several_chains_counts(self):
        self.write_chain("spmm/b.cuh", "rows/c.cuh", "device/d.cuh")
        self.write("spmm/a.cuh", "device/d.cuh", "spmm/b.cuh", "rows/c.cuh")
        self.assertEqual(check_includes.complaints(self.folder, 4), [])
        self.assertEqual(len(check_includes.complaints(self.folder, 3)), 1)

    def test_operations_do_not_include_each_other(self):
        self.write_chain("spmm/a.cuh", "spmv/b.cuh")
        self.assertEqual(check_includes.complaints(self.folder),
                         ["spmm/a.cuh includes spmv/b.cuh, which is not in a room below its own"])

    def test_papers_may_include_operations_but_not_the_other_way(self):
        self.write_chain("papers/a.cuh", "spmv/b.cuh")
        self.assertEqual(check_includes.complaints(self.folder), [])
        self.write_chain("spmv/b.cuh", "papers/c.cuh")
        self.assertEqual(check_includes.complaints(self.folder),
                         ["spmv/b.cuh includes papers/c.cuh, which is not in a room below its own"])

    def test_circles_are_found(self):
        self.write("rows/a.cuh", "rows/b.cuh")
        self.write("rows/b.cuh", "rows/a.cuh")
        found = check_includes.complaints(self.folder)
        self.assertTrue(found and "rows/a.cuh > rows/b.cuh > rows/a.cuh" in found[0], found)


if __name__ == "__main__":
    unittest.main()
