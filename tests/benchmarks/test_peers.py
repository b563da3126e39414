"""benchmarks/peers: answers are compared before times, with stand-ins for the peers."""

import csv
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "benchmarks/peers/booksim.py"
CASE = "F7_1"
SCRIPTS = ["scalesim", "newton", "attacc", "ramulator", "timeloop", "cent"]
# Prints what the reference says of the case, and ends as BookSim does.
STAND_IN = """#!/bin/sh
grep -q 'traffic = neighbor;' "$1" || exit 1
echo '====== Overall Traffic Statistics ======'
echo 'Packet latency average = {latency} (1 samples)'
echo 'Accepted flit rate average = {accepted} (1 samples)'
exit 255
"""


class BookSim(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        with open(ROOT / "results/reference/noc/booksim_reference.csv") as file:
            row = next(row for row in csv.DictReader(file) if row["case_id"] == CASE)
        self.latency, self.accepted = float(row["avg_packet_latency"]), float(row["accepted_flit_rate"])

    def compare(self, latency, *options):
        program = self.folder / "booksim"
        program.write_text(STAND_IN.format(latency=latency, accepted=self.accepted))
        program.chmod(0o755)
        return subprocess.run([sys.executable, SCRIPT, program, "--pimsweep", os.environ["PIMSWEEP"], "--runs", "2",
                               "--cases", *(options or [CASE])], capture_output=True, text=True)

    def test_equal_answers_are_timed(self):
        done = self.compare(self.latency)
        self.assertEqual(done.returncode, 0, done.stderr)
        line = done.stdout.splitlines()[-1]
        self.assertRegex(line, rf"^\| {CASE} \| 16 x 16 neighbor, 8 flits.* to .* to .* to ")

    def test_answers_that_differ_have_no_times(self):
        done = self.compare(1.1 * self.latency)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("answers differ", done.stdout)
        self.assertNotIn(" to ", done.stdout)

    def test_without_the_peer_or_the_case_it_says_so(self):
        done = subprocess.run([sys.executable, SCRIPT, self.folder / "nowhere"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn("there is no program", done.stderr)
        done = self.compare(self.latency, "F1_7", "X")
        self.assertEqual(done.returncode, 2)
        self.assertIn("not among the cases: ", done.stderr)


def write_program(file, text):
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    file.chmod(0o755)


class Tables(unittest.TestCase):
    """Peers that take a table of cases. A stand-in gives what the reference says, times a factor."""

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def scalesim(self, factor):
        """Case 26, by a module that writes the report of its only layer."""
        write_program(self.folder / "scalesim/scale_sim.py", f"""
import pathlib
class scalesim:
    def __init__(self, save_disk_space, verbose, config, topology, input_type_gemm, layout):
        assert "ArrayHeight = 8" in open(config).read() and "case26, 49, 49, 32," in open(topology).read()
    def run_scale(self, top_path):
        folder = pathlib.Path(top_path, "8_8_ws")
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "COMPUTE_REPORT.csv").write_text("LayerID, Total Cycles,\\n0, {round(1987 * factor)},\\n")
""")
        write_program(self.folder / "configs/scale.cfg", "[general]\n[architecture_presets]\n[run_presets]\n")
        return [self.folder], "26"

    def newton(self, factor):
        """A layer whose commands a program makes, which another one simulates."""
        write_program(self.folder / "codegen", '#!/bin/sh\necho "$*" | grep -q "oc 96 -ic 16 -h 112" && echo GWRITE > layer0-16.pim\n')
        write_program(self.folder / "ramulator", f"#!/bin/sh\ntest -s \"$3\" && echo 'Cycle {round(27150 * factor)}'\n")
        return [self.folder / "codegen", self.folder / "ramulator"], "mobilenet-v2/b1_expand/16/4/1"

    def attacc(self, factor):
        """The first case, by a program that writes its line."""
        write_program(self.folder / "main.py", f"""
import sys
assert "--system dgx-attacc --gpu A100a --ngpu 8 --pim bank --model GPT-175B --word 2" in " ".join(sys.argv), sys.argv
open("output.csv", "w").write("g_time (ms),g_energy (nJ)\\n{35.3307872 * factor},{28632198200.0}\\n")
""")
        return [self.folder], "1"

    def ramulator(self, factor):
        """Case 20, writes to row after row of a bank, by a module whose channel receives the equivalent trace."""
        write_program(self.folder / "python/ramulator.py", f"""
class Component:
    def __init__(self, **words): self.__dict__.update(words)
class Components:
    def __getattr__(self, name): return Component
dram = controller = scheduler = refresh_manager = row_policy = addr_mapper = Components()
memory_system = channel_mapper = frontend = Components()
class Simulation:
    def __init__(self, frontend, memory):
        channel = memory.controllers[0]
        assert channel.dram.timing_preset == "DDR4_2400R" and channel.write_buffer_size == 32
        # The next row of a bank lies behind a row of each of the 16 banks, 128 accesses of 64 bytes.
        expected = "".join("ST %d\\n" % (row * 16 * 128 * 64) for row in range(5000))
        assert open(frontend.path).read() == expected
    def run(self): self.stats = {{"memory_system": {{"controller": {{"cycles": {round(343411 * factor)}}}}}}}
""")
        return [self.folder], "20"

    def timeloop(self, factor):
        """Case 37, by a program that writes the mapping of the reference and its counts."""
        with open(ROOT / "results/reference/gemm/timeloop.csv") as file:
            row = next(row for row in csv.DictReader(file) if row["case_id"] == "37")
        self.assertEqual(row["best_mapping"], "L3[ABZ] K4 - L2[ABZ] N7 M7 N7X - L1[Z] M7 K8Y - L0[B] K1")
        operands = "".join(f"    {name}:\n        Scalar reads (per-instance) : {row[f'dram_reads_{name}']}\n"
                           f"        Scalar updates (per-instance) : {row['dram_updates_Z'] if name == 'Z' else 0}\n" for name in "ABZ")
        write_program(self.folder / "timeloop-mapper", f"""#!{sys.executable}
import json, pathlib, sys
words = json.load(open(sys.argv[1]))
assert words["problem"]["instance"] == dict(M=49, N=49, K=32)
search = tuple(words["mapper"][name] for name in ("algorithm", "victory_condition", "timeout"))
assert search in (("random_pruned", 500, 20000), ("linear_pruned", 0, 10**9))
print("search:", search[0])
assert [level["vector_access_energy"] for level in words["arch"]["storage"]] == [0.487461, 0.4890075, 27.09548, 84.48]
pathlib.Path("timeloop-mapper.map.txt").write_text('''DRAM [ A:1568 (1568) B:1568 (1568) Z:2401 (2401) ]
------------------------------------------------
| for K in [0:4)

Buffer [ A:392 (392) B:392 (392) Z:2401 (2401) ]
| for N in [0:7)
|   for M in [0:7)
|     for N in [0:7) (Spatial-X)

Accumulators [ Z:7 (7) ]
|     for M in [0:7)
|       for K in [0:8) (Spatial-Y)

Registers [ B:1 (1) ]
|         << Compute >>
''')
pathlib.Path("timeloop-mapper.stats.txt").write_text('''=== DRAM ===
{operands}
Summary Stats
Cycles: {round(int(row["cycles"]) * factor)}

fJ/Compute
    DRAM  = 1
    Total = {row["fJ_per_MAC_total"]}
''')
""")
        return [self.folder / "timeloop-mapper"], "37"

    def cent(self, factor):
        """A token of a pipeline, by a module that writes the line of the reference."""
        write_program(self.folder / "trace/compile.sh", "")
        write_program(self.folder / "trace/compile.py", "")
        write_program(self.folder / "aim_simulator/test/example.yaml", "")
        write_program(self.folder / "cent_simulation/function_sim.py", "")
        with open(ROOT / "results/reference/cent-points.csv") as file:
            row = next(row for row in csv.DictReader(file) if [*row.values()][:4] == ["llama-2-7b", "8", "0", "127"])
        write_program(self.folder / "cent_simulation/run_sim.py", f"""
import pathlib, sys, types
pipeline_parallel_mode_list, model_parallel_mode_list = ["pipeline_parallel"], ["model_parallel"]
def get_args():
    words = dict(zip(sys.argv[1::2], sys.argv[2::2]))
    assert words["--model"] == "Llama2-7B" and words["--num_devices"] == "8" and "--model_parallel" not in words
    return types.SimpleNamespace(model=words["--model"], seqlen=[int(words["--seqlen"])])
def generate_trace(args, lengths):
    pathlib.Path("../trace/32_channels_per_device/pipeline_parallel/Llama2-7B/trace").write_text("")
def simulate_trace(args, lengths):
    assert pathlib.Path("../aim_simulator/test/example.yaml").exists()
def process_results(args):
    assert pathlib.Path("../trace/compile.sh").exists()
def update_csv(args, lengths):
    assert not pathlib.Path("simulation_results.csv").exists()
    pathlib.Path("simulation_results.csv").write_text("Model,Device number,Pipeline parallelism,Tensor parallelism,Sequence length,"
        "Token latency (ms),Throughput (tokens/s),Token energy (mJ),Total power (W)\\n"
        "Llama2-7B,8,32,1,%d,{1e3 * float(row['time_per_token']) * factor},{row['tokens_per_second']},"
        "{1e3 * float(row['energy_per_token'])},{row['power']}\\n" % lengths[0])
""")
        return [self.folder], "llama-2-7b/0/127"

    def run_script(self, script, places, *options):
        return subprocess.run([sys.executable, ROOT / f"benchmarks/peers/{script}.py", *places, "--pimsweep", os.environ["PIMSWEEP"],
                               "--runs", "1", *options], capture_output=True, text=True)

    def test_equal_answers_are_timed_and_others_are_not(self):
        for script in SCRIPTS:
            with self.subTest(script):
                places, case = getattr(self, script)(1)
                done = self.run_script(script, places, "--cases", case)
                self.assertEqual(done.returncode, 0, done.stderr + done.stdout)
                self.assertRegex(done.stdout, r"\| (equal|.* % apart|better) \|\n\nSeconds of all cases.*\n\n.*\n.*\n\| [\d.e-]+ \| [\d.e-]+ \| [\d.e+]+ \|")
                places, case = getattr(self, script)(1.01)
                done = self.run_script(script, places, "--cases", case)
                self.assertEqual(done.returncode, 1, done.stderr)
                self.assertIn("The answers differ, so nothing was timed.", done.stdout)
                self.assertNotIn("Seconds", done.stdout)

    def test_without_the_peer_or_the_case_it_says_so(self):
        for script in SCRIPTS:
            with self.subTest(script):
                places, _ = getattr(self, script)(1)
                nowhere = [self.folder / "nowhere"] * len(places)
                done = self.run_script(script, nowhere)
                self.assertEqual(done.returncode, 2)
                self.assertIn(f"there is no program {nowhere[0]}; nothing was compared", done.stderr)
                done = self.run_script(script, places, "--cases", "X")
                self.assertEqual(done.returncode, 2)
                self.assertIn("not among the cases: X", done.stderr)
                done = self.run_script(script, places, "--runs", "0")
                self.assertEqual(done.returncode, 2)
                self.assertIn("--runs must be at least 1, not 0", done.stderr)

    def test_an_exhaustive_search_is_asked_for(self):
        (program,), case = self.timeloop(1)
        done = self.run_script("timeloop", [program], "--exhaustive", "--cases", case)
        self.assertEqual(done.returncode, 0, done.stderr)
        program.write_text(program.read_text().replace("pathlib.Path", "sys.exit(3)\npathlib.Path", 1))
        for options, algorithm in ((["--exhaustive"], "linear"), ([], "random")):
            done = self.run_script("timeloop", [program], "--cases", case, *options)
            self.assertEqual(done.returncode, 2)
            self.assertIn(f"ended with status 3:\nsearch: {algorithm}_pruned", done.stderr)

    def test_a_peer_that_fails_is_shown(self):
        places, case = self.newton(1)
        write_program(self.folder / "codegen", "#!/bin/sh\necho no such layer\nexit 3\n")
        done = self.run_script("newton", places, "--cases", case)
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, r"^newton.py: .*codegen ended with status 3:\nno such layer")

    def test_output_that_is_not_understood_is_said(self):
        (program,), case = self.timeloop(1)
        program.write_text(program.read_text().replace("Cycles:", "Rounds:"))
        done = self.run_script("timeloop", [program], "--cases", case)
        self.assertEqual(done.returncode, 2)
        self.assertIn("timeloop.py: cannot read the answers of Timeloop: ValueError: nothing like ^Cycles: ", done.stderr)

    def test_a_peer_that_cannot_be_run_is_named(self):
        for script in ("booksim", "timeloop"):
            done = self.run_script(script, [self.folder])
            self.assertEqual(done.returncode, 2)
            self.assertIn(f"{script}.py: cannot run {self.folder}: Permission denied", done.stderr)


class Worse(unittest.TestCase):
    """When a mapping is worse than Timeloop's, whose energy is known to 0.005 fJ."""

    def test_by_the_objective(self):
        sys.path.insert(0, str(SCRIPT.parent))
        import timeloop
        found = (100, 1500.00)

        def is_worse(objective, cycles, energy):
            return timeloop.is_worse({"metrics": objective}, (cycles, energy), found)
        for objective, not_worse, worse in (("delay then energy", [(99, 9999), (100, 1500.004)], [(101, 1), (100, 1500.1)]),
                                            ("energy then delay", [(9999, 1499), (100, 1500.004)], [(1, 1500.1), (101, 1500)]),
                                            ("energy-delay product", [(50, 3000), (100, 1500)], [(50, 3001), (101, 1500)])):
            for cycles, energy in not_worse:
                self.assertFalse(is_worse(objective, cycles, energy), objective)
            for cycles, energy in worse:
                self.assertTrue(is_worse(objective, cycles, energy), objective)


if __name__ == "__main__":
    unittest.main()
