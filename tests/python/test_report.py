"""Published values recomputed from made-up results, and the reports that are recorded."""

import csv
import pathlib
import tempfile
import unittest

import numpy as np
import pandas as pd
from made_results import Made, study, write_results
from pimsweep import InputError, quantity
from pimsweep.analysis import bands, judge, published, report, tally

RATIO = 'study = "one"\nmetric = "latency"\nselect = { policy = "a" }\nover = { policy = "b" }\n'
HEAD = "id,paper,where,kind,value,value_hi,unit\n"
ROOT = pathlib.Path(__file__).resolve().parents[2]


def policies():
    """Policy a takes 2 n seconds, policy b takes 3 n + 1 seconds, for n = 1, 2, 3."""
    numbers = [1, 1, 2, 2, 3, 3]
    latency = [2.0 * n if place % 2 == 0 else 3.0 * n + 1 for place, n in enumerate(numbers)]
    return study(policy=Made("ababab"), n=Made(numbers), latency=latency,
                 winner=Made(["4x2", "8x2"] * 3, "metric"))


def machines():
    """Machine old takes 2 n seconds and machine new n seconds. The clock is that of their files."""
    return study(hardware=Made(["old", "new"] * 3), n=Made([1, 1, 2, 2, 3, 3]),
                 **{"hardware.clock": Made([1e9, 2e9] * 3, unit="Hz", origin="hardware")},
                 latency=[2.0, 1.0, 4.0, 2.0, 6.0, 3.0])


