#!/usr/bin/env python3
"""Fitted constants and tables of docs/llm-gpu.md: kernels of language models on graphics processors.

Usage: llm_kernel_fit.py [--reference results/reference/gpu-llm] [--seed N] [--prototype FILE.csv] [--queries]

The equations are those of src/hardware/gpu/language; the test hardware_gpu_language holds them to the times of
prototype.csv (--prototype). Three constants of each card are fitted to half of its rows (column `fitted`; --seed draws
other halves); errors are those of the other half. Host time and all-reduce latency are fitted to queries of batch 1;
--queries prints each query.
"""

import argparse
import csv
import hashlib
import math
import pathlib
import statistics
from collections import defaultdict
from dataclasses import dataclass, replace

import numpy as np

MIB = 2**20


@dataclass(frozen=True)
class Card:
    """Data sheet, and below it the fitted shares of the peaks that kernels sustain; SI units.

    tensor_rate: operations of one multiprocessor in a cycle, bf16 with sums in fp32, dense.
    """
    multiprocessors: float
    clock: float
    tensor_rate: float
    memory_bandwidth: float
    cache_capacity: float
    memory_efficiency: float = 0.9
    tensor_efficiency: float = 0.9
    attention_efficiency: float = 0.7


CARDS = {
    "RTX 4090": Card(128, 2.52e9, 512, 1008e9, 72 * MIB),
    "RTX PRO 6000": Card(188, 2.493e9, 1024, 1597e9, 128 * MIB),
}
A100 = Card(108, 1.41e9, 2048, 2039e9, 40 * MIB)
FITTED = ("memory_efficiency", "tensor_efficiency", "attention_efficiency")


@dataclass(frozen=True)
class Kernels:
    """Constants of the kernels, the same for all GPUs (struct Kernels; seconds, bytes, cycles)."""
    empty_latency: float = 0.4e-6
    trip_latency: float = 0.5e-6
    dense_latency: float = 4.5e-6
    decode_latency: float = 12e-6
    batch_latency: float = 3.2e-6
    prefill_latency: float = 6.5e-6
    experts_latency: float = 36e-6
    sampler_latency: float = 12e-6
    cache_ratio: float = 2.5
    cache_share: float = 0.7
    load_bytes_per_cycle: float = 32
    block_cycles: float = 250
    block_bytes_per_cycle: float = 20
    tile_overhead: float = 2.5
    overlap: float = 2.75
    query_rows: float = 64
    split_keys: float = 128


TILES = [(rows, columns) for rows in (16, 32, 64, 128, 256) for columns in (32, 64, 128, 256)
         if rows * columns <= 32768]
SPLITS = (1, 2, 4, 8)
# 256 values for each of 512 threads (PyTorch, aten/src/ATen/native/cuda/Reduce.cuh, setReduceConfig).
REDUCTION_SPLIT = 256 * 512


def overlapped(one, other, exponent):
    """Time of two activities that overlap in part: never below the longer one."""
    longer = max(one, other)
    return longer * (1 + (min(one, other) / longer)**exponent)**(1 / exponent) if longer > 0 else 0.0


def memory_rate(card):
    return card.memory_bandwidth * card.memory_efficiency


def cache_rate(card, k):
    return k.cache_ratio * card.memory_bandwidth


def missing_share(card, working_set):
    """Share of the weights that comes from memory: all or nothing, as cyclic use and least-recently-used eviction."""
    return 1.0 if working_set > card.cache_capacity else 0.0


def blocks_time(card, k, products, tokens, inner, columns):
    """Shortest time of the thread blocks of equal products, over tiles and splits of the inner length."""
    rate = card.tensor_rate * card.clock * card.tensor_efficiency
    load = k.load_bytes_per_cycle * card.clock
    best = math.inf
    for tile_rows, tile_columns in TILES:
        tiles = products * math.ceil(tokens / tile_rows) * math.ceil(columns / tile_columns)
        stall = 1 + k.tile_overhead / tile_rows + k.tile_overhead / tile_columns
        each = inner * max(2 * tile_rows * tile_columns * stall / rate, 2 * (tile_rows + tile_columns) / load)
        for split in SPLITS:
            reduction = 8 * split * products * tokens * columns / cache_rate(card, k) if split > 1 else 0
            best = min(best, math.ceil(tiles * split / card.multiprocessors) * each / split + reduction)
    return best


