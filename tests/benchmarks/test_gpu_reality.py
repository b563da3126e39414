"""benchmarks/gpu_reality.py without a GPU: a fake timer plays back recorded times; the CSV must be theirs again."""

import csv
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "benchmarks"))
import gpu_reality

LAYERS = ROOT / "benchmarks" / "recorded" / "gpu_layers.csv"
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
    def test_recorded_rows_come_out_as_they_were(self):
        times = {}
        expected = {"conv": [], "gemm": []}
        layers = []
        for kind, sizes in (("conv", gpu_reality.CONVOLUTION + ["N"]), ("gemm", ["M", "N", "K"])):
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
                # What could not be measured has a row without times.
                self.assertTrue(all(not row[name] for row in written if row["precision"] != "fp32" for name in row
                                    if name.endswith("_ms")))

    def test_each_distinct_layer_once_for_each_batch(self):
        layers = gpu_reality.read_layers(LAYERS)
        once = gpu_reality.distinct(layers, [1])
        both = gpu_reality.distinct(layers, [1, 32])
        self.assertLess(len(once), len(layers))
        self.assertEqual(len(both), 2 * len(once))
        self.assertEqual({sizes["N"] for kind, sizes in both if kind != "gemm"}, {1, 32})

    def test_mistakes_are_told_together(self):
        with tempfile.TemporaryDirectory() as scratch:
            path = pathlib.Path(scratch) / "layers.csv"
            path.write_text("kind,M,N,K\ngemm,1,2,x\nconvolution,1,2,3\ngemm,0,2,3\n")
            with self.assertRaises(gpu_reality.InputError) as caught:
                gpu_reality.read_layers(path)
            text = str(caught.exception)
            for part in (f"{path}:2: K", f"{path}:3: kind is 'convolution'", f"{path}:4: M"):
                self.assertIn(part, text)
            with self.assertRaises(gpu_reality.InputError):
                gpu_reality.read_layers(pathlib.Path(scratch) / "none.csv")

    def test_pytorch_is_asked_for_the_layer(self):
        asked = []

        class Torch:
            """As much of PyTorch as the kernels use; tensors are their shapes."""
            float32, float16 = "float32", "float16"

            class cuda:
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
                return shape + (dtype,)

            @staticmethod
            def randn_like(other):
                return other

            matmul = staticmethod(lambda a, b: asked.append((a, b)))

        def conv2d(images, weights, stride, padding, groups):
            asked.append((images, weights, stride, padding, groups))
            return "outputs"

        Torch.nn = type("nn", (), {"functional": type("functional", (), {"conv2d": staticmethod(conv2d)})})
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
            images, filters = (2, 4, 9, 8, "float16"), weights + ("float16",)
            self.assertEqual(asked.pop(), (images, filters, (1, 2), (1, 2), groups))
            for one, mask in (("backward_inputs", (True, False, False)), ("backward_weights", (False, True, False))):
                calls[one]()
                self.assertEqual(asked.pop(), ("outputs", images, filters, None, (1, 2), (1, 2), (1, 1), False, (0, 0),
                                               groups, mask))
        # The events see each call once, and the time is that of one call.
        self.assertEqual(gpu_reality.CudaTimer(Torch)(calls["forward"], 10), 2.0)

    def test_without_a_gpu_one_line_and_status_2(self):
        # A PyTorch of our own stands in the way of any that is installed.
        for torch, message in (("raise ImportError", "PyTorch is not installed"),
                               ("class cuda:\n    is_available = staticmethod(lambda: False)", "no CUDA device")):
            with tempfile.TemporaryDirectory() as scratch:
                (pathlib.Path(scratch) / "torch.py").write_text(torch + "\n")
                output = pathlib.Path(scratch) / "out"
                run = subprocess.run([sys.executable, ROOT / "benchmarks" / "gpu_reality.py", LAYERS, output],
                                     capture_output=True, text=True, env={"PYTHONPATH": scratch})
                self.assertEqual(run.returncode, 2)
                self.assertEqual(len(run.stderr.splitlines()), 1)
                self.assertIn(message, run.stderr)
                self.assertFalse(output.exists())


if __name__ == "__main__":
    unittest.main()
