#!/usr/bin/env python3
"""Exports networks of torchvision and of definitions of our own as ONNX graphs without weights, and counts their
parameters and multiply-accumulates independently of pimsweep: parameters as the sum over the modules' tensors, and
multiply-accumulates by hooks on modules and by a patched torch.matmul during one forward pass.

    export_networks.py FOLDER      writes FOLDER/*.onnx and FOLDER/sizes.csv

Needs python3-torch and python3-torchvision (Debian 12: 1.13.1 and 0.14.1); the graphs are versioned, so that tests
need neither.
"""

import csv
import math
import os
import sys
import warnings

import onnx
import torch
import torchvision
from onnx.external_data_helper import set_external_data
from torch import nn


class Counter:
    """Counts multiply-accumulates of one forward pass for one sample."""

    def __init__(self, model):
        self.macs = 0
        self.hooks = []
        rules = {nn.Conv2d: self.convolution, nn.ConvTranspose2d: self.transposed, nn.Linear: self.linear,
                 nn.LSTM: self.lstm, nn.MultiheadAttention: self.attention}
        for module in model.modules():
            for kind, rule in rules.items():
                if isinstance(module, kind) and type(module).__name__ != "NonDynamicallyQuantizableLinear":
                    self.hooks.append(module.register_forward_hook(rule))

    def convolution(self, module, inputs, output):
        self.macs += output.numel() * module.weight[0].numel()

    def transposed(self, module, inputs, output):
        self.macs += inputs[0].numel() * module.weight[0].numel()

    def linear(self, module, inputs, output):
        self.macs += output.numel() * module.in_features

    def lstm(self, module, inputs, output):
        steps = inputs[0].shape[1] if module.batch_first else inputs[0].shape[0]
        self.macs += steps * sum(p.numel() for n, p in module.named_parameters() if n.startswith("weight"))

    def attention(self, module, inputs, output):
        tokens, channels = output[0].shape[-2:]
        self.macs += 4 * tokens * channels * channels + 2 * tokens * tokens * channels

    def matmul(self, a, b):
        if not isinstance(b, nn.Parameter):
            self.macs += math.prod(torch.broadcast_shapes(a.shape[:-2], b.shape[:-2])) * a.shape[-2] * a.shape[-1] * b.shape[-1]


def count_macs(model, example):
    counter = Counter(model)
    original = torch.Tensor.matmul, torch.matmul
    functional_linear = torch.nn.functional.linear

    def matmul(a, b):
        counter.matmul(a, b)
        return original[1](a, b)

    def linear(x, weight, bias=None):
        counter.macs += x.numel() * weight.shape[0]
        return functional_linear(x, weight, bias)

    torch.Tensor.matmul = torch.matmul = matmul
    swin = torchvision.models.swin_transformer.F
    try:
        swin_linear = [m for m in model.modules() if type(m).__name__ == "ShiftedWindowAttention"]
        if swin_linear:  # its layers call the function, not the modules
            hidden = {id(layer) for m in swin_linear for layer in (m.qkv, m.proj)}
            for module in model.modules():
                if id(module) in hidden:
                    module._forward_hooks.clear()
            plain = [m for m in model.modules() if isinstance(m, nn.Linear) and id(m) not in hidden]
            for module in plain:
                module._forward_hooks.clear()
            swin.linear = linear
        with torch.no_grad():
            model(*example)
    finally:
        torch.Tensor.matmul, torch.matmul = original
        swin.linear = functional_linear
    for hook in counter.hooks:
        hook.remove()
    return counter.macs


class Decoder(nn.Module):
    """A decoder of the size of GPT-2 small, one pass over all tokens."""

    def __init__(self, vocabulary=50257, positions=1024, channels=768, heads=12, blocks=12):
        super().__init__()
        self.words = nn.Embedding(vocabulary, channels)
        self.positions = nn.Embedding(positions, channels)
        self.blocks = nn.ModuleList(DecoderBlock(channels, heads) for _ in range(blocks))
        self.norm = nn.LayerNorm(channels)
        self.head = nn.Linear(channels, vocabulary, bias=False)
        self.head.weight = self.words.weight

    def forward(self, tokens):
        x = self.words(tokens) + self.positions(torch.arange(tokens.shape[1]))
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


