"""scripts/page.py: the pages show every figure and value, and need nothing but their own folder."""

import html.parser
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "python"))
import browser


class Links(html.parser.HTMLParser):
    """What the page refers to, and the ids and alternative texts it has."""

    def __init__(self):
        super().__init__()
        self.targets, self.ids, self.texts = [], set(), []

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.targets += [attributes[name] for name in ("href", "src") if name in attributes]
        self.ids.add(attributes.get("id"))
        if tag == "img":
            self.texts.append(attributes["alt"])


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = pathlib.Path(tempfile.mkdtemp(prefix="pimsweep-page-"))
        cls.addClassCleanup(shutil.rmtree, cls.scratch)
        for place in ("hypar/hypar-fig6", "allspark/allspark-table5", "noc/a<b"):
            picture = cls.scratch / "figures" / f"{place}.png"
            picture.parent.mkdir(parents=True)
            shutil.copy(ROOT / "docs" / "images" / "hypar-fig6.png", picture)
        captions = cls.scratch / "captions.toml"
        captions.write_text('[hypar-fig6]\ntitle = "Figure 6"\ncaption = "Speedup <b> of each policy."\n')
        subprocess.run(["/usr/bin/python3", ROOT / "scripts" / "page.py", "--captions", captions, "--figures", cls.scratch / "figures",
                        "--results", cls.scratch, "--output", cls.scratch / "page"], check=True, stdout=subprocess.DEVNULL)
        cls.page = cls.scratch / "page" / "index.html"
        cls.texts = {path.name: path.read_text().split('<script type="application/json"')[0]
                     for path in sorted(cls.page.parent.glob("*.html"))}
        cls.links = {name: Links() for name in cls.texts}
        for name, text in cls.texts.items():
            cls.links[name].feed(text)
        cls.published = sum(len(path.read_text().splitlines()) - 1
                            for path in (ROOT / "results" / "recorded").glob("*_report.csv"))


class Text(Page):
    def test_every_link_stays_in_the_folder(self):
        self.assertCountEqual(self.texts, ["index.html", "noc.html", *(path.name.replace("_report.csv", ".html")
                                                                  for path in (ROOT / "results" / "recorded").glob("*_report.csv"))])
        self.assertIn("figures/hypar/hypar-fig6.png", self.links["hypar.html"].targets)
        for name, links in self.links.items():
            for target in links.targets:
                page, _, place = target.partition("#")
                self.assertTrue((self.scratch / "page" / (page or name)).is_file(), target)
                if place and "=" not in place:
                    self.assertIn(place, links.ids)
            self.assertNotIn("http://", self.texts[name])
            self.assertNotIn("https://", self.texts[name])

    def test_figures_have_captions(self):
        self.assertIn("<strong>Figure 6</strong> Speedup &lt;b&gt; of each policy.", self.texts["hypar.html"])
        self.assertEqual({name: links.texts for name, links in self.links.items() if links.texts}, {
            "index.html": [""] * 3, "hypar.html": ["Figure 6. Speedup <b> of each policy."], "allspark.html": ["allspark-table5."],
            "noc.html": ["a<b."]})

    def test_every_value_has_a_row(self):
        data = re.search(r'id="data">(.*?)</script>', self.page.read_text(), re.DOTALL)
        self.assertEqual(json.loads(data[1])["studies"][0]["size"], self.published)


@unittest.skipIf(browser.MISSING, browser.MISSING)
class Reading(Page):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.browser = cls.enterClassContext(browser.Browser())
        cls.browser.open(cls.page)
        cls.pictures = pathlib.Path(os.environ.get("PIMSWEEP_PICTURES", cls.scratch))

    def tearDown(self):
        self.assertEqual(self.browser.complaints(), [])

    def count(self):
        return self.browser.run("return document.querySelector('output').textContent")

    def test_figures_link_to_their_values(self):
        for paper, figure, words in (("hypar", "hypar-fig6", "Fig 6"), ("allspark", "allspark-table5", "Table V")):
            self.browser.driver.get(self.page.with_name(f"{paper}.html").as_uri())
            self.browser.run("document.querySelector(`#${arguments[0]} figcaption a[href*=study]`).click()", figure)
            self.browser.until("document.querySelector('output')?.textContent.includes(' of ')")
            places = self.browser.run("return [...document.querySelectorAll('.scroller tbody tr:not([aria-hidden])')].map(row => row.children[1].textContent)")
            self.assertTrue(places)
            for place in places:
                self.assertRegex(place, rf"{words}(?![0-9A-Z])")

    def test_rows_sort_and_filter(self):
        self.browser.open(self.page)
        self.assertEqual(self.count(), f"{self.published:,} values")
        self.browser.follow("study=values&where.verdict=off&where.paper=HyPar&sort=-deviation")
        recorded = (ROOT / "results" / "recorded" / "hypar_report.csv").read_text()
        self.assertEqual(self.count(), f"{len(re.findall(r',off,', recorded))} of {self.published:,} values")
        deviations = self.browser.run("return [...document.querySelectorAll('.scroller tbody tr:not([aria-hidden])')].map(row => parseFloat(row.children[5].textContent.replace(',', '')))")
        self.assertEqual(deviations, sorted(deviations, reverse=True))
        self.browser.follow("")

    def test_pictures_are_shown_and_nothing_is_too_wide(self):
        for page in ("index", "hypar"):
            self.browser.driver.get(self.page.with_name(f"{page}.html").as_uri())
            self.browser.run("for (const picture of document.images) picture.loading = 'eager'")
            self.browser.until("[...document.images].every(picture => picture.complete && picture.naturalWidth > 0)")
            for width, dark in ((390, False), (820, True), (1440, False)):
                self.browser.resize(width, dark)
                self.assertLessEqual(self.browser.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth"), 0)
                self.browser.save(self.pictures / f"papers-{page}-{width}.png")


if __name__ == "__main__":
    unittest.main()
