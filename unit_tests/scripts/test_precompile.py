# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""cmake/precompile.cmake: a precompiled header hides no missing include."""

import subprocess
import tempfile
import unittest
from pathlib import Path

TREE = Path(__file__).resolve().parents[2]


class ReachesKokkos(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name).resolve()

    def write(self, name, *lines):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(lines) + "\n", encoding="ascii")

    def reaches(self, name="file.cpp"):
        script = self.folder / "ask.cmake"
        script.write_text(
            f"include({TREE}/cmake/precompile.cmake)\nset(heddle_include_roots {self.folder}/core)\n"
            f'heddle_reaches_kokkos({self.folder}/{name} answer)\nmessage(NOTICE "${{answer}}")\n',
            encoding="ascii")
        return subprocess.run(["cmake", "-P", script], capture_output=True, text=True, check=True).stderr.strip()

    def test_itself(self):
        self.write("file.cpp", "#include <vector>", "#include <Kokkos_Core.hpp>", "Kokkos::View<int*> view;")
        self.assertEqual(self.reaches(), "TRUE")

    def test_by_headers(self):
        self.write("core/heddle/view.hpp", "#include <Kokkos_Core.hpp>")
        self.write("near.hpp", "#include <heddle/view.hpp>")
        self.write("file.cpp", '#include "near.hpp"', "Kokkos::View<int*> view;")
        self.assertEqual(self.reaches(), "TRUE")

    def test_not_at_all(self):
        self.write("core/heddle/error.hpp", "#include <string>")
        self.write("file.cpp", "#include <heddle/error.hpp>", "#include <heddle/not_there.hpp>")
        self.assertEqual(self.reaches(), "FALSE")

    def test_file_lacks_the_include(self):
        self.write("file.cpp", "#include <vector>", "Kokkos::View<int*> view;")
        self.assertEqual(self.reaches(), "HIDDEN")

    def test_header_lacks_the_include(self):
        self.write("core/heddle/lacks.hpp", "#include <string>", "inline void f(Kokkos::View<int*> const&) {}")
        self.write("core/heddle/between.hpp", "#include <Kokkos_Core.hpp>", "#include <heddle/lacks.hpp>")
        self.write("file.cpp", "#include <Kokkos_Core.hpp>", "#include <heddle/between.hpp>")
        self.assertEqual(self.reaches(), "HIDDEN")

    def test_header_lacks_the_include_under_a_condition(self):
        self.write("core/heddle/lacks.hpp", "KOKKOS_FUNCTION void f();")
        self.write("file.cpp", "#include <Kokkos_Core.hpp>", "#if defined(X)", "#include <heddle/lacks.hpp>", "#endif")
        self.assertEqual(self.reaches(), "HIDDEN")

    def test_only_under_a_condition(self):
        self.write("core/heddle/view.hpp", "#include <Kokkos_Core.hpp>")
        self.write("file.cpp", "#ifdef X", "#if Y", "#endif", "#include <heddle/view.hpp>", "#include <Kokkos_Core.hpp>", "#endif")
        self.assertEqual(self.reaches(), "FALSE")

    def test_headers_that_include_each_other(self):
        self.write("core/heddle/one.hpp", "#include <heddle/two.hpp>", "#include <Kokkos_Core.hpp>")
        self.write("core/heddle/two.hpp", "#include <heddle/one.hpp>")
        self.write("file.cpp", "#include <heddle/one.hpp>")
        self.assertEqual(self.reaches(), "TRUE")


if __name__ == "__main__":
    unittest.main()
