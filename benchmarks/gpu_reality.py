#!/usr/bin/env python3
"""Measures kernels on whatever NVIDIA GPU there is, in the format of results/reference/measured.

Usage: gpu_reality.py OPERATORS.csv OUTPUT_FOLDER [--models NAME ...] [--batch 1 32] [--passes NAME ...]
                      [--precision fp32 fp16-in/tensor-mixed] [--repeats 30] [--layers-only]

OPERATORS.csv is what `pimsweep model --csv FILE` writes. Every distinct layer of the models is measured once for
each batch and precision, in a CUDA graph of ten launches, so that the host is not part of a time; maps in fp16 have
their channels last, as tensor cores read them: convolutions and depthwise convolutions forward and backward, matrix
products (of weights: gemm; of activations, several of one size: batched), pooling, element-wise operations and
normalizations.
OUTPUT_FOLDER gets a KIND_times.csv for each kind, which `[study.table]` reads (docs/gpu.md). Operators that only move
data are not measured. --layers-only writes the sheets without times and needs no GPU.

Exit status: 0 measured, 2 no PyTorch, no CUDA or bad input.
"""

import argparse
import collections
import csv
import difflib
import pathlib
import statistics
import sys

# Models of PIMFlow's paper, BERT and Swin-B.
MODELS = ["efficientnet-b0", "mnasnet-1.0", "mobilenet-v2", "resnet-50", "vgg-d", "bert-base", "swin-b"]
PASSES = ["forward", "backward_inputs", "backward_weights"]
PRECISIONS = ["fp32", "fp16-in/tensor-mixed"]
HEAD = ["device", "precision", "suite"]
MAP = ["W", "H", "C", "N"]
WINDOW = ["filter_h", "filter_w", "pad_h", "pad_w", "stride_h", "stride_w"]
OUTPUT = ["out_w", "out_h"]
# The columns that name a layer of each kind: those of the measured sheets, for other kinds the axes of system kernel.
SIZES = {
    "conv": [*MAP, "K", *WINDOW],
    "depthwise": [*MAP, *WINDOW],
    "gemm": ["M", "N", "K"],
    "batched": ["count", "M", "N", "K"],
    "pool": ["operation", *MAP, *WINDOW],
    "elementwise": ["operation", *MAP, "inputs"],
}
COLUMNS = {
    **{kind: [*HEAD, *SIZES[kind], *OUTPUT, *(f"{name}_ms" for name in PASSES), "algorithm"]
       for kind in ("conv", "depthwise")},
    **{kind: [*HEAD, *SIZES[kind], "trans_a", "trans_b", "time_ms"] for kind in ("gemm", "batched")},
    "pool": [*HEAD, *SIZES["pool"], *OUTPUT, "forward_ms"],
    "elementwise": [*HEAD, *SIZES["elementwise"], "forward_ms"],
}
ACTIVATIONS = ["relu", "relu6", "silu", "sigmoid", "gelu", "tanh"]
NORMALIZATIONS = ["batch_norm", "layer_norm", "softmax"]
POOLS = {"max_pool": "max", "average_pool": "average"}
NUMBERS = ["kernel_h", "kernel_w", "stride", "pad_h", "pad_w", "groups", "products", "rows", "inner", "columns"]
TEXTS = ["model", "operator", "kind", "role", "inputs", "output"]


class InputError(Exception):
    pass


def read_operators(path, models):
    """The rows of these models, with numbers and shapes; all problems of the file together."""
    problems, operators, known = [], [], {}
    try:
        with open(path, newline="") as file:
            rows = csv.DictReader(file)
            for name in [*TEXTS, *NUMBERS]:
                if name not in (rows.fieldnames or []):
                    problems.append(f"{path}:1: no column '{name}'; `pimsweep model --csv FILE` writes it")
            for row in rows if not problems else []:
                known[row["model"]] = True
                if row["model"] not in models:
                    continue
                for name in NUMBERS:
                    if (row[name] or "").isdecimal():
                        row[name] = int(row[name])
                    else:
                        problems.append(f"{path}:{rows.line_num}: {name} is '{row[name]}'; allowed: integers from 0")
                for name in ("inputs", "output"):
                    row[name] = shapes_of(row[name] or "")
                    if row[name] is None:
                        problems.append(f"{path}:{rows.line_num}: {name} has a shape that is not as '56x56x64'")
                operators.append(row)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        problems.append(f"{path}: {error}")
    if not problems:
        for model in models:
            if model not in known:
                nearest = difflib.get_close_matches(model, known, 1)
                hint = f"; nearest: {nearest[0]}" if nearest else ""
                problems.append(f"{path}: unknown model '{model}'{hint}")
    if problems:
        raise InputError("\n".join(problems))
    return operators


