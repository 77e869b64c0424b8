# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""python3 -m heddle_report [--parse-only] COMMAND ...; heddle-perf COMMAND runs the same."""

import importlib
import os
import sys

from heddle_report.interpreter import needs_pages, wants_pages
from heddle_report.options import Parser, did_you_mean
from heddle_report.rows import Unusable

# Each is a module with ABOUT, add_arguments(parser) and run(arguments), which returns the exit code.
PAGES = ("analysis", "model-chart", "report")  # these need matplotlib and jinja2
CHARTS = ("paper-001", "paper-003", "paper-003-spgemm", "regret-report")  # these make tables without them
COMMANDS = ("compare", "peers", *PAGES, *CHARTS, "doc-tables", "paper-000", "paper-004-profile",
            "quickstart", "spgemm-phases")


def parsed(arguments):
    """What is to run, and with what; nothing where there is --parse-only."""
    is_run = arguments[:1] != ["--parse-only"]
    command, *rest = arguments[0 if is_run else 1 :] or ["--help"]
    if command in ("-h", "--help"):
        print(f"{__doc__}\nThere are: {', '.join(COMMANDS)}")
        return None, None
    if command not in COMMANDS:
        guess = did_you_mean(command, COMMANDS) or ";"
        raise Unusable(f"unknown command '{command}'{guess} There are: {', '.join(COMMANDS)}")
    if command in PAGES:
        needs_pages()
    elif command in CHARTS:
        wants_pages()
    module = importlib.import_module("heddle_report." + command.replace("-", "_"))
    parser = Parser(prog=f"heddle-perf {command}", description=module.ABOUT)
    module.add_arguments(parser)
    return (module.run if is_run else None), parser.parse(rest)


def main(arguments=None):
    code = 0
    try:
        run, asked = parsed(sys.argv[1:] if arguments is None else arguments)
        code = run(asked) or 0 if run else 0
        sys.stdout.flush()
    except Unusable as problem:
        print(f"heddle-perf: {problem}", file=sys.stderr)
        return problem.exit_code
    except KeyboardInterrupt:
        return 130
    except OSError as problem:  # files have their own messages: this is standard output, which nobody reads or that is full
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        print(f"heddle-perf: cannot write to standard output: {problem.strerror}", file=sys.stderr)
        return 3
    return code


if __name__ == "__main__":
    sys.exit(main())
