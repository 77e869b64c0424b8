# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scripts/stale_papers.py on a small repository."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
import stale_papers  # noqa: E402

HEAD = "## 004: SELL-P\n\n| what | the paper's value | command | verdict | ours |\n|---|---|---|---|---|\n"
FOLDER = "backends/cuda_native/heddle/cuda_native"
KERNEL = '#include <heddle/cuda_native/rows/cuts.cuh>\nstruct A { static constexpr char const* name = "cuda_native::%s"; };\n'


class Stale(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        patch = mock.patch.object(stale_papers, "ROOT", self.root)
        patch.start()
        self.addCleanup(patch.stop)
        for name in ("is_known", "old_names", "defining", "sources_of", "kernels_of", "change_of", "text_of"):
            getattr(stale_papers, name).cache_clear()
        self.git("init", "-q")
        self.write(f"{FOLDER}/rows/cuts.cuh", "int cut = 1;\n")
        for name in ("same", "moved", "changed"):
            self.write(f"{FOLDER}/spmv_{name}.cuh", KERNEL % name + "".join(f"int {name}_{n} = {n};\n" for n in range(20)))
        self.commit = self.commit_all()

    def git(self, *arguments):
        identity = ("-c", "user.name=a test", "-c", "user.email=test@localhost", "-c", "commit.gpgsign=false")
        return subprocess.run(["git", "-C", str(self.root), *identity, *arguments], capture_output=True, text=True, check=True).stdout

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="ascii")

    def commit_all(self):
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "a change")
        return self.git("rev-parse", "HEAD").strip()[:12]

    def lines(self, ours, more=""):
        rows = "".join(f'{{"implementation":"heddle::cuda_native::{name}","commit":"{self.commit}"}}\n'
                       for name in ("same", "moved", "changed", "other"))
        self.write("perf_tests/results/rows.jsonl", rows)
        page = f"{HEAD}| Fig. 5 | 1 s | none | measured | {ours}: `results/rows.jsonl` ({self.commit}) |\n\n{more}"
        return list(stale_papers.lines_of("papers.md", page))

    def test_what_moves_and_what_changes(self):
        (self.root / FOLDER / "spmv").mkdir()
        for name in ("moved", "changed"):
            self.git("mv", f"{FOLDER}/spmv_{name}.cuh", f"{FOLDER}/spmv/{name}.cuh")
        path = f"{FOLDER}/spmv/moved.cuh"
        self.write(path, "// Says more.\n#include <vector>\n" + (self.root / path).read_text(encoding="ascii"))
        path = f"{FOLDER}/spmv/changed.cuh"
        self.write(path, (self.root / path).read_text(encoding="ascii").replace("changed_7 = 7", "changed_7 = 8"))
        self.commit_all()
        found = self.lines("`cuda_native::same`, `moved` and `changed` 1 s")
        self.assertEqual([kind for kind, _ in found], ["older", "moved", "current"], found)
        self.assertIn("changed by 1 commits in 1 of 2 files (changed.cuh)", found[0][1])
        self.assertIn("papers.md:5: 004, Fig. 5: cuda_native::changed since " + self.commit, found[0][1])
        explained = f"## {stale_papers.EXPLAINED}\n\n- `cuda_native::changed`: a constant.\n"
        self.assertEqual(self.lines("`changed` 1 s", explained)[0][0], "explained")
        self.assertEqual(self.lines("`changed` 1 s", explained.replace("a constant", "to be measured again"))[0][0], "older")

    def test_what_a_kernel_includes_of_rows_counts(self):
        self.write(f"{FOLDER}/rows/cuts.cuh", "int cut = 2;\n")
        self.commit_all()
        self.assertEqual([kind for kind, _ in self.lines("`same` 1 s")], ["older"])

    def test_rows_that_name_no_kernel_of_a_file_with_many_say_nothing(self):
        self.assertEqual(self.lines("1 s"), [])

    def test_a_commit_that_is_not_here(self):
        self.commit = "0123456789ab"
        self.assertEqual([kind for kind, _ in self.lines("`same` 1 s")], ["unknown"])

    def test_bare_code(self):
        self.assertEqual(stale_papers.bare("#include <a>\n int a; // of b\n/* c\n d */ int b;\n"), "inta;intb;")


if __name__ == "__main__":
    unittest.main()
