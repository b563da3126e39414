"""`pimsweep model`: a network as text, CSV, JSON, a graph for Graphviz, and ONNX."""

import csv
import fcntl
import io
import json
import os
import pathlib
import pty
import re
import shutil
import struct
import subprocess
import tempfile
import termios
import unittest

import h5py

PROGRAM = os.environ["PIMSWEEP"]
NETWORKS = pathlib.Path(__file__).resolve().parents[1] / "workload" / "import" / "networks"
FILES = {"decoder": ["--tokens", "48"], "mobilenet-v3": ["--image-px", "192"], "u-net": []}


def run(*arguments, expect=0):
    done = subprocess.run([PROGRAM, "model", *map(str, arguments)], capture_output=True, text=True, timeout=120)
    if done.returncode != expect:
        raise AssertionError(f"{arguments}: {done.returncode}\n{done.stdout}\n{done.stderr}")
    return done.stdout + done.stderr


def rows_of(*arguments):
    return list(csv.DictReader(io.StringIO(run(*arguments, "--csv", "-"))))


def in_terminal(columns, *arguments):
    """What the program prints to a terminal of so many columns."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    process = subprocess.Popen([PROGRAM, "model", *arguments], stdout=slave, stderr=slave)
    os.close(slave)
    text = b""
    while True:
        try:
            part = os.read(master, 65536)
        except OSError:  # closed by the program
            break
        if not part:
            break
        text += part
    os.close(master)
    if process.wait(60) != 0:
        raise AssertionError(text)
    return text.decode().splitlines()


def models():
    listed = subprocess.run([PROGRAM, "list", "models", "--csv", "-"], capture_output=True, text=True, check=True, timeout=120)
    return {row["model"]: row for row in csv.DictReader(io.StringIO(listed.stdout))}


def field(number, content):
    """A field of a protocol buffer: a number below 128, or bytes."""
    if isinstance(content, int):
        return bytes([number << 3, content])
    return bytes([number << 3 | 2, len(content)]) + content


def linear_network(rows):
    """An ONNX file of one linear layer, 4 to 5 channels, for an input of so many rows."""
    shape = field(2, b"".join(field(1, field(1, extent)) for extent in (rows, 4)))
    graph = (field(1, field(1, b"x") + field(1, b"w") + field(2, b"y") + field(4, b"MatMul"))
             + field(5, field(1, 4) + field(1, 5) + field(2, 1) + field(8, b"w"))
             + field(11, field(1, b"x") + field(2, field(1, field(1, 1) + shape))) + field(12, field(1, b"y")))
    return field(1, 8) + field(7, graph) + field(8, field(2, 21))


class Model(unittest.TestCase):
    def test_rows_of_all_models_come_to_their_counts(self):
        sums = {}
        for row in rows_of():
            counts = sums.setdefault(row["model"], {"parameters": 0, "macs": 0, "weights": 0})
            self.assertEqual(int(row["products"]) * int(row["rows"]) * int(row["inner"]) * int(row["columns"]), int(row["macs"]))
            for key in counts:
                counts[key] += int(row[key])
        expected = {name: {key: int(row[key]) for key in ("parameters", "macs", "weights")} for name, row in models().items()}
        self.assertEqual(sums, expected)

    def test_bytes_of_an_operator(self):
        rows = {row["operator"]: row for row in rows_of("resnet-50")}
        conv = rows["conv1"]
        self.assertEqual((conv["reads"], conv["inputs"], conv["output"], conv["kernel_h"], conv["stride"], conv["pad_w"]),
                         ("image", "224x224x3", "112x112x64", "7", "2", "3"))
        self.assertEqual(int(conv["bytes_read"]), 2 * (224 * 224 * 3 + 7 * 7 * 3 * 64))
        self.assertEqual(int(conv["bytes_written"]), 2 * 112 * 112 * 64)
        residual = rows["stage1.block1.residual"]
        self.assertEqual(residual["reads"], "stage1.block1.conv3_norm | stage1.block1.shortcut_norm")
        self.assertEqual(int(residual["bytes_read"]), 2 * 2 * 56 * 56 * 256)
        self.assertEqual((rows["image"]["bytes_read"], rows["image"]["bytes_written"]), ("0", "0"))
        wide = {row["operator"]: row for row in rows_of("resnet-50", "--element-bytes", "4")}
        self.assertEqual(int(wide["conv1"]["bytes_read"]), 2 * int(conv["bytes_read"]))
        # An embedding reads the rows that it looks up; each step of a recurrent layer reads the weights that it shares.
        lstm = {row["operator"]: row for row in rows_of("lstm-small", "--tokens", "3")}
        self.assertEqual(int(lstm["word_embedding"]["bytes_read"]), 2 * (3 + 3 * 200))
        self.assertEqual((lstm["stage1.block2.gates"]["weights"], lstm["stage1.block2.gates"]["shares_weights"]), ("0", "1"))
        self.assertEqual(int(lstm["stage1.block2.gates"]["bytes_read"]), 2 * (400 + 400 * 800))

    def test_json_and_csv_say_the_same(self):
        cases = [("swin-t",), ("bert-base", "--tokens", "100"), ("focal-t", "--image-px", "230")]
        cases += [(NETWORKS / f"{name}.onnx", *options) for name, options in FILES.items()]
        for arguments in cases:
            with self.subTest(arguments):
                read = json.loads(run(*arguments, "--json"))
                rows = rows_of(*arguments)
                self.assertEqual([node["name"] for node in read["operators"]], [row["operator"] for row in rows])
                for key in ("parameters", "weights", "macs", "bytes_read", "bytes_written"):
                    self.assertEqual(read[key], sum(node[key] for node in read["operators"]), key)
                    self.assertEqual(read[key], sum(int(row[key]) for row in rows), key)
                self.assertEqual(sum(read["kinds"].values()), len(rows))
                self.assertAlmostEqual(read["macs_per_byte"], read["macs"] / (read["bytes_read"] + read["bytes_written"]))
                outputs = {node["name"]: "x".join(map(str, node["output"])) for node in read["operators"]}
                for node, row in zip(read["operators"], rows):
                    self.assertEqual(row["reads"], " | ".join(node["inputs"]))
                    self.assertEqual(row["inputs"], " | ".join(outputs[name] for name in node["inputs"]))

    def test_size_of_the_input(self):
        self.assertEqual(json.loads(run("vit-b", "--image-px", "384", "--json"))["input_size"], 384)
        self.assertEqual(json.loads(run(NETWORKS / "mobilenet-v3.onnx", "--json"))["input_size"], 224)
        self.assertIn("set axis 'tokens'", run("bert-base", "--image-px", "224", expect=2))
        self.assertIn("the nearest size to 600 is 512", run("bert-base", "--tokens", "600", expect=2))

    def test_text(self):
        text = run("resnet-50")
        for part in ("25.56 M", "4.089 G", "53 convolution", "arithmetic intensity", "1x12544x147x64", "7x7 s2 p3"):
            self.assertIn(part, text)
        self.assertNotIn("..", text)  # no terminal, nothing cut

    def test_text_fits_the_terminal(self):
        for columns in (70, 80, 132, 200):
            lines = in_terminal(columns, "swin-t")
            table = lines[next(i for i, line in enumerate(lines) if line.startswith("operator ")):]
            table = table[:table.index("")]
            self.assertEqual(len(table), 230)
            self.assertLessEqual(max(map(len, table)), columns)
            self.assertTrue(any("192x49x32x49" in line for line in table), "numbers are never cut")
            self.assertEqual("role" in table[0].split(), columns > 132)
            self.assertEqual(any("A wider terminal also shows: role" in line for line in lines), columns <= 132)

    def test_dot(self):
        text = run("resnet-18", "--dot")
        rows = rows_of("resnet-18")
        nodes = re.findall(r'^ *n(\d+) \[label="[^"]+", tooltip="([^"]+)"', text, re.MULTILINE)
        names = dict(nodes)
        self.assertEqual(sorted(names.values()), sorted(row["operator"] for row in rows))
        edges = [(names[a], names[b]) for a, b in re.findall(r"^ *n(\d+) -> n(\d+);$", text, re.MULTILINE)]
        self.assertEqual(sorted(edges), sorted((source, row["operator"]) for row in rows for source in row["reads"].split(" | ") if source))
        self.assertEqual(len(re.findall(r"subgraph cluster_\d+ \{", text)), 4)
        self.assertEqual(len(re.findall(r"subgraph cluster_\d+_\d+ \{", text)), 8)
        self.assertEqual(text.count("{"), text.count("}"))
        if shutil.which("dot"):
            for model in ("resnet-18", "dcgan-mnist-generator", NETWORKS / "u-net.onnx"):
                drawn = subprocess.run(["dot", "-Tplain"], input=run(model, "--dot"), capture_output=True, text=True, timeout=60)
                self.assertEqual((drawn.returncode, drawn.stderr), (0, ""))
                self.assertEqual(len(re.findall("^node ", drawn.stdout, re.MULTILINE)), len(rows_of(model)))

    def test_onnx(self):
        with tempfile.TemporaryDirectory() as folder:
            for model in ("resnet-50", "swin-t", "bert-base", "dcgan-generator", NETWORKS / "decoder.onnx"):
                path = pathlib.Path(folder) / f"{pathlib.Path(model).stem}-again.onnx"
                options = ["--tokens", "64"] if path.stem.startswith("decoder") else []
                self.assertIn("as ONNX", run(model, *options, "--onnx", path))
                without_model = [[{**row, "model": ""} for row in sorted(rows, key=lambda row: row["operator"])]
                                 for rows in (rows_of(model, *options), rows_of(path))]
                self.assertEqual(*without_model)
                self.assertLess(path.stat().st_size, 400_000)
            first = (pathlib.Path(folder) / "swin-t-again.onnx").read_bytes()
            run("swin-t", "--onnx", pathlib.Path(folder) / "swin-t-again.onnx")
            self.assertEqual((pathlib.Path(folder) / "swin-t-again.onnx").read_bytes(), first)
        self.assertIn("cannot write '/proc/none/x.onnx'", run("resnet-18", "--onnx", "/proc/none/x.onnx", expect=2))

    def test_results_keep_how_a_network_was_read(self):
        readings = {"": "is a batch, counted as 1: no operator combines its entries",
                    'first_dimension = "data"': "is data: set by 'first_dimension'"}
        for option, reading in readings.items():
            with self.subTest(option), tempfile.TemporaryDirectory() as folder:
                folder = pathlib.Path(folder)
                (folder / "net.onnx").write_bytes(linear_network(8))
                (folder / "e.toml").write_text(f"""
