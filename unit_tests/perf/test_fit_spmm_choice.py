# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# The coefficients by which plans for SpMM choose are what the script makes of the committed results.

import importlib.util
import math
import os
import unittest

ROOT = os.path.join(os.path.dirname(__file__), "..", "..")
SPEC = importlib.util.spec_from_file_location("fit_spmm_choice", os.path.join(ROOT, "scripts", "fit_spmm_choice.py"))
script = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(script)

WAYS = ["group1_t128", "warp_t64", "block_t64", "list_s0_t128", "list_s256_t128_b64", "list_s1024_t64"]


def matrix(counts):
    """Rows by class, of the middle length of each."""
    nnz = sum(count * (3 << n) // 4 for n, count in counts)
    return script.Matrix({"rows": sum(count for _, count in counts), "nnz": nnz, "longest_row": 1 << max(n for n, _ in counts),
                          "rows_of_class": [list(one) for one in counts]})


class Fit(unittest.TestCase):
    def test_header_is_what_the_script_makes(self):
        self.assertEqual(script.main(["--check"]), 0)

    def test_known_coefficients_are_found(self):
        known = [5.0, 0.2, 4.0, 3.0, 2.0, 1.3, 20.0, 0.5, 4.0]
        matrices = [matrix(counts) for counts in ([(4, 100)], [(3, 10 ** 6)], [(9, 500)], [(3, 5000), (12, 3)], [(2, 10 ** 5), (15, 2)],
                                                  [(6, 20000)], [(11, 40)], [(5, 3000), (7, 200), (10, 9)])]
        calls = []
        for one in matrices:
            for k in (8, 32, 128):
                for name in WAYS:
                    call = script.Call(one, script.way_of(name), k, 4, 132, 0.0)
                    call.us, call.weight = script.microseconds(known, call), 1.0
                    calls.append(call)
        for found, expected in zip(script.fit(calls), known):
            self.assertLess(abs(math.log(found / expected)), 0.05)

    def test_other_coefficients_change_the_header(self):
        text = script.HEADER.read_text()
        other = script.header(text, {"f32": [1.0] * 9, "f64": [2.0] * 9})
        self.assertNotEqual(text, other)
        self.assertIn("of_4_bytes{1, 1, 1, 1, 1, 1, 1, 1, 1}", other)
        with self.assertRaises(ValueError):
            script.header("nothing", {"f32": [], "f64": []})

    def test_ways_have_names(self):
        self.assertEqual(script.way_of("list_s512_t128_b64"), ("list", 512, 128, 64))
        self.assertEqual(script.way_of("group1_t64"), ("group", 0, 64, 0))
        self.assertIsNone(script.way_of("heddle::auto"))


if __name__ == "__main__":
    unittest.main()