def shapes_of(text):
    """The shapes of `56x56x64 | 1x64`; None if one is invalid."""
    shapes = [shape.split("x") for shape in text.split(" | ")] if text else []
    if not all(extent.isdecimal() and int(extent) > 0 for shape in shapes for extent in shape):
        return None
    return [[int(extent) for extent in shape] for shape in shapes]


def map_of(shape):
    """Width, height and channels of a map, of tokens, or of groups of tokens; channels are last."""
    height, width = (shape[:-1] + [1, 1])[:2] if len(shape) < 4 else (shape[0], shape[1] * shape[2])
    return {"W": width, "H": height, "C": shape[-1]}


def layer_of(row):
    """Kind and sizes per image of the measurement for an operator; None if it is not measured."""
    kind = row["kind"]
    inputs = row["inputs"] or row["output"]
    place = map_of(inputs[0])
    window = {"filter_h": row["kernel_h"], "filter_w": row["kernel_w"], "pad_h": row["pad_h"], "pad_w": row["pad_w"],
              "stride_h": row["stride"], "stride_w": row["stride"]}
    product = {"M": row["columns"], "N": row["rows"], "K": row["inner"]}
    if kind == "convolution":
        filters = row["output"][0][-1]
        if row["groups"] == 1:
            return "conv", {**place, "K": filters, **window}
        return ("depthwise", {**place, **window}) if row["groups"] == place["C"] == filters else None
    if kind == "linear":
        return "gemm", product
    if kind == "matmul":
        return "batched", {"count": row["products"], **product}
    if kind in POOLS:
        return "pool", {"operation": POOLS[kind], **place, **window}
    if kind == "global_pool":
        whole = {"filter_h": place["H"], "filter_w": place["W"], "pad_h": 0, "pad_w": 0, "stride_h": 1, "stride_w": 1}
        return "pool", {"operation": "average", **place, **whole}
    if kind == "activation" and row["role"] in ACTIVATIONS:
        return "elementwise", {"operation": row["role"], **place, "inputs": 1}
    if kind in NORMALIZATIONS:
        return "elementwise", {"operation": kind, **place, "inputs": 1}
    if kind in ("add", "multiply"):
        # The second operand is as large as the first, one value for each channel, or a learned tensor for all images.
        operation = kind + ("_learned" if len(inputs) == 1 else "_channels" if inputs[1] != inputs[0] else "")
        return "elementwise", {"operation": operation, **place, "inputs": 2}
    return None


def layers_of(operators, tell=lambda text: None):
    """The layers of the operators, and a note on those that are not measured."""
    layers = [layer_of(row) for row in operators]
    left = collections.Counter(row["kind"] for row, layer in zip(operators, layers) if layer is None)
    left.pop("input", None)
    if left:
        tell("not measured: " + ", ".join(f"{kind} ({count})" for kind, count in sorted(left.items())))
    return [layer for layer in layers if layer is not None]


def distinct(layers, batches):
    """Each layer once for each batch, in the order of the file. A gemm gets more columns, of batched there are more."""
    seen = {}
    for kind, sizes in layers:
        for batch in batches:
            many = {"gemm": "N", "batched": "count"}.get(kind)
            sized = dict(sizes, **{many: sizes[many] * batch}) if many else dict(sizes, N=batch)
            seen[(kind, tuple(sorted(sized.items())))] = (kind, sized)
    return list(seen.values())


