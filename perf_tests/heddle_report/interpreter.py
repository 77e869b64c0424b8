# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The interpreter that has what pages need: the one on PATH may be another than that of the system's packages."""

import importlib
import os
import pathlib
import sys

from heddle_report.rows import Unusable

SYSTEM = "/usr/bin/python3"


def wants_pages(test=None):
    """Runs the same command, or the file of a test, with the interpreter of the system where this one cannot make charts and pages.
    Returns what Python says of the module that it lacks; empty where there are all."""
    try:
        for module in ("jinja2", "matplotlib"):
            importlib.import_module(module)
    except ImportError as problem:
        program = pathlib.Path(sys.argv[0])
        is_program = program.parent.name == "heddle_report" and program.name == "__main__.py"
        if (is_program or test) and sys.executable != SYSTEM and os.access(SYSTEM, os.X_OK):
            os.environ["PYTHONPATH"] = str(pathlib.Path(__file__).resolve().parents[1])
            os.execv(SYSTEM, [SYSTEM, "-B", *([test] if test else ["-m", "heddle_report"]), *sys.argv[1:]])
        return str(problem)
    return ""


def needs_pages(test=None):
    if problem := wants_pages(test):
        raise Unusable(f"{problem}: apt-get install python3-matplotlib python3-jinja2, or set HEDDLE_PYTHON")