def weights_time(card, k, weights, values, working_set):
    memory = (weights * missing_share(card, working_set) + max(0, values - k.cache_share * card.cache_capacity)) / memory_rate(card)
    return max(memory, (weights + values) / cache_rate(card, k))


def dense(card, k, tokens, inner, columns, weight_bytes=2, value_bytes=2, working_set=math.inf):
    values = tokens * (inner + columns) * value_bytes
    traffic = weights_time(card, k, inner * columns * weight_bytes, values, working_set)
    return k.dense_latency + overlapped(traffic, blocks_time(card, k, 1, tokens, inner, columns), k.overlap)


def traffic_time(card, k, moved):
    """Seconds for bytes that the kernel before has just written; only what the cache cannot hold is in memory."""
    return moved / cache_rate(card, k) + max(0, moved - k.cache_share * card.cache_capacity) / memory_rate(card)


def elementwise(card, k, moved, blocks, trips):
    """`trips`: memory accesses of a thread that wait for each other."""
    block = moved / blocks / (k.block_bytes_per_cycle * card.clock)
    scheduling = blocks * k.block_cycles / (card.multiprocessors * card.clock)
    return k.empty_latency + trips * k.trip_latency + max(traffic_time(card, k, moved), block, scheduling)


def decode_attention(card, k, groups, heads, kv_heads, key_size, value_size, cache_bytes, reads=1):
    """`groups`: (sequences, context); `cache_bytes`: of one token; `reads`: how often multiprocessors load it.

    A kernel that loads it for each query head works without tensor cores, as an element-wise one.
    """
    keys = sum(count * context for count, context in groups)
    parts = kv_heads * sum(count * math.ceil(context / k.split_keys) for count, context in groups)
    memory = keys * cache_bytes / memory_rate(card)
    load = (k.load_bytes_per_cycle if reads == 1 else k.block_bytes_per_cycle) * card.clock
    serial = math.ceil(parts * reads / card.multiprocessors) * k.split_keys * cache_bytes / kv_heads / load
    rows = math.ceil(heads / kv_heads / k.query_rows) * k.query_rows if reads == 1 else 0
    sizes, peak = key_size + value_size, card.multiprocessors * card.tensor_rate * card.clock
    compute = max(2 * keys * kv_heads * rows * sizes / card.attention_efficiency, 2 * keys * heads * sizes) / peak
    batch = k.batch_latency if sum(count for count, _ in groups) > 1 else 0
    return k.decode_latency + batch + max(memory, serial, compute)


def prefill_attention(card, k, chunk, earlier, heads, kv_heads, head_size, sequences=1):
    tiles = math.ceil(chunk / k.query_rows)
    waves = math.ceil(sequences * heads * tiles / card.multiprocessors)
    key = k.query_rows * 4 * head_size / (card.tensor_rate * card.clock * card.attention_efficiency)
    keys = waves * (earlier + (tiles + 1) / 2 * k.query_rows) + (tiles - 1) / 2 * k.query_rows
    moved = 4 * sequences * head_size * (kv_heads * (chunk + earlier) + heads * chunk)
    return k.prefill_latency + max(key * keys, moved / memory_rate(card))


def experts(card, k, tokens, active, per_token, hidden, width, working_set=math.inf):
    rows = tokens * per_token
    traffic = weights_time(card, k, active * 3 * hidden * width * 2, 0, working_set)
    blocks = (blocks_time(card, k, active, rows / active, hidden, 2 * width) +
              blocks_time(card, k, active, rows / active, width, hidden))
    moved = 2 * rows * (3 * hidden + 3 * width) + 2 * tokens * hidden
    return k.experts_latency + overlapped(traffic, blocks, k.overlap) + traffic_time(card, k, moved)


def sampler(card, k, sequences, vocabulary):
    """Conversion to fp32, then the largest value: below REDUCTION_SPLIT values by a single thread block for each row."""
    values = sequences * vocabulary
    block = 4 * vocabulary / (k.block_bytes_per_cycle * card.clock) if vocabulary < REDUCTION_SPLIT else 0
    return k.sampler_latency + traffic_time(card, k, 6 * values) + max(block, traffic_time(card, k, 4 * values))


