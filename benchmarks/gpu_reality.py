#!/usr/bin/env python3
"""Measures kernels on whatever NVIDIA GPU there is, in the format of results/reference/measured.

Usage: gpu_reality.py LAYERS.csv OUTPUT_FOLDER [--batch 1 32] [--precision fp32 fp16-in/tensor-mixed] [--repeats 30]

LAYERS.csv has a row for each layer of any number of networks, as benchmarks/recorded/gpu_layers.csv: network, layer, kind
(conv, depthwise or gemm) and the sizes of that kind; for a gemm, N is what one image or sentence needs. Every distinct
layer is measured once for each batch and precision, with CUDA events, forward and (conv, depthwise) backward.
OUTPUT_FOLDER gets conv_times.csv, depthwise_times.csv and gemm_times.csv, which `[study.table]` reads (docs/gpu.md).

Exit status: 0 measured, 2 no PyTorch, no CUDA or bad input.
"""

import argparse
import csv
import pathlib
import statistics
import sys

CONVOLUTION = ["W", "H", "C", "K", "filter_h", "filter_w", "pad_h", "pad_w", "stride_h", "stride_w"]
SIZES = {"conv": CONVOLUTION, "depthwise": [name for name in CONVOLUTION if name != "K"], "gemm": ["M", "N", "K"]}
PASSES = ["forward", "backward_inputs", "backward_weights"]
PRECISIONS = ["fp32", "fp16-in/tensor-mixed"]
COLUMNS = {
    "conv": ["device", "precision", "suite", "W", "H", "C", "N", "K", "filter_h", "filter_w", "pad_h", "pad_w",
             "stride_h", "stride_w", "out_w", "out_h", "forward_ms", "backward_inputs_ms", "backward_weights_ms", "algorithm"],
    "gemm": ["device", "precision", "suite", "M", "N", "K", "trans_a", "trans_b", "time_ms"],
}
COLUMNS["depthwise"] = [name for name in COLUMNS["conv"] if name != "K"]


class InputError(Exception):
    pass


def read_layers(path):
    """The layers as (kind, sizes); all problems of the file together."""
    problems = []
    layers = []
    try:
        with open(path, newline="") as file:
            rows = csv.DictReader(file)
            for row in rows:
                where = f"{path}:{rows.line_num}"
                kind = row.get("kind")
                if kind not in SIZES:
                    problems.append(f"{where}: kind is '{kind}'; allowed: {', '.join(SIZES)}")
                    continue
                sizes = {}
                for name in SIZES[kind]:
                    text = row.get(name) or ""
                    least = 0 if name.startswith("pad") else 1
                    if not text.isdecimal() or int(text) < least:
                        problems.append(f"{where}: {name} of a {kind} is '{text}'; allowed: integers from {least}")
                    else:
                        sizes[name] = int(text)
                layers.append((kind, sizes))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        problems.append(f"{path}: {error}")
    if not problems and not layers:
        problems.append(f"{path}: no layers")
    if problems:
        raise InputError("\n".join(problems))
    return layers


def distinct(layers, batches):
    """Each layer once for each batch, in the order of the file. A product has its columns times the batch."""
    seen = {}
    for kind, sizes in layers:
        for batch in batches:
            sized = dict(sizes, N=sizes["N"] * batch) if kind == "gemm" else dict(sizes, N=batch)
            seen[(kind, tuple(sorted(sized.items())))] = (kind, sized)
    return list(seen.values())


