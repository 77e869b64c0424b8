#!/usr/bin/env python3
# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Puts files that have the same compile command into one file for clang-tidy, whose checks go through all of Kokkos each time.

It is their text, not #includes of them, since some checks look at the main file alone; what they include comes first. Files
stay apart where one says a name that the other has in an anonymous namespace, so that nothing is hidden or ambiguous.

usage: tidy_groups.py BUILD FILE...        writes BUILD/groups/*.cpp and their compile commands, and prints their paths
"""

import json
import re
import sys
from pathlib import Path

ANONYMOUS = re.compile(r"^namespace\n\{\n(.*?)^\} // namespace$", re.MULTILINE | re.DOTALL)
COMMENT_OR_STRING = re.compile(r'//.*|"(?:\\.|[^"\\\n])*"')
KEYWORDS = {"private", "public", "template"}
TEMPLATE_ARGUMENTS = re.compile(r"<[^<>]*>")


def own_names(text):
    """What is named at the left in anonymous namespaces, and main: the last word before an argument list, body or value."""
    names = {"main"} if re.search(r"^int main\(", text, re.MULTILINE) else set()
    for line in "\n".join(ANONYMOUS.findall(text)).splitlines():
        while line != (shorter := TEMPLATE_ARGUMENTS.sub("", line)):
            line = shorter
        if re.match(r"\w", line):
            names.update(re.findall(r"\w+", re.match(r"(?:[^(\[={;:]|::)*", line)[0])[-1:])
    return names - KEYWORDS


class Source:
    """A file, with what decides where it can be."""

    def __init__(self, path, command):
        self.path, self.command = path, command
        self.text = path.read_text(encoding="ascii")
        self.own = own_names(self.text)
        self.words = set(re.findall(r"\w+", COMMENT_OR_STRING.sub("", self.text)))
        self.includes = re.findall(r"^#include .*$", self.text.partition("\n#if")[0], re.MULTILINE)

    def goes_with(self, other):
        return self.command == other.command and not self.own & other.words and not other.own & self.words


def grouped(sources):
    """Lists of sources that go with each other, in their order."""
    groups = []
    for source in sources:
        group = next((g for g in groups if all(source.goes_with(other) for other in g)), None)
        if group is None:
            groups.append(group := [])
        group.append(source)
    return groups


def group_text(group):
    includes = dict.fromkeys(line for source in group for line in source.includes)
    return "\n".join([*includes, *(f"// file: {source.path}\n{source.text}" for source in group)])


def main(build, *paths):
    build = Path(build).resolve()
    entries = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
    commands = {Path(e["file"]).resolve(): re.sub(r" -o \S+ -c \S+$", "", e["command"]) for e in entries}
    sources = [Source(path, commands[path]) for path in (Path(p).resolve() for p in paths)]
    folder = build / "groups"
    folder.mkdir(exist_ok=True)
    database = []
    for number, group in enumerate(grouped(sources)):
        path = folder / f"{number:02}.cpp"
        path.write_text(group_text(group), encoding="ascii")
        database.append({"directory": str(build), "command": f"{group[0].command} -c {path}", "file": str(path)})
        print(path)
    (folder / "compile_commands.json").write_text(json.dumps(database, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
