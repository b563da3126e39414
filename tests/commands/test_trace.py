"""Traces of points: the rules of the Trace Event Format, lanes without overlaps, and times that are those of the results.

Usage: PIMSWEEP=path/to/pimsweep python3 -m unittest test_trace (in this folder)
"""

import collections
import json
import os
import pathlib
import subprocess
import tempfile
import time
import unittest

PROGRAM = os.environ["PIMSWEEP"]
ROOT = pathlib.Path(__file__).resolve().parents[2]

# What each phase must have besides ph, pid, tid and name.
NEEDED = {"X": {"ts", "dur", "cat", "args"}, "C": {"ts", "args"}, "M": {"args"},
          "s": {"ts", "id", "cat"}, "f": {"ts", "id", "cat", "bp"}}
METADATA = {"process_name": str, "thread_name": str, "process_sort_index": int, "thread_sort_index": int}


def pimsweep(*arguments, status=0):
    done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, cwd=ROOT, check=False)
    if done.returncode != status:
        raise AssertionError(f"exit status {done.returncode} of {arguments}: {done.stderr}")
    return done


def no_duplicates(pairs):
    keys = [key for key, _ in pairs]
    if len(set(keys)) != len(keys):
        raise AssertionError(f"an object has a key twice: {keys}")
    return dict(pairs)


class Trace:
    """A trace, with its events by phase and the names of its lanes."""

    def __init__(self, text):
        self.all = json.loads(text, object_pairs_hook=no_duplicates, parse_constant=lambda word: 1 / 0)
        self.events = collections.defaultdict(list)
        for event in self.all["traceEvents"]:
            self.events[event["ph"]].append(event)
        names = {(event["name"], event["pid"], event["tid"]): event["args"] for event in self.events["M"]}
        self.lanes = {(pid, tid): (names["process_name", pid, 0]["name"], args["name"])
                      for (name, pid, tid), args in names.items() if name == "thread_name"}

    @property
    def about(self):
        return self.all["otherData"]

    def metric(self, name):
        value, _, _ = self.about[name].partition(" ")
        return float(value)

    @property
    def last_end(self):
        return max(event["args"]["end [s]"] for event in self.events["X"])


class TraceTest(unittest.TestCase):
    def check_rules(self, trace):
        self.assertEqual(set(trace.all), {"displayTimeUnit", "otherData", "traceEvents"})
        for event in trace.all["traceEvents"]:
            self.assertIn(event["ph"], NEEDED)
            self.assertLessEqual({"ph", "pid", "tid", "name"} | NEEDED[event["ph"]], set(event))
            self.assertGreaterEqual(event.get("ts", 0), 0)
            self.assertGreaterEqual(event.get("dur", 0), 0)
            if event["ph"] == "M":
                self.assertIsInstance(next(iter(event["args"].values())), METADATA[event["name"]])
            if event["ph"] == "C":
                for value in event["args"].values():
                    self.assertIsInstance(value, (int, float))
                    self.assertGreaterEqual(value, 0)
            if event["ph"] in "Xsf":
                self.assertIn((event["pid"], event["tid"]), trace.lanes)
        self.assertEqual(len(set(trace.lanes.values())), len(trace.lanes), "two lanes have one name")

    def check_lanes(self, trace):
        """No two events of a lane overlap: neither exactly, nor as microseconds, nor as Perfetto's nanoseconds."""
        lanes = collections.defaultdict(list)
        for event in trace.events["X"]:
            start, end = event["args"]["start [s]"], event["args"]["end [s]"]
            self.assertLessEqual(start, end)
            self.assertEqual(event["ts"], 1e6 * start)
            self.assertAlmostEqual(event["ts"] + event["dur"], 1e6 * end, delta=1e-9 * (1 + 1e6 * end))
            lanes[event["pid"], event["tid"]].append((start, end, event["ts"], event["dur"]))
        for events in lanes.values():
            for (_, end, ts, dur), (start, _, next_ts, _) in zip(events, events[1:]):
                self.assertLessEqual(end, start)
                self.assertLessEqual(ts + dur, next_ts)
                self.assertLessEqual(int(1e3 * ts) + int(1e3 * dur), int(1e3 * next_ts))

    def check_flows(self, trace):
        """Each arrow leaves from within an event and arrives at the start of one that begins no earlier than its end."""
        events = collections.defaultdict(list)
        for event in trace.events["X"]:
            events[event["pid"], event["tid"]].append(event)
        self.assertEqual([event["id"] for event in trace.events["s"]], [event["id"] for event in trace.events["f"]])
        sources = {}
        for key, phase in (("from", "s"), ("to", "f")):
            for flow in trace.events[phase]:
                there = [event for event in events[flow["pid"], flow["tid"]]
                         if event["ts"] <= flow["ts"] <= event["ts"] + event["dur"]]
                self.assertTrue(there, flow)
                if key == "from":
                    sources[flow["id"]] = min(event["ts"] + event["dur"] for event in there)
                else:
                    self.assertLessEqual(sources[flow["id"]], flow["ts"] * (1 + 1e-9) + 1e-9)

    def check_counters(self, trace):
        """A counter's steps ascend, and end with zero."""
        counters = collections.defaultdict(list)
        for event in trace.events["C"]:
            counters[event["pid"], event["name"]].append((event["ts"], *event["args"].values()))
        for steps in counters.values():
            times = [ts for ts, _ in steps]
            self.assertEqual(times, sorted(set(times)))
            self.assertEqual(steps[-1][1], 0)
            self.assertTrue(all(a[1] != b[1] for a, b in zip(steps, steps[1:])))

    def check_moved(self, trace, argument):
        """The area under the counters in a second is what the events move."""
        name = argument.replace("]", "/s]")
        area, last = 0.0, {}
        for event in trace.events["C"]:
            if event["name"] != name:
                continue
            before, rate = last.get(event["pid"], (0, 0))
            area += 1e-6 * (event["ts"] - before) * rate
            last[event["pid"]] = (event["ts"], next(iter(event["args"].values())))
        moved = sum(event["args"].get(argument, 0) for event in trace.events["X"] if event["dur"] > 0)
        self.assertGreater(moved, 0)
        self.assertAlmostEqual(area / moved, 1, delta=1e-6)

    def trace(self, experiment, *arguments):
        trace = Trace(pimsweep("trace", experiment, *arguments, "-o", "-").stdout)
        self.check_rules(trace)
        self.check_lanes(trace)
        self.check_flows(trace)
        self.check_counters(trace)
        return trace

    def study(self, name, study, *overrides):
        """Traces the first point of a study of a shipped experiment."""
        options = [part for override in overrides for part in ("--set", override)]
        return self.trace(f"experiments/{name}.toml", "--study", study, "--point", "0", *options)

    def groups(self, trace):
        """The names of the lanes of each group."""
        found = collections.defaultdict(list)
        for group, lane in trace.lanes.values():
            found[group].append(lane)
        return dict(found)
