"""Shares of variance and agreement of fidelities, on functions whose shares are known."""

import pathlib
import tempfile
import unittest

import numpy as np
from made_results import Made, study, write_results
from pimsweep import InputError
from pimsweep.analysis import fidelity, sensitivity
from pimsweep.pareto import is_optimal

WEIGHTS = np.array([0, 1, 4.5, 9])


def ishigami(u):
    """Of numbers in 0..1: Ishigami and Homma 1990 with a = 7, b = 0.1."""
    x = (2 * u - 1) * np.pi
    return np.sin(x[..., 0]) + 7 * np.sin(x[..., 1])**2 + 0.1 * x[..., 2]**4 * np.sin(x[..., 0])


def sobol_g(u):
    """Saltelli and Sobol 1995: first-order variances 1 / (3 (1 + a)^2)."""
    return np.prod((np.abs(4 * u - 2) + WEIGHTS) / (1 + WEIGHTS), axis=-1)


def saltelli_design(function, axes, blocks):
    """The values of a function on Saltelli's blocks."""
    random = np.random.default_rng(6)
    a, b = random.random((2, blocks, axes))
    mixed = [np.where(np.arange(axes) == axis, b, a) for axis in range(axes)]
    return np.stack([function(points) for points in (a, b, *mixed)], axis=1).ravel()


class Shares(unittest.TestCase):
    def near(self, share, known):
        """The known number lies near the estimate, by its own interval widened to about four standard errors."""
        self.assertLessEqual(abs(share.value - known), 2 * (share.high - share.value))
        self.assertLess(share.high - share.low, 0.15)

    def test_random_words_are_those_of_the_reference_implementation(self):
        # The 10,000th word of std::mt19937_64 with its default seed, by ISO C++ [rand.predef].
        self.assertEqual(int(sensitivity._random_words(5489, 10000)[-1]), 9981545732273789042)

    def test_saltelli_estimators(self):
        shares = sensitivity.saltelli(saltelli_design(ishigami, 3, 2**13), 3)
        for (first, total), known in zip(shares, ((0.3139, 0.5576), (0.4424, 0.4424), (0, 0.2437))):
            self.near(first, known[0])
            self.near(total, known[1])
        partial = 1 / (3 * (1 + WEIGHTS)**2)
        variance = np.prod(1 + partial) - 1
        for (first, total), part in zip(sensitivity.saltelli(saltelli_design(sobol_g, 4, 2**13), 4), partial):
            self.near(first, part / variance)
            self.near(total, part * (variance + 1) / (1 + part) / variance)

    def test_points_as_given(self):
        bins, u = 32, np.random.default_rng(7).random((2**15, 4))
        axes, y = [sensitivity.Levels((u[:, axis] * bins).astype(int), bins) for axis in range(4)], ishigami(u)
        # Variance within a bin is not seen: less than 0.01 here.
        for axis, known in zip(axes, (0.3139, 0.4424, 0, 0)):
            self.assertAlmostEqual(sensitivity.first_order(y, axis, False, 1).value, known, delta=0.02)
        for a, b, known in ((0, 2, 0.2437), (0, 1, 0), (2, 3, 0)):
            self.assertAlmostEqual(sensitivity.interaction(y, axes[a], axes[b], False, 1).value, known, delta=0.02)

    def test_a_grid_is_exact(self):
        random = np.random.default_rng(8)
        for rows, columns in ((2, 2), (3, 7), (6, 4)):
            places = np.indices((rows, columns)).reshape(2, -1)
            axes = [sensitivity.Levels(places[0], rows), sensitivity.Levels(places[1], columns)]
            y = random.random(rows * columns)
            a, b = (sensitivity.first_order(y, axis, True, 1).value for axis in axes)
            ab = sensitivity.interaction(y, *axes, True, 1).value
            self.assertAlmostEqual(a + b + ab, 1)
            self.assertAlmostEqual(sensitivity.factorial_total(y, axes, 0), a + ab)
            self.assertAlmostEqual(sensitivity.factorial_total(y, axes, 1), b + ab)
            total = random.random(rows)[places[0]] + random.random(columns)[places[1]]
            self.assertAlmostEqual(sensitivity.interaction(total, *axes, True, 1).value, 0)
            self.assertTrue(sensitivity.is_factorial(axes))
            axes[0] = sensitivity.Levels(np.where(np.arange(rows * columns) == 0, 1, places[0]), rows)
            self.assertFalse(sensitivity.is_factorial(axes))


