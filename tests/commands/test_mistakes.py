"""What common mistakes on the command line and in files print: what is wrong, where, and what to do."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.environ["PIMSWEEP"]

GOOD = """name = "good"
[[study]]
id = "one"
system = "gpu"
hardware = "gpu-v100"
[study.axes]
model = ["resnet-50", "vgg-a"]
batch = [1, 4]
[[study]]
id = "two"
system = "pimflow"
hardware = "pimflow-rtx-2060"
model = "resnet-50"
policy = "pimflow"
"""

# Changes of the experiment above: what is replaced by what, and what `check` then says, all of it.
FILES = (
    ('system = "gpu"', 'sytem = "gpu"', "x.toml:4:1: unknown key 'sytem' (did you mean 'system'?)"),
    ('id = "one"', 'di = "one"', "x.toml:3:1: unknown key 'di' (did you mean 'id'?)"),
    ("batch = [1, 4]", 'batch = [1, 4]\nwhere = "batch > 1"', "x.toml:9:1: 'where' is a key of the study and not an axis: move it above"),
    ("batch = [1, 4]", 'batch = [1, 4]\ndoc = "x"', "x.toml:9:1: 'doc' is a key of the study and not an axis: move it above"),
    ('"gpu-v100"', '"hypar-hmc-array"', "x.toml:5:12: hypar-hmc-array is hardware of hypar; 'gpu' takes ", "gpu-v100"),
    ('"gpu-v100"', '"dram-HBM2_2000"', "x.toml:5:12: dram-HBM2_2000 is hardware of dram; 'gpu' takes "),
    ('"gpu-v100"', '"gpu-v10"', "x.toml:5:12: unknown hardware 'gpu-v10' (did you mean 'gpu-v100'?); available: "),
    ('hardware = "gpu-v100"\n', "", "x.toml:2:1: system 'gpu' needs a hardware file: hardware = \"...\"; available: "),
    ('"resnet-50", "vgg-a"', '"mynet.onnx"', "x.toml:7:10: cannot read 'mynet.onnx': No such file or directory; paths of networks are relative to "
                                             "the current folder"),
    ('"resnet-50", "vgg-a"', '"resnet-5"', "did you mean 'resnet-50'?"),
    ('"resnet-50", "vgg-a"', '"llama-3-8b"', "did you mean 'llama-3.1-8b'?"),
    ("batch = [1, 4]", "bacth = [1, 4]", "x.toml:8:1: unknown key 'bacth': not an axis of system 'gpu' (did you mean 'batch'?)"),
    ("batch = [1, 4]", "batch = [1, 1]", "x.toml:8:13: axis 'batch' has the value 1 twice"),
    ("batch = [1, 4]", 'batch = ["one"]', "x.toml:8:10: axis 'batch'"),
    ("batch = [1, 4]", "batch = [0]", "x.toml:8:10: axis 'batch' must be at least 1"),
    ("batch = [1, 4]", "batch = [1.5]", "x.toml:8:10: axis 'batch'"),
    ("batch = [1, 4]", "batch = []", "x.toml:8:9: axis 'batch' has an empty list"),
    ("batch = [1, 4]", '"hardware.clok" = ["1 GHz"]', "x.toml:8:1", "did you mean 'hardware.clock'?"),
    ("batch = [1, 4]", '"hardware.clock" = ["1 GB"]', "x.toml:8:21"),
    ("batch = [1, 4]", '"hardware.clock" = ["1"]', "x.toml:8:21", "unit"),
    ("batch = [1, 4]", "hardware.clock = 1", "x.toml:8"),
    ('system = "gpu"', 'system = "gpus"', "x.toml:4:10: there is no system 'gpus' (did you mean 'gpu'?)"),
    ('policy = "pimflow"', 'policy = "pimflo"', "did you mean 'pimflow'?"),
    ('policy = "pimflow"', "", "x.toml:9:1: the study does not set axis 'policy'"),
    ('id = "two"', 'id = "one"', "x.toml:10:6: study id 'one' is used twice: first at x.toml:3:6"),
    ('name = "good"', "", "x.toml: the experiment does not have a name"),
    ('name = "good"', 'nmae = "good"', "x.toml:1:1: unknown key 'nmae' in an experiment file (did you mean 'name'?)"),
    ("[[study]]", "[study]", "x.toml"),
    ('id = "two"', 'id = "two', "x.toml:10"),
    ('[[study]]\nid = "two"', '[study.derived]\nedp = "time * enrgy"\n[[study]]\nid = "two"', "x.toml:10:15: unknown name 'enrgy'", "did you mean 'energy'?"),
    ('[[study]]\nid = "two"', '[study.derived]\nsum = "time"\n[[study]]\nid = "two"', "x.toml:10:1: a derived metric cannot be named 'sum'"),
    ('[[study]]\nid = "two"', '[study.derived]\nedp = "time + energy"\n[[study]]\nid = "two"', "x.toml:10:13: '+' needs equal units, got 's' and 'J'"),
    ('policy = "pimflow"', 'policy = "pimflow"\nwhere = "policy == \'pimflow\' and batch == 1"', 'x.toml:15:30: write && instead of \'and\''),
    ('policy = "pimflow"', 'policy = "pimflow"\nwhere = "not batch == 1 or batch == 2"', "write ! instead of 'not'", "write || instead of 'or'"),
    ('policy = "pimflow"', 'policy = "pimflow"\nwhere = "policy == pimflow"', 'x.toml:15:20: a text needs quotes: "pimflow"'),
    ('id = "two"', 'id = "a/b"', "x.toml:10:6: id 'a/b' is not allowed"),
)

# Command lines in a folder with good.toml and results/good.h5, and what they print.
LINES = (
    ("check results/good.h5", "'results/good.h5' is a results file, not an experiment: `pimsweep show results/good.h5` tabulates it"),
    ("results/good.h5", "is a results file, not an experiment"),
    ("plan results/good.h5", "is a results file, not an experiment"),
    ("good.toml check", "the command comes first: pimsweep check good.toml"),
    ("results/good.h5 show", "the command comes first: pimsweep show results/good.h5"),
    ("results/good.h5 top --min time", "the command comes first: pimsweep top results/good.h5"),
    ("good.toml --ranks two", "--ranks: expected a whole number, got 'two'"),
    ("good.toml --ranks 0", "--ranks: expected a whole number from 1 to 4096, got 0"),
    ("good.toml --ranks 1.5", "--ranks: expected a whole number, got '1.5'"),
    ("show results/good.h5 -n none", "-n: expected a whole number, got 'none'"),
    ("page results/good.h5 --points 0", "--points: expected a whole number from 1 to 1000000, got 0"),
    ("model resnet-50 --image-px -1", "--image-px: expected a whole number, got '-1'"),
    ("top results/good.h5", "top needs one metric: --min METRIC or --max METRIC; study 'one' has time, time_per_sample"),
    ("top results/good.h5 --min tme", "did you mean 'time'?"),
    ("sensitivity results/good.h5", "sensitivity needs one metric: --metric METRIC; study 'one' has time, time_per_sample"),
    ("sensitivity results/good.h5 --metric time --study tow", "has no study 'tow' (did you mean 'two'?)"),
    ("top results/good.h5 --min time*enrgy", "'time*enrgy': unknown name 'enrgy'", "did you mean 'energy'?"),
    ("top results/good.h5 --min time+energy", "'time+energy': '+' needs equal units, got 's' and 'J'"),
    ("show results/good.h5 --study two --where policy==pimflow", '--where: a text needs quotes: "pimflow"'),
    ("show results/good.h5 --columns time/model", "axis 'model' is text"),
    ("show results/good.h5 --sort 2*3", "'2*3': the expression names no column"),
    ("sensitivity results/good.h5 --study one --metric time*enrgy", "unknown name 'enrgy'"),
    ("good.toml --shard 3/2", "--shard: expected a part and the number of parts (at most 100000), such as 2/8; got '3/2'"),
    ("good.toml --shard two", "--shard: expected a part and the number of parts"),
    ("plan good.toml --shard 9/9", "--shard 9/9: no study has so many points"),
    ("pareto results/good.h5", "pareto needs a metric"),
    ("pareto results/good.h5 --min time --plot x.jpg", "--plot needs two metrics, got 1", "--plot x.jpg: expected a file that ends in .png, .pdf, .svg"),
    ("export results/good.h5 -o new/x.csv", "'new/x.csv' is one file, and there are ", "--study one --table points"),
    ("show good.toml", "'good.toml' is not a results file of pimsweep: it is not an HDF5 file; run an experiment first: pimsweep good.toml"),
    ("show results/god.h5", "cannot read 'results/god.h5': No such file or directory (did you mean 'good.h5'?)"),
    ("check god.toml", "cannot read 'god.toml': No such file or directory (did you mean 'good.toml'?)"),
    ("show results/good.h5 --study one --study tow", "has no study 'tow' (did you mean 'two'?)"),
    ("export results/good.h5 --study tow", "has no study 'tow' (did you mean 'two'?)"),
    ("top results/good.h5 --min time --study tow", "has no study 'tow' (did you mean 'two'?)"),
    ("show results/good.h5 --columns tme", "has no column 'tme' (did you mean 'time'?)"),
    ("show results/good.h5 --sort model", "holds texts, by which rows are not sorted"),
    ("show results/good.h5 --latex --markdown", "--latex excludes --markdown"),
    ("list hardwar", "cannot list 'hardwar' (did you mean 'hardware'?)"),
    ("list models --for gpu", "--for SYSTEM is for `pimsweep list hardware`"),
    ("list hardware --for gpus", "there is no system 'gpus' (did you mean 'gpu'?)"),
    ("schema gpus", "there is no system 'gpus' (did you mean 'gpu'?)"),
    ("explain results/good.h5 --point 9 --study one", "--point 9: "),
    ("explain results/good.h5 --point 0", "has 2 studies, so --study must name one"),
    ("shwo results/good.h5", "there is no command and no experiment file 'shwo' (did you mean 'show'?)"),
    ("show results/good.h5 --colums model", "there is no option '--colums' (did you mean '--columns'?)"),
    ("plot results/good.h5 --x batch --y time -o x.pdf", "a figure is of one study: choose one with --study, of one, two; or draw them side by side "
                                                         "with --lines study or --facets study"),
    ("plot results/good.h5 --study tow --x batch --y time -o x.pdf", "has no study 'tow' (did you mean 'two'?)"),
    ("status results/good.h5 --study tow", "has no study 'tow' (did you mean 'two'?)"),
    ("report results/good.h5 --study tow", "no results file has a study 'tow' (did you mean 'two'?)"),
    ("page results/good.h5 --study tow", "no file has a study tow"),
    ("trace results/good.h5 --study one --point 0", "expected a file for the trace, such as -o trace.json; or --csv FILE, --json"),
    ("export results/good.h5 --json --csv x.csv", "--csv excludes --json"),
    ("plot results/good.h5 --study one --x batch --y time -o x.pdf", "have the same batch: name what else varies (model) with --lines"),
    ("plot results/good.h5 --study one --x batch --y tme -o x.pdf", "has no column 'tme' (did you mean 'time'?)"),
    ("plot results/good.h5 --study one --x batch --y time -o x.jpg", "a figure is a file that ends with .png, .pdf, .svg"),
    ("plot results/good.h5 --study one --x batch --y model --heat time --kind lines -o x.pdf", "a heat map has two axes"),
    ("reproduce alspark", "there are no figures of 'alspark' (did you mean 'allspark'?)"),
    ("reproduce allspark fig112", "allspark has no figure 'fig112' (did you mean 'fig11a'?)"),
)


class Mistakes(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.scratch.cleanup)
        cls.folder = pathlib.Path(cls.scratch.name)
        (cls.folder / "good.toml").write_text(GOOD)
        cls.run_it("good.toml", "--progress", "none", "--ranks", "1")

    @classmethod
    def run_it(cls, *arguments, expect=0):
        done = subprocess.run([PROGRAM, *arguments], cwd=cls.folder, capture_output=True, text=True, timeout=120)
        if done.returncode != expect:
            raise AssertionError(f"{arguments}: exit status {done.returncode}\n{done.stdout}\n{done.stderr}")
        return done.stdout + done.stderr

    def test_in_files(self):
        self.assertGreaterEqual(len(FILES) + len(LINES), 60)
        for old, new, *parts in FILES:
            with self.subTest(new=new):
                self.assertIn(old, GOOD)
                (self.folder / "x.toml").write_text(GOOD.replace(old, new, 1))
                said = self.run_it("check", "x.toml", expect=2)
                for part in parts:
                    self.assertIn(part, said)

    def test_wrong_hardware_is_one_line(self):
        (self.folder / "x.toml").write_text(GOOD.replace("gpu-v100", "hypar-hmc-array"))
        said = self.run_it("check", "x.toml", expect=2)
        self.assertEqual(len(said.splitlines()), 1, said)
        # Only files that fit are listed.
        self.assertNotIn("allspark-3d-dram", said)

    def test_mistakes_in_a_copy_of_a_hardware_file_are_listed(self):
        (self.folder / "own.toml").write_text('base = "gpu-v100"\n[clok]\nvalue = "1 GHz"\nsource = "own"\n')
        (self.folder / "x.toml").write_text(GOOD.replace("gpu-v100", "./own.toml"))
        self.assertIn("own.toml:2:2: system 'gpu' does not have a hardware constant 'clok'", self.run_it("check", "x.toml", expect=2))

    def test_on_the_command_line(self):
        for line, *parts in LINES:
            with self.subTest(line=line):
                said = self.run_it(*line.split(), expect=2)
                self.assertTrue(all(text.startswith(("pimsweep: error: ", "pimsweep: note: ")) for text in said.splitlines()), said)
                for part in parts:
                    self.assertIn(part, said)
        self.assertFalse((self.folder / "new").exists())

    def test_a_study_without_a_number_says_which_is_missing(self):
        (self.folder / "noc.toml").write_text('name = "noc"\n[[study]]\nid = "s"\nsystem = "noc"\ninjection_rate = 1.0\n')
        done = subprocess.run([PROGRAM, "noc.toml", "--progress", "none", "--ranks", "1"], cwd=self.folder, capture_output=True, text=True,
                              timeout=120)
        self.assertNotIn("no point has a result", done.stdout)

    def test_several_studies_everywhere(self):
        for command in ("show", "export --format jsonl", "export --table points --json", "top --min time_per_sample",
                        "pareto --min time_per_sample", "status --json", "plot --x batch --y time --lines study --facets model -o x.pdf --csv -"):
            name, *options = command.split()
            said = self.run_it(name, "results/good.h5", *options, "--study", "one", "--study", "two")
            for study in ("one", "two"):
                self.assertIn(study, said)

    def commands(self):
        overview = self.run_it("help").partition("\nRun:\n")[2]
        return [line.split()[0] for line in overview.splitlines() if line.startswith("  ") and line[2] != " "]

    def test_the_same_options_everywhere(self):
        # docs/command-line.md gives the reasons.
        without = {"--study": {"merge", "model", "list", "schema", "training", "help", "reproduce"},
                   "--csv": {"schema", "help"}, "--json": {"schema", "help"}}
        for command in self.commands():
            said = self.run_it("help", command)
            for option, lacking in without.items():
                with self.subTest(command=command, option=option):
                    self.assertEqual(f"  {option}" in said, command not in lacking)

    def test_a_column_is_shown_once(self):
        heading = self.run_it("show", "results/good.h5", "--study", "one", "--columns", "point,model,message").splitlines()[1].split()
        self.assertEqual(heading, ["point", "model", "message"])

    def test_lists_fit_80_columns(self):
        for what in ("systems", "axes gpu", "metrics", "hardware", "hardware gpu-v100", "policies"):
            done = subprocess.run([PROGRAM, "list", *what.split()], capture_output=True, text=True, env=os.environ | {"COLUMNS": "80"}, timeout=120)
            self.assertLessEqual(max(map(len, done.stdout.splitlines())), 80, what)
            # Names are whole.
            self.assertNotRegex(done.stdout, r"(?m)^\S+\.\.")

    def test_studies_of_a_state_and_of_tables(self):
        def rows(*line):
            return json.loads(self.run_it(*line, "--json"))

        self.assertEqual([one["study"] for one in rows("status", "results/good.h5", "--study", "two")["studies"]], ["two"])
        self.assertEqual(rows("status", "results/good.h5", "--study", "two")["points"], 1)
        self.assertEqual(rows("status", "results/good.h5")["points"], 5)
        found = rows("export", "results/good.h5", "--study", "one")
        self.assertEqual({row["table"] for row in found}, {"points", "by_kernel"})
        self.assertEqual([row["batch"] for row in found if row["table"] == "points"], [1, 4, 1, 4])

    def test_every_command_has_a_group_and_an_example(self):
        overview = self.run_it("help")
        for group in ("Run:", "Look up:", "Analyze:", "Publish:"):
            self.assertIn(f"\n{group}\n", overview)
        self.assertGreater(len(self.commands()), 20)
        for command in self.commands():
            self.assertRegex(self.run_it("help", command), rf"(?s)Example:\n  pimsweep {command} ")


if __name__ == "__main__":
    sys.exit(unittest.main())
