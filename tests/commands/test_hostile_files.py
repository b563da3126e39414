"""Network files that are made to cost time or memory are read or refused within 2 s of processor time and 512 MiB."""

import json
import os
import pathlib
import resource
import subprocess
import tempfile
import unittest

PROGRAM = os.environ["PIMSWEEP"]
MEMORY = 512 << 20
SECONDS = 2
HUGE = 1 << 40


def varint(value):
    digits = bytearray()
    while value >= 128:
        digits.append(value & 127 | 128)
        value >>= 7
    return bytes(digits + bytes([value]))


def number(field, value):
    return varint(field << 3) + varint(value)


def nested(field, content):
    content = content.encode() if isinstance(content, str) else content
    return varint(field << 3 | 2) + varint(len(content)) + content


def node_body(kind, inputs, outputs, attributes=b"", domain=""):
    names = b"".join(nested(1, name) for name in inputs) + b"".join(nested(2, name) for name in outputs)
    return names + nested(4, kind) + attributes + (nested(7, domain) if domain else b"")


def node(kind, inputs, outputs, attributes=b"", domain=""):
    return nested(1, node_body(kind, inputs, outputs, attributes, domain))


def attribute(name, value):
    return nested(5, nested(1, name) + number(3, value) + number(20, 2))


def tensor(name, shape, values=()):
    """An initializer: 64-bit integers if it has values, else floating-point weights."""
    content = b"".join(number(1, extent) for extent in shape) + number(2, 7 if values else 1) + nested(8, name)
    return nested(5, content + (nested(7, b"".join(map(varint, values))) if values else b""))


def tensor_info(field, name, shape):
    extents = b"".join(nested(1, number(1, extent)) for extent in shape)
    return nested(field, nested(1, name) + nested(2, nested(1, number(1, 1) + nested(2, extents))))


def onnx(nodes, shape=(1, 64), functions=b""):
    graph = tensor_info(11, "x", shape) + nodes + tensor_info(12, "y", (1, 64))
    return number(1, 9) + nested(7, graph) + nested(8, number(2, 20)) + nested(8, nested(1, "own") + number(2, 1)) + functions


def function(name, nodes):
    return nested(25, nested(1, name) + nested(4, "a") + nested(5, "b") + b"".join(nested(7, one) for one in nodes)
                  + nested(9, number(2, 20)) + nested(10, "own"))


def chain(kind, count, width=1):
    """Operators that read the output of the one before, `width` times."""
    names = ["x", *(f"n{i}" for i in range(count - 1)), "y"]
    return b"".join(node(kind, [names[i]] * width, [names[i + 1]]) for i in range(count))


def call(name, read, written):
    return node_body(name, [read], [written], domain="own")


def doubling_functions(depth):
    """Each function calls the one before twice."""
    first = function("f0", [node_body("Relu", ["a"], ["c"]), node_body("Relu", ["c"], ["b"])])
    return first + b"".join(function(f"f{i}", [call(f"f{i - 1}", "a", "c"), call(f"f{i - 1}", "c", "b")])
                            for i in range(1, depth))


def shape_chain(count):
    """Arithmetic on the shape of the input."""
    names = [f"s{i}" for i in range(count + 1)]
    return (tensor("one", [1], [1]) + node("Shape", ["x"], ["s0"])
            + b"".join(node("Mul", [names[i], "one"], [names[i + 1]]) for i in range(count))
            + node("Reshape", ["x", names[-1]], ["y"]))


def long_constants(count):
    """A thousand numbers each."""
    names = [f"s{i}" for i in range(count + 1)]
    return (tensor("n", [1], [1000]) + node("ConstantOfShape", ["n"], ["s0"])
            + b"".join(node("Add", [names[i], "s0"], [names[i + 1]]) for i in range(count))
            + node("Reshape", ["x", names[-1]], ["y"]))


def made_shape(kind, inputs, constants):
    return constants + node(kind, inputs, ["s"]) + node("Reshape", ["x", "s"], ["y"])


LLAMA = {"architectures": ["LlamaForCausalLM"], "model_type": "llama"}
CONVOLUTION = "C, 58, 58, 3, 3, 16, 64, 1,\n"
TOPOLOGY = "Layer name, IFMAP Height, IFMAP Width, Filter Height, Filter Width, Channels, Num Filter, Strides,\n"
LAYERS = 'family = "layers"\n[[model]]\nname = "n"\ninput = { features = 8 }\n'

