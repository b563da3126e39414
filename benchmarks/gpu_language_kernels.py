#!/usr/bin/env python3
"""Measures the kernels of language models on an NVIDIA GPU: GEMMs, attention, element-wise passes and copies.

Usage: gpu_language_kernels.py OUTPUT_FOLDER [--seconds N]

OUTPUT_FOLDER gets gemm.csv, attention_prefill.csv, attention_decode.csv and elementwise.csv, with the columns of
results/reference/measured/language. Weights, keys and values are cold, as in a decoding step: a CUDA graph goes through
so many copies of them that together they exceed the second-level cache twice; activations are warm. A time is the
median over replays of the graph, divided by its kernels, so that launches within a graph are part of it and the host
is not. Attention is the faster of PyTorch's cuDNN and FlashAttention back ends, without storing keys and values.
Once --seconds (default 150) are used up, no further row is measured.

Exit status: 0 measured, 2 no PyTorch, no CUDA or bad input.
"""

import argparse
import csv
import math
import pathlib
import statistics
import sys
import time

try:
    import torch
    import torch.nn.functional as functional
    from torch.nn.attention import SDPBackend, sdpa_kernel
except ImportError:
    print("gpu_language_kernels.py: PyTorch is not installed", file=sys.stderr)
    sys.exit(2)

# (n, k) of the weights of Llama-3-8B and 70B, Qwen3-32B and 30B-A3B, on one GPU and divided over several.
WEIGHTS = [(6144, 4096), (4096, 4096), (28672, 4096), (4096, 14336), (128256, 4096), (10240, 8192), (8192, 8192),
           (57344, 8192), (8192, 28672), (1280, 8192), (8192, 1024), (7168, 8192), (8192, 3584), (10240, 5120),
           (5120, 8192), (51200, 5120), (5120, 25600), (2560, 5120), (5120, 2048), (12800, 5120), (5120, 6400),
           (768, 2048), (2048, 768), (2048, 4096)]
ROWS = [1, 2, 4, 8, 16, 32, 48, 64, 96, 128, 192, 256, 512, 1024, 2048, 4096, 8192]
# (heads, kv_heads) of the same models, divided over 1 to 8 GPUs; the head size is 128.
HEADS = [(32, 8), (64, 8), (16, 2), (8, 1), (32, 4)]
HEAD_SIZE = 128


class Bench:
    """Times launches of one operation, repeated on copies of its operands in a CUDA graph."""

    def __init__(self, seconds):
        self.deadline = time.monotonic() + seconds
        properties = torch.cuda.get_device_properties(0)
        self.gpu = properties.name
        self.cache = properties.L2_cache_size

    def is_over(self):
        return time.monotonic() > self.deadline

    def copies(self, bytes_each):
        return min(max(2, math.ceil(2 * self.cache / bytes_each)), 64)

    def seconds(self, launches):
        """Seconds of one of the launches (functions without arguments); the median of 7 replays."""
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            for launch in launches[:2]:
                launch()
        torch.cuda.current_stream().wait_stream(stream)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            for launch in launches:
                launch()
        graph.replay()
        times = []
        for _ in range(7):
            begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            begin.record()
            graph.replay()
            end.record()
            end.synchronize()
            times.append(begin.elapsed_time(end) * 1e-3 / len(launches))
        return statistics.median(times)


def random(*shape, dtype=torch.bfloat16):
    return torch.randn(*shape, device="cuda", dtype=torch.bfloat16).to(dtype)


def gemms(bench):
    one = torch.ones((), device="cuda")
    for n, k in WEIGHTS:
        for dtype, size in (("bfloat16", 2), ("fp8", 1)):
            kind = torch.bfloat16 if dtype == "bfloat16" else torch.float8_e4m3fn
            weights = [random(n, k, dtype=kind) for _ in range(bench.copies(n * k * size))]
            for m in ROWS:
                if bench.is_over():
                    return
                x = random(m, k, dtype=kind)
                if dtype == "bfloat16":
                    launches = [lambda w=w: functional.linear(x, w) for w in weights]
                else:
                    launches = [lambda w=w: torch._scaled_mm(x, w.t(), one, one, out_dtype=torch.bfloat16, use_fast_accum=True)
                                for w in weights]
                try:
                    seconds = bench.seconds(launches)
                except RuntimeError as error:
                    print(f"gemm {dtype} {m} x {n} x {k}: {str(error).splitlines()[0]}", file=sys.stderr)
                    continue
                yield {"dtype": dtype, "m": m, "n": n, "k": k, "copies": len(weights), "time_s": seconds}


