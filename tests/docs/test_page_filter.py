"""The page's filter in a real browser; skipped where there is no Chromium."""

import json
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")

# Types and clicks as a reader does; leaves what it saw as the page's title.
VISIT = """<script>
function shown(condition) {
  const seen = rows.filter(row => row.offsetHeight > 0);
  return {shown: seen.length, others: seen.filter(row => !condition(row)).length,
          told: document.getElementById("shown").textContent};
}
function change(element, what, value) {
  element[what] = value;
  element.dispatchEvent(new Event("input", {bubbles: true}));
}
const seen = {all: shown(() => true)};
const words = document.getElementById("words");
change(words, "value", "Table VII");
const holds = (row, word) => row.textContent.toLowerCase().includes(word);
seen.words = shown(row => holds(row, "table") && holds(row, "vii"));
change(words, "value", "no such words");
seen.none = shown(() => true);
change(words, "value", "");
const paper = document.getElementById("paper");
change(paper, "value", "hypar");
seen.paper = shown(row => row.dataset.paper === "hypar");
change(paper, "value", "");
const off = document.querySelector(".controls input[value=off]");
off.click();
seen.verdict = shown(row => row.dataset.verdict !== "off");
off.click();
seen.again = shown(() => true);
seen.wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
const pictures = [...document.images];
pictures.forEach(picture => picture.loading = "eager");
Promise.allSettled(pictures.map(picture => picture.decode())).then(results => {
  seen.pictures = results.filter(result => result.status === "fulfilled").length;
  document.title = JSON.stringify(seen);
});
</script></body>"""


@unittest.skipUnless(CHROMIUM, "no Chromium")
class Filter(unittest.TestCase):
    def test_rows_go_and_return(self):
        scratch = pathlib.Path(tempfile.mkdtemp(prefix="pimsweep-page-"))
        self.addCleanup(shutil.rmtree, scratch)
        picture = scratch / "figures" / "hypar" / "fig6.png"
        picture.parent.mkdir(parents=True)
        shutil.copy(ROOT / "docs" / "images" / "hypar-fig6.png", picture)
        subprocess.run(["/usr/bin/python3", ROOT / "scripts" / "page.py", "--figures", scratch / "figures",
                        "--output", scratch / "page"], check=True, stdout=subprocess.DEVNULL)
        page = scratch / "page" / "index.html"
        page.write_text(page.read_text().replace("</body>", VISIT))
        done = subprocess.run(
            [CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=500,900", "--dump-dom",
             "--virtual-time-budget=3000", "--enable-logging=stderr", f"--user-data-dir={scratch / 'profile'}",
             page.as_uri()], capture_output=True, text=True, timeout=60, check=True)
        self.assertNotIn("CONSOLE", done.stderr, "the page complains")
        title = re.search("<title>({.*?})</title>", done.stdout)
        self.assertTrue(title, "the visit did not come to its end")
        seen = json.loads(title[1])
        rows = seen["all"]["shown"]
        for step in ("words", "paper", "verdict"):
            with self.subTest(step):
                self.assertEqual(0, seen[step]["others"])
                self.assertTrue(0 < seen[step]["shown"] < rows)
        self.assertEqual(0, seen["none"]["shown"])
        self.assertEqual(rows, seen["again"]["shown"])
        for step in ("all", "words", "none", "paper", "verdict", "again"):
            self.assertEqual(f"{seen[step]['shown']} of {rows} values", seen[step]["told"])
        self.assertEqual(1, seen["pictures"])
        self.assertLessEqual(seen["wide"], 0, "wider than a narrow window")


if __name__ == "__main__":
    unittest.main()
