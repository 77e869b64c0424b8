# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Results beside published timings: docs/heddle_perf.md, "Comparing"."""

import json
from dataclasses import dataclass, field

from heddle_report.options import Names, number
from heddle_report.peer_table import read_peer_table
from heddle_report.rows import VALUE_BYTES, Row, Unusable, grouped, replace_file
from heddle_report.statistics import summary_of, text_table
from heddle_report.timings import Problem, algorithm_of, family_of, ms_text, problem_of, ratio_text, read_timings

ABOUT = "compares results with published timings"


@dataclass
class Pair:
    """A matrix: our time and the one that it is set beside; in a table of peers also the fastest of each family."""

    ours: Row
    theirs: Row
    nnz: int
    families: dict = field(default_factory=dict)

    def ratio_of(self, peer):
        """Above 1: ours is faster."""
        return peer.median_ms / self.ours.median_ms

    @property
    def ratio(self):
        """Above 1: ours measures slower."""
        return self.ours.median_ms / self.theirs.median_ms

    def agrees(self, tolerance):
        return max(self.ratio, 1 / self.ratio) <= 1 + tolerance


@dataclass
class Joined:
    """The matrices of a problem that both sides have, and as texts those that only one has or that differ in their entries."""

    problem: Problem
    family: str = ""
    pairs: list = field(default_factory=list)
    without_result: list = field(default_factory=list)
    without_peer: list = field(default_factory=list)
    of_other_size: list = field(default_factory=list)


def by_problem(rows):
    """problem -> matrix -> rows"""
    return {problem: grouped(of, lambda row: row.matrix) for problem, of in grouped(rows, problem_of).items()}


def timed(rows):
    return [row for row in rows if not row.skipped]


def fastest(rows):
    return min(rows, key=lambda row: row.median_ms, default=None)


def nnz_of(rows):
    return max(row.nnz for row in rows)


def other_size(theirs, ours):
    """What is said of matrices of one name with other numbers of entries; empty where there are no two numbers."""
    in_table, here = nnz_of(theirs), nnz_of(ours)
    return f"{ours[0].matrix} ({in_table} entries in the table, {here} here)" if 0 < in_table != here > 0 else ""


def joined_problem(problem, table, results, families):
    """Both are matrix -> rows."""
    joined = Joined(problem)
    for matrix in sorted(matrix for matrix in table if timed(table[matrix])):
        peers, ours = table[matrix], results.get(matrix, [])
        if not timed(ours):
            joined.without_result.append(f"{matrix} (skipped: {ours[-1].skipped})" if ours else matrix)
        elif said := other_size(peers, ours):
            joined.of_other_size.append(said)
        else:
            best = {family: fastest(row for row in timed(peers) if family_of(row.implementation) == family)
                    for family in sorted(set(families))}
            best = {family: peer for family, peer in best.items() if peer}
            joined.pairs.append(Pair(fastest(timed(ours)), fastest(timed(peers)), nnz_of(ours), best))
    joined.without_peer = sorted(matrix for matrix in results if timed(results[matrix]) and not timed(table.get(matrix, [])))
    return joined


def join(table, results, implementation, families):
    """The problems that both have, and those that only the table and only the results have."""
    peers, ours = by_problem(table), by_problem(row for row in results if row.implementation == implementation)
    both = [joined_problem(problem, peers[problem], ours[problem], families) for problem in sorted(peers.keys() & ours.keys())]
    return both, sorted(peers.keys() - ours.keys()), sorted(ours.keys() - peers.keys())


def shared_with(others, rows):
    """The rows of methods that the others have too. A method without a name is the only one of its side, and may be any."""
    theirs = {algorithm_of(row.implementation) for row in others}
    return [row for row in rows if theirs and ("" in theirs or algorithm_of(row.implementation) in theirs | {""})]


def agreement(problem, family, table, results):
    joined = Joined(problem, family)
    for matrix in sorted(matrix for matrix in table if timed(table[matrix])):
        theirs, ours = timed(table[matrix]), timed(results.get(matrix, []))
        best = fastest(shared_with(theirs, ours))
        if best is None:
            joined.without_result.append(matrix)
        elif said := other_size(table[matrix], results[matrix]):
            joined.of_other_size.append(said)
        else:
            joined.pairs.append(Pair(best, fastest(shared_with(ours, theirs)), nnz_of(ours)))
    return joined


def agreements(table, results, families):
    """The same baselines measured here and for the table: the fastest of the methods that both have."""
    for family in families:
        theirs, ours = (by_problem(row for row in rows if family_of(row.implementation) == family) for rows in (table, results))
        for problem in sorted(theirs):
            yield agreement(problem, family, theirs[problem], ours.get(problem, {}))


def json_of(kind, problem, pair, **more):
    ours = pair.ours
    data = {"joined": kind, "operation": problem.operation, "matrix": ours.matrix, "nnz": pair.nnz, "k": problem.k,
            "value_type": problem.value_type, "layout": problem.layout, "implementation": ours.implementation,
            "median_ms": float(ours.median_ms), "peer": pair.theirs.implementation, **more, "commit": ours.commit}
    return json.dumps({key: value for key, value in data.items() if value not in ("", {})}, separators=(",", ":")) + "\n"


def json_of_peers(joined):
    for pair in joined.pairs:
        families = {family: {"peer": peer.implementation, "peer_ratio": pair.ratio_of(peer)}
                    for family, peer in pair.families.items()}
        yield json_of("peers", joined.problem, pair, peer_ratio=pair.ratio_of(pair.theirs), families=families)


def print_list(what, items):
    if items:
        print(f"  {what}: {', '.join(items)}")