@dataclass(frozen=True)
class Model:
    hidden: float
    heads: float
    kv_heads: float
    head_size: float
    width: float
    vocabulary: float
    blocks: int = 1
    experts_per_token: int = 0


MODELS = {
    "Llama-3.1-8B": Model(4096, 32, 8, 128, 14336, 128256),
    "Qwen3-30B-A3B": Model(2048, 32, 4, 128, 768, 151936, experts_per_token=8),
}


def layer_working_set(model, gpus, active):
    """Bytes of weights between two uses where one block runs again and again, as in the measurement."""
    attention = model.hidden * model.head_size * (2 * model.heads + 2 * model.kv_heads)
    return 2 * (attention + 3 * model.hidden * model.width * active) / gpus


def dense_row(card, k, m, gpus, layer, tokens):
    query, key, width = m.heads * m.head_size / gpus, m.kv_heads * m.head_size / gpus, m.width / gpus
    products = {"qkv_proj": (m.hidden, query + 2 * key), "o_proj": (query, m.hidden),
                "gate_up_proj": (m.hidden, 2 * width), "down_proj": (width, m.hidden)}
    if layer in products:
        working_set = layer_working_set(m, gpus, max(1, m.experts_per_token))
        return dense(card, k, tokens, *products[layer], working_set=working_set)
    norms = [elementwise(card, k, 2 * tokens * n * m.hidden, tokens, 3) for n in (2, 4)]
    heads = [elementwise(card, k, 4 * tokens * n * m.head_size, tokens * n, 3) for n in (m.heads, m.kv_heads)]
    return {"act_fn": elementwise(card, k, 6 * tokens * width, tokens, 1),
            "embedding": elementwise(card, k, 4 * tokens * m.hidden, tokens, 4),
            "rotary_emb": elementwise(card, k, 4 * tokens * (query + key), tokens, 3),
            "layernorm": statistics.mean(norms), "final_layernorm": norms[1], "qk_norm": statistics.mean(heads)}[layer]


def row_time(card, k, kind, row):
    m, gpus = MODELS[row["model"]], int(row["tensor_parallel"])
    heads, kv_heads = m.heads / gpus, m.kv_heads / gpus
    if kind == "dense":
        return dense_row(card, k, m, gpus, row["layer"], int(row["tokens"]))
    if kind == "decode":
        group = [(int(row["sequences"]), int(row["context"]))]
        return decode_attention(card, k, group, heads, kv_heads, m.head_size, m.head_size, 4 * kv_heads * m.head_size)
    if kind == "prefill":
        return prefill_attention(card, k, int(row["chunk"]), int(row["earlier"]), heads, kv_heads, m.head_size)
    if kind == "experts":
        active = int(row["active"])
        return experts(card, k, int(row["tokens"]), active, m.experts_per_token, m.hidden, m.width,
                       layer_working_set(m, gpus, active))
    if row["layer"] == "sampler":
        return sampler(card, k, int(row["sequences"]), m.vocabulary)
    return dense(card, k, int(row["sequences"]), m.hidden, m.vocabulary / gpus)


KINDS = ("dense", "decode", "prefill", "experts", "per_sequence")
CLASS_NAMES = {"dense products": "matrix products", "element-wise": "element-wise kernels", "decode": "decode attention",
               "prefill": "prefill attention", "experts": "experts", "lm_head": "head", "sampler": "sampler"}


def class_of(kind, row):
    """Class of the accuracy table."""
    if kind == "dense":
        return "dense products" if row["layer"].endswith("proj") else "element-wise"
    return row["layer"] if kind == "per_sequence" else kind


def load(folder):
    return [(kind, row) for kind in KINDS for row in csv.DictReader(open(pathlib.Path(folder) / f"{kind}.csv"))]


def in_fit_half(kind, row, seed):
    # Layers that do not depend on tensor_parallel have the same time twice: both copies belong into the same half.
    names = [value for name, value in row.items() if name not in ("time_us", "fitted", "tensor_parallel")]
    return hashlib.sha256(",".join([str(seed), kind, *names]).encode()).digest()[0] % 2 == 0


def error(card, k, kind, row):
    return row_time(card, k, kind, row) * 1e6 / float(row["time_us"]) - 1