class Files(unittest.TestCase):
    def setUp(self):
        self.path = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory())) / "x.h5"

    def found(self, latency, **axes):
        write_results(self.path, {"s": study(latency=list(latency), **{name: Made(cells) for name, cells in axes.items()})})
        (found,) = sensitivity.find_sensitivities(str(self.path), "latency", unsealed=True)
        return found

    def test_a_grid(self):
        x, n = np.indices((3, 4)).reshape(2, -1)
        found = self.found(1.0 + x * n, x=x.astype(float), n=n, fixed=[7] * 12)
        self.assertEqual((found.method, [axis.axis for axis in found.axes]), ("factorial", ["x", "n"]))
        # Variances of x and n are 2/3 and 5/4, means 1 and 3/2: parts 3/2, 5/4 and 5/6 of the product's variance.
        self.assertAlmostEqual(found.axes[0].first_order.value, 1.5 / (1.5 + 1.25 + 5 / 6))
        self.assertAlmostEqual(found.axes[1].total.value, (1.25 + 5 / 6) / (1.5 + 1.25 + 5 / 6))
        self.assertIn("full grid: exact", sensitivity.as_text(found))
        self.assertEqual(len(sensitivity.rows_of(found)), 5)

    def test_a_saltelli_sample_and_points_as_given(self):
        random = np.random.default_rng(9)
        x, n = random.random((2, 1000)), random.integers(0, 50, (2, 1000))
        # In the order in which the author of the file gave the axes, not that of their columns.
        xs, ns = np.stack([x[0], x[1], x[0], x[1]], 1).ravel(), np.stack([n[0], n[1], n[1], n[0]], 1).ravel()
        sample = self.found(xs + ns / 50, x=xs, n=ns)
        self.assertEqual((sample.method, sample.used), ("saltelli", 4000))
        given = self.found(x[0] + n[0] / 50, x=x[0], n=n[0])
        self.assertEqual(given.method, "given data")
        for one, other in zip(sample.axes, given.axes):
            self.assertAlmostEqual(one.first_order.value, 0.5, delta=0.05)
            self.assertAlmostEqual(one.total.value, 0.5, delta=0.05)
            self.assertAlmostEqual(other.first_order.value, 0.5, delta=0.05)
            self.assertIsNone(other.total)

    def test_axes_that_advance_together_are_one_factor_with_all_its_levels(self):
        level = np.repeat([0, 1, 2], 2)
        # Two of the three values of n are equal.
        found = self.found(1 + level + [0.5, 0] * 3, x=level.astype(float), policy=["a", "b"] * 3, n=level // 2)
        self.assertEqual([(axis.axis, axis.levels) for axis in found.axes], [("x + n", 3), ("policy", 2)])
        # Variances are 2/3 and 1/16.
        self.assertAlmostEqual(found.axes[0].first_order.value, (2 / 3) / (2 / 3 + 1 / 16))

    def test_sampled_machines_do_not_count(self):
        found = self.found([1.0, 5, 2, 9], policy=list("aabb"), draw=[0, 1, 0, 1])
        self.assertEqual((found.points, [axis.axis for axis in found.axes]), (2, ["policy"]))

    def test_mistakes(self):
        with self.assertRaisesRegex(InputError, "do not vary"):
            self.found([1.0, 1], x=[1, 2])
        with self.assertRaisesRegex(InputError, "varies no axis"):
            self.found([1.0, 2], x=[1, 1])
        for metric, name, pattern in (("latnecy", (), "did you mean 'latency'"), ("latency", ("t",), "has no study 't'")):
            with self.assertRaisesRegex(InputError, pattern):
                sensitivity.find_sensitivities(str(self.path), metric, name, unsealed=True)


class Fidelities(unittest.TestCase):
    def setUp(self):
        self.path = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory())) / "x.h5"

    def agree(self, rows, *arguments):
        level, size, latency, energy = map(list, zip(*rows))
        write_results(self.path, {"designs": study(fidelity=Made(level), size=Made(size), latency=list(map(float, latency)),
                                                   energy=Made(map(float, energy), "metric", "J"))})
        return fidelity.compare_fidelities(str(self.path), *arguments, unsealed=True)

    def test_known_numbers(self):
        found = self.agree([("analytic", 1, 9, 1), ("analytic", 2, 22, 3), ("analytic", 3, 30, 2), ("cycle", 3, 30, 2),
                            ("cycle", 2, 20, 3), ("cycle", 1, 10, 4), ("cycle", 4, 1, 1), ("analytic", 5, 1, 1),
                            ("analytic", 6, 1, 1), ("cycle", 6, np.nan, 1)])
        latency, energy = found.metrics
        # Sizes 1, 2 and 3: 4 to 6 lack one of the two.
        self.assertEqual((latency.finer, latency.coarser, latency.points, energy.points), ("cycle", "analytic", 3, 4))
        self.assertAlmostEqual(latency.mean, 0)
        self.assertAlmostEqual(latency.median, 0.1)
        self.assertAlmostEqual(latency.rank_correlation, 1)
        (front,) = found.fronts
        # (10, 4), (20, 3), (30, 2) against (9, 1).
        self.assertEqual((front.minimized, front.designs, front.finer_front, front.coarser_front, front.common),
                         (["latency", "energy"], 3, 3, 1, 1))
        self.assertAlmostEqual(front.regret, 0)

    def test_a_coarser_fidelity_that_takes_the_wrong_design_pays_for_it(self):
        rows = [("event", 1, 10, 1), ("event", 2, 15, 1), ("analytic", 1, 8, 1), ("analytic", 2, 7, 1)]
        (front,) = self.agree(rows, ["latency"]).fronts
        self.assertEqual((front.regret, front.common), (0.5, 0))
        # Apart, each is the best of its group.
        (front,) = self.agree(rows, ["latency"], ["size"]).fronts
        self.assertEqual((front.groups, front.worst_regret), (2, 0))
        latency, energy = self.agree(rows).metrics
        self.assertAlmostEqual(latency.rank_correlation, -1)
        self.assertTrue(np.isnan(energy.rank_correlation))
        self.assertIn("designs: equal in every point: energy", fidelity.as_text(self.agree(rows)))
        for arguments, pattern in ((([], ["sise"]), "'size'"), ((["latencie"],), "latencie.*'latency'")):
            with self.assertRaisesRegex(InputError, pattern):
                self.agree(rows, *arguments)
        self.assertEqual(self.agree([("cycle", 1, 1, 1)]).metrics, [])

    def test_fronts_are_those_of_the_definition(self):
        random = np.random.default_rng(1)
        for size in range(1, 40):
            costs = random.integers(0, 12, (size, 1 + size % 4)).astype(float)
            dominated = [any((other <= one).all() and (other < one).any() for other in costs) for one in costs]
            self.assertEqual(list(is_optimal(costs)), [not one for one in dominated])


if __name__ == "__main__":
    unittest.main()
