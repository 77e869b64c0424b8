# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scripts/check_reference.py on the XML that doxygen makes of one function."""

import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
import check_reference  # noqa: E402

PAGE = """<doxygen><compounddef kind="{compound}"><compoundname>{owner}</compoundname>
<briefdescription>{about}</briefdescription>
<memberdef kind="function" prot="{access}"><type>{result}</type><name>f</name>
<param><type>Exec const &amp;</type></param><briefdescription><para>{comment}</para></briefdescription>
<location file="f.hpp" line="7"/></memberdef></compounddef></doxygen>"""


class Reference(unittest.TestCase):
    def check(self, comment, compound="namespace", owner="heddle", access="public", about="", result="void"):
        page = PAGE.format(comment=comment, compound=compound, owner=owner, access=access, about=about, result=result)
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "page.xml").write_text(page)
            return check_reference.complaints(folder)

    def test_a_function_needs_a_comment(self):
        self.assertEqual(self.check(""), ["f.hpp:7: heddle::f has no comment"])

    def test_a_function_says_whether_it_waits(self):
        self.assertEqual(self.check("Does it."), ["f.hpp:7: heddle::f does not say whether it waits for exec"])
        for comment in ("Does it. Waits for exec.", "Asynchronous.", "The same for ELL."):
            self.assertEqual(self.check(comment), [])

    def test_a_function_that_returns_a_class_of_ours_is_no_deduction_guide(self):
        self.assertEqual(self.check("", result="<ref>Suggestion</ref>"), ["f.hpp:7: heddle::f has no comment"])
        self.assertEqual(self.check("", result=""), [])

    def test_a_class_needs_a_comment_and_its_functions_too(self):
        found = self.check("", compound="class", owner="heddle::C")
        self.assertEqual(found, ["?: heddle::C has no comment", "f.hpp:7: heddle::C::f has no comment"])
        self.assertEqual(self.check("Does it.", compound="class", owner="heddle::C", about="A class."), [])

    def test_what_is_not_public_needs_none(self):
        self.assertEqual(self.check("", owner="heddle::impl"), [])
        self.assertEqual(self.check("", owner="Kokkos"), [])
        self.assertEqual(self.check("", access="private"), [])


if __name__ == "__main__":
    unittest.main()