def output_size(sizes):
    return {f"out_{side}": (sizes[side.upper()] + 2 * sizes[f"pad_{side}"] - sizes[f"filter_{side}"])
            // sizes[f"stride_{side}"] + 1 for side in ("w", "h")}


class TorchKernels:
    """The kernels of a layer as functions without arguments."""

    def __init__(self, torch):
        self.torch = torch

    def __call__(self, kind, sizes, precision):
        torch = self.torch
        dtype = torch.float32 if precision == "fp32" else torch.float16
        def tensor(*shape):
            return torch.randn(*shape, device="cuda", dtype=dtype)
        if kind == "gemm":
            a, b = tensor(sizes["M"], sizes["K"]), tensor(sizes["K"], sizes["N"])
            return {"time": lambda: torch.matmul(a, b)}
        groups = sizes["C"] if kind == "depthwise" else 1
        filters = sizes["C"] if kind == "depthwise" else sizes["K"]
        images = tensor(sizes["N"], sizes["C"], sizes["H"], sizes["W"])
        weights = tensor(filters, sizes["C"] // groups, sizes["filter_h"], sizes["filter_w"])
        place = {"stride": (sizes["stride_h"], sizes["stride_w"]), "padding": (sizes["pad_h"], sizes["pad_w"]),
                 "groups": groups}
        gradient = torch.randn_like(torch.nn.functional.conv2d(images, weights, **place))
        backward = torch.ops.aten.convolution_backward
        def gradients(inputs, of_weights):
            return lambda: backward(gradient, images, weights, None, place["stride"], place["padding"], (1, 1),
                                    False, (0, 0), groups, (inputs, of_weights, False))
        return {"forward": lambda: torch.nn.functional.conv2d(images, weights, **place),
                "backward_inputs": gradients(True, False), "backward_weights": gradients(False, True)}


class CudaTimer:
    """Milliseconds of one call, by CUDA events around several."""

    def __init__(self, torch):
        self.torch = torch

    def __call__(self, call, times):
        begin = self.torch.cuda.Event(enable_timing=True)
        end = self.torch.cuda.Event(enable_timing=True)
        begin.record()
        for _ in range(times):
            call()
        end.record()
        end.synchronize()
        return begin.elapsed_time(end) / times


def time_of(call, timer, repeats, calls_of_a_repeat=10):
    """The median of several repeats, after one that warms up (the library picks its algorithm then)."""
    timer(call, calls_of_a_repeat)
    return statistics.median(timer(call, calls_of_a_repeat) for _ in range(repeats))


def measure(layers, precisions, card, kernels, timer, repeats, tell=lambda text: None):
    """Rows by kind. A layer that the card cannot hold has empty times, and that is told."""
    rows = {kind: [] for kind in SIZES}
    for kind, sizes in layers:
        for precision in precisions:
            row = {"device": card, "precision": precision, "suite": "reality", **sizes}
            row.update({"trans_a": "N", "trans_b": "N"} if kind == "gemm" else output_size(sizes))
            try:
                for name, call in kernels(kind, sizes, precision).items():
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
    parser.add_argument("layers", help="CSV file of layers")
    parser.add_argument("output", type=pathlib.Path, help="folder for the measured times")
    parser.add_argument("--batch", type=int, nargs="+", default=[1, 32])
    parser.add_argument("--precision", nargs="+", choices=PRECISIONS, default=PRECISIONS)
    parser.add_argument("--repeats", type=int, default=30)
    args = parser.parse_args(argv)
    if min(args.batch) < 1 or args.repeats < 1:
        parser.error("--batch and --repeats must be at least 1")
    return args


def main(argv=None):
    args = arguments(argv)
    try:
        layers = distinct(read_layers(args.layers), args.batch)
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    try:
        import torch
    except ImportError:
        print("gpu_reality: PyTorch is not installed, nothing measured", file=sys.stderr)
        return 2
    if not torch.cuda.is_available():
        print("gpu_reality: PyTorch finds no CUDA device, nothing measured", file=sys.stderr)
        return 2
    # The library tries its algorithms, as DeepBench does; fp32 stays fp32.
    torch.backends.cudnn.benchmark = True
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False
    rows = measure(layers, args.precision, torch.cuda.get_device_name(), TorchKernels(torch), CudaTimer(torch),
                   args.repeats, lambda text: print(text, file=sys.stderr))
    write(rows, args.output)
    return 0


if __name__ == "__main__":
    sys.exit(main())
