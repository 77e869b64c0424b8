# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scripts/coverage.py on small sources and reports, and that unit_tests/uncovered.txt names files that there are, and reasons."""

import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import coverage  # noqa: E402
from coverage import Entry  # noqa: E402

SOURCE = """// return of a comment
#define RETURN \\
  return 0;
int f(int n)
{
  if constexpr (true)
    return 1;
  /* return 2;
  return 3; */
  for (int i = 0; i < n; ++i)
    g(i);
  return 4;
}
"""


class Statements(unittest.TestCase):
    def test_lines_that_begin_statements(self):
        self.assertEqual(coverage.statements_of(SOURCE), [(7, 7), (10, 10), (12, 12)])

    def test_statements_of_several_lines_and_of_devices(self):
        text = "#if defined(KOKKOS_ENABLE_CUDA)\nreturn 1;\n#else\nreturn f(2,\n         3);\n#endif\nif (a &&\n    b)\n  g();\n"
        self.assertEqual(coverage.statements_of(text), [(4, 5), (7, 8)])
        self.assertEqual(coverage.coverage_of({"a.hpp": {5: 1}}, {"a.hpp": text}).uncovered, {"a.hpp": [7]})

    def test_a_call_with_a_lambda_has_run_where_the_lambda_has(self):
        text = "f(n, [=](int i) {\n  g(i);\n});\nh(2,\n  3);\nfor (;;)\n{\n}\n"
        found = coverage.coverage_of({"a.hpp": {1: 0, 2: 5, 3: 0, 4: 0, 5: 0, 6: 0, 8: 0}}, {"a.hpp": text})
        self.assertEqual((found.total, found.uncovered), ({"a.hpp": 4}, {"a.hpp": [4, 5]}))

    def test_lines_of_gcov_are_summed_over_instances(self):
        line = {"line_number": 7, "count": 0}
        report = {"files": [{"file": "core/a.hpp", "lines": [line, {"line_number": 7, "count": 2}, {"line_number": 9, "count": 0}]},
                            {"file": "/usr/include/x.hpp", "lines": [line]}, {"file": "unit_tests/t.cpp", "lines": [line]}]}
        self.assertEqual(coverage.lines_of_gcov(report, ROOT), {"core/a.hpp": {7: 2, 9: 0}})

    def test_what_is_not_compiled_is_not_covered(self):
        found = coverage.coverage_of({"core/a.hpp": {4: 3, 7: 3, 11: 0}}, {"core/a.hpp": SOURCE, "core/empty.hpp": "\n"})
        self.assertEqual(found.total, {"core/a.hpp": 5})
        self.assertEqual(found.uncovered, {"core/a.hpp": [10, 11, 12]})
        self.assertAlmostEqual(found.percent(), 40)


class List(unittest.TestCase):
    ENTRIES = [Entry("core/a.hpp", "return 4;"), Entry("core/a.hpp", "g(i);"), Entry("core/b.hpp", "throw 1;")]

    def test_a_list_is_read_as_it_was_written(self):
        reasons = {self.ENTRIES[0]: "never", self.ENTRIES[1]: "never", self.ENTRIES[2]: "of another backend"}
        text = coverage.write_list(self.ENTRIES, reasons)
        self.assertEqual(coverage.read_list(text), reasons)
        self.assertEqual(list(coverage.complaints(self.ENTRIES, reasons)), [])

    def test_missing_reasons_and_lines_too_many(self):
        reasons = {self.ENTRIES[0]: "never", Entry("core/a.hpp", "covered();"): "never"}
        found = list(coverage.complaints(self.ENTRIES[:2], reasons))
        self.assertEqual(len(found), 2)
        self.assertIn("no test runs 'g(i);'", found[0])
        self.assertIn("'covered();' is covered or gone", found[1])

    def test_the_list_of_the_tree(self):
        text = coverage.LIST.read_text(encoding="ascii") if coverage.LIST.exists() else ""
        for entry, reason in coverage.read_list(text).items():
            self.assertNotEqual(reason, "?", entry)
            self.assertTrue((ROOT / entry.file).exists(), entry.file)


if __name__ == "__main__":
    unittest.main()
