"""Traces of points: the rules of the Trace Event Format, lanes without overlaps, and times that are those of the results.

Usage: PIMSWEEP=path/to/pimsweep python3 -m unittest test_trace (in this folder)
"""

import bisect
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

# Required members of each phase besides ph, pid, tid and name.
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
            events[event["pid"], event["tid"]].append((event["ts"], event["ts"] + event["dur"]))
        self.assertEqual([event["id"] for event in trace.events["s"]], [event["id"] for event in trace.events["f"]])
        for leaves, arrives in zip(trace.events["s"], trace.events["f"]):
            lane = events[leaves["pid"], leaves["tid"]]
            # The event before may end where this one starts.
            start, end = lane[max(0, bisect.bisect_right(lane, (leaves["ts"], float("inf"))) - 1)]
            self.assertLessEqual(start, leaves["ts"])
            self.assertLessEqual(leaves["ts"], end)
            self.assertLessEqual(end, arrives["ts"] * (1 + 1e-9) + 1e-9)
            lane = events[arrives["pid"], arrives["tid"]]
            self.assertEqual(lane[bisect.bisect_left(lane, (arrives["ts"], 0))][0], arrives["ts"])

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

    def test_heteropim(self):
        for policy in ("cpu", "gpu", "hetero-pim", "lookahead"):
            with self.subTest(policy):
                trace = self.study("heteropim", "timeline", f"policy={policy}")
                # The time of two steps is that of the second one.
                ends = [max(event["args"]["end [s]"] for event in trace.events["X"] if event["args"]["step"] == step)
                        for step in (0, 1)]
                self.assertAlmostEqual(trace.metric("time") / (ends[1] - ends[0]), 1, delta=1e-12)
                self.assertGreater(len(trace.events["s"]), 100)
                self.check_moved(trace, "bytes [B]")
                self.assertTrue(all(lanes == ["host"] for group, lanes in self.groups(trace).items()
                                    if group == "host"), "the host runs one operation at a time")
        trace = self.study("heteropim", "timeline", "policy=hetero-pim", "programmable=4", "steps=8")
        self.assertLessEqual(len(self.groups(trace)["programmable"]), 4)
        on_pairs = {pid for (pid, _), (group, _) in trace.lanes.items() if group == "pairs"}
        held = [event["args"]["units"] for event in trace.events["C"]
                if event["name"] == "units" and event["pid"] in on_pairs]
        self.assertLessEqual(max(held), trace.metric("pairs"))

    def test_hypar(self):
        for fidelity, precision in (("analytic", 1e-12), ("event", 0), ("cycle", 0)):
            with self.subTest(fidelity):
                trace = self.study("hypar", "event", f"fidelity={fidelity}", "policy=hypar")
                # At fidelity analytic, the time adds up computation and exchanges in another order.
                self.assertAlmostEqual(trace.last_end / trace.metric("time"), 1, delta=precision)
                self.assertEqual(self.groups(trace)["accelerators"], ["accelerators"])
                self.check_moved(trace, "bytes [B]")
                moved = sum(event["args"]["bytes [B]"] for event in trace.events["X"])
                self.assertAlmostEqual(moved / trace.metric("communication"), 1, delta=1e-12)

    def test_rtconc(self):
        for policy, lanes in (("recommended", 1), ("strategy-1234", 1000)):
            with self.subTest(policy):
                trace = self.study("rtconc", "fig4", f"policy={policy}")
                self.assertEqual(trace.last_end, trace.metric("time"))
                self.assertEqual(len(trace.events["X"]), trace.metric("timed_operations"))
                self.assertLessEqual(max(map(len, self.groups(trace).values())), 2 * lanes)
                self.check_moved(trace, "bytes [B]")

    def test_pimflow(self):
        for study, *overrides in (("fig9", "policy=pimflow"), ("fig9", "policy=pimflow-optimal", "memory_optimizer=false", "batch=2"),
                                  ("fig9_card", "policy=pimflow", "hardware.synchronization=5 us", "elementwise=counted")):
            with self.subTest(overrides):
                trace = self.study("pimflow", study, *overrides)
                # The time adds up operators in another order.
                self.assertAlmostEqual(trace.last_end / trace.metric("time"), 1, delta=1e-12)
                self.assertEqual(set(self.groups(trace)) - {"host"}, {"GPU", "PIM"})
                self.assertEqual(len(trace.lanes), len(self.groups(trace)))
                self.check_moved(trace, "bytes [B]")
                for device, metric in (("GPU", "gpu_busy"), ("PIM", "pim_busy")):
                    busy = sum(event["args"]["end [s]"] - event["args"]["start [s]"] for event in trace.events["X"]
                               if trace.lanes[event["pid"], event["tid"]] == (device, device))
                    self.assertAlmostEqual(busy / trace.metric(metric), 1, delta=1e-9)

    def test_allspark(self):
        for overrides in (["policy=allspark"], ["policy=allspark", "batch=8"], ["policy=head", "fidelity=cycle"],
                          ["execution=operators", "model=resnet-50"]):
            with self.subTest(overrides):
                trace = self.study("allspark", "fig11", *overrides)
                self.assertEqual(trace.last_end, trace.metric("time"))
                self.assertEqual(len(trace.lanes), 4)
                lanes = {"PE arrays": "compute_time", "nonlinear units": "nonlinear_time", "links": "movement_time"}
                for lane, metric in lanes.items():
                    busy = sum(event["args"]["end [s]"] - event["args"]["start [s]"] for event in trace.events["X"]
                               if trace.lanes[event["pid"], event["tid"]][1] == lane)
                    self.assertAlmostEqual(busy, trace.metric(metric), delta=1e-9 * trace.metric("time"))

    def test_stored_and_evaluated_points_have_the_same_trace(self):
        """Of a results file without and with recorded timelines, and of the experiment; twice the same bytes."""
        text = ('name = "small"\n[[study]]\nid = "s"\nsystem = "heteropim"\nhardware = "heteropim"\n'
                'model = "heteropim-alexnet"\nsteps = 2\nrecord_timeline = {}\n'
                '[study.axes]\npolicy = ["cpu", "hetero-pim"]\n')
        events = []
        with tempfile.TemporaryDirectory() as folder:
            for recorded in ("false", "true"):
                experiment, results = pathlib.Path(folder, "small.toml"), pathlib.Path(folder, f"{recorded}.h5")
                experiment.write_text(text.format(recorded), encoding="utf-8")
                pimsweep(experiment, "--output", results, "--progress", "none")
                for source in (experiment, results):
                    out = pathlib.Path(folder, "trace.json")
                    said = pimsweep("trace", source, "--study", "s", "--point", "1", "-o", out).stdout
                    self.assertRegex(said, r"420 intervals of table timeline in \d lanes")
                    first = out.read_bytes()
                    pimsweep("trace", source, "--point", "1", "-o", out)
                    self.assertEqual(out.read_bytes(), first)
                    events.append(Trace(first).all["traceEvents"])
        self.assertTrue(all(event == events[0] for event in events))

    def test_intervals_as_rows(self):
        source = ("experiments/hypar.toml", "--study", "event", "--point", "0")
        rows = json.loads(pimsweep("trace", *source, "--json").stdout)
        trace = Trace(pimsweep("trace", *source, "-o", "-").stdout)
        self.assertEqual(len(rows), len(trace.events["X"]))
        self.assertAlmostEqual(max(row["end"] for row in rows), trace.last_end)
        table = pimsweep("trace", *source, "--csv", "-").stdout.splitlines()
        self.assertEqual(table[0].split(","), list(rows[0]))
        self.assertEqual(len(table), len(rows) + 1)

    def test_points_without_a_timeline(self):
        for arguments, word in ((["experiments/dram.toml", "--point", "0"], "these have one: allspark, heteropim"),
                                (["experiments/heteropim.toml", "--point", "99999999"], "numbered 0 to"),
                                (["experiments/heteropim.toml", "--point", "-1"], "--point -1"),
                                (["experiments/absent.toml", "--point", "0"], "absent.toml")):
            with self.subTest(arguments):
                self.assertIn(word, pimsweep("trace", *arguments, "-o", "-", status=2).stderr)
        self.assertIn("cannot write", pimsweep("trace", "experiments/hypar.toml", "--point", "0", "-o",
                                               "/proc/none/trace.json", status=2).stderr)

    def test_many_intervals_take_little_time(self):
        arguments = ("--study", "timeline", "--point", "0", "--set", "steps=64", "--set", "model=heteropim-inception-v3")
        begin = time.monotonic()
        text = pimsweep("trace", "experiments/heteropim.toml", *arguments, "-o", "-").stdout
        seconds = time.monotonic() - begin
        self.assertGreater(text.count('"ph": "X"'), 100_000)
        # A second or two; the machine may be busy.
        self.assertLess(seconds, 60)


if __name__ == "__main__":
    unittest.main()