def print_problem(joined, implementation, families):
    """Of each matrix the fastest peer, then the fastest of each family, and their means."""
    titles = ("fastest peer", *families)
    lines = [("matrix", f"{implementation} ms", *(text for title in titles for text in (title, "ms", "ratio")))]
    ratios = {title: [] for title in titles}
    for pair in joined.pairs:
        lines.append([pair.ours.matrix, ms_text(pair.ours.median_ms)])
        for title, peer in zip(titles, (pair.theirs, *map(pair.families.get, families))):
            lines[-1] += [peer.implementation, ms_text(peer.median_ms), ratio_text(pair.ratio_of(peer))] if peer else [""] * 3
            if peer:
                ratios[title].append((pair.ratio_of(peer), pair.ours.matrix))
    print(f"{joined.problem}: time of the peer over ours")
    print(text_table(lines), end="")
    for title in titles:
        if ratios[title]:
            summary = summary_of(ratio for ratio, matrix in ratios[title])
            print(f"  over {title.replace('fastest', 'the fastest')}: geometric mean {ratio_text(summary.geometric)}, least "
                  f"{ratio_text(summary.least)} ({min(ratios[title])[1]}), {summary.count} matrices")
    print_list("no result for these matrices of the table", joined.without_result)
    print_list("no peer for these matrices", joined.without_peer)
    print_list("left out, other matrices of the same name", joined.of_other_size)
    print()


def print_agreement(joined, tolerance):
    """How many agree."""
    lines = [("matrix", "here", "ms", "in the table", "ms", "here / table", "agrees")]
    for pair in joined.pairs:
        cells = (cell for row in (pair.ours, pair.theirs) for cell in (row.implementation, ms_text(row.median_ms)))
        lines.append((pair.ours.matrix, *cells, ratio_text(pair.ratio), "yes" if pair.agrees(tolerance) else "OFF"))
    agreeing = sum(pair.agrees(tolerance) for pair in joined.pairs)
    print(f"{joined.problem}, {joined.family}")
    if joined.pairs:
        summary = summary_of(pair.ratio for pair in joined.pairs)
        print(text_table(lines), end="")
        print(f"  {agreeing} of {len(joined.pairs)} agree; geometric mean {ratio_text(summary.geometric)}, least "
              f"{ratio_text(summary.least)}, most {ratio_text(summary.most)}")
    print_list("not measured here", joined.without_result)
    print_list("left out, other matrices of the same name", joined.of_other_size)
    print()
    return agreeing


def write_json(path, lines):
    if path:
        replace_file(path, "".join(lines))


def run_peers(table, results, asked):
    both, without_results, without_peers = join(table, results, asked.implementation, asked.family)
    for joined in both:
        print_problem(joined, asked.implementation, asked.family)
    write_json(asked.json, (line for joined in both for line in json_of_peers(joined)))
    for side, problems in (("table", without_results), ("results", without_peers)):
        for problem in problems:
            print(f"only in the {side}: {problem}")


def run_agreement(table, results, asked):
    tolerance = 0.1 if asked.tolerance is None else asked.tolerance
    every = list(agreements(table, results, asked.family))
    there = [joined for joined in every if joined.pairs or joined.of_other_size]
    agreeing = sum(print_agreement(joined, tolerance) for joined in there)
    write_json(asked.json, (json_of("agreement", joined.problem, pair, ratio=pair.ratio)
                            for joined in there for pair in joined.pairs))
    for joined in every:
        if joined not in there:
            print(f"only in the table: {joined.problem}, {joined.family}")
    print(f"{agreeing} of {sum(len(joined.pairs) for joined in there)} agree within {100 * tolerance:g} %")


def add_arguments(parser):
    parser.add_argument("files", metavar="FILE", nargs="+",
                        help="tables of peers (*.csv) and results: files that --json wrote, or folders of them")
    parser.add_argument("--implementation", default="heddle::auto", metavar="NAME",
                        help="whose times are set beside peers' [%(default)s]")
    parser.add_argument("--exclude", action=Names, default=[], metavar="PATTERN,...",
                        help="leave out peers by name or pattern, such as '*_permuted_y'")
    parser.add_argument("--unchecked", action=Names, default=[], metavar="PATTERN,...",
                        help="also take peers whose check is empty, by name or pattern")
    parser.add_argument("--family", action=Names, default=["cusparse", "kokkoskernels"], metavar="NAME,...",
                        help="peers to show apart: first words of names [cusparse,kokkoskernels]")
    parser.add_argument("--type", choices=VALUE_BYTES, default="f64",
                        help="value type of tables without a column type [%(default)s]")
    parser.add_argument("--agreement", action="store_true",
                        help="compare the families as measured here with the table, instead of --implementation")
    parser.add_argument("--tolerance", type=number(0, above=True), metavar="T",
                        help="times that differ by more than this part of one are marked OFF [0.1]")
    parser.add_argument("--json", metavar="FILE", help="write the ratios to this file, an object a line")
    parser.epilog = "Example:\n  heddle-perf peers peers.csv spmm.jsonl --exclude '*_permuted_y' --json ratios.jsonl"


def run(asked):
    if asked.tolerance is not None and not asked.agreement:
        raise Unusable("--tolerance requires --agreement")
    tables = [file for file in asked.files if file.endswith(".csv")]
    results = [file for file in asked.files if file not in tables]
    table = [row for file in tables for row in read_peer_table(file, asked.exclude, asked.unchecked, asked.type)]
    if not table:
        raise Unusable("no table of peers: name a file that ends in .csv")
    if not results:
        raise Unusable("no results: name files that --json wrote")
    (run_agreement if asked.agreement else run_peers)(table, read_timings(results), asked)
