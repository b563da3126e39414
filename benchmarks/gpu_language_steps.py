#!/usr/bin/env python3
"""Measures whole steps of language models on an NVIDIA GPU: a token for each sequence of a batch, or whole prompts.

Usage: gpu_language_steps.py HARDWARE OUTPUT.csv [--seconds N]

OUTPUT.csv gets the columns of results/reference/measured/language/steps.csv, with HARDWARE in the first one. A step is
one CUDA graph of the kernels of a serving engine: GEMMs of joined weights by cuBLAS, attention by the faster of cuDNN and
FlashAttention, and a Triton kernel each for normalization with the residual sum, rotation, storing keys and values, and
the activation. Each block has its own weights, keys and values, so that they are cold. A time is the median of 7 replays;
neither the host nor collectives are part of it. Once --seconds (default 100) are used up, no further row is measured.

Exit status: 0 measured, 2 no PyTorch, no Triton, no CUDA or bad input.
"""

import argparse
import csv
import dataclasses
import pathlib
import statistics
import sys
import time

try:
    import torch
    import torch.nn.functional as functional
    import triton
    import triton.language as tl
    from torch.nn.attention import SDPBackend, sdpa_kernel
except ImportError as missing:
    print(f"gpu_language_steps.py: {missing.name} is not installed", file=sys.stderr)
    sys.exit(2)


@dataclasses.dataclass
class Model:
    name: str
    gpus: int
    blocks: int
    hidden: int
    heads: int
    kv_heads: int
    intermediate: int
    vocabulary: int
    head_size: int = 128


MODELS = [Model("llama-3.1-8b", 1, 32, 4096, 32, 8, 14336, 128256),
          # The share of one of eight GPUs.
          Model("llama-3.1-70b", 8, 80, 8192, 8, 1, 3584, 16032)]
DECODE = [(batch, context) for batch in (1, 4, 16, 64, 256) for context in (512, 2048, 8192) if batch * context <= 1 << 18]
PREFILL = [(1, 128), (1, 512), (1, 2048), (1, 8192), (4, 512), (4, 2048)]


@triton.jit
def add_norm(x, residual, scale, out, width: tl.constexpr, block: tl.constexpr):
    row, columns = tl.program_id(0), tl.arange(0, block)
    inside = columns < width
    total = tl.load(x + row * width + columns, inside, 0).to(tl.float32)
    total += tl.load(residual + row * width + columns, inside, 0).to(tl.float32)
    tl.store(residual + row * width + columns, total.to(tl.bfloat16), inside)
    total = total * tl.rsqrt(tl.sum(total * total) / width + 1e-5) * tl.load(scale + columns, inside, 0).to(tl.float32)
    tl.store(out + row * width + columns, total.to(tl.bfloat16), inside)


@triton.jit
def activate(x, out, width, block: tl.constexpr):
    row, columns = tl.program_id(0), tl.program_id(1) * block + tl.arange(0, block)
    inside = columns < width
    gate = tl.load(x + row * 2 * width + columns, inside, 0).to(tl.float32)
    up = tl.load(x + row * 2 * width + width + columns, inside, 0).to(tl.float32)
    tl.store(out + row * width + columns, (gate * tl.sigmoid(gate) * up).to(tl.bfloat16), inside)


@triton.jit
def rotate(x, table, row_width, half: tl.constexpr):
    row, head, columns = tl.program_id(0), tl.program_id(1), tl.arange(0, half)
    at = x + row * row_width + head * 2 * half + columns
    first, second = tl.load(at).to(tl.float32), tl.load(at + half).to(tl.float32)
    cosine, sine = tl.load(table + row * 2 * half + columns), tl.load(table + row * 2 * half + half + columns)
    tl.store(at, (first * cosine - second * sine).to(tl.bfloat16))
    tl.store(at + half, (second * cosine + first * sine).to(tl.bfloat16))


@triton.jit
def store(x, keys, values, slots, row_width, first, width: tl.constexpr, block: tl.constexpr):
    row, columns = tl.program_id(0), tl.arange(0, block)
    inside = columns < width
    slot = tl.load(slots + row)
    tl.store(keys + slot * width + columns, tl.load(x + row * row_width + first + columns, inside, 0), inside)
    tl.store(values + slot * width + columns, tl.load(x + row * row_width + first + width + columns, inside, 0), inside)


def random(*shape):
    # Small values, so that no activation overflows.
    return torch.randn(*shape, device="cuda", dtype=torch.bfloat16) * 0.02