class DecoderBlock(nn.Module):
    def __init__(self, channels, heads):
        super().__init__()
        self.heads = heads
        self.norm1 = nn.LayerNorm(channels)
        self.qkv = nn.Linear(channels, 3 * channels)
        self.projection = nn.Linear(channels, channels)
        self.norm2 = nn.LayerNorm(channels)
        self.fc1 = nn.Linear(channels, 4 * channels)
        self.fc2 = nn.Linear(4 * channels, channels)

    def forward(self, x):
        batch, tokens, channels = x.shape
        q, k, v = self.qkv(self.norm1(x)).split(channels, dim=2)
        q, k, v = (t.view(batch, tokens, self.heads, channels // self.heads).transpose(1, 2) for t in (q, k, v))
        scores = q.matmul(k.transpose(-2, -1)) / math.sqrt(channels // self.heads)
        mask = torch.triu(torch.full((tokens, tokens), -1e9), 1)
        context = (scores + mask).softmax(-1).matmul(v)
        x = x + self.projection(context.transpose(1, 2).reshape(batch, tokens, channels))
        inner = self.fc1(self.norm2(x))
        gelu = 0.5 * inner * (1 + torch.tanh(math.sqrt(2 / math.pi) * (inner + 0.044715 * inner**3)))
        return x + self.fc2(gelu)


class Bert(nn.Module):
    """The encoder of BERT with its pooler, of the size of bert-base-uncased."""

    def __init__(self, vocabulary=30522, positions=512, types=2, channels=768, heads=12, blocks=12):
        super().__init__()
        self.words = nn.Embedding(vocabulary, channels)
        self.positions = nn.Embedding(positions, channels)
        self.types = nn.Embedding(types, channels)
        self.norm = nn.LayerNorm(channels)
        self.blocks = nn.ModuleList(EncoderBlock(channels, heads) for _ in range(blocks))
        self.pooler = nn.Linear(channels, channels)

    def forward(self, tokens, types):
        x = self.words(tokens) + self.positions(torch.arange(tokens.shape[1])) + self.types(types)
        x = self.norm(x)
        for block in self.blocks:
            x = block(x)
        return self.pooler(x[:, 0]).tanh()


class EncoderBlock(nn.Module):
    def __init__(self, channels, heads):
        super().__init__()
        self.heads = heads
        self.q, self.k, self.v = (nn.Linear(channels, channels) for _ in range(3))
        self.projection = nn.Linear(channels, channels)
        self.norm1 = nn.LayerNorm(channels)
        self.fc1 = nn.Linear(channels, 4 * channels)
        self.fc2 = nn.Linear(4 * channels, channels)
        self.norm2 = nn.LayerNorm(channels)

    def forward(self, x):
        batch, tokens, channels = x.shape
        q, k, v = (layer(x).view(batch, tokens, self.heads, channels // self.heads).transpose(1, 2)
                   for layer in (self.q, self.k, self.v))
        scores = q.matmul(k.transpose(-2, -1)) / math.sqrt(channels // self.heads)
        context = scores.softmax(-1).matmul(v).transpose(1, 2).reshape(batch, tokens, channels)
        x = self.norm1(x + self.projection(context))
        return self.norm2(x + self.fc2(nn.functional.gelu(self.fc1(x))))


def double_convolution(inputs, outputs):
    return nn.Sequential(nn.Conv2d(inputs, outputs, 3, padding=1), nn.BatchNorm2d(outputs), nn.ReLU(),
                         nn.Conv2d(outputs, outputs, 3, padding=1), nn.BatchNorm2d(outputs), nn.ReLU())


class UNet(nn.Module):
    """A U-Net with four scales and skips."""

    def __init__(self, channels=(32, 64, 128, 256), classes=2):
        super().__init__()
        self.down = nn.ModuleList(double_convolution(a, b) for a, b in zip((3, *channels), channels))
        pairs = list(zip(channels[::-1], channels[-2::-1]))
        self.up = nn.ModuleList(nn.ConvTranspose2d(a, b, 2, stride=2) for a, b in pairs)
        self.join = nn.ModuleList(double_convolution(2 * b, b) for _, b in pairs)
        self.classifier = nn.Conv2d(channels[0], classes, 1)

    def forward(self, x):
        skips = []
        for i, block in enumerate(self.down):
            x = block(x if i == 0 else nn.functional.max_pool2d(x, 2))
            skips.append(x)
        for up, join, skip in zip(self.up, self.join, skips[-2::-1]):
            x = join(torch.cat([skip, up(x)], 1))
        return self.classifier(x)


class LanguageLstm(nn.Module):
    """The layers of `lstm-small`: two LSTM layers of 200 channels and a classifier over 10,000 words."""

    def __init__(self, vocabulary=10000, channels=200, layers=2):
        super().__init__()
        self.words = nn.Embedding(vocabulary, channels)
        self.lstm = nn.LSTM(channels, channels, layers, batch_first=True)
        self.classifier = nn.Linear(channels, vocabulary)

    def forward(self, tokens):
        return self.classifier(self.lstm(self.words(tokens))[0]).softmax(-1)


def image(side):
    return (torch.zeros(1, 3, side, side),)


def words(tokens):
    return (torch.zeros(1, tokens, dtype=torch.long),)


BATCH = {0: "batch"}
IMAGE = {0: "batch", 2: "image_px", 3: "image_px"}
TOKENS = {0: "batch", 1: "tokens"}

models = torchvision.models
# name: network, example, open dimensions of the input
NETWORKS = {
    "alexnet": (lambda: models.alexnet(), image(224), BATCH),
    "googlenet": (lambda: models.googlenet(aux_logits=False, init_weights=False), image(224), IMAGE),
    "inception-v3": (lambda: models.inception_v3(aux_logits=False, init_weights=False), image(299), IMAGE),
    "densenet-121": (lambda: models.densenet121(), image(224), IMAGE),
    "resnet-50": (lambda: models.resnet50(), image(224), IMAGE),
    "shufflenet-v2": (lambda: models.shufflenet_v2_x1_0(), image(224), IMAGE),
    "squeezenet": (lambda: models.squeezenet1_1(), image(224), IMAGE),
    "vgg-19": (lambda: models.vgg19(init_weights=False), image(224), BATCH),
    "mobilenet-v2": (lambda: models.mobilenet_v2(), image(224), IMAGE),
    "mobilenet-v3": (lambda: models.mobilenet_v3_large(), image(224), IMAGE),
    "swin-t": (lambda: models.swin_t(), image(224), {}),
    "vit-b-16": (lambda: models.vit_b_16(), image(224), {}),
    "decoder": (Decoder, words(64), TOKENS),
    "bert": (Bert, words(64) + words(64), TOKENS),
    "u-net": (UNet, image(128), IMAGE),
    "lstm": (LanguageLstm, words(20), TOKENS),
}


# Operator sets besides 13: 14 has the upper triangle of a mask, 17 layer normalization as one operator.
OPSETS = {"decoder": 14, "swin-t": 17}


# Folding would make a second matrix of the one that embedding and classifier share, and large tables of position biases.
UNFOLDED = {"decoder", "swin-t"}


def compact(path):
    """Moves tables that nothing trains, such as masks, to external data, which is not kept, and shortens names."""
    model = onnx.load(path)
    fixed = {value.name for value in [*model.graph.input, *model.graph.output, *model.graph.initializer]}
    short = {}
    for node in model.graph.node:
        for i, name in enumerate(node.output):
            if name not in fixed:
                node.output[i] = short.setdefault(name, f"t{len(short)}")
        for i, name in enumerate(node.input):
            node.input[i] = short.get(name, name)
        for attribute in node.attribute:
            if attribute.HasField("t") and len(attribute.t.raw_data) > 1024:
                set_external_data(attribute.t, "tables.bin")
                attribute.t.ClearField("raw_data")
        if node.op_type == "Constant":
            node.ClearField("name")
        node.ClearField("doc_string")
    with open(path, "wb") as file:
        file.write(model.SerializeToString())


def main(folder, chosen):
    warnings.simplefilter("ignore")
    os.makedirs(folder, exist_ok=True)
    rows = []
    for name, (make, example, axes) in NETWORKS.items():
        if chosen and name not in chosen:
            continue
        torch.manual_seed(0)
        model = make().eval()
        parameters = sum(p.numel() for p in model.parameters())
        macs = count_macs(model, example)
        size = example[0].shape[-1]
        path = os.path.join(folder, name + ".onnx")
        with torch.no_grad():  # equal tensors would be merged into one
            for tensor in [*model.parameters(), *model.buffers()]:
                if tensor.is_floating_point():
                    tensor.uniform_(0.5, 1.5)
        inputs = ["input", "types"][:len(example)]
        torch.onnx.export(model, example, path, export_params=False, opset_version=OPSETS.get(name, 13), input_names=inputs,
                          output_names=["output"], dynamic_axes=dict.fromkeys(inputs, axes) if axes else None,
                          do_constant_folding=name not in UNFOLDED)
        compact(path)
        rows.append([name, size, parameters, macs])
        print(name, size, parameters, macs, os.path.getsize(path), flush=True)
    with open(os.path.join(folder, "sizes.csv"), "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["network", "size", "parameters", "macs"])
        writer.writerows(rows)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
