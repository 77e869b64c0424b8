# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scripts/mtkahypar_partitioner.py: what it asks of the package, what it writes, and what it says where that is missing."""

import contextlib
import importlib.util
import io
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
import mtkahypar_partitioner  # noqa: E402

# Two triangles with one light net between them.
TRIANGLES = "3 6 1\n9 1 2 3\n9 4 5 6\n1 3 4\n"


class Partitioner(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.graph, self.out = Path(folder.name) / "graph.hgr", Path(folder.name) / "parts"
        self.graph.write_text(TRIANGLES, encoding="utf-8")

    def cut(self, *options):
        """The exit code and what is said."""
        with contextlib.redirect_stderr(io.StringIO()) as said:
            code = mtkahypar_partitioner.main([str(self.graph), "2", str(self.out), *options])
        return code, said.getvalue()

    def test_what_the_package_is_asked(self):
        package = mock.MagicMock()
        graph = package.initialize.return_value.hypergraph_from_file.return_value
        graph.num_nodes.return_value = 3
        graph.partition.return_value.block_id.side_effect = lambda vertex: (1, 0, 1)[vertex]
        with mock.patch.dict(sys.modules, mtkahypar=package):
            self.assertEqual(self.cut("--seed", "7", "--imbalance", "0.25", "--threads", "3"), (0, ""))
        self.assertEqual(self.out.read_text(encoding="utf-8"), "1\n0\n1\n")
        package.initialize.assert_called_once_with(3)
        package.set_seed.assert_called_once_with(7)
        partitioner = package.initialize.return_value
        partitioner.context_from_preset.assert_called_once_with(package.PresetType.DETERMINISTIC)
        context = partitioner.context_from_preset.return_value
        context.set_partitioning_parameters.assert_called_once_with(2, 0.25, package.Objective.KM1)
        partitioner.hypergraph_from_file.assert_called_once_with(str(self.graph), context, package.FileFormat.HMETIS)

    def test_a_missing_package_is_named(self):
        with mock.patch.dict(sys.modules, mtkahypar=None):
            code, said = self.cut()
        self.assertEqual(code, 3)
        self.assertIn("pip install mtkahypar", said)
        self.assertFalse(self.out.exists())

    @unittest.skipUnless(importlib.util.find_spec("mtkahypar"), "mtkahypar is not installed")
    def test_the_light_net_is_cut(self):
        for preset in mtkahypar_partitioner.PRESETS:
            self.assertEqual(self.cut("--preset", preset), (0, ""))
            parts = self.out.read_text(encoding="utf-8").split()
            self.assertIn(parts, (list("000111"), list("111000")))


if __name__ == "__main__":
    unittest.main()
