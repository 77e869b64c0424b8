# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Command lines: one line about what is wrong, lists with commas, numbers within bounds."""

import argparse
import difflib
import math

from heddle_report.rows import Unusable


def did_you_mean(text, names):
    nearest = difflib.get_close_matches(text, names, n=1)
    return f"; did you mean '{nearest[0]}'?" if nearest else ""


class Parser(argparse.ArgumentParser):
    """Of one command. Files may stand before, between and behind its options."""

    def __init__(self, **more):
        super().__init__(allow_abbrev=False, formatter_class=argparse.RawDescriptionHelpFormatter, **more)

    def parse(self, arguments):
        asked, left = self.parse_known_intermixed_args(arguments)
        for word in left:
            if word.startswith("-"):
                option = word.partition("=")[0]
                guess = did_you_mean(option, list(self._option_string_actions)) or ";"
                raise Unusable(f"unknown option '{option}'{guess} {self.prog} --help lists them")
            raise Unusable(f"'{word}' is one argument too many; {self.prog} --help lists them")
        return asked

    def error(self, message):
        raise Unusable(message.removeprefix("argument "))


class Names(argparse.Action):
    """A list with commas, which may be given again."""

    def __call__(self, parser, namespace, text, option=None):
        before = getattr(namespace, self.dest)
        names = [] if before is self.default else before
        setattr(namespace, self.dest, names + text.split(","))


def number(least, most=math.inf, above=False):
    """A type of finite numbers; above: the least itself is none of them."""
    if most < math.inf:
        expected = f"a number from {least:g} to {most:g}"
    else:
        expected = f"a finite number {'above' if above else 'of at least'} {least:g}"

    def parse(text):
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not (math.isfinite(value) and least <= value <= most) or (above and value == least):
            raise argparse.ArgumentTypeError(f"'{text}' is not {expected}")
        return value

    return parse