def loss(card, k, rows):
    """Mean over the classes of the mean of |ln(model / measured)|, each at most 0.5 (outliers do not pull)."""
    errors = defaultdict(list)
    for kind, row in rows:
        errors[class_of(kind, row)].append(min(0.5, abs(math.log1p(error(card, k, kind, row)))))
    return statistics.mean(statistics.mean(one) for one in errors.values())


def fit(card, k, rows):
    """Coordinate search over the three constants; none is above 1, which keeps times above the roofline."""
    best, step = loss(card, k, rows), 1.1
    while step > 1.002:
        moved = False
        for name in FITTED:
            for factor in (step, 1 / step):
                trial = replace(card, **{name: min(1.0, getattr(card, name) * factor)})
                value = loss(trial, k, rows)
                if value < best:
                    best, card, moved = value, trial, True
        step = step if moved else math.sqrt(step)
    return replace(card, **{name: round(getattr(card, name), 3) for name in FITTED})


def ranks(values):
    order = sorted(range(len(values)), key=values.__getitem__)
    result = [0.0] * len(values)
    for place, index in enumerate(order):
        result[index] = place
    return result


def percent(value):
    return f"{100 * value:.1f} %"


def accuracy(gpus, k, rows):
    """Table of the classes: median |error| of each card and of both, mean |error|, rank correlation."""
    groups = defaultdict(list)
    for kind, row in rows:
        one = (row["card"], row_time(gpus[row["card"]], k, kind, row) * 1e6, float(row["time_us"]))
        groups[CLASS_NAMES[class_of(kind, row)]].append(one)
        if kind == "dense":
            groups["all of `dense.csv`"].append(one)
    lines = ["| class | rows | " + " | ".join(gpus) + " | both | mean error | rank correlation |", "|---|" + "---:|" * 6]
    for name, entries in groups.items():
        errors = {card: [abs(model / measured - 1) for where, model, measured in entries if where == card] for card in gpus}
        medians = [percent(statistics.median(one)) if one else "-" for one in (*errors.values(), sum(errors.values(), []))]
        rank = statistics.correlation(*(ranks(side) for side in list(zip(*entries))[1:]))
        mean = statistics.mean(sum(errors.values(), []))
        lines.append(f"| {name} | {len(entries)} | {' | '.join(medians)} | {percent(mean)} | {rank:.3f} |")
    return "\n".join(lines)


# Share of further rows that a band of errors is to hold, and standard deviations from the median to its ends.
INSIDE = 0.9
DEVIATIONS = statistics.NormalDist().inv_cdf((1 + INSIDE) / 2)


def band(errors):
    """Both ends of the 90 % band of logarithms, as scripts/kernel_errors.py has it: as far from the median to either side."""
    median = statistics.median(errors)
    distance = float(np.quantile(np.abs(np.array(errors) - median), INSIDE, method="weibull"))
    return median - distance, median + distance


def error_factors(gpus, k, rows):
    """Table of the classes: measured / model as a log-normal factor; the share of a card's rows in the band of the other's."""
    groups = defaultdict(lambda: defaultdict(list))
    for kind, row in rows:
        errors = groups[CLASS_NAMES[class_of(kind, row)]][row["card"]]
        errors.append(-math.log1p(error(gpus[row["card"]], k, kind, row)))
    lines = ["| class | rows | median | sigma | low | high | " +
             " | ".join(f"{card} in the other's band" for card in gpus) + " |", "|---|" + "---:|" * 7]
    for name, by_card in groups.items():
        low, high = band(sum(by_card.values(), []))
        factors = (math.exp((low + high) / 2), (high - low) / 2 / DEVIATIONS, math.exp(low), math.exp(high))
        shares = []
        for card in gpus:
            others = [one for other, errors in by_card.items() if other != card for one in errors]
            both = card in by_card and others
            low, high = band(others) if both else (0, 0)
            shares.append(percent(statistics.mean(low <= one <= high for one in by_card[card])) if both else "-")
        lines.append(f"| {name} | {sum(map(len, by_card.values()))} | " + " | ".join(f"{one:.3f}" for one in factors) +
                     f" | {' | '.join(shares)} |")
    return "\n".join(lines)


