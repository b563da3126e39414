#!/usr/bin/env python3
"""Measures how long a page of results takes for each interaction, in headless Chromium.

    pimsweep page RESULTS -o PAGE.html
    page_speed.py PAGE.html [--study KEY] [--limit MILLISECONDS]

Each interaction is done three times with different values; the time is that from the event to the end of the next painted
frame. Prints the median and the largest time of each. Exit status 1 if a median is above the limit (default: 200).
"""

import argparse
import pathlib
import statistics
import sys
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "python"))
from browser import Browser

# Each is an array of functions; a view comes first.
MEASURE = """
const done = arguments[arguments.length - 1];
const $ = (selector, place) => document.querySelectorAll(selector)[place ?? 0];
const painted = () => new Promise(then => requestAnimationFrame(() => setTimeout(then)));
const put = (node, value, kind = "input") => { node.value = value; node.dispatchEvent(new Event(kind, {bubbles: true})); };
const pick = (label, place) => () => {
  const select = $(`select[aria-label="${label}"]`);
  put(select, select.options[Math.min(place, select.options.length - 1)].value, "change");
};
const tab = name => () => $(`[data-view=${name}]`).click();
const at = (kind, x, y) => () => {
  const canvas = $("canvas"), box = canvas.getBoundingClientRect();
  canvas.dispatchEvent(new PointerEvent(kind, {clientX: box.left + x * box.width, clientY: box.top + y * box.height, bubbles: true}));
};
const both = (...all) => () => all.forEach(one => one());
const close = () => document.querySelectorAll("dialog[open]").forEach(one => one.close());
const click = (x, y) => both(at("pointerdown", x, y), at("pointerup", x, y));
const field = name => $(`[data-column="${name}"]`);
const fields = () => [...document.querySelectorAll("[data-column]")];
const number = () => fields().filter(one => one.placeholder === "e.g. < 1").at(-1);
const text = () => fields().find(one => one.placeholder === "contains") ?? $("[aria-label=words]");
const interactions = [
  ["open the table", [tab("table"), tab("scatter"), tab("table")], close],
  ["filter by words", ["a", "al", ""].map(word => () => put($("[aria-label=words]"), word))],
  ["filter by a number", ["> 0", "> 1e-6", ""].map(value => () => put(number(), value))],
  ["filter by a text", ["a", "!a", ""].map(value => () => put(text(), value))],
  ["sort", [0, 1, 2].map(place => () => $("thead button", place + 1).click())],
  ["scroll", [0.3, 0.9, 0.1].map(share => () => { const s = $(".scroller"); s.scrollTop = share * s.scrollHeight; })],
  ["arrow keys", ["ArrowDown", "PageDown", "End"].map(key => () => $(".scroller").dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true})))],
  ["click on a row", [3, 5, 7].map(place => () => $(".scroller tbody tr", place).click()), close],
  ["open the scatter plot", [tab("scatter"), tab("table"), tab("scatter")]],
  ["x of the scatter plot", [2, 5, 0].map(place => pick("x", place))],
  ["y of the scatter plot", [3, 6, 1].map(place => pick("y", place))],
  ["color", [1, 5, 8].map(place => pick("color", place))],
  ["panels", [1, 2, 0].map(place => pick("panels", place))],
  ["hover", [[0.3, 0.7], [0.5, 0.5], [0.4, 0.6]].map(place => at("pointermove", ...place))],
  ["click on a point", [[0.3, 0.7], [0.5, 0.5], [0.4, 0.6]].map(place => click(...place)), close],
  ["zoom", [both(at("pointerdown", 0.2, 0.2), at("pointerup", 0.6, 0.7)), at("dblclick", 0.5, 0.5), both(at("pointerdown", 0.3, 0.4), at("pointerup", 0.6, 0.7))]],
  ["filter under the scatter plot", ["a", "al", ""].map(word => () => put($("[aria-label=words]"), word))],
  ["open parallel coordinates", [tab("parallel"), tab("table"), tab("parallel")]],
  ["color of the lines", [1, 5, 8].map(place => pick("color", place))],
  ["range on an axis", [[0.3, 0.7], [0.2, 0.9], [0.5, 0.5]].map(([a, b]) => both(at("pointerdown", 0.97, a), at("pointerup", 0.97, b)))],
  ["x of the heat map", [1, 2, 0].map(place => pick("x", place)), undefined, tab("heat")],
  ["metric of the heat map", [1, 2, 0].map(place => pick("metric", place))],
  ["value of the heat map", [1, 2, 0].map(place => pick("value", place))],
  ["dark and light", [0, 1, 2].map(() => () => $(".theme").click())],
];
(async () => {
  const times = {};
  for (const [name, steps, after, before] of interactions) {
    if (before) { before(); await new Promise(then => setTimeout(then, 2500)); }
    times[name] = [];
    for (const step of steps) {
      await new Promise(then => setTimeout(then, 100));
      const start = performance.now();
      step();
      await painted();
      times[name].push(performance.now() - start);
      after?.();
    }
  }
  done(times);
})();
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("page", type=pathlib.Path)
    parser.add_argument("--study", default="")
    parser.add_argument("--limit", type=float, default=200)
    args = parser.parse_args()
    address = f"study={urllib.parse.quote(args.study)}" if args.study else ""
    with Browser(1440) as browser:
        seconds = browser.open(args.page, address)
        times = browser.wait_for(MEASURE)
        print(f"{'ready after':32} {1000 * seconds:6.0f} ms")
        for name, each in times.items():
            print(f"{name:32} {statistics.median(each):6.0f} ms, at most {max(each):.0f} ms")
        if errors := browser.complaints():
            print("\n".join(errors))
    slow = [name for name, each in times.items() if statistics.median(each) > args.limit]
    if slow:
        print(f"more than {args.limit:g} ms: {', '.join(slow)}")
    return 1 if slow or errors else 0


if __name__ == "__main__":
    sys.exit(main())
