# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What tests of heddle_report share: a folder for each test, rows in it, and commands that run on them."""

import contextlib
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "perf_tests"))
from heddle_report.__main__ import main  # noqa: E402


class Run:
    """A command of heddle_report that ran in this process, what it printed, and its exit code."""

    def __init__(self, *arguments):
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                self.code = main([str(argument) for argument in arguments])
            except SystemExit as end:  # of --help and the like
                self.code = end.code
        self.out, self.err = out.getvalue(), err.getvalue()

    @property
    def cells(self):
        """Of each line."""
        return [re.split(r" {2,}", line.strip()) for line in self.out.splitlines()]


def metrics_in(log):
    """The metrics of a log of ncu."""
    return sorted(set(re.findall(r'metrics","([^"]+)"', log.read_text(encoding="utf-8"))))


class ReportTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name, what):
        """A file of rows, or of a text."""
        text = what if isinstance(what, str) else "".join(json.dumps(row) + "\n" for row in what)
        (self.folder / name).parent.mkdir(exist_ok=True)
        (self.folder / name).write_text(text, encoding="utf-8")
        return self.folder / name

    def run_well(self, *arguments):
        done = Run(*arguments)
        self.assertEqual(done.code, 0, done.err)
        return done

    def refused(self, message, *arguments, code=3):
        done = Run(*arguments)
        self.assertEqual((done.code, done.out), (code, ""), done.err)
        self.assertRegex(done.err, f"^heddle-perf: .*{message}")

    def charts_of(self, *arguments):
        """The names of the charts that a command of its own makes; None where no Python here has matplotlib."""
        environment = {**os.environ, "PYTHONPATH": str(HERE.parents[1] / "perf_tests")}
        done = subprocess.run([sys.executable, "-B", "-m", "heddle_report", *map(str, arguments)], capture_output=True, text=True,
                              env=environment, check=True)
        charts = sorted(path.name for path in self.folder.glob("*.svg"))
        if "no charts" not in done.stderr:
            return charts
        self.assertEqual(charts, [])
        return None