@dataclass(frozen=True)
class Server:
    """Cards that share a model by tensor parallelism; the last two are fitted to queries of batch 1."""
    card: Card
    gpus: int
    memory: float = 80e9
    # vLLM's default gpu_memory_utilization.
    memory_share: float = 0.9
    # Each direction: half of 600 GB/s.
    link_bandwidth: float = 300e9
    host: float = 0
    all_reduce_latency: float = 0


LLAMA_2 = {"7B": Model(4096, 32, 32, 128, 11008, 32000, 32), "13B": Model(5120, 40, 40, 128, 13824, 32000, 40),
           "70B": Model(8192, 64, 8, 128, 28672, 32000, 80)}
# Not stated with the measurement; the powers of 293, 577 and 1107 W fit 1, 2 and 4 GPUs.
ASSUMED_CARDS = {"7B": 1, "13B": 2, "70B": 4}
OUTPUTS = 3584


def cache_bytes(model):
    """Bytes of keys and values of a token in one block."""
    return 4 * model.kv_heads * model.head_size


def weight_bytes(m):
    block = m.hidden * m.head_size * (2 * m.heads + 2 * m.kv_heads) + 3 * m.hidden * m.width
    return 2 * (m.blocks * block + 2 * m.vocabulary * m.hidden)


def largest_batch(server, model, length):
    room = server.gpus * server.memory * server.memory_share - weight_bytes(model)
    return int(room / (model.blocks * cache_bytes(model) * length))


def step_time(server, k, m, tokens, attention):
    """A step of `tokens` tokens in all; `attention`: seconds of its attention kernel in a block."""
    card, n = server.card, server.gpus
    layers = sum(dense_row(card, k, m, n, layer, tokens) for layer in (
        "qkv_proj", "rotary_emb", "o_proj", "gate_up_proj", "act_fn", "down_proj", "final_layernorm", "final_layernorm"))
    reduce = server.all_reduce_latency + 2 * (n - 1) / n * 2 * tokens * m.hidden / server.link_bandwidth
    return server.host + m.blocks * (layers + attention + (2 * reduce if n > 1 else 0))


def ends_time(server, k, m, tokens, sequences):
    """Embedding, last norm, head and sampler."""
    card = server.card
    return (sum(dense_row(card, k, m, 1, layer, tokens) for layer in ("embedding", "final_layernorm")) +
            dense(card, k, sequences, m.hidden, m.vocabulary / server.gpus) + sampler(card, k, sequences, m.vocabulary))


def decode_step(server, k, m, batch, context):
    n = server.gpus
    attention = decode_attention(server.card, k, [(batch, context)], m.heads / n, m.kv_heads / n, m.head_size, m.head_size,
                                 cache_bytes(m) / n, reads=m.heads / m.kv_heads)
    return step_time(server, k, m, batch, attention) + ends_time(server, k, m, batch, batch)


def prefill_step(server, k, m, tokens):
    n = server.gpus
    attention = prefill_attention(server.card, k, tokens, 0, m.heads / n, m.kv_heads / n, m.head_size)
    return step_time(server, k, m, tokens, attention) + ends_time(server, k, m, tokens, 1)


def query_time(server, k, m, batch, inputs, outputs=OUTPUTS):
    """Prompts one after another, then steps of all sequences; a step's time is linear in its context but for rounding."""
    return (batch * prefill_step(server, k, m, inputs) +
            outputs * decode_step(server, k, m, batch, round(inputs + outputs / 2)))


def fit_server(card, k, rows):
    """Least squares of the relative errors of batch 1 over both constants, in which time is linear."""
    names, units = ("host", "all_reduce_latency"), (1e-3, 1e-5)
    slopes, rest = [], []
    for row in rows:
        if row["kind"] == "query" and row["batch"] == "1":
            m, measured = LLAMA_2[row["model"]], float(row["seconds"])
            server = Server(card, ASSUMED_CARDS[row["model"]])
            inputs = int(row["length"]) - OUTPUTS
            base = query_time(server, k, m, 1, inputs)
            slopes.append([(query_time(replace(server, **{name: getattr(server, name) + unit}), k, m, 1, inputs) - base) /
                           measured for name, unit in zip(names, units)])
            rest.append(1 - base / measured)
    solution = np.linalg.lstsq(np.array(slopes), np.array(rest), rcond=None)[0]
    return {name: getattr(server, name) + unit * one for name, unit, one in zip(names, units, solution)}


