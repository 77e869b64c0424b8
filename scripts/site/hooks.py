# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the site has beside the pages of docs/: README.md as its first page, CONTRIBUTING.md, CHANGELOG.md, SECURITY.md, the examples and, where
doxygen has made it, the reference. Links between files of the repository become links between pages."""

import posixpath
import re
from pathlib import Path

from mkdocs.structure.files import File, InclusionLevel

ROOT = Path(__file__).resolve().parents[2]
REFERENCE = ROOT / "build/doxygen/html"
PAGE_OF = {"README.md": "index.md", "CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md", "SECURITY.md": "security.md", "examples": "examples.md"}
SOURCE_OF = {page: source for source, page in PAGE_OF.items()}
LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)#\s]+)(#[^)\s]*)?\)")
CODE = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)


def examples_page():
    """The programs of examples/, each below the sentence that opens it."""
    parts = ["# Examples\n\nPrograms that are built and run against the installed package: `cmake -S examples -B build/examples`.\n"]
    for path in sorted((ROOT / "examples").glob("*.cpp")):
        lines = path.read_text(encoding="utf-8").splitlines()[2:]
        about = [line.removeprefix("// ") for line in lines[: next(n for n, line in enumerate(lines) if not line.startswith("//"))]]
        code = "\n".join(lines[len(about) :]).strip()
        parts.append(f"## {path.stem}\n\n{' '.join(about)}\n\n```cpp\n{code}\n```\n")
    return "\n".join(parts)


def on_files(files, config):
    for source, page in PAGE_OF.items():
        text = examples_page() if source == "examples" else (ROOT / source).read_text(encoding="utf-8")
        files.append(File.generated(config, page, content=text))
    if REFERENCE.is_dir():
        for path in REFERENCE.rglob("*"):
            if path.is_file():
                name = f"api/{path.relative_to(REFERENCE)}"
                files.append(File.generated(config, name, abs_src_path=str(path), inclusion=InclusionLevel.NOT_IN_NAV))
    return files


def page_link(page, target):
    """Where a link of a page leads on the site; None where the site does not have it."""
    folder = "" if page in SOURCE_OF else "docs"
    path = posixpath.normpath(posixpath.join(folder, target))
    if not (ROOT / path).exists() and not path.startswith("docs/api/"):
        return target  # mkdocs complains of it
    if path in PAGE_OF:
        return PAGE_OF[path]
    if path.startswith("docs/api/") and not REFERENCE.is_dir():
        return None
    return path.removeprefix("docs/") if path.startswith("docs/") else None


def on_page_markdown(markdown, page, **_):
    def link(match):
        image, text, target, anchor = match.groups()
        if re.match(r"[a-z]+:", target):
            return match[0]
        found = page_link(page.file.src_uri, target)
        return text if found is None else f"{image}[{text}]({found}{anchor or ''})"

    parts, end = [], 0
    for code in CODE.finditer(markdown):
        parts += [LINK.sub(link, markdown[end : code.start()]), code[0]]
        end = code.end()
    return "".join([*parts, LINK.sub(link, markdown[end:])])
