#!/usr/bin/env python3
# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cuts a hypergraph by Mt-KaHyPar (Gottesbueren et al., ALENEX 2021), for heddle-perf's --partitioner.

FILE has the hypergraph in hMETIS's format. The part of each vertex goes to OUT, a line each. What is made small is the sum
over nets of their weight times the parts they touch, less one. Parts are the same each time for one number of threads and one
version of Mt-KaHyPar with the preset deterministic.
"""

import argparse
import sys

INSTALL = "the Python package mtkahypar is missing: python3 -m pip install mtkahypar"
PRESETS = {"default": "DEFAULT", "deterministic": "DETERMINISTIC", "quality": "QUALITY", "large_k": "LARGE_K"}


def cut(asked):
    import mtkahypar

    partitioner = mtkahypar.initialize(asked.threads)
    mtkahypar.set_seed(asked.seed)
    context = partitioner.context_from_preset(getattr(mtkahypar.PresetType, PRESETS[asked.preset]))
    context.set_partitioning_parameters(asked.parts, asked.imbalance, mtkahypar.Objective.KM1)
    context.logging = False
    graph = partitioner.hypergraph_from_file(asked.file, context, mtkahypar.FileFormat.HMETIS)
    partition = graph.partition(context)
    return [partition.block_id(vertex) for vertex in range(graph.num_nodes())]


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", metavar="FILE")
    parser.add_argument("parts", metavar="PARTS", type=int)
    parser.add_argument("out", metavar="OUT")
    parser.add_argument("--preset", choices=sorted(PRESETS), default="deterministic")
    parser.add_argument("--imbalance", type=float, default=0.1, help="the heaviest part over the mean, less one [0.1]")
    parser.add_argument("--threads", type=int, default=2, help="[2]")
    parser.add_argument("--seed", type=int, default=1, help="[1]")
    asked = parser.parse_args(arguments)
    try:
        parts = cut(asked)
    except ModuleNotFoundError as problem:
        if problem.name != "mtkahypar":
            raise
        print(f"mtkahypar_partitioner.py: {INSTALL}", file=sys.stderr)
        return 3
    with open(asked.out, "w", encoding="utf-8") as out:
        out.writelines(f"{part}\n" for part in parts)
    return 0


if __name__ == "__main__":
    sys.exit(main())
