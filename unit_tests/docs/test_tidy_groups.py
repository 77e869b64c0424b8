# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scripts/tidy_groups.py on files that can be one and files that cannot."""

import contextlib
import io
import json
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
import tidy_groups  # noqa: E402


def anonymous(code):
    return f"namespace\n{{\n\n{code}\n\n}} // namespace\n"


class Groups(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()

    def tearDown(self):
        self.folder.cleanup()

    def source(self, name, text, command="g++ -O3"):
        path = Path(self.folder.name) / name
        path.write_text(text, encoding="ascii")
        return tidy_groups.Source(path, command)

    def names(self, *sources):
        return [[source.path.name for source in group] for group in tidy_groups.grouped(sources)]

    def test_own_names_are_those_of_anonymous_namespaces(self):
        code = "template <class A>\nstruct One : Two<A>\n{\n  int no;\n};\nconstexpr char three[] = {0};\nstd::map<int, int> four(int)\n{\n}"
        self.assertEqual(tidy_groups.own_names("int not_this;\n" + anonymous(code)), {"One", "three", "four"})
        self.assertEqual(tidy_groups.own_names("int main()\n{\n}\n"), {"main"})

    def test_files_are_together_unless_a_name_or_the_command_parts_them(self):
        a = self.source("a", anonymous("int helper(int x) { return x; }"))
        b = self.source("b", "int call() { return 1; } // no helper\n")
        c = self.source("c", "int helper(double);\n")
        d = self.source("d", anonymous("int other;"), "g++ -O0")
        self.assertEqual(self.names(a, b, c, d), [["a", "b"], ["c"], ["d"]])

    def test_mains_are_apart(self):
        self.assertEqual(self.names(*(self.source(name, "int main()\n{\n}\n") for name in "ab")), [["a"], ["b"]])

    def test_includes_come_first_and_conditional_ones_stay(self):
        a = self.source("a", "#include <a.hpp>\n#if defined(B)\n#include <b.hpp>\n#endif\n")
        b = self.source("b", "#include <c.hpp>\n#include <a.hpp>\nint x;\n")
        lines = tidy_groups.group_text([a, b]).splitlines()
        self.assertEqual(lines[:3], ["#include <a.hpp>", "#include <c.hpp>", f"// file: {a.path}"])
        self.assertEqual(lines.count("#include <b.hpp>"), 1)
        self.assertEqual(lines[-1], "int x;")

    def test_groups_have_the_commands_of_their_files(self):
        build = Path(self.folder.name)
        sources = [self.source(name, f"int {name};\n") for name in ("a.cpp", "b.cpp")]
        (build / "compile_commands.json").write_text(json.dumps(
            [{"file": str(s.path), "command": f"g++ -DX -o {s.path.name}.o -c {s.path}"} for s in sources]))
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            tidy_groups.main(build, *(s.path for s in sources))
        (entry,) = json.loads((build / "groups/compile_commands.json").read_text())
        self.assertEqual(printed.getvalue(), entry["file"] + "\n")
        self.assertEqual(entry["command"], f"g++ -DX -c {entry['file']}")
        self.assertEqual(Path(entry["file"]).read_text().count("// file: "), 2)


if __name__ == "__main__":
    unittest.main()
