"""scripts/page.py: the page shows every figure and value, and needs nothing but its own folder."""

import html.parser
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Links(html.parser.HTMLParser):
    """What the page refers to, and the numbers of its rows by verdict."""

    def __init__(self):
        super().__init__()
        self.targets, self.ids, self.rows = [], set(), 0

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.targets += [attributes[name] for name in ("href", "src") if name in attributes]
        self.ids.add(attributes.get("id"))
        self.rows += "data-verdict" in attributes


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = pathlib.Path(tempfile.mkdtemp(prefix="pimsweep-page-"))
        cls.addClassCleanup(shutil.rmtree, cls.scratch)
        for place in ("hypar/fig6", "noc/a<b"):
            picture = cls.scratch / "figures" / f"{place}.png"
            picture.parent.mkdir(parents=True)
            shutil.copy(ROOT / "docs" / "images" / "hypar-fig6.png", picture)
        subprocess.run(["/usr/bin/python3", ROOT / "scripts" / "page.py", "--figures", cls.scratch / "figures",
                        "--output", cls.scratch / "page"], check=True, stdout=subprocess.DEVNULL)
        cls.text = (cls.scratch / "page" / "index.html").read_text()
        cls.links = Links()
        cls.links.feed(cls.text)

    def test_every_link_stays_in_the_folder(self):
        self.assertIn("figures/hypar/fig6.png", self.links.targets)
        for target in self.links.targets:
            if target.startswith("#"):
                self.assertIn(target[1:], self.links.ids)
            else:
                self.assertTrue((self.scratch / "page" / target).is_file(), target)
        self.assertNotIn("http", self.text.replace("http-equiv", ""))

    def test_every_value_has_a_row(self):
        published = sum(len(path.read_text().splitlines()) - 1
                        for path in (ROOT / "results" / "recorded").glob("*_report.csv"))
        self.assertEqual(published, self.links.rows)


if __name__ == "__main__":
    unittest.main()
