# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scripts/check_papers.py on small pages, good and bad, and on docs/papers.md itself."""

import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import check_papers  # noqa: E402

HEAD = "## 000: RS-SpMM\n\n| what | the paper's value | command that makes ours | verdict | ours |\n|---|---|---|---|---|\n"
ROWS, TEXT = "`results/rows.jsonl` (0123456789ab)", "`results/table.txt`"


class Papers(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "perf_tests/results").mkdir(parents=True)
        (self.folder / "docs").mkdir()
        (self.folder / "docs/spmm.md").write_text("# SpMM\n", encoding="ascii")
        (self.folder / "perf_tests/results/rows.jsonl").write_text('{"median_ms":1,"commit":"0123456789ab"}\n', encoding="ascii")
        (self.folder / "perf_tests/results/table.txt").write_text("heddle-perf at 0123456789ab: 1 ms\n", encoding="ascii")

    def complaints(self, *rows, head=HEAD):
        text = head + "".join(f"| Fig. 1 | 2 times | none | {verdict} | {ours} |\n" for verdict, ours in rows)
        return check_papers.complaints(self.folder / "docs" / "papers.md", text, self.folder)

    def assert_refused(self, message, verdict, ours):
        found = self.complaints((verdict, ours))
        self.assertEqual(len(found), 1, found)
        self.assertIn(message, found[0])
        self.assertTrue(found[0].startswith("papers.md:5: "), found[0])

    def test_a_page_with_numbers_and_reasons(self):
        self.assertEqual(self.complaints(
            ("confirmed", f"3.5 times: {ROWS}"),
            ("measured", f"1 ms, {TEXT}, {ROWS}"),
            ("measured", "1 ms: `results/table.txt` (0123456789ab)"),
            ("not confirmed", f"0.5 times, because the cache is larger: {ROWS}"),
            ("not measured", "needs the command beside on a GPU"),
            ("not testable here", "because nobody has such a machine"),
            ("cannot be had", "because there is no code"),
            ("described", "drawn in [spmm.md](spmm.md#a-heading)")), [])

    def test_words_that_put_off_are_refused(self):
        for words in ("comes with SpMM's kernels", "by name; not yet measured", "Not measured yet", "it no longer builds"):
            found = self.complaints(("measured", f"1 ms: {ROWS}; {words}"))
            self.assertEqual(len(found), 1, found)
            self.assertIn("are refused", found[0])
        self.assertIn("comes with", self.complaints(("measured", f"1 ms: {ROWS}"), head="It comes with more.\n\n" + HEAD)[0])

    def test_suite_is_no_number(self):
        self.assertIn("says suite in place of a number", self.complaints(("measured", f"suite: chart; {ROWS} 1"))[0])

    def test_a_number_needs_a_file_and_a_file_a_number(self):
        self.assert_refused("names no file of results", "measured", "3.5 times")
        self.assert_refused("has no number", "confirmed", f"so it is in Fig. 3: {ROWS}")
        self.assert_refused("results/gone.jsonl is not there", "measured", "1 ms: `results/gone.jsonl` (0123456789ab)")

    def test_a_file_with_commits_needs_the_right_one(self):
        self.assert_refused("the row names none", "measured", "1 ms: `results/rows.jsonl`")
        self.assert_refused("has nothing of ba9876543210", "measured", "1 ms: `results/rows.jsonl` (ba9876543210)")
        self.assert_refused("has nothing of 0123456789ab+", "measured", "1 ms: `results/rows.jsonl` (0123456789ab+)")
        self.assert_refused("has nothing of ba9876543210", "measured", "1 ms: `results/rows.jsonl` (0123456789ab, ba9876543210)")

    def test_verdicts_need_their_reasons(self):
        self.assert_refused("not confirmed without a reason", "not confirmed", f"0.5 times: {ROWS}")
        self.assert_refused("not measured without a reason", "not measured", "not done")
        self.assert_refused("cannot be had without a reason", "cannot be had", "")
        self.assert_refused("not testable here without a reason", "not testable here", "two machines")
        self.assert_refused("'proven' is no verdict", "proven", f"1 ms: {ROWS}")
        self.assert_refused("'' is no verdict", "", f"1 ms: {ROWS}")

    def test_what_is_described_has_to_be_there(self):
        self.assert_refused("names no page", "described", "drawn somewhere")
        self.assert_refused("names no page", "described", "drawn in [gone.md](gone.md)")
        self.assert_refused("names no page", "described", "a unit test, `what nobody tests`")

    def test_rows_have_five_cells(self):
        found = check_papers.complaints(self.folder / "docs/papers.md", HEAD + f"| Fig. 1 | 2 times | none | 1 ms: {ROWS} |\n", self.folder)
        self.assertEqual(len(found), 1, found)
        self.assertIn("has not five cells", found[0])

    def test_other_tables_are_none_of_its_business(self):
        page = HEAD + f"| Fig. 1 | 2 times | none | measured | 1 ms: {ROWS} |\n\n| matrix | ms |\n|---|--:|\n| one | 1 |\n"
        self.assertEqual(check_papers.complaints(self.folder / "docs/papers.md", page, self.folder), [])
        self.assertIn("no row", check_papers.complaints(self.folder / "docs/papers.md", "| a | b |\n", self.folder)[0])

    def test_the_page_itself(self):
        page = ROOT / "docs" / "papers.md"
        self.assertEqual(check_papers.complaints(page, page.read_text(encoding="utf-8")), [])


if __name__ == "__main__":
    unittest.main()
