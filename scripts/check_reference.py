#!/usr/bin/env python3
# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads what doxygen knows of the public headers (XML) and names what has no comment.

Classes, concepts and enumerations, and functions, constants and aliases of a namespace need one; members of classes
that take arguments do, too (accessors are what the class says). A function of a namespace that takes an execution
space says whether it waits for it, itself or by "the same" as the function before it.

usage: check_reference.py FOLDER_OF_XML
"""

import re
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

WAITING = re.compile(r"waits? for|asynchronous|does not wait|the same|no kernel", re.IGNORECASE)
KINDS = ("class", "struct", "namespace", "concept")


def text_of(element):
    """The comment of something, brief and detailed."""
    parts = [element.find("briefdescription"), element.find("detaileddescription")]
    return " ".join("".join(part.itertext()).strip() for part in parts if part is not None).strip()


def parameters_of(member):
    """The types of a function's parameters."""
    return ["".join(p.find("type").itertext()).strip() for p in member.findall("param") if p.find("type") is not None]


def place_of(element):
    location = element.find("location")
    return f"{location.get('file')}:{location.get('line')}" if location is not None else "?"


def is_public(name):
    return name.startswith("heddle") and "impl" not in name.split("::")


def member_defect(member, is_namespace):
    """What is wrong with the comment of a member, or None."""
    kind, comment = member.get("kind"), text_of(member)
    parameters = parameters_of(member)
    if is_namespace:
        is_deduction_guide = kind == "function" and not "".join(member.find("type").itertext())
        is_specialisation = "<" in member.findtext("name")
        wanted = kind in ("function", "enum", "typedef", "variable") and not is_deduction_guide | is_specialisation
    else:
        wanted = kind == "function" and parameters and "operator" not in member.findtext("name")
    if wanted and not comment:
        return "has no comment"
    if is_namespace and wanted and kind == "function" and any(p.startswith("Exec ") for p in parameters):
        if not WAITING.search(comment):
            return "does not say whether it waits for exec"
    return None


def complaints(folder):
    found = []
    for path in sorted(Path(folder).glob("*.xml")):
        root = ElementTree.parse(path).getroot()
        for compound in root.findall("compounddef"):
            name = compound.findtext("compoundname")
            if compound.get("kind") not in KINDS or not is_public(name):
                continue
            is_namespace = compound.get("kind") == "namespace"
            if not is_namespace and not text_of(compound):
                found.append(f"{place_of(compound)}: {name} has no comment")
            for member in compound.iter("memberdef"):
                defect = member_defect(member, is_namespace) if member.get("prot") == "public" else None
                if defect:
                    found.append(f"{place_of(member)}: {name}::{member.findtext('name')} {defect}")
    return found


def main():
    if len(sys.argv) != 2 or not Path(sys.argv[1]).is_dir():
        sys.exit(__doc__)
    if not list(Path(sys.argv[1]).glob("namespaceheddle.xml")):
        sys.exit(f"scripts/check_reference.py: doxygen found no namespace heddle in {sys.argv[1]}")
    found = complaints(sys.argv[1])
    print("\n".join(found))
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