def output_size(sizes):
    return {f"out_{side}": (sizes[side.upper()] + 2 * sizes[f"pad_{side}"] - sizes[f"filter_{side}"])
            // sizes[f"stride_{side}"] + 1 for side in ("w", "h")}


class TorchKernels:
    """The kernels of a layer as functions without arguments."""

    def __init__(self, torch):
        self.torch = torch
        self.functional = torch.nn.functional

    def __call__(self, kind, sizes, precision):
        dtype = self.torch.float32 if precision == "fp32" else self.torch.float16

        def tensor(*shape):
            return self.torch.randn(*shape, device="cuda", dtype=dtype)

        if kind in ("gemm", "batched"):
            count = [sizes["count"]] if kind == "batched" else []
            a, b = tensor(*count, sizes["M"], sizes["K"]), tensor(*count, sizes["K"], sizes["N"])
            return {"time": lambda: self.torch.matmul(a, b)}
        layout = self.torch.contiguous_format if precision == "fp32" else self.torch.channels_last

        def image(*shape):
            return tensor(*shape).contiguous(memory_format=layout)

        if kind == "pool":
            return {"forward": self.pool(sizes, image)}
        if kind == "elementwise":
            return {"forward": self.elementwise(sizes, tensor, image)}
        return self.convolution(kind, sizes, image)

    def pool(self, sizes, image):
        images = image(sizes["N"], sizes["C"], sizes["H"], sizes["W"])
        function = self.functional.max_pool2d if sizes["operation"] == "max" else self.functional.avg_pool2d
        kernel, stride, padding = ((sizes[f"{name}_h"], sizes[f"{name}_w"]) for name in ("filter", "stride", "pad"))
        return lambda: function(images, kernel, stride, padding)

    def elementwise(self, sizes, tensor, image):
        operation = sizes["operation"]
        channels = sizes["C"]
        if operation == "batch_norm":
            images = image(sizes["N"], channels, sizes["H"], sizes["W"])
            values = [tensor(channels) for _ in range(4)]
            values[1] = values[1].abs()  # variances
            return lambda: self.functional.batch_norm(images, *values)
        x = tensor(sizes["N"], sizes["H"], sizes["W"], channels)
        if operation == "layer_norm":
            weight, bias = tensor(channels), tensor(channels)
            return lambda: self.functional.layer_norm(x, (channels,), weight, bias)
        if operation == "softmax":
            return lambda: self.functional.softmax(x, -1)
        if operation in ACTIVATIONS:
            function = getattr(self.functional, operation)
            return lambda: function(x)
        function, _, second = operation.partition("_")
        shape = {"": (sizes["N"], sizes["H"], sizes["W"]), "channels": (sizes["N"], 1, 1),
                 "learned": (1, sizes["H"], sizes["W"])}[second]
        y = tensor(*shape, channels)
        function = {"add": self.torch.add, "multiply": self.torch.mul}[function]
        return lambda: function(x, y)

    def convolution(self, kind, sizes, image):
        groups = sizes["C"] if kind == "depthwise" else 1
        filters = sizes["C"] if kind == "depthwise" else sizes["K"]
        images = image(sizes["N"], sizes["C"], sizes["H"], sizes["W"])
        weights = image(filters, sizes["C"] // groups, sizes["filter_h"], sizes["filter_w"])
        place = {"stride": (sizes["stride_h"], sizes["stride_w"]), "padding": (sizes["pad_h"], sizes["pad_w"]),
                 "groups": groups}
        gradient = self.torch.randn_like(self.functional.conv2d(images, weights, **place))
        backward = self.torch.ops.aten.convolution_backward

        def gradients(inputs, of_weights):
            return lambda: backward(gradient, images, weights, None, place["stride"], place["padding"], (1, 1),
                                    False, (0, 0), groups, (inputs, of_weights, False))
        return {"forward": lambda: self.functional.conv2d(images, weights, **place),
                "backward_inputs": gradients(True, False), "backward_weights": gradients(False, True)}


class CudaTimer:
    """Milliseconds of one call, by CUDA events around the replay of a graph of several."""

    def __init__(self, torch):
        self.torch = torch
        self.call, self.graph = None, None

    def capture(self, call, times):
        # The library picks its algorithm in a first call, which a graph cannot hold.
        stream = self.torch.cuda.Stream()
        stream.wait_stream(self.torch.cuda.current_stream())
        with self.torch.cuda.stream(stream):
            call()
        self.torch.cuda.current_stream().wait_stream(stream)
        self.call, self.graph = call, self.torch.cuda.CUDAGraph()
        with self.torch.cuda.graph(self.graph):
            for _ in range(times):
                call()

    def __call__(self, call, times):
        if call is not self.call:
            self.capture(call, times)
        begin = self.torch.cuda.Event(enable_timing=True)
        end = self.torch.cuda.Event(enable_timing=True)
        begin.record()
        self.graph.replay()
        end.record()
        end.synchronize()
        return begin.elapsed_time(end) / times


def time_of(call, timer, repeats, calls_of_a_repeat=10):
    """The median of several repeats, after one that warms up."""
    timer(call, calls_of_a_repeat)
    return statistics.median(timer(call, calls_of_a_repeat) for _ in range(repeats))


def measure(layers, precisions, card, kernels, timer, repeats, tell=lambda text: None, passes=PASSES):
    """Rows by kind. A layer that exceeds the GPU's memory has empty times, and is reported."""
    rows = {kind: [] for kind in SIZES}
    for kind, sizes in layers:
        for precision in precisions:
            row = {"device": card, "precision": precision, "suite": "reality", **sizes}
            if "trans_a" in COLUMNS[kind]:
                row.update(trans_a="N", trans_b="N")
            if "out_w" in COLUMNS[kind]:
                row.update(output_size(sizes))
            try:
                for name, call in kernels(kind, sizes, precision).items():
                    if name != "time" and name not in passes:
                        continue
                    row["time_ms" if name == "time" else f"{name}_ms"] = f"{time_of(call, timer, repeats):.6g}"
            except RuntimeError as error:
                tell(f"{kind} {sizes} {precision}: {str(error).splitlines()[0]}")
            rows[kind].append(row)
    return rows


def write(rows, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for kind, table in rows.items():
        if not table:
            continue
        with open(folder / f"{kind}_times.csv", "w", newline="") as file:
            writer = csv.DictWriter(file, COLUMNS[kind], restval="", lineterminator="\n")
            writer.writeheader()
            writer.writerows(table)


def arguments(argv):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("operators", help="what `pimsweep model --csv FILE` writes")
    parser.add_argument("output", type=pathlib.Path, help="folder for the measured times")
    parser.add_argument("--models", nargs="+", default=MODELS)
    parser.add_argument("--batch", type=int, nargs="+", default=[1, 32])
    parser.add_argument("--precision", nargs="+", choices=PRECISIONS, default=PRECISIONS)
    parser.add_argument("--passes", nargs="+", choices=PASSES, default=PASSES)
    parser.add_argument("--repeats", type=int, default=30)
    parser.add_argument("--layers-only", action="store_true", help="write the sheets without times")
    args = parser.parse_args(argv)
    if min(args.batch) < 1 or args.repeats < 1:
        parser.error("--batch and --repeats must be at least 1")
    return args


def main(argv=None):
    args = arguments(argv)
    try:
        operators = read_operators(args.operators, args.models)
    except InputError as error:
        print(error, file=sys.stderr)
        return 2

    def tell(text):
        print(text, file=sys.stderr)

    layers = distinct(layers_of(operators, tell), args.batch)
    if args.layers_only:
        write(measure(layers, args.precision, "", lambda *layer: {}, None, args.repeats), args.output)
        return 0
    try:
        import torch
    except ImportError:
        tell("gpu_reality: PyTorch is not installed, nothing measured")
        return 2
    if not torch.cuda.is_available():
        tell("gpu_reality: PyTorch finds no CUDA device, nothing measured")
        return 2
    # The library tries its algorithms, as DeepBench does; fp32 stays fp32.
    torch.backends.cudnn.benchmark = True
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False
    rows = measure(layers, args.precision, torch.cuda.get_device_name(), TorchKernels(torch), CudaTimer(torch),
                   args.repeats, tell, args.passes)
    write(rows, args.output)
    return 0


if __name__ == "__main__":
    sys.exit(main())
