"""benchmarks/gpu_reality.py without a GPU: a fake timer plays back recorded times; the CSV must be theirs again."""

import contextlib
import csv
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "benchmarks"))
import gpu_reality

PIMSWEEP = os.environ["PIMSWEEP"]
HEADER = ",".join([*gpu_reality.TEXTS, *gpu_reality.NUMBERS]) + "\n"
MEASURED = ROOT / "results" / "reference" / "measured"


def recorded(kind, card):
    with open(MEASURED / f"{kind}_times.csv", newline="") as file:
        return [row for row in csv.DictReader(file) if row["device"] == card and row["precision"] == "fp32"]


class PlayedBack:
    """Kernels and timer in one: a kernel is its recorded time, the timer reads it, slower in the first call."""

    def __init__(self, times):
        self.times = times
        self.warm = set()

    def kernels(self, kind, sizes, precision):
        if precision != "fp32":
            raise RuntimeError("out of memory\nmore text")
        return self.times[(kind, tuple(sorted(sizes.items())))]

    def timer(self, call, times):
        cold = id(call) not in self.warm
        self.warm.add(id(call))
        return call() * (100 if cold else 1)


class GpuReality(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.operators = pathlib.Path(cls.folder.name) / "operators.csv"
        subprocess.run([PIMSWEEP, "model", "--csv", str(cls.operators)], check=True, stdout=subprocess.DEVNULL)

    def test_recorded_rows_come_out_as_they_were(self):
        times = {}
        expected = {"conv": [], "gemm": []}
        layers = []
        for kind, sizes in ((kind, gpu_reality.SIZES[kind]) for kind in ("conv", "gemm")):
            for row in recorded(kind, "Tesla V100"):
                size = {name: int(row[name]) for name in sizes}
                key = (kind, tuple(sorted(size.items())))
                if key in times or (kind == "gemm" and (row["trans_a"], row["trans_b"]) != ("N", "N")):
                    continue
                passes = ["time"] if kind == "gemm" else [name for name in gpu_reality.PASSES if row[f"{name}_ms"]]
                times[key] = {name: (lambda value=float(row[f"{name}_ms"]): value) for name in passes}
                expected[kind].append(row)
                layers.append((kind, size))
        play = PlayedBack(times)
        told = []
        rows = gpu_reality.measure(layers, gpu_reality.PRECISIONS, "Tesla V100", play.kernels, play.timer, 3,
                                   told.append)
        self.assertEqual(len(told), len(layers))
        self.assertIn("out of memory", told[0])
        with tempfile.TemporaryDirectory() as scratch:
            gpu_reality.write(rows, pathlib.Path(scratch))
            for kind, rows_expected in expected.items():
                with open(pathlib.Path(scratch) / f"{kind}_times.csv", newline="") as file:
                    written = list(csv.DictReader(file))
                with open(MEASURED / f"{kind}_times.csv", newline="") as file:
                    self.assertEqual(list(written[0]), next(csv.reader(file)))
                measured = [row for row in written if row["precision"] == "fp32"]
                self.assertEqual(len(measured), len(rows_expected))
                for ours, theirs in zip(measured, rows_expected):
                    for name, value in theirs.items():
                        if name.endswith("_ms"):
                            self.assertEqual(bool(ours[name]), bool(value))
                            if value:
                                self.assertAlmostEqual(float(ours[name]) / float(value), 1, places=5)
                        elif name not in ("suite", "algorithm", "trans_a", "trans_b"):
                            self.assertEqual(ours[name], value, name)
                # A kernel that could not be measured has a row without times.
                self.assertTrue(all(not row[name] for row in written if row["precision"] != "fp32" for name in row
                                    if name.endswith("_ms")))

    def test_every_layer_of_the_networks_is_there_once(self):
        left = []
        rows = gpu_reality.read_operators(self.operators, gpu_reality.MODELS)
        layers = gpu_reality.layers_of(rows, left.append)
        once = gpu_reality.distinct(layers, [1])
        both = gpu_reality.distinct(layers, [1, 32])
        self.assertLess(len(once), len(layers))
        self.assertEqual(len(both), 2 * len(once))
        self.assertEqual(len({(kind, tuple(sizes.items())) for kind, sizes in both}), len(both))
        self.assertEqual({kind for kind, _ in once}, set(gpu_reality.SIZES))
        for kind, sizes in both:
            self.assertEqual(sorted(sizes), sorted(gpu_reality.SIZES[kind]))
        # Only what moves data is left out, and no multiply-accumulate is lost.
        self.assertRegex(left.pop(), r"^not measured: embedding \(\d+\), reshape \(\d+\), roll \(\d+\), slice \(\d+\)$")
        macs = sum(row["products"] * row["rows"] * row["inner"] * row["columns"] for row in rows)
        self.assertEqual(sum(self.macs(kind, dict(sizes, N=sizes.get("N", 1))) for kind, sizes in layers), macs)

    def macs(self, kind, sizes):
        if kind in ("gemm", "batched"):
            return sizes.get("count", 1) * sizes["M"] * sizes["N"] * sizes["K"]
        if kind not in ("conv", "depthwise"):
            return 0
        out = gpu_reality.output_size(sizes)
        inputs = sizes["C"] if kind == "conv" else 1
        return out["out_w"] * out["out_h"] * inputs * sizes["filter_h"] * sizes["filter_w"] * sizes.get("K", sizes["C"])

    def test_the_sheets_can_be_read_by_a_study(self):
        with tempfile.TemporaryDirectory() as scratch:
            scratch = pathlib.Path(scratch)
            self.assertEqual(gpu_reality.main([str(self.operators), str(scratch), "--layers-only", "--models", "swin-b",
                                               "mobilenet-v2", "resnet-50", "--precision", "fp32"]), 0)
            studies = ['name = "sheets"']
            for kind in gpu_reality.SIZES:
                header = (scratch / f"{kind}_times.csv").read_text().splitlines()[0].split(",")
                self.assertEqual(header, gpu_reality.COLUMNS[kind])
                if kind == "batched":
                    continue  # system kernel has single products
                labels = [name for name in header if name in ("suite", "operation", "algorithm", "out_w", "out_h")]
                times = [name for name in header if name.endswith("_ms")]
                studies.append(f'[[study]]\nid = "{kind}"\nsystem = "kernel"\nhardware = "gpu-v100"\nkind = "{kind}"\n'
                               f'[study.table]\ncsv = "{kind}_times.csv"\nlabels = {labels}\nreference = {times}')
            (scratch / "sheets.toml").write_text("\n".join(studies) + "\n")
            run = subprocess.run([PIMSWEEP, scratch / "sheets.toml", "--output", scratch / "out.h5", "--progress",
                                  "none"], capture_output=True, text=True)
            self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
            self.assertIn("0 infeasible, 0 failed", run.stdout + run.stderr)

    def test_mistakes_are_told_together(self):
        with tempfile.TemporaryDirectory() as scratch:
            path = pathlib.Path(scratch) / "operators.csv"
            path.write_text(HEADER + "m,a,linear,,1x8,1x8,1,1,1,0,0,1,1,x,8,8\nm,b,add,,1x0,1x8,1,1,1,0,0,1,0,0,0,-1\n")
            with self.assertRaises(gpu_reality.InputError) as caught:
                gpu_reality.read_operators(path, ["m"])
            for part in (f"{path}:2: rows is 'x'", f"{path}:3: columns is '-1'", f"{path}:3: inputs has a shape"):
                self.assertIn(part, str(caught.exception))
            path.write_text("model,kind\n")
            with self.assertRaises(gpu_reality.InputError) as caught:
                gpu_reality.read_operators(path, ["m"])
            self.assertIn("no column 'operator'", str(caught.exception))
            with self.assertRaises(gpu_reality.InputError) as caught:
                gpu_reality.read_operators(self.operators, ["swin-bb"])
            self.assertIn("nearest: swin-b", str(caught.exception))
            with self.assertRaises(gpu_reality.InputError):
                gpu_reality.read_operators(pathlib.Path(scratch) / "none.csv", ["m"])

    def test_pytorch_is_asked_for_the_layer(self):
        asked = []

        class Shape(tuple):
            def contiguous(self, memory_format):
                return Shape(self + (memory_format,)) if memory_format == "channels_last" else self

        class Torch:
            """As much of PyTorch as the kernels use; tensors are their shapes."""
            float32, float16 = "float32", "float16"
            contiguous_format, channels_last = "contiguous_format", "channels_last"

            class cuda:
                Stream = current_stream = unittest.mock.MagicMock()
                stream = unittest.mock.MagicMock()

                class CUDAGraph:
                    def replay(self):
                        asked.extend(self.calls)

                @staticmethod
                @contextlib.contextmanager
                def graph(captured):
                    before = len(asked)
                    yield
                    captured.calls = asked[before:]
                    del asked[before:]

                class Event:
                    def __init__(self, enable_timing):
                        assert enable_timing
                    def record(self):
                        self.time = len(asked)
                    def synchronize(self):
                        pass
                    def elapsed_time(self, end):
                        return 2.0 * (end.time - self.time)

            @staticmethod
            def randn(*shape, device, dtype):
                assert device == "cuda"
                return Shape(shape + (dtype,))

            @staticmethod
            def randn_like(other):
                return other

            matmul = staticmethod(lambda a, b: asked.append((a, b)))
            add = staticmethod(lambda a, b: asked.append(("add", a, b)))
            mul = staticmethod(lambda a, b: asked.append(("mul", a, b)))

        def conv2d(images, weights, stride, padding, groups):
            asked.append((images, weights, stride, padding, groups))
            return "outputs"

        def told(name):
            return staticmethod(lambda *arguments: asked.append((name, *arguments)))

        names = ("max_pool2d", "gelu", "softmax", "layer_norm")
        functions = {"conv2d": staticmethod(conv2d), **{name: told(name) for name in names}}
        Torch.nn = type("nn", (), {"functional": type("functional", (), functions)})
        backward = staticmethod(lambda *arguments: asked.append(arguments))
        Torch.ops = type("ops", (), {"aten": type("aten", (), {"convolution_backward": backward})})

        kernels = gpu_reality.TorchKernels(Torch)
        kernels("gemm", {"M": 5, "N": 6, "K": 7}, "fp32")["time"]()
        self.assertEqual(asked.pop(), ((5, 7, "float32"), (7, 6, "float32")))
        sizes = {"W": 8, "H": 9, "C": 4, "K": 16, "N": 2, "filter_h": 3, "filter_w": 5, "pad_h": 1, "pad_w": 2,
                 "stride_h": 1, "stride_w": 2}
        for kind, groups, weights in (("conv", 1, (16, 4, 3, 5)), ("depthwise", 4, (4, 1, 3, 5))):
            calls = kernels(kind, sizes, "fp16-in/tensor-mixed")
            self.assertEqual(list(calls), gpu_reality.PASSES)
            calls["forward"]()
            images, filters = (2, 4, 9, 8, "float16", "channels_last"), weights + ("float16", "channels_last")
            self.assertEqual(asked.pop(), (images, filters, (1, 2), (1, 2), groups))
            for one, mask in (("backward_inputs", (True, False, False)), ("backward_weights", (False, True, False))):
                calls[one]()
                self.assertEqual(asked.pop(), ("outputs", images, filters, None, (1, 2), (1, 2), (1, 1), False, (0, 0),
                                               groups, mask))
        image = {"W": 8, "H": 9, "C": 4, "N": 2}
        window = {"filter_h": 3, "filter_w": 2, "pad_h": 1, "pad_w": 0, "stride_h": 2, "stride_w": 1}
        kernels("pool", {"operation": "max", **image, **window}, "fp32")["forward"]()
        self.assertEqual(asked.pop(), ("max_pool2d", (2, 4, 9, 8, "float32"), (3, 2), (2, 1), (1, 0)))
        x = (2, 9, 8, 4, "float32")
        for operation, expected in (("gelu", ("gelu", x)), ("softmax", ("softmax", x, -1)),
                                    ("add", ("add", x, x)), ("multiply_channels", ("mul", x, (2, 1, 1, 4, "float32"))),
                                    ("add_learned", ("add", x, (1, 9, 8, 4, "float32"))),
                                    ("layer_norm", ("layer_norm", x, (4,), (4, "float32"), (4, "float32")))):
            kernels("elementwise", {"operation": operation, **image, "inputs": 1}, "fp32")["forward"]()
            self.assertEqual(asked.pop(), expected)
        kernels("batched", {"count": 3, "M": 5, "N": 6, "K": 7}, "fp32")["time"]()
        self.assertEqual(asked.pop(), ((3, 5, 7, "float32"), (3, 7, 6, "float32")))
        # The events see each call of the graph once, and the time is that of one call.
        self.assertEqual(gpu_reality.CudaTimer(Torch)(calls["forward"], 10), 2.0)

    def test_only_the_passes_that_were_named_are_measured(self):
        calls = {name: lambda: 0.0 for name in gpu_reality.PASSES}
        sizes = {"W": 8, "H": 9, "C": 4, "K": 16, "N": 2, "filter_h": 3, "filter_w": 5, "pad_h": 1, "pad_w": 2, "stride_h": 1,
                 "stride_w": 2}
        rows = gpu_reality.measure([("conv", sizes)], ["fp32"], "GPU", lambda *layer: calls, lambda call, times: 1.5, 1,
                                   passes=["forward"])
        self.assertEqual([name for name in rows["conv"][0] if name.endswith("_ms")], ["forward_ms"])

    def test_without_a_gpu_a_word_and_status_2(self):
        # A PyTorch of our own stands in the way of any that is installed.
        for torch, message in (("raise ImportError", "PyTorch is not installed"),
                               ("class cuda:\n    is_available = staticmethod(lambda: False)", "no CUDA device")):
            with tempfile.TemporaryDirectory() as scratch:
                (pathlib.Path(scratch) / "torch.py").write_text(torch + "\n")
                output = pathlib.Path(scratch) / "out"
                run = subprocess.run([sys.executable, ROOT / "benchmarks" / "gpu_reality.py", self.operators, output],
                                     capture_output=True, text=True, env={"PYTHONPATH": scratch})
                self.assertEqual(run.returncode, 2)
                self.assertEqual(len(run.stderr.splitlines()), 2)  # what is never measured, and why nothing is now
                self.assertIn(message, run.stderr)
                self.assertFalse(output.exists())


if __name__ == "__main__":
    unittest.main()
