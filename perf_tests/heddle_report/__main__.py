# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""python3 -m heddle_report COMMAND ..."""

import argparse
import importlib
import os
import sys

from heddle_report.rows import Unusable

# Each is a module with ABOUT, add_arguments(parser) and run(arguments), which returns the exit code.
COMMANDS = ("report",)


def parser_of(commands):
    parser = argparse.ArgumentParser(prog="heddle_report", description=__doc__)
    subparsers = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for command in commands:
        module = importlib.import_module("heddle_report." + command.replace("-", "_"))
        subparser = subparsers.add_parser(
            command, help=module.ABOUT, description=module.ABOUT, formatter_class=argparse.RawDescriptionHelpFormatter
        )
        module.add_arguments(subparser)
        subparser.set_defaults(run=module.run)
    return parser


def main(arguments=None):
    arguments = sys.argv[1:] if arguments is None else arguments
    named = [command for command in COMMANDS if arguments[:1] == [command]]
    asked = parser_of(named or COMMANDS).parse_args(arguments)
    try:
        return asked.run(asked) or 0
    except Unusable as problem:
        print(f"heddle_report {asked.command}: {problem}", file=sys.stderr)
        return problem.exit_code
    except BrokenPipeError:  # the reader of standard output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 3


if __name__ == "__main__":
    sys.exit(main())
