"""README, its picture, the page, docs/fidelity.md and the last lines of scripts/reproduce.sh count the same published values."""

import pathlib
import re
import subprocess
import sys
import unittest

import pandas as pd
from PIL import Image

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "scripts" / "figures"), str(ROOT / "python")]
import fidelity_docs
import page
import papers
from pimsweep.analysis.tally import headline, short_headline
from pimsweep.plot.style import title_of, use_style

RECORDED = ROOT / "results" / "recorded"


def words(text):
    return " ".join(text.split())


class Counts(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.reports = fidelity_docs.read_reports(RECORDED)
        everything = pd.concat(cls.reports.values())
        cls.headline, cls.short = headline(everything), short_headline(everything)
        cls.counted = [int(count) for count in re.findall(r"determine (\d+)|move (\d+)", cls.short) for count in count if count]

    def test_texts_have_the_headline(self):
        command = [sys.executable, ROOT / "scripts" / "fidelity_docs.py", "--summary"]
        summary = subprocess.run(command, check=True, capture_output=True, text=True, timeout=120).stdout
        # Its output ends reproduce.sh.
        self.assertRegex((ROOT / "scripts" / "reproduce.sh").read_text(), r"fidelity_docs.py --reports results/reports --summary\n")
        for text in ((ROOT / "README.md").read_text(), (ROOT / "docs" / "fidelity.md").read_text(), page.introduction(self.reports), summary):
            self.assertIn(self.headline, words(text))
        self.assertIn(f"Of {sum(map(len, (report.id.unique() for report in self.reports.values())))} published values, {sum(self.counted)} ",
                      self.headline)

    def test_the_picture_has_their_numbers_and_a_mark_for_each(self):
        use_style()
        figure, marks = papers.papers(RECORDED)
        self.assertEqual(title_of(figure), self.short)
        self.assertEqual((marks.verdict != "inconsistent").sum(), sum(self.counted))
        self.assertEqual(Image.open(ROOT / "docs" / "images" / "fidelity-papers.png").info["Title"], self.short)

    def test_tables_add_up_to_them(self):
        *_, total = fidelity_docs.splits(self.reports)
        self.assertEqual([total[2], total[7]], self.counted)
        by_role = [row[2] for row in fidelity_docs.totals(self.reports) if row[0] == "all" and row[1] != "artifact"]
        self.assertEqual(sum(by_role), sum(self.counted))


if __name__ == "__main__":
    unittest.main()
