"""Colors that figures use together are distinguishable with each kind of color blindness; lines differ in marks and dashes too."""

import itertools
import pathlib
import re
import sys
import unittest

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))
from pimsweep.palette import DARK_PALETTE, PALETTE
from pimsweep.plot.style import DASHES, HATCHES, MARKERS, markers

# Machado, Oliveira and Fernandes 2009, severity 1, on linear RGB.
SIGHTS = {
    "normal": np.eye(3),
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]}
TO_XYZ = np.array([[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]])
WHITE = np.array([0.95047, 1, 1.08883])
MIN_DISTANCE = 15


def linear(color):
    """The linear RGB of "#rrggbb"."""
    parts = np.array([int(color[place:place + 2], 16) / 255 for place in (1, 3, 5)])
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def lab(color, sight):
    """CIE L*a*b* of a color as it is seen."""
    xyz = TO_XYZ @ np.clip(np.asarray(sight) @ linear(color), 0, 1) / WHITE
    f = np.where(xyz > 216 / 24389, np.cbrt(xyz), (24389 / 27 * xyz + 16) / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


class Palette(unittest.TestCase):
    def test_all_colors_differ_for_everybody(self):
        # Black and white are those of text, published marks and paper; the page's dark ground is --ground of page.css.
        for colors in ([*PALETTE, "#000000", "#ffffff"], [*DARK_PALETTE, "#14171b"]):
            for name, sight in SIGHTS.items():
                for one, other in itertools.combinations(colors, 2):
                    self.assertGreaterEqual(np.linalg.norm(lab(one, sight) - lab(other, sight)), MIN_DISTANCE, f"{name}: {one}, {other}")

    def test_figures_use_colors_of_the_palette_alone(self):
        named = re.compile(r"#[0-9a-fA-F]{6}\b|(?<=[\"'])(?:tab:\w+|red|green|blue|orange|firebrick|purple|brown|cyan|magenta|yellow)(?=[\"'])")
        files = [*(ROOT / "scripts" / "figures").glob("*.py"), *(ROOT / "python" / "pimsweep" / "plot").glob("*.py")]
        others = [f"{file.name}: {color}" for file in files for color in named.findall(file.read_text()) if color not in PALETTE]
        self.assertEqual(others, [])

    def test_the_distance_is_that_of_cie_1976(self):
        # Red and green of sRGB; the distance of the colors as seen with deuteranopia is much smaller.
        red, green = ("#ff0000", "#00ff00")
        self.assertAlmostEqual(np.linalg.norm(lab(red, SIGHTS["normal"]) - lab(green, SIGHTS["normal"])), 170.6, delta=0.2)
        self.assertLess(np.linalg.norm(lab(red, SIGHTS["deuteranopia"]) - lab(green, SIGHTS["deuteranopia"])), 100)

    def test_series_differ_without_colors(self):
        count = len(PALETTE)
        for part in ("marker", "linestyle"):
            self.assertEqual(len({look[part] for look in markers(range(count)).values()}), count)
        self.assertEqual(len(set(MARKERS)), len(MARKERS))
        self.assertEqual(len(set(DASHES)), len(DASHES))
        self.assertGreaterEqual(len(set(HATCHES)), count)


if __name__ == "__main__":
    unittest.main()
