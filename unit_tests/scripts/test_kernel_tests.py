# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scripts/kernel_tests.py on small sources, logs and lists of symbols."""

import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import kernel_tests  # noqa: E402

SOURCE = """
// __global__ void not_a_kernel(int)
template <class Policy>
__global__ void __launch_bounds__(Policy::value.threads_per_block, most(Policy::value)) first_kernel(int n)
{}
__global__ void second_kernel(int n) {}
template <int n>
__launch_bounds__(32) __global__ void third_kernel() {}
"""
ONE = "void heddle::cuda_native::(anonymous namespace)::x(int)"
FIRST_8 = "void heddle::cuda_native::first_kernel<heddle::cuda_native::Policy<8> >(int)"
FIRST_9 = "void heddle::cuda_native::first_kernel<heddle::cuda_native::Policy<9> >(int)"


class KernelTests(unittest.TestCase):
    def test_kernels_of_a_source(self):
        self.assertEqual(kernel_tests.kernels_of({"a.cuh": SOURCE}),
                         {"first_kernel": "a.cuh", "second_kernel": "a.cuh", "third_kernel": "a.cuh"})

    def test_kernels_of_the_backend(self):
        sources = {str(path): path.read_text(encoding="ascii") for path in kernel_tests.NATIVE.rglob("*.cuh")}
        marks = sum(kernel_tests.without_comments(text).count("__global__") for text in sources.values())
        self.assertEqual(len(kernel_tests.kernels_of(sources)), marks)

    def test_names_of_instances(self):
        self.assertEqual(kernel_tests.kernel_of(FIRST_8), "first_kernel")
        self.assertEqual(kernel_tests.kernel_of("void Kokkos::Impl::launch<int>(int)"), "")
        self.assertEqual(kernel_tests.shortened(FIRST_8), "first_kernel<Policy<8> >")

    def test_a_table_and_what_is_missing(self):
        tests = kernel_tests.read_logs([f"a case\t{FIRST_8}\t2.5\n", f"a case\t{FIRST_8}\t1.5\n", f"another case\t{FIRST_8}\t3\n",
                                        "a case\tvoid cub::x()\t2.5\n"])
        self.assertEqual(tests, {FIRST_8: {"a case": 1.5, "another case": 3}})
        kernels = kernel_tests.kernels_of({"a.cuh": SOURCE})
        symbols = [f"0000000000001000 t {FIRST_8}", f"0000000000002000 W {FIRST_9}", "                 U cudaMalloc", f"00 t {ONE}"]
        compiled = kernel_tests.compiled_in(symbols, kernels)
        self.assertEqual(compiled, {FIRST_8, FIRST_9})
        rows = kernel_tests.table(kernels, tests, compiled)
        self.assertIn("| `first_kernel` | a.cuh | 1 | 2 | 2 | a case |", rows)
        self.assertIn("| `second_kernel` | a.cuh | 0 | 0 | 0 | **none** |", rows)

    def test_few_cases_and_short_ones_launch_all(self):
        tests = {"a": {"short": 1, "all": 30}, "b": {"short": 1, "all": 30, "slow": 9}, "c": {"all": 30, "slow": 9}, "d": {"slow": 9}}
        self.assertEqual(kernel_tests.few_cases(tests), ["short", "slow"])
        self.assertEqual(kernel_tests.few_cases({}), [])


if __name__ == "__main__":
    unittest.main()
