"""pimsweep.check and pimsweep.run: experiments as dicts and files, problems with their places, ranks, resuming."""

import contextlib
import io
import os
import pathlib
import tempfile
import unittest
from unittest import mock

import numpy as np
import pimsweep


def experiment(**axes):
    return {"name": "small", "study": [{"id": "training", "system": "hypar", "hardware": "hypar-hmc-array",
                                        "axes": {"policy": ["data", "hypar"], "model": ["sfc", "lenet-c"], **axes}}]}


class Experiments(unittest.TestCase):
    def setUp(self):
        scratch = self.enterContext(tempfile.TemporaryDirectory())
        self.enterContext(contextlib.chdir(scratch))

    def problems(self, given):
        with self.assertRaises(pimsweep.InputError) as caught:
            pimsweep.check(given)
        return caught.exception.problems

    def test_a_correct_experiment_passes(self):
        self.assertIsNone(pimsweep.check(experiment()))

    def test_problems_of_a_dict_have_key_paths(self):
        found = self.problems(experiment(model=["sfc", "vgg-q"], polcy=["data"]))
        self.assertEqual({problem.key for problem in found}, {"study[0].axes.model[1]", "study[0].axes.polcy"})
        self.assertTrue(any("did you mean 'policy'" in problem.message for problem in found))
        self.assertTrue(all(not problem.file for problem in found))

    def test_progress_is_shown_in_one_line(self):
        said = io.StringIO()
        with contextlib.redirect_stderr(said):
            pimsweep.run(experiment(), progress=True)
        lines = said.getvalue().strip().split("\r")
        self.assertRegex(lines[-1], "^small: 4 points: 4 ok")
        with contextlib.redirect_stderr(said := io.StringIO()):
            pimsweep.run(experiment())
        self.assertEqual(said.getvalue(), "")

    def test_the_second_study_is_named(self):
        given = experiment()
        given["study"].append({**given["study"][0], "id": "other", "zip": [{"batch": [1, 2], "model": ["sfc", "none"]}],
                               "axes": {"policy": ["data"]}})
        found = self.problems(given)
        self.assertEqual([problem.key.split(".")[0] for problem in found], ["study[1]"])

    def test_problems_of_a_file_have_lines_and_columns(self):
        path = pathlib.Path("wrong.toml")
        path.write_text('name = "wrong"\n[[study]]\nid = "a"\nsystem = "hypar"\nhardware = "hypar-hmc-array"\n'
                        'model = "vgg-q"\npolicy = "data"\n')
        problem, = self.problems(path)
        self.assertEqual((pathlib.Path(problem.file).name, problem.line, problem.column), ("wrong.toml", 6, 9))
        self.assertTrue(str(problem).startswith(f"{problem.file}:6:9: 'vgg-q'"))

    def test_a_missing_file_is_a_problem(self):
        problem, = self.problems("none.toml")
        self.assertIn("none.toml", str(problem))

    def test_run_gives_the_results_of_a_dict(self):
        results = pimsweep.run(experiment(batch=np.array([64, 256])))
        self.assertEqual(results.path, pathlib.Path("results/small.h5"))
        self.assertEqual(dict(results["training"].sizes), {"policy": 2, "model": 2, "batch": 2})
        # The experiment's own file was for the run only.
        self.assertEqual([path.name for path in pathlib.Path().iterdir()], ["results"])

    def test_drawn_machines_are_a_dimension(self):
        given = experiment()
        given["study"][0]["uncertainty"] = {"samples": 8, "choices": {"feature_maps": ["product"]}}
        points = pimsweep.run(given)["training"]
        self.assertEqual(dict(points.sizes), {"policy": 2, "model": 2, "draw": 9})
        self.assertEqual(points["hardware.pe_array.utilization"].dims, ("draw",))
        self.assertEqual(set(points.feature_maps.values), {"pooled", "product"})
        drawn = points.time.isel(draw=slice(1, None))
        self.assertTrue((drawn.min("draw") < drawn.max("draw")).all())

    def test_run_resumes_or_begins_again(self):
        pimsweep.run(experiment(), output="a.h5")
        again = pimsweep.run(experiment(batch=[64, 256]), output="a.h5")
        self.assertEqual(int(again.provenance["points_reused"]), 4)
        again = pimsweep.run(experiment(), output="a.h5", resume=False)
        self.assertEqual(int(again.provenance["points_reused"]), 0)

    def test_ranks_give_the_same(self):
        one, two = (pimsweep.run(experiment(), ranks=ranks, output=f"{ranks}.h5") for ranks in (1, 2))
        self.assertEqual(one.attrs["digest"], two.attrs["digest"])
        self.assertEqual(int(two.provenance["ranks"]), 2)
        with self.assertRaisesRegex(ValueError, "ranks"):
            pimsweep.run(experiment(), ranks=0)

    def test_errors_of_the_program_are_exceptions(self):
        with self.assertRaises(pimsweep.InputError):
            pimsweep.run(experiment(model=["vgg-q"]))
        with mock.patch.dict(os.environ, {"PIMSWEEP": "/bin/false"}), self.assertRaises(pimsweep.Failed):
            pimsweep.check(experiment())
        pathlib.Path("file").write_text("")
        with self.assertRaises((pimsweep.Failed, pimsweep.InputError)):
            pimsweep.run(experiment(), output="file/a.h5")

    def test_failed_points_are_a_warning(self):
        pathlib.Path("stub").write_text(f"#!/bin/sh\ncase $1 in plan) exec {os.environ['PIMSWEEP']} \"$@\";; esac\n"
                                        f"{os.environ['PIMSWEEP']} \"$@\"; exit 1\n")
        pathlib.Path("stub").chmod(0o755)
        with mock.patch.dict(os.environ, {"PIMSWEEP": str(pathlib.Path("stub").resolve())}):
            with self.assertWarns(UserWarning):
                results = pimsweep.run(experiment())
        self.assertIn("training", results)


if __name__ == "__main__":
    unittest.main()