name = "e"
[[study]]
id = "s"
system = "gemm"
hardware = "gemm-nvdla"
model = "net.onnx"
array_rows = 8
array_cols = 8
{option}
""")
                note = f"first dimension of input 'x' (8) {reading}"
                checked = subprocess.run([PROGRAM, "check", folder / "e.toml"], capture_output=True, text=True, check=True, timeout=60)
                self.assertIn(f"note: net.onnx: {note}", checked.stdout)
                subprocess.run([PROGRAM, folder / "e.toml", "--output", folder / "e.h5", "--progress", "none"], check=True,
                               capture_output=True, timeout=60)
                with h5py.File(folder / "e.h5") as results:
                    stored = results.attrs["reading_net.onnx"]
                    self.assertEqual(stored.decode() if isinstance(stored, bytes) else str(stored), note)
                    self.assertEqual(results["s/macs"][0], 160 if option else 20)

    def test_bad_input(self):
        self.assertIn("did you mean 'swin-t'", run("swin-tt", expect=2))
        self.assertIn("name one model", run(expect=2))
        self.assertIn("name one model", run("swin-t", "swin-s", "--json", expect=2))
        self.assertIn("cannot read 'none.onnx'", run("none.onnx", expect=2))
        self.assertIn("did you mean 'refuse'", run("swin-t", "--unknown-operators", "refus", expect=2))
        run("swin-t", "--csv", "-", "--json", expect=2)
        run("swin-t", "--csv", "-", "--onnx", "x.onnx", expect=2)
        run("swin-t", "--image-px", "0", expect=2)
        run("swin-t", "--element-bytes", "9", expect=2)


if __name__ == "__main__":
    unittest.main()
