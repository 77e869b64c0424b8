# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scripts/row_lengths.py on a small matrix, and on what is none."""

import struct
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
import row_lengths  # noqa: E402


class RowLengths(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name) / "made.bin"

    def test_limits_themselves_are_not_above(self):
        offsets = [0]
        for length in (32, 0, 33, 128, 129):
            offsets.append(offsets[-1] + length)
        self.path.write_bytes(b"CSRB1\n" + struct.pack("<3q", 5, 200, offsets[-1]) + struct.pack("<6i", *offsets))
        self.assertEqual(row_lengths.row_lengths(self.path), {
            "operation": "row_lengths", "matrix": "made", "rows": 5, "nnz": 322, "longest_row": 129,
            "entries_in_rows_above_32": 290, "entries_in_rows_above_128": 129, "rows_of_class": [(0, 1), (6, 2), (8, 2)]})

    def test_other_files_are_refused(self):
        self.path.write_bytes(b"%%MatrixMarket matrix coordinate real general\n1 1 0\n")
        with self.assertRaisesRegex(ValueError, "is no CSRB1 file"):
            row_lengths.row_lengths(self.path)
        self.path.write_bytes(b"CSRB1\n" + struct.pack("<3q", 5, 5, 0) + struct.pack("<2i", 0, 0))
        with self.assertRaises(EOFError):
            row_lengths.row_lengths(self.path)


if __name__ == "__main__":
    unittest.main()
