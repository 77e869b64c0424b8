# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "scripts"))
import quickstart  # noqa: E402


def row(implementation, median_ms=None, matrix="a", operation="spmv", **more):
    one = {"operation": operation, "matrix": matrix, "value_type": "f64", "k": 1, "implementation": implementation}
    return {**one, **({} if median_ms is None else {"median_ms": median_ms}), **more}


ROWS = [
    {"operation": "self_check", "matrix": "", "implementation": "read"},
    row("heddle::auto", 1.0),
    row("kokkoskernels::native", 3.0),
    row("kokkoskernels::merge", 2.0),
    row("heddle::auto", 1.0, "b"),
    row("kokkoskernels::native", 8.0, "b"),
    row("heddle::auto", 1.0, "c"),
    row("kokkoskernels::native", matrix="c", skipped="no memory"),
    row("serial::csr", 9.0),
]


class Sentence(unittest.TestCase):
    def test_geometric_mean_over_cases_that_both_have(self):
        self.assertEqual(
            quickstart.sentence(ROWS + [row("heddle::auto", 2.0, operation="spgemm"),
                                        row("kokkoskernels::SPGEMM_KK", 3.0, operation="spgemm")]),
            "Speed of heddle over that of Kokkos Kernels, geometric means: SpMV 4.00 times (2 cases), SpGEMM 1.50 times (1 cases).")

    def test_a_noisy_machine_is_said(self):
        self.assertIn("rough", quickstart.sentence(ROWS + [row("serial::csr", 1.0, noise="busy")]))
        self.assertNotIn("rough", quickstart.sentence(ROWS))

    def test_nothing_to_compare(self):
        self.assertIn("No case", quickstart.sentence(ROWS[:2]))


if __name__ == "__main__":
    unittest.main()