def attention(bench, batch, heads, kv_heads, queries, context):
    """The faster back end and its seconds."""
    copies = bench.copies(batch * context * kv_heads * HEAD_SIZE * 4)
    q = random(batch, heads, queries, HEAD_SIZE)
    caches = [(random(batch, kv_heads, context, HEAD_SIZE), random(batch, kv_heads, context, HEAD_SIZE)) for _ in range(copies)]
    best = None
    for name, backend in (("cudnn", SDPBackend.CUDNN_ATTENTION), ("flash", SDPBackend.FLASH_ATTENTION)):
        launches = [lambda k=k, v=v: functional.scaled_dot_product_attention(q, k, v, is_causal=queries > 1, enable_gqa=True)
                    for k, v in caches]
        try:
            with sdpa_kernel(backend):
                seconds = bench.seconds(launches)
        except RuntimeError:
            continue
        if best is None or seconds < best[1]:
            best = name, seconds
    return best


def attention_rows(bench, cases):
    for batch, heads, kv_heads, queries, context in cases:
        if bench.is_over():
            return
        if best := attention(bench, batch, heads, kv_heads, queries, context):
            yield {"cache_dtype": "bfloat16", "batch": batch, "heads": heads, "kv_heads": kv_heads, "head_size": HEAD_SIZE,
                   ("tokens" if queries > 1 else "context"): context, "kernel": best[0], "time_s": best[1]}


def prefill(bench):
    return attention_rows(bench, [(batch, *heads, tokens, tokens) for heads in HEADS for batch in (1, 4, 16)
                                  for tokens in (64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384) if batch * tokens <= 32768])


def decode(bench):
    return attention_rows(bench, [(batch, *heads, 1, context) for heads in HEADS for batch in (1, 4, 16, 64, 256)
                                  for context in (128, 512, 2048, 8192, 32768) if batch * context <= 1 << 19])


def elementwise(bench):
    for hidden in (2048, 4096, 5120, 8192):
        for tokens in (1, 8, 64, 512, 4096):
            if bench.is_over():
                return
            size = tokens * hidden
            xs = [random(tokens, hidden) for _ in range(bench.copies(2 * size))]
            scale, y = random(hidden), random(tokens, hidden)
            for operation, launch in (("add", lambda x: x + y), ("rms_norm", lambda x: functional.rms_norm(x, (hidden,), scale)),
                                      ("copy", lambda x: x.clone())):
                seconds = bench.seconds([lambda x=x: launch(x) for x in xs])
                yield {"operation": operation, "tokens": tokens, "hidden": hidden, "copies": len(xs), "time_s": seconds}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output", type=pathlib.Path)
    parser.add_argument("--seconds", type=float, default=150)
    arguments = parser.parse_args()
    if not torch.cuda.is_available():
        print("gpu_language_kernels.py: PyTorch finds no CUDA device", file=sys.stderr)
        return 2
    arguments.output.mkdir(parents=True, exist_ok=True)
    classes = {"elementwise": elementwise, "attention_decode": decode, "attention_prefill": prefill, "gemm": gemms}
    for name, measure in classes.items():
        # GEMMs get half of the time, all other kernels share the other half.
        bench = Bench(arguments.seconds * (0.5 if name == "gemm" else 1 / 6))
        with (arguments.output / f"{name}.csv").open("w", newline="") as file:
            writer = None
            for row in measure(bench):
                row = {"gpu": bench.gpu, **row, "time_s": f"{row['time_s']:.5g}"}
                if writer is None:
                    writer = csv.DictWriter(file, row.keys(), lineterminator="\n")
                    writer.writeheader()
                writer.writerow(row)
                file.flush()
        print(f"{name}: done", flush=True)
    print(f"PyTorch {torch.__version__}, CUDA {torch.version.cuda}, cuDNN {torch.backends.cudnn.version()}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