# Name, content, and a part of the message; an empty part: the network is read.
FILES = [
    ("nodes.onnx", lambda: onnx(chain("Relu", 30_000)), ""),
    ("more-nodes.onnx", lambda: onnx(chain("Relu", 150_000)), "more than 100000 operators"),
    ("diamonds.onnx", lambda: onnx(chain("Add", 20_000, width=2)), ""),
    ("inputs.onnx", lambda: onnx(node("Concat", ["x"] * 1_000_000, ["y"], attribute("axis", 1))), "more than 800000"),
    ("outputs.onnx", lambda: onnx(node("Split", ["x"], [f"y{i}" for i in range(150_000)], attribute("axis", 1)),
                                  (1, 150_000)), "more than 100000 operators"),
    ("doubling.onnx", lambda: onnx(node("f31", ["x"], ["y"], domain="own"), functions=doubling_functions(32)), "more than"),
    ("cycle.onnx", lambda: onnx(node("f", ["x"], ["y"], domain="own"),
                                functions=function("f", [call("g", "a", "b")]) + function("g", [call("f", "a", "b")])),
     "more than 32 deep"),
    ("shapes.onnx", lambda: onnx(shape_chain(40_000)), ""),
    ("constants.onnx", lambda: onnx(long_constants(20_000)), "more than 4000000 constants"),
    ("range.onnx", lambda: onnx(made_shape("Range", ["i", "n", "i"], tensor("n", [], [HUGE]) + tensor("i", [], [1]))), "must be constant"),
    ("expand.onnx", lambda: onnx(made_shape("Expand", ["n", "n"], tensor("n", [1], [HUGE]))), "must be constant"),
    ("extents.onnx", lambda: onnx(chain("Relu", 1), (1, 1 << 62, 1 << 62)), "more than 2^53"),
    ("dimensions.onnx", lambda: onnx(chain("Relu", 1), (1,) * 100_000), "100000 dimensions"),
    ("groups.onnx", lambda: onnx(tensor("w", [1 << 30, 1, 3, 3]) + node("Conv", ["x", "w"], ["y"], attribute("group", 1 << 30)),
                                 (1, 1 << 30, 8, 8)), ""),
    ("blocks.json", lambda: json.dumps(LLAMA | {"num_hidden_layers": 10**9}), "from 1 to 1000 is needed"),
    ("brackets.json", lambda: "[" * 1_000_000, "nested more than 64 deep"),
    ("parts.json", lambda: '{"model_type":"gemma3","text_config":' * 20_000, "nested more than 64 deep"),
    ("large.json", lambda: json.dumps(LLAMA) + " " * (64 << 20), "more than the 4194304"),
    ("kinds.json", lambda: json.dumps(LLAMA | {"model_type": "qwen3", "layer_types": ["full_attention"] * 150_000}), ""),
    ("rows.csv", lambda: TOPOLOGY + CONVOLUTION * 20_000, ""),
    ("million.csv", lambda: TOPOLOGY + CONVOLUTION * 1_000_000, "more than the 4194304"),
    ("cell.csv", lambda: TOPOLOGY + "C" * 3_900_000 + CONVOLUTION, "at most 256 bytes"),
    ("columns.csv", lambda: TOPOLOGY + CONVOLUTION.strip() + " 1," * 1_000_000, ""),
    ("quote.csv", lambda: TOPOLOGY + '"' + "C\n" * 1_900_000, "never closed"),
    ("blocks.toml", lambda: 'family = "decoder"\n[[model]]\nname = "n"\nblocks = 1000000000\n', "from 1 to 1000 is needed"),
    ("list.toml", lambda: LAYERS + "layers = [" + '"relu",' * 30_000 + "]\n", "a list of 1 to 1000 layers"),
    ("large.toml", lambda: LAYERS + "layers = [" + '"relu",' * 300_000 + "]\n", "more than the 262144"),
    ("repeats.toml", lambda: LAYERS.replace("[[model]]", "".join(
        f'[block.b{i}]\nlayers = ["b{i - 1} repeat 1000"]\n' if i else '[block.b0]\nlayers = ["relu"]\n' for i in range(8))
        + "[[model]]") + 'layers = ["b7 repeat 1000"]\n', "more than 100000 operators"),
]


def limit_memory():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def processor_time():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


class HostileFiles(unittest.TestCase):
    def test_hostile_files(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, content, message in FILES:
                with self.subTest(name):
                    made = content()
                    file = pathlib.Path(folder) / name
                    file.write_bytes(made if isinstance(made, bytes) else made.encode())
                    start = processor_time()
                    done = subprocess.run([PROGRAM, "model", str(file)], capture_output=True, timeout=120, preexec_fn=limit_memory)
                    self.assertLess(processor_time() - start, SECONDS)
                    said = done.stderr.decode()
                    self.assertEqual(done.returncode, 2 if message else 0, said[:500])
                    self.assertIn(message, said[:2000])


if __name__ == "__main__":
    unittest.main()
