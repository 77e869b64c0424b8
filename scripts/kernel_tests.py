#!/usr/bin/env python3
# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which test launches which native kernel: a table from the logs of tests that ran on a GPU with HEDDLE_KERNEL_LOG=FILE
(unit_tests/support/kernel_log.cpp), against the kernels that backends/cuda_native has.

A row is a kernel: its file, how many of its instances (one for each set of template arguments: types, and the numbers and branches of
its policy) tests have launched, of how many that the programs have, the number of test cases that launch it, and the one of them that
launches the fewest others. After the table come the instances that no test has launched. Fails where a kernel is launched by no test.

usage: kernel_tests.py LOG... [--symbols FILE...] [--cases FILE]

  --symbols   what nm -C prints of the programs that wrote the logs: which instances they have
  --cases     writes the names of few cases, and short ones, that together launch all instances that are launched at all: those to be
              run where each costs much (scripts/compute_sanitizer.sh --log FILE)
"""

import argparse
import re
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NATIVE = ROOT / "backends" / "cuda_native"
KERNEL = re.compile(r"__global__\s+(?:inline\s+)?(?:void\s+)?(?:__launch_bounds__\((?:[^()]|\([^()]*(?:\([^()]*\)[^()]*)*\))*\)\s*)?(?:void\s+)?(\w+)\s*\(")


def without_comments(text):
    return re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.DOTALL)


def kernels_of(texts):
    """{kernel: file} of {file: text}."""
    return {match[1]: file for file, text in texts.items() for match in KERNEL.finditer(without_comments(text))}


def kernel_of(instance):
    """The name of a kernel without its namespaces and template arguments; "" where it is none of heddle's."""
    match = re.match(r"(?:void )?heddle::cuda_native::(?:\w+::)*(\w+)", instance)
    return match[1] if match else ""


def shortened(instance):
    """Template arguments without what is said everywhere."""
    text = re.sub(r"^void ", "", instance)
    head, depth = "", 0
    for letter in text:  # without the parameters of the function
        depth += (letter == "<") - (letter == ">")
        if letter == "(" and depth == 0:
            break
        head += letter
    for long, short in (("heddle::cuda_native::", ""), ("heddle::impl::", ""), ("heddle::", ""), ("unsigned long", "size_t"), ("std::", ""),
                        ("Kokkos::", ""), ("Impl::", "")):
        head = head.replace(long, short)
    return head


def read_logs(lines):
    """{instance: {test case: seconds}}; of several runs of a case the shortest."""
    tests = defaultdict(dict)
    for line in lines:
        test, instance, seconds = line.rstrip("\n").split("\t")
        if kernel_of(instance):
            tests[instance][test] = min(float(seconds), tests[instance].get(test, float("inf")))
    return tests


def few_cases(tests):
    """Cases that launch all instances: again and again that with the most instances a second of which no earlier case has any."""
    instances, seconds = defaultdict(set), {}
    for instance, cases in tests.items():
        for case, time in cases.items():
            instances[case].add(instance)
            seconds[case] = time
    chosen, left = [], set(tests)
    while left:
        best = max(sorted(instances), key=lambda case: len(instances[case] & left) / (seconds[case] + 0.1))
        chosen.append(best)
        left -= instances[best]
    return chosen


def compiled_in(symbols, kernels):
    """Instances among the lines of nm -C: functions that have the name of a kernel."""
    found = set()
    for line in symbols:
        match = re.match(r"[0-9a-f]*\s+[TtWwVu] (.*)", line)
        if match and kernel_of(match[1]) in kernels and "__device_stub__" not in match[1]:
            found.add(match[1])
    return found


def table(kernels, tests, compiled):
    by_kernel = defaultdict(set)
    for instance in tests:
        by_kernel[kernel_of(instance)].add(instance)
    kernels_of_case = defaultdict(set)
    for instance, cases in tests.items():
        for case in cases:
            kernels_of_case[case].add(kernel_of(instance))
    rows = ["| kernel | file | instances launched | of | test cases | such as |", "|---|---|--:|--:|--:|---|"]
    for kernel, file in sorted(kernels.items(), key=lambda item: (item[1], item[0])):
        cases = set().union(*(tests[instance] for instance in by_kernel[kernel]))
        there = sum(kernel_of(instance) == kernel for instance in compiled) if compiled else ""
        rows.append(f"| `{kernel}` | {file} | {len(by_kernel[kernel])} | {there} | {len(cases)} | "
                    f"{min(cases, key=lambda case: (len(kernels_of_case[case]), case), default='**none**')} |")
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("logs", nargs="+", type=Path)
    parser.add_argument("--symbols", nargs="*", type=Path, default=[])
    parser.add_argument("--cases", type=Path)
    options = parser.parse_args()
    kernels = kernels_of({str(path.relative_to(NATIVE / "heddle" / "cuda_native")): path.read_text(encoding="ascii")
                          for path in sorted(NATIVE.rglob("*.cuh"))})
    tests = read_logs(line for log in options.logs for line in log.read_text(encoding="utf-8").splitlines())
    if options.cases:
        options.cases.write_text("".join(f"{case}\n" for case in few_cases(tests)), encoding="utf-8")
    compiled = set()
    for file in options.symbols:
        compiled |= compiled_in(file.read_text(encoding="utf-8").splitlines(), kernels)
    print("\n".join(table(kernels, tests, compiled)))
    launched = {kernel_of(instance) for instance in tests}
    missing = sorted(set(kernels) - launched)
    never = sorted(map(shortened, compiled - set(tests)))
    print(f"\n{len(kernels)} kernels, {len(kernels) - len(missing)} of them launched by tests; {len(tests)} instances launched"
          + (f", {len(compiled)} compiled, {len(never)} of them launched by no test:" if compiled else ""))
    for instance in never:
        print(f"  {instance}")
    for kernel in missing:
        print(f"kernel_tests: no test launches {kernel} ({kernels[kernel]})", file=sys.stderr)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
