# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import sys
import unittest
from unittest import mock

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "perf_tests"))
from heddle_report import interpreter  # noqa: E402
from heddle_report.rows import Unusable  # noqa: E402


class NeedsPages(unittest.TestCase):
    def refused(self, program, executable, test=None):
        """What would run instead of this, where a module is missing; nothing where it is said."""
        missing = ImportError("No module named 'jinja2'")
        with (mock.patch.object(sys, "argv", [program, "report", "a b"]), mock.patch.object(sys, "executable", executable),
              mock.patch.object(os, "access", return_value=True), mock.patch.dict(os.environ),
              mock.patch.object(os, "execv") as run, mock.patch.object(interpreter.importlib, "import_module", side_effect=missing)):
            with self.assertRaisesRegex(Unusable, "'jinja2': apt-get install python3-matplotlib"):
                interpreter.needs_pages(test)  # goes on where os.execv does nothing
            return run.call_args

    def test_the_interpreter_of_the_system_runs_the_same_command(self):
        (program, words), _ = self.refused("/a/heddle_report/__main__.py", "/opt/python3")
        self.assertEqual((program, words[-4:]), (interpreter.SYSTEM, ["-m", "heddle_report", "report", "a b"]))

    def test_but_not_for_ever_and_not_in_place_of_another_program(self):
        self.assertIsNone(self.refused("/a/heddle_report/__main__.py", interpreter.SYSTEM))
        self.assertIsNone(self.refused("/a/test.py", "/opt/python3"))

    def test_tests_of_pages_run_so_too(self):
        (program, words), _ = self.refused("/a/test.py", "/opt/python3", "/a/test.py")
        self.assertEqual((program, words[-4:]), (interpreter.SYSTEM, ["-B", "/a/test.py", "report", "a b"]))

    def test_nothing_happens_where_pages_can_be_made(self):
        with mock.patch.object(os, "execv") as run, mock.patch.object(interpreter.importlib, "import_module") as load:
            interpreter.needs_pages()
        self.assertEqual(load.call_count, 2)
        run.assert_not_called()


if __name__ == "__main__":
    unittest.main()
