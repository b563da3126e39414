"""The JSON schema of experiment files: all experiments of the tree fit it, and mistakes do not."""

import datetime
import json
import os
import pathlib
import subprocess
import tomllib
import unittest

import jsonschema

PROGRAM = os.environ["PIMSWEEP"]
ROOT = pathlib.Path(__file__).resolve().parents[2]

GOOD = """name = "good"
[[study]]
id = "one"
system = "gpu"
hardware = "gpu-v100"
where = "batch < 3"
[study.axes]
model = ["resnet-50", "nets/own.onnx"]
batch = [1, 4]
"hardware.clock" = ["1 GHz", "2 GHz"]
[[study.zip]]
image_px = [224, 640]
precision = ["fp32", "fp16-in/fp32-math"]
"""

# Replacements that make a mistake each.
MISTAKES = (
    ('system = "gpu"', 'sytem = "gpu"'), ('system = "gpu"', 'system = "gpus"'), ('id = "one"', 'id = "a/b"'), ('id = "one"', ""),
    ('name = "good"', ""), ('name = "good"', "name = 3"), ('name = "good"', 'name = "good"\nnmae = "x"'), ("batch = [1, 4]", "bacth = [1, 4]"),
    ("batch = [1, 4]", "batch = [0]"), ("batch = [1, 4]", "batch = [1.5]"), ("batch = [1, 4]", 'batch = ["one"]'),
    ("batch = [1, 4]", "batch = []"), ('"1 GHz", "2 GHz"', "1, 2"), ('"hardware.clock"', '"hardware.clok"'), ('"hardware.clock"', "hardware.clock"),
    ('"fp32", "fp16-in/fp32-math"', '"fp33", "fp16-in/fp32-math"'), ("image_px = [224, 640]", "image_px = 224"), ("[study.axes]", '[study.axes]\nwhere = "batch > 1"'),
    ("[[study]]", "[study]"), ('where = "batch < 3"', "where = 3"), ('hardware = "gpu-v100"', 'hardware = "gpu-v100"\npolicy = "pimflow"'))


def plain(value):
    """TOML as JSON has it."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    return value.isoformat() if isinstance(value, (datetime.date, datetime.time)) else value


class Schema(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        printed = subprocess.run([PROGRAM, "schema"], capture_output=True, text=True, check=True, timeout=60).stdout
        cls.schema = json.loads(printed)
        cls.validator = jsonschema.Draft7Validator(cls.schema)

    def errors(self, text):
        return list(self.validator.iter_errors(plain(tomllib.loads(text))))

    def test_it_is_a_schema(self):
        jsonschema.Draft7Validator.check_schema(self.schema)

    def test_all_experiments_fit(self):
        experiments = sorted(ROOT.glob("experiments/**/*.toml"))
        self.assertGreater(len(experiments), 30)
        for path in experiments:
            found = self.errors(path.read_text())
            self.assertFalse(found, f"{path}: {[(list(error.absolute_path), error.message[:300]) for error in found][:3]}")

    def test_mistakes_do_not(self):
        self.assertFalse(self.errors(GOOD), self.errors(GOOD))
        self.assertGreaterEqual(len(MISTAKES), 20)
        for old, new in MISTAKES:
            with self.subTest(new=new):
                self.assertIn(old, GOOD)
                self.assertTrue(self.errors(GOOD.replace(old, new, 1)))

    def test_one_system(self):
        printed = subprocess.run([PROGRAM, "schema", "gpu"], capture_output=True, text=True, check=True, timeout=60).stdout
        self.assertEqual(list(json.loads(printed)["definitions"]), ["gpu"])
        self.assertIn("gpu-v100", printed)


if __name__ == "__main__":
    unittest.main()