def server_rows(card, k, rows):
    """(row, model's value, measured value, whether it fits in memory) of each row of a100_queries.csv."""
    constants = fit_server(card, k, rows)
    for row in rows:
        m, length, batch = LLAMA_2[row["model"]], int(row["length"]), int(row["batch"])
        server = Server(card, ASSUMED_CARDS[row["model"]], **constants)
        largest = largest_batch(server, m, length)
        inputs = length - OUTPUTS
        # As many as fit, then the next ones: all queries are of equal length, so that they end together.
        turns = [largest] * (batch // largest) + [batch % largest] * (batch % largest > 0)
        time = sum(query_time(server, k, m, running, inputs) for running in turns)
        if row["kind"] == "query":
            value, measured = time, float(row["seconds"])
        elif row["kind"] == "prefill":
            value, measured = inputs / prefill_step(server, k, m, inputs), float(row["tokens_per_second"])
        else:
            decode = time - batch * prefill_step(server, k, m, inputs)
            tokens = batch * (length if row["kind"] == "end2end" else OUTPUTS)
            value = tokens / (time if row["kind"] == "end2end" else decode)
            measured = float(row["tokens_per_second"])
        yield row, value, measured, batch <= largest


def server_table(rows):
    """Summary of `server_rows`: rows, median and extreme errors."""
    groups = defaultdict(list)
    for row, value, measured, fits in rows:
        name = {"query": f"time of a query, {'fits in memory' if fits else 'queued'}", "prefill": "prompts a second",
                "decoding": "generated tokens a second, queued", "end2end": "all tokens a second, queued"}[row["kind"]]
        groups[name].append(value / measured - 1)
    lines = ["| quantity | rows | median error | lowest | highest | within 20 % |", "|---|" + "---:|" * 5]
    for name, errors in groups.items():
        median, inside = statistics.median(map(abs, errors)), sum(abs(one) <= 0.2 for one in errors)
        lines.append(f"| {name} | {len(errors)} | {percent(median)} | {100 * min(errors):+.1f} % | {100 * max(errors):+.1f} % | "
                     f"{inside} of {len(errors)} |")
    return "\n".join(lines)


def main(a):
    every = load(a.reference)
    is_fitted = [row["fitted"] == "1" if a.seed is None else in_fit_half(kind, row, a.seed) for kind, row in every]
    kernels = Kernels()
    fitted = {name: fit(card, kernels, [one for one, use in zip(every, is_fitted) if use and one[1]["card"] == name])
              for name, card in CARDS.items()}
    for name, card in fitted.items():
        print(f"| {name} | " + " | ".join(f"{getattr(card, constant):.3f}" for constant in FITTED) + " |")
    held = [one for one, use in zip(every, is_fitted) if not use]
    print(accuracy(fitted, kernels, held))
    print(error_factors(fitted, kernels, held))
    queries = list(csv.DictReader(open(pathlib.Path(a.reference) / "a100_queries.csv")))
    a100 = replace(A100, **{name: statistics.mean(getattr(card, name) for card in fitted.values()) for name in FITTED})
    rows = list(server_rows(a100, kernels, queries))
    print(server_table(rows))
    constants = fit_server(a100, kernels, queries)
    print(f"A step of the host takes {1e3 * constants['host']:.2f} ms, an all-reduce "
          f"{1e6 * constants['all_reduce_latency']:.1f} us in addition to moving its bytes.")
    if a.queries:
        for row, value, measured, fits in rows:
            print(",".join(row.values()), f"{value:.5g}", f"{100 * (value / measured - 1):+.1f} %", "" if fits else "queued")
    if a.prototype:
        with open(a.prototype, "w") as file:
            file.write("kind,line,seconds\n")
            for kind in KINDS:
                for line, (_, row) in enumerate(one for one in every if one[0] == kind):
                    file.write(f"{kind},{line},{row_time(fitted[row['card']], kernels, kind, row)!r}\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--reference", default="results/reference/gpu-llm")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--prototype")
    parser.add_argument("--queries", action="store_true")
    main(parser.parse_args())