class Report(unittest.TestCase):
    def setUp(self):
        self.dir = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def publish(self, values, checks):
        (self.dir / "paper.csv").write_text(HEAD + values)
        (self.dir / "paper.toml").write_text(checks)
        return published.read_published(self.dir)

    def reported(self, values, checks, columns=None, papers=(), tables=None):
        results = write_results(self.dir / "x.h5", {"one": columns or policies()}, tables)
        return report.make_report([results], self.publish(values, checks), papers, unsealed=True)

    def one(self, kind, value, value_hi, unit, check, columns=None, tables=None):
        findings = self.reported(f"the-id,paper,Table 1,{kind},{value},{value_hi},{unit}\n",
                                 f'[[check]]\nid = "the-id"\n{check}system = "fake"\n', columns, tables=tables)
        self.assertEqual(len(findings), 1)
        return findings[0]

    def fails(self, pattern, *arguments):
        with self.assertRaisesRegex(InputError, pattern):
            self.one(*arguments)

    def test_ratios_pair_points_that_differ_in_nothing_else(self):
        # 4/2, 7/4, 10/6.
        mean = self.one("average", 1.8, "", "x", RATIO + 'reduce = "mean"\n')
        self.assertEqual((mean.reproduced, mean.verdict, mean.note), ("1.806", "exact", "mean of 3 values, 1.667 to 2"))
        self.assertEqual(self.one("average", 1.7, "", "x", RATIO + 'reduce = "mean"\n').verdict, "within")
        self.assertAlmostEqual(self.one("average", 9.03, "", "x", RATIO + 'reduce = "mean"\n').deviation, -0.8, places=3)
        for kind, value, high, unit, verdict in (("average", 200, "", "%", "exact"), ("range", 1, 2, "x", "within"),
                                                 ("range", 3, 4, "x", "off"), ("exact", 0.000002, "", "million weights", "exact")):
            self.assertEqual(self.one(kind, value, high, unit, RATIO + 'reduce = "max"\n').verdict, verdict)

    def test_points_of_two_machines_pair_though_constants_of_their_files_differ(self):
        check = 'study = "one"\nmetric = "latency"\nselect = { hardware = "new" }\nover = { hardware = "old" }\nreduce = "all"\n'
        self.assertEqual(self.one("exact", 2, "", "x", check, machines()).reproduced, "2")

    def test_constants_that_vary_within_a_machine_tell_its_rows_apart(self):
        check = 'study = "one"\nmetric = "latency"\nselect = { hardware = "new" }\nover = { hardware = "old" }\n'

        def ratio(second_clock):
            columns = study(hardware=Made(["new", "old", "old"]), n=Made([1, 1, 2]), latency=[1.0, 4.0, 7.0],
                            **{"hardware.clock": Made([2.0, 1.0, second_clock], unit="Hz")})
            return self.one("exact", 2, "", "x", check, columns).number

        self.assertEqual(ratio(1.0), 4)
        self.assertIsNone(ratio(3.0))

    def test_places_of_extremes_and_texts(self):
        points = 'study = "one"\nmetric = "latency"\n'
        self.assertEqual(self.one("exact", 3, "", "", points + 'reduce = "argmax"\nalong = "n"\n').verdict, "exact")
        self.assertEqual(self.one("exact", 1, "", "", points + 'reduce = "argmin"\nalong = "n"\n').verdict, "exact")
        text = 'study = "one"\nmetric = "winner"\nselect = { policy = "a", n = 3 }\n'
        self.assertEqual(self.one("exact", "4x2", "", "", text).verdict, "exact")
        self.assertEqual(self.one("exact", "2x2", "", "", text).verdict, "off")
        most = self.one("exact", "4x2", "", "", 'study = "one"\nmetric = "winner"\nselect = { n = [1, 2] }\nreduce = "most"\n')
        self.assertEqual((most.reproduced, most.note), ("4x2", "2 of 4 rows"))
        self.fails("holds texts", "exact", 3, "", "", points + 'reduce = "argmax"\nalong = "policy"\n')
        self.fails("6 rows match", "exact", 1, "", "", points)

    def test_the_published_precision_is_that_of_the_digits(self):
        point = 'study = "one"\nmetric = "latency"\nselect = { policy = "a", n = 3 }\n'
        # The last: 0.6 rounds to 1, but is 40 % away.
        for value, unit, verdict in (("6.0e9", "ns", "exact"), ("5.96e9", "ns", "within"), ("0.006", "KB", "exact"),
                                     ("1", "ks", "off"), ("6000", "ms", "exact")):
            self.assertEqual(self.one("exact", value, "", unit, point).verdict, verdict)
        for kind, value, verdict in (("bound", 7, "within"), ("bound", 5, "off"), ("min", 5, "within"), ("bound", "5.6", "near"),
                                     ("min", "6.2", "near"), ("min", 6, "within")):
            self.assertEqual(self.one(kind, value, "", "s", point).verdict, verdict)
        self.assertEqual(self.one("bound", 7, "", "s", point).published.text, "<= 7")

    def test_contradictions_follow_from_other_printed_numbers(self):
        point = 'study = "one"\nmetric = "latency"\nselect = { policy = "a", n = 3 }\ninconsistent = "why"\n'
        values = "the-id,paper,1,exact,6,,s\nother,paper,1,exact,4.1,,s\n"

        def found(check):
            return self.reported(values, f'[[check]]\nid = "the-id"\nsystem = "fake"\n{point}{check}')[0]

        contradicted = found('arithmetic = "2 * half"\nprinted = { half = "other" }\n')
        self.assertEqual((contradicted.verdict, contradicted.note), ("inconsistent", "why: 8.2 s"))
        # Equal at the printed precision: no contradiction.
        self.assertEqual(found('arithmetic = "1.5 * half"\nprinted = { half = "other" }\n').verdict, "exact")
        for over, verdict in (("b", "inconsistent"), ("a", "exact")):
            proof = f'proof = {{ system = "fake", study = "one", metric = "latency", select = {{ policy = "a", n = 3 }}, over = {{ policy = "{over}", n = 3 }} }}\n'
            self.assertEqual(found(proof).verdict, verdict)
        for check, pattern in (("", "requires 'inconsistent' and 'arithmetic' or 'proof'"), ('arithmetic = "a"\n', "unknown name 'a'"),
                               ('arithmetic = "a"\nprinted = { a = "othe" }\n', "did you mean 'other'")):
            with self.assertRaisesRegex(InputError, pattern):
                found(check)

    def test_claims(self):
        for word, verdict in (("below", "exact"), ("at_most", "exact"), ("above", "off"), ("at_least", "off")):
            self.assertEqual(self.one("ordering", "", "", "", f'{RATIO}claim = "{word}"\n').verdict, verdict)
        alone = 'study = "one"\nmetric = "latency"\nselect = { policy = "a" }\n'
        for word, verdict in (("increasing", "exact"), ("decreasing", "off")):
            self.assertEqual(self.one("ordering", "", "", "", f'{alone}claim = "{word}"\nalong = "n"\n').verdict, verdict)
        ratios = self.one("ordering", "", "", "", f'{RATIO}claim = "decreasing"\nalong = "n"\n')
        self.assertEqual((ratios.verdict, ratios.note), ("exact", "share of 2 comparisons in which the claim holds"))
        self.fails("requires 'over'", "ordering", "", "", "", alone + 'claim = "at_least"\n')
        self.fails("requires 'along'", "ordering", "", "", "", alone + 'claim = "increasing"\n')

    def test_a_range_compares_both_ends(self):
        check = RATIO + 'reduce = "range"\n'
        for low, high, unit, verdict in ((1.67, "2.0", "x", "exact"), (1.6, "2.0", "x", "within"), (1, "2.0", "x", "off"),
                                         (67, 100, "% speedup", "exact")):
            self.assertEqual(self.one("range", low, high, unit, check).verdict, verdict)
        self.fails("requires a published range", "exact", 2, "", "x", check)

    def test_improvements_are_also_compared_as_ratios(self):
        # A ratio of 2 is 100 % speedup.
        speedup = self.one("max", 80, "", "% speedup", RATIO + 'reduce = "max"\n')
        self.assertAlmostEqual(speedup.deviation, 0.25)
        self.assertAlmostEqual(speedup.ratio_deviation, 2 / 1.8 - 1)
        self.assertEqual((speedup.verdict, speedup.ratio_verdict), ("off", "off"))
        close = self.one("max", 85, "", "% speedup", RATIO + 'reduce = "max"\n')
        self.assertEqual((close.verdict, close.ratio_verdict), ("off", "within"))
        # Infinitely slow.
        self.assertIsNone(self.one("max", -100, "", "% speedup", RATIO + 'reduce = "max"\n').ratio_deviation)

    def test_a_gain_that_is_computed_as_a_loss_does_not_agree(self):
        points = 'study = "one"\nmetric = "latency"\nby = "reference"\nselect = { n = 1 }\n'

        def verdict(printed, ours):
            return self.one("exact", printed, "", "x", points, study(n=Made([1]), latency=[ours], reference=[1.0])).verdict

        for printed, ours, expected in (("1.03", 0.98, "off"), ("0.97", 1.02, "off"), ("1.03", 1.0, "within"), ("1.00", 0.98, "within"),
                                        ("1.03", 1.05, "within")):
            self.assertEqual(verdict(printed, ours), expected)

    def test_rows_of_a_table_and_values_by_another_column(self):
        tables = {("one", "stages"): {"point": [0, 0, 4, 4], "stage": [1, 2, 1, 2], "share": [1.0, 0.5, 1.0, 0.5]}}
        check = 'study = "one"\ntable = "stages"\nmetric = "share"\nselect = { policy = "a", n = 3, stage = 2 }\n'
        self.assertEqual(self.one("exact", 50, "", "%", check, tables=tables).verdict, "exact")
        by = 'study = "one"\nmetric = "latency"\nselect = { policy = "a" }\nby = "n"\nreduce = "range"\n'
        self.assertEqual(self.one("range", "2.0", "2.0", "x", by).reproduced, "2 .. 2")

    def test_a_reading_with_a_study_of_its_own_has_a_second_line_where_it_differs(self):
        results = write_results(self.dir / "x.h5", {name: study(policy=Made("ab"), latency=[time, 3.0])
                                                    for name, time in (("nominal", 4.0), ("read", 2.0))})
        checks = "".join(f'[[check]]\nid = "{name}"\nsystem = "fake"\nstudy = "nominal"\nmetric = "latency"\n'
                         f'select = {{ policy = "{policy}" }}\n' for name, policy in (("moved", "a"), ("equal", "b")))
        sets = self.publish("moved,paper,1,exact,2,,s\nequal,paper,1,exact,3,,s\nboth,paper,1,average,2.5,,s\n",
                            '[[reading]]\nname = "R"\ndoc = "one of two"\nalternatives = 2\nstudies = { nominal = "read" }\n'
                            + checks + '[[check]]\nid = "both"\nof = ["moved", "equal"]\nreduce = "mean"\n')
        findings = report.make_report([results], sets, unsealed=True)
        self.assertEqual([(one.published.id, one.reading, one.reproduced, one.verdict) for one in findings],
                         [("moved", "", "4", "off"), ("moved", "R", "2", "exact"), ("equal", "", "3", "exact"),
                          ("both", "", "3.5", "off"), ("both", "R", "2.5", "exact")])
        for chosen, expected in (("nominal", [("moved", "", "4"), ("equal", "", "3"), ("both", "", "3.5")]),
                                 ("read", [("moved", "R", "2"), ("equal", "R", "3"), ("both", "R", "2.5")])):
            some = report.make_report([results], sets, unsealed=True, chosen=[chosen])
            self.assertEqual([(one.published.id, one.reading, one.reproduced) for one in some], expected)
        with self.assertRaisesRegex(InputError, "no results file has a study 'nominl' .did you mean 'nominal'"):
            report.make_report([results], sets, unsealed=True, chosen=["nominl"])
        fitted = self.publish("moved,paper,1,exact,2,,s\n", '[[reading]]\nname = "R"\ndoc = "one of two"\nalternatives = 2\n'
                              'studies = { nominal = "read" }\nselect = { policy = "b" }\nroles = { moved = "calibrated" }\n'
                              + checks.partition('[[check]]\nid = "equal"')[0])
        self.assertEqual([(one.reproduced, one.role) for one in report.make_report([results], fitted, unsealed=True)],
                         [("4", "validation"), ("3", "calibrated")])
        tallies = report.tally_by_role(findings)
        self.assertEqual([(role, found.compared, found.exact) for role, found in tallies.items()], [("validation", 3, 1), ("reading", 2, 2)])

    def test_formulas_and_measured_values(self):
        mean = 'study = "one"\nmetric = "latency"\nselect = { policy = "a" }\nreduce = "mean"\n'
        half = self.one("exact", "2.0", "", "s", mean + 'formula = "value / 2"\n')
        self.assertEqual((half.verdict, half.note), ("exact", "mean of 3 values, 1 to 3"))
        (self.dir / "gpu").mkdir()
        (self.dir / "gpu/gpu.csv").write_text("quantity,model,value,unit\ntime,m,4,s\ntime,l,0.3,min\npower,m,7,W\n")

        def measured(row):
            return self.reported("the-id,paper,1,exact,1,,x\n", 'measured = "gpu/gpu.csv"\n[[check]]\nid = "the-id"\nsystem = "fake"\n'
                                 'study = "one"\nmetric = "latency"\nselect = { policy = "a", n = 3 }\n'
                                 f'formula = "gpu / value"\nwith = {{ gpu = {row} }}\n')

        self.assertEqual(measured('{ quantity = "time", model = "l" }')[0].number, 3)
        for row, pattern in (('{ model = "m" }', r'paper.toml:2:1: .*2 different values with model = "m"'),
                             ('{ model = "x" }', "0 different values"), ('{ modell = "m" }', "did you mean 'model'")):
            with self.assertRaisesRegex(InputError, pattern):
                measured(row)

    def test_formulas_are_arithmetic_and_nothing_else(self):
        self.assertEqual(published.evaluate("2^3 * value - min(1, sqrt(4))", {"value": 2.0}), 15)
        self.assertEqual(published.evaluate("1 / value", {"value": 0.0}), np.inf)
        for formula in ("value /", "__import__('os')", "value.real", "value if value else 1", "[value]", "'text'", "lambda: 1", "f(value)",
                        "valu", "value" + " + value" * 100000, "(" * 1000):
            with self.assertRaisesRegex(ValueError, "formula '"):
                published.evaluate(formula, {"value": 1.0})

    def test_mistakes_in_checks_have_their_places(self):
        self.fails(r"paper.toml:4:1: unknown key 'metrik' in a check \(did you mean 'metric'\?\)",
                   "exact", 1, "", "", 'study = "one"\nmetrik = "latency"\n')
        with self.assertRaises(InputError) as caught:
            self.one("exakt", 1, "", "", 'study = 1\nreduce = "meam"\nselect = { n = { a = 1 } }\n')
        self.assertEqual([(one.line, one.column) for one in caught.exception.problems], [(2, 22), (3, 9), (4, 10), (5, 16)])
        for found, text in zip(caught.exception.problems, ("kind = \"exakt\"", "expected text, got the integer 1",
                                                           "there is no reduction 'meam' (did you mean 'mean'?)",
                                                           "expected a value or a list of them, got a table")):
            self.assertIn(text, found.message)
        self.fails("did you mean 'latency'", "exact", 1, "", "", 'study = "one"\nmetric = "latancy"\n')
        self.fails("paper.toml:1:1: .*unknown name 'valu'", "exact", 1, "", "", RATIO + 'reduce = "max"\nformula = "valu"\n')
        self.fails("requires 'reading'", "max", 2, "", "x", RATIO + 'reduce = "max"\nrole = "reading"\n')
        self.fails("no \\[\\[reading\\]\\] 'R'", "max", 2, "", "x", RATIO + 'reduce = "max"\nrole = "reading"\nreading = "R"\n')
        self.fails("not valid TOML", "max", 2, "", "x", "a = = 1\n")
        for bound in ("inf", "nan", "1e999", "many", ""):
            self.fails("paper.csv:2:.*expected a finite number", "bound", bound, "", "s", RATIO)

    def test_a_paper_that_is_named_is_reported_though_no_study_of_it_is_there(self):
        checks = '[[check]]\nid = "the-id"\nnote = "not modeled"\n'
        self.assertEqual(self.reported("the-id,paper,1,exact,2,,s\n", checks), [])
        (finding,) = self.reported("the-id,paper,1,exact,2,,s\n", checks, papers=["paper"])
        self.assertEqual((finding.verdict, finding.role, finding.note), ("open", "", "not modeled"))
        with self.assertRaisesRegex(InputError, "did you mean 'paper'"):
            self.reported("the-id,paper,1,exact,2,,s\n", checks, papers=["papers"])

    def test_integers_keep_all_digits(self):
        large = 2**53 + 1
        columns = study(seed=Made([large, 3]), latency=[1.0, 2.0])
        check = f'study = "one"\nmetric = "latency"\nselect = {{ seed = {large} }}\n'
        self.assertEqual(self.one("exact", 1, "", "s", check, columns).verdict, "exact")


