#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""What bench/tables takes for tables in PDFs, on pages drawn here, and how it scores them.

    tables.py ROOT

Exits with 77 (skipped) where Python lacks pdfminer or PIL, which bench/tables/drawn.py reads and draws PDFs with.
"""
import json, os, subprocess, sys, tempfile, unittest

try:
    import pdfminer  # noqa: F401
    import PIL  # noqa: F401
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

TOOLS = os.path.join(os.path.abspath(sys.argv[1]), "bench", "tables")
COLUMNS = 100, 200, 300
HEAD = "Item", "Size", "Price"
ROWS = [("bolt", "12", "12.50"), ("large nut", "13", "2.50"), ("washer", "", "0.50"), ("pin", "7", "0.25")]


def pdf(shown):
    """A page of 600 by 800 points with texts in 10 point Courier: [x, y from the top, text]."""
    text = "".join("BT /F 10 Tf %d %d Td (%s) Tj ET\n" % (x, 800 - y, t) for x, y, t in shown)
    parts = ["<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>",
             "<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>",
             "<</Length %d>>stream\n%sendstream" % (len(text), text), "<</Type/Font/Subtype/Type1/BaseFont/Courier>>"]
    out, places = "%PDF-1.4\n", []
    for i, part in enumerate(parts):
        places.append(len(out))
        out += "%d 0 obj%s endobj\n" % (i + 1, part)
    table = "".join("%010d 00000 n \n" % p for p in places)
    return "%sxref\n0 6\n0000000000 65535 f \n%strailer<</Size 6/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (out, table, len(out))


def table(rows=ROWS):
    cells = [(x + 3, 100, t) for x, t in zip(COLUMNS, HEAD)]  # over columns, with edges of its own
    return cells + [(x, 120 + 20 * i, t) for i, row in enumerate(rows) for x, t in zip(COLUMNS, row) if t]


class Tables(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, *names):
        return os.path.join(self.folder.name, *names)

    def run_tool(self, tool, *args):
        return subprocess.run([sys.executable, "-B", os.path.join(TOOLS, tool), *args], check=True, stdout=subprocess.PIPE, text=True).stdout

    def truth(self, shown, dpi="72"):
        """What drawn.py writes of a page; None where that is nothing."""
        with open(self.path("page.pdf"), "w", encoding="ascii") as f:
            f.write(pdf(shown))
        self.run_tool("drawn.py", self.path("truth"), dpi, self.path("page.pdf"))
        if not os.path.exists(self.path("truth", "page.json")):
            return None
        with open(self.path("truth", "page.json"), encoding="utf-8") as f:
            return json.load(f)

    def test_rows_with_edges_of_one_kind_are_a_table(self):
        cells = self.truth(table())["tables"][0]["cells"]
        self.assertEqual([c[4] for c in cells if c[0] == 0], list(HEAD))
        self.assertEqual([c[1:] for c in cells if c[0] == 2], [[0, 1, 1, "large nut"], [1, 1, 1, "13"], [2, 1, 1, "2.50"]])
        self.assertEqual([c[1:] for c in cells if c[0] == 3], [[0, 1, 1, "washer"], [2, 1, 1, "0.50"]])

    def test_words_are_in_pixels_of_the_rendering(self):
        words = self.truth(table(), "144")["words"]
        bolt = next(w for w in words if w[4] == "bolt")
        self.assertEqual((bolt[0], bolt[2]), (200, 248))  # four letters of 6 points, 100 points from the left
        self.assertTrue(bolt[1] < 240 < bolt[3])  # the baseline is 120 points from the top

    def test_edges_that_differ_are_no_table(self):
        self.assertIsNone(self.truth([(x + 2 * i, 100 + 20 * i, "four") for i in range(5) for x in COLUMNS]))
        self.assertIsNone(self.truth(table(ROWS[:1])))  # nor are two rows

    def test_lines_of_wrapped_cells_are_left_out(self):
        page = self.truth(table() + [(100, 190, "of-steel")])
        self.assertNotIn("of-steel", [w[4] for w in page["words"]])

    def score(self, columns):
        """The line of score.py where platen has these columns in all rows of the page."""
        os.makedirs(self.path("json"))
        cells = [{"box": [columns[c], 88 + 20 * r, columns[c + 1], 108 + 20 * r], "row": r, "column": c, "rows": 1, "columns": 1}
                 for r in range(5) for c in range(len(columns) - 1)]
        with open(self.path("json", "page.json"), "w", encoding="utf-8") as f:
            json.dump({"blocks": [{"table": {"cells": cells}}]}, f)
        return self.run_tool("score.py", self.path("truth"), self.path("json")).splitlines()[-1]

    def test_columns_that_are_right_have_all_cells(self):
        self.truth(table())
        self.assertRegex(self.score((90, 190, 290, 390)), r"cells 100\.0  adjacent 100\.0  teds .* false 0$")

    def test_columns_that_are_joined_lose_their_cells(self):
        self.truth(table())  # 6 of 10 are right, of 14: the first column's, and the one of two that has nothing to be joined to
        self.assertRegex(self.score((90, 190, 390)), r"cells  50\.0 ")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