class Network:
    """Random weights of a model, and the kernels of a step."""

    def __init__(self, model):
        self.model = model
        m = model
        self.q, self.kv = m.heads * m.head_size, m.kv_heads * m.head_size
        self.weights = [(random(self.q + 2 * self.kv, m.hidden), random(m.hidden, self.q),
                         random(2 * m.intermediate, m.hidden), random(m.hidden, m.intermediate)) for _ in range(m.blocks)]
        self.embedding, self.head = random(m.vocabulary, m.hidden), random(m.vocabulary, m.hidden)
        self.scale = random(m.hidden) + 1
        self.caches = None

    def reserve(self, batch, context):
        m = self.model
        self.caches = None
        shape = (batch, context, m.kv_heads, m.head_size)
        self.caches = [(random(*shape), random(*shape)) for _ in range(m.blocks)]

    def step(self, batch, tokens, context):
        """The launches of a step of `tokens` new tokens for each of `batch` sequences of `context` tokens."""
        m, rows = self.model, batch * tokens
        width = self.q + 2 * self.kv
        ids = torch.randint(m.vocabulary, (rows,), device="cuda")
        slots = (torch.arange(batch, device="cuda")[:, None] * context + context - tokens
                 + torch.arange(tokens, device="cuda")).flatten()
        table = torch.randn(rows, m.head_size, device="cuda")
        normed = torch.empty(rows, m.hidden, device="cuda", dtype=torch.bfloat16)
        activated = torch.empty(rows, m.intermediate, device="cuda", dtype=torch.bfloat16)

        def norm(x, residual):
            add_norm[(rows,)](x, residual, self.scale, normed, m.hidden, triton.next_power_of_2(m.hidden), num_warps=8)

        def launch():
            residual = functional.embedding(ids, self.embedding)
            x = torch.zeros_like(residual)
            for (qkv, o, gate_up, down), (keys, values) in zip(self.weights, self.caches):
                norm(x, residual)
                joined = functional.linear(normed, qkv)
                rotate[(rows, m.heads + m.kv_heads)](joined, table, width, m.head_size // 2, num_warps=1)
                store[(rows,)](joined, keys, values, slots, width, self.q, self.kv, triton.next_power_of_2(self.kv))
                query = joined[:, :self.q].view(batch, tokens, m.heads, m.head_size).transpose(1, 2)
                attended = functional.scaled_dot_product_attention(query, keys.transpose(1, 2), values.transpose(1, 2),
                                                                   is_causal=tokens > 1, enable_gqa=True)
                x = functional.linear(attended.transpose(1, 2).reshape(rows, self.q), o)
                norm(x, residual)
                joined = functional.linear(normed, gate_up)
                activate[(rows, triton.cdiv(m.intermediate, 1024))](joined, activated, m.intermediate, 1024)
                x = functional.linear(activated, down)
            norm(x, residual)
            last = normed.view(batch, tokens, m.hidden)[:, -1]
            return functional.linear(last, self.head).argmax(-1)
        return launch


def seconds_of(launch):
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        launch()
    torch.cuda.current_stream().wait_stream(stream)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        launch()
    times = []
    for _ in range(8):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        graph.replay()
        end.record()
        end.synchronize()
        times.append(begin.elapsed_time(end) * 1e-3)
    return statistics.median(times[1:])


def measure(model, deadline):
    network = Network(model)
    cases = [("decode", batch, 1, context) for batch, context in DECODE] + [("prefill", *case, case[1]) for case in PREFILL]
    for phase, batch, tokens, context in cases:
        if time.monotonic() > deadline:
            return
        network.reserve(batch, context)
        best = None
        for name, backend in (("cudnn", SDPBackend.CUDNN_ATTENTION), ("flash", SDPBackend.FLASH_ATTENTION)):
            try:
                with torch.inference_mode(), sdpa_kernel(backend):
                    seconds = seconds_of(network.step(batch, tokens, context))
            except RuntimeError as error:
                print(f"{model.name} {phase} {batch} x {context} {name}: {str(error).splitlines()[0]}", file=sys.stderr)
                continue
            if best is None or seconds < best[1]:
                best = name, seconds
        if best:
            yield {"model": model.name, "hardware.gpu.count": model.gpus, "phase": phase, "batch": batch, "context": context,
                   "kernel": best[0], "time": f"{best[1]:.5g}"}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("hardware")
    parser.add_argument("output", type=pathlib.Path)
    parser.add_argument("--seconds", type=float, default=100)
    arguments = parser.parse_args()
    if not torch.cuda.is_available():
        print("gpu_language_steps.py: PyTorch finds no CUDA device", file=sys.stderr)
        return 2
    with arguments.output.open("w", newline="") as file:
        writer = csv.DictWriter(file, ["hardware", "model", "hardware.gpu.count", "phase", "batch", "context", "kernel", "time"],
                                lineterminator="\n")
        writer.writeheader()
        for model in MODELS:
            deadline = time.monotonic() + arguments.seconds / len(MODELS)
            for row in measure(model, deadline):
                writer.writerow({"hardware": arguments.hardware, **row})
                file.flush()
            torch.cuda.empty_cache()
    return 0


if __name__ == "__main__":
    sys.exit(main())