def machine_study(rows):
    """Points of two policies on machines of (clock, share, mode, latency with policy b); policy a takes 1 s on each."""
    clock, share, mode, latency = zip(*rows)
    return study(policy=Made(["a"] * len(rows) + ["b"] * len(rows)),
                 **{"hardware.clock": Made(clock * 2, unit="Hz", origin="sampled_range"),
                    "hardware.share": Made(share * 2, origin="sampled_values"),
                    "hardware.mode": Made(mode * 2, origin="sampled_values")},
                 draw=Made([*range(len(rows))] * 2, origin="draw", method="sobol"), latency=[1.0] * len(rows) + list(latency))


# All constants move: the latency is 0 to 100, evenly, with 7 on the machine of the file.
TOGETHER = [(1e9, 0.5, "x", 7.0)] + [(1e9 + i + 1, 0.6 + i, "xyxx"[i % 4], float(i)) for i in range(101)]
# The latency is 2 at 1 GHz and falls to 1 at 2 GHz; the share moves it to 4 at most; mode y makes it 10.
ALONE = [(1e9, 0.5, "x", 2.0), (1.5e9, 0.5, "x", 1.5), (2e9, 0.5, "x", 1.0), (1e9, 0.75, "x", 3.0), (1e9, 1.0, "x", 4.0),
         (1e9, 0.5, "y", 10.0)]
LATENCY = 'metric = "latency"\nselect = { policy = "b" }\n'


class Bands(unittest.TestCase):
    def setUp(self):
        self.dir = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def bands(self, kind, value, check, rows, tables=None):
        (self.dir / "paper.csv").write_text(f"{HEAD}the-id,paper,Table 1,{kind},{value},,\n")
        (self.dir / "paper.toml").write_text(f'[[check]]\nid = "the-id"\nsystem = "fake"\nstudy = "one"\n{check}')
        results = write_results(self.dir / "x.h5", {"one": machine_study(rows)}, tables)
        return bands.make_bands([results], published.read_published(self.dir), unsealed=True)

    def one(self, *arguments):
        (band,) = self.bands(*arguments)
        return band

    def test_a_band_has_the_quantiles_of_all_machines(self):
        band = self.one("exact", 30, LATENCY, TOGETHER)
        self.assertEqual((band.nominal.reproduced, band.draws), ("7", 101))
        self.assertEqual(band.spread, bands.Spread(0, 5, 50, 95, 100))
        # 27 to 33.
        self.assertAlmostEqual(band.near, 7 / 101)
        self.assertTrue(band.covered and band.reached and not band.crossings)
        (row,) = bands.rows_of([band])
        self.assertEqual(row[8:], ["7", "off", "101", "0", "5", "50", "95", "100", "0.069", "yes", "yes", ""])
        (tally,) = bands.tally([band])
        self.assertEqual((tally.covered, tally.width), (1, 3.0))

    def test_a_value_is_covered_reached_or_neither(self):
        for value, covered, reached in ((98, False, True), (101, False, False), (95.3, False, True), (95, True, True)):
            band = self.one("exact", value, LATENCY, TOGETHER)
            self.assertEqual((band.covered, band.reached), (covered, reached))
        claim = self.one("ordering", "", f'{LATENCY}over = {{ policy = "a" }}\nclaim = "below"\n', TOGETHER)
        self.assertEqual((claim.near, claim.reached, claim.covered), (1 / 101, True, False))

    def test_pairs_are_of_one_machine(self):
        band = self.one("exact", 0.5, f'{LATENCY}over = {{ policy = "a" }}\n', ALONE)
        self.assertEqual((band.draws, band.spread.min, band.spread.max), (5, 0.1, 1.0))

    def test_rows_of_a_table_are_those_of_the_machine(self):
        owners = [point for point in range(2 * len(TOGETHER)) for _ in range(2)]
        tables = {("one", "stages"): {"point": owners, "stage": [1, 2] * (len(owners) // 2), "share": [1.0, 0.5] * (len(owners) // 2)}}
        table = 'table = "stages"\nselect = { policy = "b" }\n'
        total = self.one("exact", 1.5, f'{table}metric = "share"\nreduce = "sum"\n', TOGETHER, tables)
        self.assertEqual((total.draws, total.near, total.spread.max), (101, 1, 1.5))
        largest = self.one("exact", 30, f'{table}metric = "latency"\nreduce = "max"\n', TOGETHER, tables)
        self.assertEqual((largest.spread.median, largest.spread.high), (50, 95))

    def test_a_constant_that_brings_out_the_value_alone_is_named_with_its_value(self):
        # Nothing lies between values of a list.
        for value, crossings in ((1.25, [("hardware.clock", "1.75 GHz")]), (3.5, []), (3.1, [("hardware.share", "0.75")]),
                                 (10, [("hardware.mode", "y")]), (20, [])):
            self.assertEqual(list(self.one("exact", value, LATENCY, ALONE).crossings), crossings)

    def test_values_on_each_machine(self):
        found = self.bands("exact", 3, LATENCY, ALONE)
        self.assertEqual([row[7:] for row in bands.rows_on_machines(found)][2], ["one", "3", "3", "1"])
        self.assertEqual(self.bands("exact", 3, LATENCY, ALONE[:1]), [])


class Counts(unittest.TestCase):
    """The one count of values that agree."""

    @staticmethod
    def rows(*cells):
        names = ("id", "verdict", "ratio_verdict", "deviation", "ratio_deviation", "role", "published", "low", "high", "covered", "determined")
        return pd.DataFrame(cells, columns=names)

    def test_a_value_counts_once_as_built_and_bounds_that_are_missed_apart(self):
        report = self.rows(("a", "off", "", "0.2", "", "validation", "2", "1", "1", "no", "yes"),
                           ("a", "exact", "", "0", "", "reading", "2", "", "", "", "yes"),
                           ("b", "near", "", "0.05", "", "validation", "2", "1", "3", "yes", "no"),
                           ("c", "off", "within", "0.4", "0.02", "validation", "2", "1", "5", "no", "no"),
                           ("d", "exact", "", "0", "", "definition", "2", "", "", "", "yes"),
                           ("e", "inconsistent", "", "0", "", "validation", "2", "", "", "", "yes"))
        found = tally.tally(tally.counted(report))
        self.assertEqual((found.compared, found.exact, found.within_10_percent, found.within_25_percent), (3, 0, 0, 2))
        self.assertEqual((found.ratio_within_10_percent, found.ratio_within_25_percent, found.near), (1, 3, 1))
        halves = tally.split(report)
        self.assertEqual((halves.determined.compared, halves.dependent.compared, halves.covered, halves.width), (1, 2, 1, 1.5))
        self.assertIn("3 published values beside ours: printed facts determine 1", tally.short_headline(report))

    def test_shares_of_nothing_are_left_out(self):
        text = tally.headline(self.rows(("a", "off", "", "0.2", "", "validation", "2", "1", "1", "no", "yes")))
        self.assertNotIn("nan", text)
        self.assertIn("determine 1 of them: 0 (0 %) are within 10 %", text)
        self.assertNotIn("depend on", text)
        text = tally.headline(self.rows(("a", "off", "", "0.2", "", "validation", "2", "1", "3", "yes", "no")))
        self.assertIn("All 1 depend on", text)
        self.assertNotIn("Printed facts", text)

    def test_values_that_sampled_machines_agree_on_are_determined(self):
        for low, median, high, near, expected in (("0.95", "1", "1.1", "0", True), ("0.8", "1", "1.1", "1", False),
                                                  ("", "", "", "0.96", True), ("", "", "", "0.04", True), ("", "", "", "0.5", False)):
            band = pd.Series({"low": low, "median": median, "high": high, "near": near})
            self.assertEqual(tally.is_determined(band), expected)


class Recorded(unittest.TestCase):
    """The formats that the recorded reports and bands hold; tests report_* make the reports again from their experiments."""

    def test_recorded_verdicts_are_those_of_the_recorded_numbers(self):
        judged = 0
        for one in published.read_published(ROOT / "results/published"):
            path = ROOT / "results/recorded" / f"{one.paper}_report.csv"
            if not path.exists():
                continue
            with open(path, newline="") as file:
                rows = list(csv.DictReader(file))
            self.assertEqual(tuple(rows[0]), report.COLUMNS)
            self.assertEqual(list(dict.fromkeys(row["id"] for row in rows)), [value.id for value in one.values])
            values = {value.id: value for value in one.values}
            for row in rows:
                value = values[row["id"]]
                self.assertEqual((row["sign"], row["published"], row["unit"]), (value.sign, value.value, value.unit))
                number = published.number_in(row["reproduced"])
                if row["verdict"] not in judge.COMPARED or value.kind == "order" or number is None \
                        or published.number_in(value.value) is None:
                    continue
                finding = judge.Finding(value)
                judge.judge_number(number, finding)
                # Recorded numbers have four digits.
                if row["deviation"]:
                    self.assertAlmostEqual(finding.deviation, float(row["deviation"]), delta=2e-3 * (1 + abs(finding.deviation)))
                with self.subTest(id=row["id"], reading=row["reading"]):
                    # More printed digits than these four tell exact values from ones that are within 10 %.
                    self.assertEqual(finding.agrees, row["verdict"] in judge.AGREEING)
                judged += 1
        self.assertGreater(judged, 500)


class Quantities(unittest.TestCase):
    def test_texts(self):
        for si, unit, digits, text in ((4e8, "Hz", 6, "400 MHz"), (8388608, "B", 6, "8 MiB"), (999.9999999e6, "Hz", 4, "1 GHz"),
                                       (5000, "s", 6, "5000 s"), (2e-6, "m^2", 6, "2 mm^2"), (6.6e-12 * 8, "J/bit", 3, "6.6 pJ/bit"),
                                       (0, "B", 6, "0 B"), (1.5, "1", 6, "1.5"), (8e9, "B", 6, "8 GB")):
            self.assertEqual(quantity.text_of(si, unit, digits), text)

    def test_units(self):
        self.assertEqual((quantity.in_si("0.1", "ns"), quantity.in_si("1e3", "pJ/bit"), quantity.scale_of("1/min")), (1e-10, 8e-9, 1 / 60))
        for unit in ("", "mz", "mm^x", "kmin"):
            with self.assertRaises(ValueError):
                quantity.scale_of(unit)


if __name__ == "__main__":
    unittest.main()
