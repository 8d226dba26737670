#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Imports networks of others: quantised ones, those in float16, readers of lines.

    imports.py PLATEN ROOT

Quantised graphs are written here as onnxruntime writes them (bytes without a sign, biases of 32 bits, a Relu left out
where the grid ends at 0), as PyTorch does (bytes with a sign, weights of floats with QuantizeLinear behind, biases
of floats) and as old tools do (weights with a zero point of their own). Every output of the model file lies within
one step of that output's grid of what the graph gives when every node of it is run.
"""
import json, os, subprocess, sys, tempfile, unittest

import numpy as np

PLATEN, ROOT = map(os.path.abspath, sys.argv[1:])
sys.path.insert(0, os.path.join(ROOT, "train"))
sys.dont_write_bytecode = True
os.environ.pop("PLATEN_MODELS", None)  # the user's: pages made of patterns are read without a network that finds lines
from onnx_file import KINDS, Graph  # noqa: E402

CHANNELS = 8


class Net(Graph):
    """A graph whose values are put on grids; `signed`: bytes from -128 on."""

    def __init__(self, seed, signed=False):
        super().__init__()
        self.rng = np.random.default_rng(seed)
        self.signed, self.n = signed, 0
        self.scale, self.steps = {}, {}  # of values on grids; of weights

    def name(self, what):
        self.n += 1
        return f"{what}{self.n}"

    def byte(self, v):
        return np.int8(v) if self.signed else np.uint8(v)

    def const(self, what, array):
        return self.constant(self.name(what), array)

    def op(self, kind, *inputs, **attributes):
        return self.node(self.name(kind.lower()), kind, inputs, **attributes)

    def grid(self, scale, zero):
        return [self.const("scale", np.float32(scale)), self.const("zero", self.byte(zero))]

    def quantized(self, x, scale, zero):
        """x on the grid of bytes; with bytes of a sign the zero point is 128 lower."""
        grid = self.grid(scale, zero - 128 if self.signed else zero)
        y = self.op("DequantizeLinear", self.op("QuantizeLinear", x, *grid), *grid)
        self.scale[y] = np.float32(scale)
        return y

    def weights(self, shape, axis=None, way="bytes", size=.5):
        """Weights on steps: one for all, or one for each entry of an axis."""
        steps = np.full(1, size / 127, np.float32) if axis is None else \
            (size / 127 * self.rng.uniform(.3, 1, shape[axis])).astype(np.float32)
        q = self.rng.integers(-127, 128, shape).astype(np.int8)
        zero = np.zeros(steps.shape, np.int8)
        if way == "asymmetric":
            q, zero = self.rng.integers(0, 256, shape).astype(np.uint8), np.full(steps.shape, 90, np.uint8)
        along = steps if axis is None else steps.reshape([-1 if k == axis else 1 for k in range(len(shape))])
        if axis is None:
            steps, zero = steps.reshape(()), zero.reshape(())
        scale, zero = self.const("step", steps), self.const("none", zero)
        axis = {} if axis is None else {"axis": axis}
        if way == "floats":
            noise = self.rng.uniform(-.3, .3, shape)
            q = self.op("QuantizeLinear", self.const("w", ((q + noise) * along).astype(np.float32)), scale, zero, **axis)
        else:
            q = self.const("w", q)
        w = self.op("DequantizeLinear", q, scale, zero, **axis)
        self.steps[w] = steps
        return w

    def bias(self, n, x, w):
        """A bias of 32 bits for the product of x and w."""
        q, steps = self.rng.integers(-3000, 3000, n).astype(np.int32), np.broadcast_to(self.steps[w] * self.scale[x], n)
        return self.op("DequantizeLinear", self.const("b", q), self.const("step", np.ascontiguousarray(steps)), axis=0)

    def conv(self, x, out, ins, k=3, axis=0, way="bytes", bias=True, **attributes):
        w = self.weights([out, ins // attributes.get("group", 1), k, k], axis, way)
        b = [self.bias(out, x, w)] if bias else []
        return self.op("Conv", x, w, *b, kernel_shape=[k, k], pads=[k // 2] * 4, **attributes)


def seen(name, array):
    with open(name, "wb") as f:
        np.save(f, array)


class QuantizedGraphs(unittest.TestCase):
    def run_graph(self, net, outputs, shape=(1, 3, 12, 16), size=1.0, options=()):
        """Checks outputs {name: step of its grid}; gives the description of the model file."""
        with tempfile.TemporaryDirectory() as folder:
            def path(name):
                return os.path.join(folder, name)
            with open(path("m.onnx"), "wb") as f:
                f.write(net.model({"x": list(shape)}, {o: [1] * 4 for o in outputs}, {"name": "test"}))
            seen(path("x.npy"), net.rng.uniform(-size, size, shape).astype(np.float32))
            run = [PLATEN, "model"]
            subprocess.run([*run, "import", path("m.onnx"), "-o", path("m.platen"), *options], check=True, stdout=subprocess.DEVNULL)
            subprocess.run([*run, "run", "--passes", "none", path("m.onnx"), path("x.npy"), "-o", path("want.npy")], check=True)
            subprocess.run([*run, "run", path("m.platen"), path("x.npy"), "-o", path("got.npy")], check=True)
            for i, (name, step) in enumerate(outputs.items()):
                end = f".{i}.npy" if i else ".npy"
                want, got = np.load(path("want" + end)), np.load(path("got" + end))
                self.assertEqual(want.shape, got.shape)
                self.assertGreater(want.std(), step, f"{name} tells nothing")
                self.assertLessEqual(np.abs(want - got).max(), step * 1.001, name)
            return subprocess.run([*run, "info", path("m.platen")], check=True, capture_output=True, text=True).stdout

    def count(self, text, op):
        return sum(line.split()[1] == op for line in text.splitlines() if line[:5].strip().isdigit())

    def test_convolutions(self):
        """A network as onnxruntime writes it: no Relu, since the grids end at 0."""
        for axis in (None, 0):
            net = Net(1)
            x = net.quantized("x", 1 / 127, 127)
            a = net.quantized(net.conv(x, CHANNELS, 3, axis=axis), .02, 0)
            b = net.quantized(net.conv(a, CHANNELS, CHANNELS, axis=axis, group=CHANNELS), .02, 100)
            c = net.quantized(net.conv(b, CHANNELS, CHANNELS, k=1, axis=axis), .04, 128)
            d = net.quantized(net.op("Add", a, c), .05, 80)
            info = self.run_graph(net, {d: .05})
            self.assertEqual((self.count(info, "QConv"), self.count(info, "QDepthwiseConv"), self.count(info, "QAdd")), (2, 1, 1))
            self.assertEqual(self.count(info, "Clip"), 0)

    def test_pytorch(self):
        """Bytes with a sign on grids around 0, behind which a Relu is no matter of rounding."""
        for axis in (None, 0):
            net = Net(2, signed=True)
            x = net.quantized("x", 1 / 127, 128)
            a = net.quantized(net.op("Relu", net.conv(x, CHANNELS, 3, axis=axis, way="floats", bias=False)), .02, 128)
            b = net.quantized(net.conv(a, CHANNELS, CHANNELS, axis=axis, way="floats"), .04, 128)
            info = self.run_graph(net, {b: .04})
            self.assertEqual(self.count(info, "QConv"), 2)
            self.assertEqual(self.count(info, "Relu"), 0)

    def test_asymmetric_weights(self):
        for signed in (False, True):
            net = Net(3, signed)
            x = net.quantized("x", 1 / 127, 127)
            a = net.quantized(net.conv(x, CHANNELS, 3, axis=None, way="asymmetric"), .04, 0)
            b = net.quantized(net.conv(a, CHANNELS, CHANNELS, axis=None, way="asymmetric"), .3, 100)
            self.run_graph(net, {b: .3})

    def test_activations(self):
        """HardSwish and Swish written out, each step on a grid of its own."""
        for function, top in (("HardSigmoid", 1.0), ("Sigmoid", 1.0), ("HardSigmoid", .9)):
            net = Net(4)
            more = {"alpha": 1 / 6, "beta": .5} if function == "HardSigmoid" else {}
            x = net.quantized("x", 1 / 127, 127)
            a = net.quantized(net.conv(x, CHANNELS, 3), .05, 120)
            h = net.quantized(net.op(function, a, **more), top / 255, 0)
            m = net.quantized(net.op("Mul", a, h), .03, 15)
            b = net.quantized(net.conv(m, CHANNELS, CHANNELS), .05, 128)
            info = self.run_graph(net, {b: .05})
            self.assertEqual(self.count(info, "QConv"), 2)

    def test_gate(self):
        net = Net(5)
        x = net.quantized("x", 1 / 127, 127)
        a = net.quantized(net.op("Relu", net.conv(x, CHANNELS, 3)), .02, 0)
        m = net.quantized(net.op("GlobalAveragePool", a), .01, 0)
        m = net.quantized(net.op("Relu", net.conv(m, 4, CHANNELS, k=1)), .01, 0)
        m = net.quantized(net.op("HardSigmoid", net.conv(m, CHANNELS, 4, k=1), alpha=.2, beta=.5), 1 / 255, 0)
        m = net.quantized(net.op("Mul", a, m), .02, 0)
        b = net.quantized(net.conv(m, 4, CHANNELS), .05, 128)
        self.run_graph(net, {b: .05})

    def test_windows(self):
        net = Net(6)
        x = net.quantized("x", 1 / 127, 127)
        a = net.quantized(net.conv(x, CHANNELS, 3), .02, 0)
        p = net.op("MaxPool", a, kernel_shape=[2, 2], strides=[2, 2])
        p = net.quantized(p, .02, 0)
        u = net.op("Resize", p, "", net.const("scales", np.array([1, 1, 2, 2], np.float32)), mode="nearest",
                   coordinate_transformation_mode="asymmetric", nearest_mode="floor")
        c = net.quantized(net.op("Concat", a, net.quantized(u, .02, 0), axis=1), .025, 0)
        w = net.weights([2 * CHANNELS, 4, 2, 2], 1)
        t = net.quantized(net.op("ConvTranspose", c, w, net.bias(4, c, w), kernel_shape=[2, 2], strides=[2, 2]), .06, 128)
        self.run_graph(net, {t: .06})

    def test_matrices(self):
        for axis in (None, 1):
            net = Net(7)
            x = net.quantized("x", 1 / 127, 127)
            w = net.weights([16, 12], axis)
            a = net.quantized(net.op("MatMul", x, w), .02, 128)
            b = net.quantized(net.op("Add", a, net.bias(12, x, w)), .02, 128)
            c = net.quantized(net.op("MatMul", b, net.weights([12, 10], axis)), .03, 128)
            self.run_graph(net, {c: .03})

    def test_ends(self):
        """What only goes over a grid, to outputs too; one grid for two outputs."""
        net = Net(8)
        a, b = net.quantized("x", 1 / 127, 127), net.quantized("x", 1 / 50, 100)
        info = self.run_graph(net, {a: 1 / 127, net.op("Relu", b): 1 / 50, b: 1 / 50})
        self.assertNotIn("DequantizeLinear", info)

    def test_floats_beside(self):
        """What reads the floats beside the bytes reads what no grid has touched."""
        net = Net(9)
        x = net.quantized("x", 1 / 127, 127)
        y = net.conv(x, CHANNELS, 3)
        a = net.conv(net.quantized(y, .005, 0), 4, CHANNELS)
        self.run_graph(net, {net.op("Neg", y): .005, net.quantized(a, .02, 128): .02})

    def test_other_grid_behind(self):
        """Bytes that are read with another meaning than they were written with stay bytes."""
        net = Net(10)
        q = net.op("QuantizeLinear", "x", *net.grid(1 / 127, 127))
        a = net.op("DequantizeLinear", q, *net.grid(1 / 60, 100))
        b = net.quantized(net.conv(a, CHANNELS, 3, bias=False), .05, 128)
        self.run_graph(net, {b: .05})

    def test_float_layers_stay(self):
        """Layers whose weights the graph keeps as floats, LSTM among them, compute in floats."""
        net = Net(11)
        x = net.quantized("x", 1 / 127, 127)
        a = net.quantized(net.conv(x, CHANNELS, 3), .02, 0)
        w = net.const("plain", net.rng.uniform(-.5, .5, [4, CHANNELS, 1, 1]).astype(np.float32))
        b = net.op("Conv", a, w, kernel_shape=[1, 1])
        s = net.op("ReduceMean", b, axes=[2], keepdims=0)
        s = net.op("Transpose", s, perm=[2, 0, 1])
        r = net.op("LSTM", s, net.const("wi", net.rng.uniform(-1, 1, [1, 24, 4]).astype(np.float32)),
                   net.const("wr", net.rng.uniform(-1, 1, [1, 24, 6]).astype(np.float32)), hidden_size=6)
        info = self.run_graph(net, {r: 1e-5})
        self.assertEqual((self.count(info, "QConv"), self.count(info, "QLSTM")), (1, 0))

    def test_operators_of_bytes(self):
        """QLinearConv and QLinearMatMul, the form before QuantizeLinear stood around every operator."""
        net = Net(12)
        gx, ga, gb = net.grid(1 / 127, 127), net.grid(.02, 0), net.grid(.04, 128)
        q = net.op("QuantizeLinear", "x", *gx)
        steps = net.const("s", (net.rng.uniform(.3, 1, CHANNELS) / 254).astype(np.float32))
        zeros = net.const("z", np.zeros(CHANNELS, np.int8))
        w = net.const("w", net.rng.integers(-127, 128, [CHANNELS, 3, 3, 3]).astype(np.int8))
        q = net.op("QLinearConv", q, *gx, w, steps, zeros, *ga, net.const("b", net.rng.integers(-3000, 3000, CHANNELS).astype(np.int32)),
                   kernel_shape=[3, 3], pads=[1] * 4)
        q = net.op("QLinearMatMul", q, *ga, net.const("w", net.rng.integers(-127, 128, [16, 10]).astype(np.int8)),
                   net.const("s", np.float32(.004)), net.const("z", np.int8(0)), *gb)
        y = net.op("DequantizeLinear", q, *gb)
        info = self.run_graph(net, {y: .04})
        self.assertEqual((self.count(info, "QConv"), self.count(info, "QGemm")), (1, 1))


class Folder(unittest.TestCase):
    """Tests that write files into a folder of their own."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def write(self, name, data):
        with open(self.path(name), "wb") as f:
            f.write(data)

    def platen(self, *args):
        return subprocess.run([PLATEN, "model", *args], cwd=self.folder.name, capture_output=True, text=True)

    def results(self, *args):
        self.assertEqual(self.platen("run", *args, "x.npy", "-o", "y.npy").returncode, 0)
        return np.load(self.path("y.npy"))


class Halves(Folder):
    """A graph in float16, whose ends are of float16 too."""

    def setUp(self):
        super().setUp()
        rng = np.random.default_rng(13)
        g = Graph()
        w = g.constant("w", rng.uniform(-.5, .5, [8, 3, 3, 3]).astype(np.float16))
        b = g.constant("b", rng.uniform(-.5, .5, [8]).astype(np.float16))
        v = g.constant("v", rng.uniform(-.5, .5, [4, 8, 1, 1]).astype(np.float16))
        y = g.node("first", "Relu", [g.node("conv", "Conv", ["x", w, b], kernel_shape=[3, 3], pads=[1] * 4)])
        y = g.node("wide", "Cast", [y], to=KINDS["float32"])
        y = g.node("narrow", "Cast", [g.node("root", "Sqrt", [y])], to=KINDS["float16"])
        y = g.node("last", "Conv", [y, v], kernel_shape=[1, 1])
        ends = {"x": [1, 3, 12, 16]}, {y: [1, 4, 12, 16]}
        self.write("m.onnx", g.model(*ends, {"name": "test"}, KINDS["float16"]))
        seen(self.path("x.npy"), rng.uniform(-1, 1, [1, 3, 12, 16]).astype(np.float16))

    def test_floats_inside(self):
        done = self.platen("import", "m.onnx", "-o", "m.platen")
        self.assertRegex(done.stdout, r"^m.platen: sqnr \d\d\.\d dB against 'm.onnx', on 1 set of made arrays\n$")
        info = self.platen("info", "m.platen").stdout
        self.assertIn("quantize = fp16", info)
        self.assertEqual(info.count("  Cast  "), 2, "casts other than those of the ends")
        want, got = self.results("--passes", "none", "m.onnx"), self.results("m.platen")
        self.assertEqual(got.dtype, np.float16)
        self.assertLess(np.abs(want.astype(float) - got).max(), 4e-3)

    def test_bytes(self):
        done = self.platen("import", "m.onnx", "-o", "m.platen", "--quantize", "int8", "--calibrate", "x.npy")
        self.assertRegex(done.stdout, r"sqnr [34]\d\.\d dB against 'm.onnx', on 1 set of the arrays")
        info = self.platen("info", "m.platen").stdout
        self.assertEqual(info.count("  QConv "), 2)

    def test_nothing_for_bytes(self):
        g = Graph()
        g.node("y", "Relu", ["x"])
        self.write("r.onnx", g.model({"x": [1, 3, 12, 16]}, {"y": [1, 3, 12, 16]}, {"name": "test"}, KINDS["float16"]))
        done = self.platen("import", "r.onnx", "-o", "r.platen", "--quantize", "int8", "--calibrate", "x.npy")
        self.assertEqual(done.returncode, 1)
        self.assertIn("no layer of 'r.onnx' can compute in bytes", done.stderr)

    def test_too_far(self):
        """One step for weights of sizes that lie far apart leaves nothing of the small ones."""
        g = Graph()
        w = np.ones([2, 3, 1, 1], np.float32)
        w[1] *= 1e-4
        y = g.node("conv", "Conv", ["x", g.constant("w", w)], kernel_shape=[1, 1])
        y = g.node("y", "Gather", [y, g.constant("one", np.int64([1]))], axis=1)
        self.write("f.onnx", g.model({"x": [1, 3, 12, 16]}, {y: [1, 1, 12, 16]}, {"name": "test"}))
        seen(self.path("x.npy"), np.load(self.path("x.npy")).astype(np.float32))
        more = ["--quantize", "int8", "--calibrate", "x.npy"]
        self.assertEqual(self.platen("import", "f.onnx", "-o", "f.platen", *more).returncode, 0)
        done = self.platen("import", "f.onnx", "-o", "g.platen", *more, "--per-tensor")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"unable to write 'g.platen': sqnr 0.0 dB against 'f.onnx' is less than 6")
        self.assertFalse(os.path.exists(self.path("g.platen")))

    def test_not_compared(self):
        """A graph that numbers made for it cannot go through is written, and that is said."""
        g = Graph()
        g.node("y", "MatMul", ["x", g.constant("w", np.ones([16, 2], np.float32))])
        self.write("n.onnx", g.model({"x": [1, 3, 12, "columns"]}, {"y": [1, 3, 12, 2]}, {"name": "test"}))
        done = self.platen("import", "n.onnx", "-o", "n.platen")
        self.assertRegex(done.stdout, r"^n.platen: not compared with 'n.onnx': node 'y' \(MatMul\): ")


class Readers(Folder):
    """A network that reads lines, as PaddleOCR exports its own: cells of 8 columns, a softmax at the end."""

    CLASSES, HEIGHT = 5, 16

    def setUp(self):
        super().setUp()
        self.rng = np.random.default_rng(14)
        self.w = self.rng.uniform(-.2, .2, [self.CLASSES, 3, self.HEIGHT, 8]).astype(np.float32)
        seen(self.path("x.npy"), self.rng.uniform(0, 1, [1, 1, self.HEIGHT, 48]).astype(np.float32))

    def network(self, keys, height=HEIGHT, strides=(1, 8), residual=False):
        g = Graph()
        y = g.node("conv", "Conv", ["x", g.constant("w", self.w)], kernel_shape=self.w.shape[2:], strides=strides)
        y = g.node("row", "Squeeze", [y, g.constant("two", np.int64([2]))])
        y = g.node("steps", "Transpose", [y], perm=[0, 2, 1])
        if residual:
            square = [g.constant(n, self.rng.uniform(-1, 1, [self.CLASSES] * 2).astype(np.float32)) for n in "uv"]
            y = g.node("sum", "Add", [y, g.node("inner", "MatMul", [y, square[0]])])
            y = g.node("outer", "MatMul", [y, square[1]])
        y = g.node("softmax", "Softmax", [y], axis=2)
        self.write("rec.onnx", g.model({"x": ["n", 3, height, "w"]}, {y: ["n", "steps", self.CLASSES]}, {"name": "rec"}))
        self.write("keys.txt", keys.encode())

    def logits(self, mean=.5, std=.5):
        """What the network says of x, blank paper 0 and ink 1, before its softmax."""
        v = (1 - np.load(self.path("x.npy"))[0, 0].astype(float) - mean) / std
        w = self.w.astype(float).sum(1)
        return np.stack([(v[:, k:k + 8] * w).sum((1, 2)) for k in range(0, v.shape[1], 8)])[None]

    def test_one_command(self):
        """Classes, stride, softmax and channels are found; a blank behind the keys is added."""
        self.network("a\n\u0436\nfi\n")
        done = self.platen("import", "rec.onnx", "--keys", "keys.txt", "-o", "m.platen")
        self.assertRegex(done.stdout, r"^m.platen: sqnr \d+\.\d dB against 'rec.onnx'")
        info = self.platen("info", "m.platen").stdout
        for line in "alphabet = a\u0436\ufffd ", "symbols = fi", "stride = 8", "input_zero = 0":
            self.assertIn(line + "\n", info)
        np.testing.assert_allclose(self.results("m.platen"), self.logits(), rtol=1e-4, atol=1e-4)

    def test_options(self):
        """Other levels, and the blank behind all keys."""
        self.network("a\r\nb\r\nc\r\nd")
        done = self.platen("import", "rec.onnx", "--keys", "keys.txt", "--levels", "0.25/2", "--blank-last", "-o", "m.platen")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("alphabet = abcd\n", self.platen("info", "m.platen").stdout)
        want = np.roll(self.logits(.25, 2), 1, axis=2)
        np.testing.assert_allclose(self.results("m.platen"), want, rtol=1e-4, atol=1e-4)

    def test_bytes(self):
        """Also a sum of what a convolution gave, turned, and a product of matrices."""
        for residual in (False, True):
            self.network("a\nb\nc\nd\n", residual=residual)
            done = self.platen("import", "rec.onnx", "--keys", "keys.txt", "-o", "m.platen", "--quantize", "int8", "--calibrate", "x.npy")
            self.assertRegex(done.stdout, r"sqnr [3-5]\d\.\d dB against 'rec.onnx', on 1 set of the arrays", done.stderr)
            info = self.platen("info", "m.platen").stdout
            self.assertIn("  QConv ", info)
            self.assertEqual("  QAdd " in info, residual)

    def test_recurrent(self):
        """Lines are read as many at once as go, each with what it reads alone."""
        hidden, f32 = 160, np.float32
        g = Graph()
        def const(name, *shape):
            return g.constant(name, self.rng.uniform(-.1, .1, shape).astype(f32))
        y = g.node("conv", "Conv", ["x", const("w", 24, 3, self.HEIGHT, 8)], kernel_shape=[self.HEIGHT, 8], strides=[1, 8])
        y = g.node("row", "Squeeze", [y, g.constant("two", np.int64([2]))])
        y = g.node("steps", "Transpose", [y], perm=[2, 0, 1])
        y = g.node("lstm", "LSTM", [y, const("wi", 2, 4 * hidden, 24), const("wr", 2, 4 * hidden, hidden)], hidden_size=hidden,
                   direction="bidirectional")
        y = g.node("beside", "Transpose", [y], perm=[0, 2, 1, 3])
        y = g.node("both", "Reshape", [y, g.constant("shape", np.int64([0, 0, -1]))])
        y = g.node("scores", "MatMul", [y, const("out", 2 * hidden, self.CLASSES)])
        self.write("rec.onnx", g.model({"x": ["n", 3, self.HEIGHT, "w"]}, {y: ["steps", "n", self.CLASSES]}, {"name": "rec"}))
        self.write("keys.txt", b"a\nb\nc\nd\n")
        for more in ([], ["--quantize", "int8", "--calibrate", "x.npy"]):
            done = self.platen("import", "rec.onnx", "--keys", "keys.txt", "-o", "m.platen", "--min-conf", "0", *more)
            self.assertEqual(done.returncode, 0, done.stderr)
            page = os.path.join(ROOT, "samples", "pages", "receipt.png")
            read = [subprocess.run([PLATEN, "-q", "--model", "./m.platen", "-f", "json", "--batch-max", n, "-o", "-", page],
                                   cwd=self.folder.name, capture_output=True) for n in ("1", "3", "64")]
            self.assertEqual([r.returncode for r in read], [0] * 3, read[0].stderr)
            words = [[w for b in json.loads(r.stdout)["blocks"] for line in b["lines"] for w in line["words"]] for r in read]
            self.assertGreater(len(words[0]), 5)
            self.assertEqual(words[0], words[1])
            self.assertEqual(words[0], words[2])

    def test_refused(self):
        def refused(words, *more):
            done = self.platen("import", "rec.onnx", "--keys", "keys.txt", "-o", "m.platen", *more)
            self.assertIn(words, done.stderr)
            self.assertNotEqual(done.returncode, 0)
        self.network("a\nb\n")
        refused("the network has 5 classes, and 2 keys want 3 or 4")
        self.network("a\n\tb\n")
        refused("unable to read keys 'keys.txt': line 2 holds a control character")
        self.network("a\nb\nc\n", strides=(1, 7))
        refused("the network reads no lines: 320 columns give it 45 steps")
        self.network("a\nb\nc\n", height="h")
        refused("the network takes no lines")
        refused("--levels is a mean and a deviation", "--levels", "0.5")
        done = self.platen("import", "rec.onnx", "--blank-last", "-o", "m.platen")
        self.assertIn("--levels, --blank-last and --min-conf go with --keys and --as reader", done.stderr)


class Speller(Folder):
    """A network that reads any line as the same classes: one at every second of its steps, which are 8 columns wide."""

    HEIGHT, STEP = 32, 8

    def network(self, order, classes, blank=-15, last=False, keys=None):
        """`order`: classes that it reads, each once; the blank of CTC, class 0, has that logit everywhere, the classes
        read have 0. last: the blank becomes the last class."""
        centers = np.full(classes, 1e3, np.float32)
        centers[order] = 3 + 2 * np.arange(len(order))
        factor, rest = np.full(classes, -30, np.float32), np.zeros(classes, np.float32)
        factor[0], rest[0] = 0, blank
        if last:
            centers, factor, rest = (np.roll(v, -1) for v in (centers, factor, rest))
        g = Graph()
        w = g.constant("w", np.zeros([1, 3, self.HEIGHT, self.STEP], np.float32))
        y = g.node("zeros", "Conv", ["x", w, g.constant("one", np.ones(1, np.float32))], kernel_shape=[self.HEIGHT, self.STEP], strides=[1, self.STEP])
        y = g.node("count", "CumSum", [y, g.constant("axis", np.int64(3))])
        y = g.node("row", "Squeeze", [y, g.constant("two", np.int64([2]))])
        y = g.node("steps", "Transpose", [y], perm=[0, 2, 1])
        y = g.node("far", "Abs", [g.node("off", "Sub", [y, g.constant("centers", centers)])])
        y = g.node("near", "Mul", [y, g.constant("factor", factor)])
        y = g.node("softmax", "Softmax", [g.node("rest", "Add", [y, g.constant("offset", rest)])], axis=2)
        self.write("rec.onnx", g.model({"x": ["n", 3, self.HEIGHT, "w"]}, {y: ["n", "steps", classes]},
                                       {"name": "rec", **({"character": keys} if keys else {})}))

    def take(self, keys, *more):
        self.write("keys.txt", keys if isinstance(keys, bytes) else keys.encode())
        return self.platen("import", "rec.onnx", "--keys", "keys.txt", "-o", "m.platen", *more)

    def read(self, form="txt", model="./m.platen", pipeline="@line"):
        paper = np.full((40, 600), 255, np.uint8)
        paper[10:30, 8:592:2] = 0
        self.write("line.pgm", b"P5\n600 40\n255\n" + paper.tobytes())
        done = subprocess.run([PLATEN, "-q", "-p", pipeline, "--model", model, "-f", form, "-o", "-", "line.pgm"], cwd=self.folder.name, capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        return done.stdout

    def test_own_keys(self):
        """The file of the network brings the keys, and a file of keys counts before them."""
        for keys, want in ("a\nb\nc", b"ac b\n"), ("\ufeffd\r\ne\r\nf\r\n", b"df e\n"):
            self.network([1, 3, 4, 2], 5, keys=keys)
            done = self.platen("import", "rec.onnx", "--as", "reader", "-o", "m.platen")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(self.read(), want)
        self.assertEqual(self.take("x\ny\nz\n", "--as", "reader").returncode, 0)
        self.assertEqual(self.read(), b"xz y\n")
        self.network([1], 5, keys="a\n\tb\n")
        done = self.platen("import", "rec.onnx", "--as", "reader", "-o", "m.platen")
        self.assertIn("unable to read the keys in 'rec.onnx': line 2 holds a control character", done.stderr)

    def spells(self, keys, order, classes, want, *more):
        """Asserts what is read by a network with these keys."""
        self.network(order, classes)
        done = self.take(keys, *more)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.read().decode(), want + "\n")

    def refuses(self, keys, classes, words):
        self.network([1], classes)
        done = self.take(keys)
        self.assertEqual(done.returncode, 1)
        self.assertIn(words, done.stderr)

    def test_scripts(self):
        """Marks that combine, letters of several code points and those that normalisation would change stay as they are."""
        for keys in (["\u0e01", "\u0e33", "\u0e31", "\u0e49\u0e33", "\u03c9\u0e01"],                     # Thai
                     ["\u0915", "\u094d", "\u0937", "\u093f", "\u0958", "\u0915\u093c", "\u0921\u093c"], # Devanagari
                     ["\u0b95", "\u0bcd", "\u0bca", "\u0bc6\u0bbe", "\u0bb8\u0bcd\u0bb0\u0bc0"],         # Tamil
                     ["\u0c15", "\u0c4d", "\u0c37", "\u0c56", "\u0c46\u0c56"],                           # Telugu
                     ["\u0c97", "\u0cc1", "\u0cca", "\u0cc6\u0cc2"],                                     # Kannada
                     ["A", "\u030a", "\u00c5", "\u212b", "\uf8ff", "\U0001d462", "\ufffd", "\u200d", "\u0301"]):
            with self.subTest(keys[0]):
                n = len(keys)
                text = "".join(keys)
                self.spells("\n".join(keys) + "\n", list(range(1, n + 1)), n + 2, text)
                words = json.loads(self.read("json"))["blocks"][0]["lines"][0]["words"]
                self.assertEqual([w["text"] for w in words], [text])
                self.assertIn(">" + text + "</span>", self.read("hocr").decode())
                self.assertIn(f'CONTENT="{text}"', self.read("alto").decode())
                self.assertIn(text, self.read("tsv").decode().splitlines()[-1])
                self.write("line.pdf", self.read("pdf"))
                shown = subprocess.run(["pdftotext", self.path("line.pdf"), "-"], check=True, capture_output=True).stdout.decode()
                self.assertEqual(shown.strip(), text)

    def test_files(self):
        """What editors and other systems do to a file of keys."""
        for keys in ("a\nb\nc\n", "a\nb\nc", "a\r\nb\r\nc\r\n", "\ufeffa\nb\nc\n", "a\nb\nc\n\n", "a\nb\nc\r\n\r\n\n"):
            with self.subTest(keys):
                self.spells(keys, [1, 3, 2], 4, "acb")
                self.spells(keys, [1, 3, 4, 2], 5, "ac b")

    def test_same_twice(self):
        self.spells("a\nb\na\nb\n", [4, 1, 3, 2], 6, "baab")
        self.spells("a\nb\n \n", [1, 3, 2], 4, "a b")
        self.spells("a\nb\n \n", [1, 4, 2], 5, "a b") # as in PaddleOCR's Kannada keys
        self.spells(" \na\nb\n", [2, 1, 3], 4, "a b")

    def test_empty_lines(self):
        """One that is a class has no symbol: nothing is written for it. Others are passed over."""
        keys = "a\nb\n\nc\nd\n"
        self.spells(keys, [2, 3, 4, 6, 1, 5], 7, "bc ad")
        self.spells(keys, [2, 3, 1, 4], 5, "bcad")
        self.refuses(keys, 6, "line 3 of the keys is empty, and with 6 classes it may be one of them or not")
        self.spells("a\n\nb\n\nc\n", [1, 2, 3, 4, 5], 6, "abc")
        self.spells("\na\nb\n", [1, 2], 3, "ab") # the blank of CTC
        self.refuses("\n\n", 3, "there are no keys")
        for name in ("blank", "<blank>", "[blank]", "<blk>"): # with 5 classes it would be the first symbol
            self.refuses(name + "\na\nb\nc\n", 5, f"line 1 is '{name}', and the blank has no line here")
            self.refuses("a\nb\nc\n" + name, 5, f"line 4 is '{name}', and the blank has no line here")
        self.refuses(keys, 8, "the network has 8 classes, and 5 keys want 6 or 7")

    def test_blank_last(self):
        """Behind the keys the space, then the blank of CTC."""
        self.network([1, 4, 2], 5, last=True)
        self.assertEqual(self.take("a\nb\nc\n", "--blank-last").returncode, 0)
        self.assertEqual(self.read(), b"a b\n")

    def test_least_confidence(self):
        """A line counts from the bound on that the model was imported with, unless the pipeline has another."""
        plain = "gray | line | ctc"
        self.network([1, 2], 3, blank=-.5)
        self.assertEqual(self.take("a\nb\n").returncode, 0)
        self.assertEqual(self.read(pipeline=plain), b"")
        self.assertEqual(self.take("a\nb\n", "--min-conf", "0.4").returncode, 0)
        self.assertEqual(self.read(pipeline=plain), b"ab\n")
        self.assertEqual(self.read(pipeline=plain + ":min-conf=0.7"), b"")
        self.assertIn("min_conf = 0.4\n", self.platen("info", "m.platen").stdout)
        self.assertIn("--min-conf is from 0 to 1", self.take("a\nb\n", "--min-conf", "2").stderr)

    def test_no_language_model(self):
        self.network([1], 3)
        self.assertIn("no language model 'm.lm.platen' beside it: the network alone decides\n", self.take("a\nb\n").stdout)


class Detectors(Folder):
    """A network of the DB family: text is where the mean of 5 x 9 pixels, as it sees them, is below 1.8."""

    def network(self, sigmoid=True, channels=3):
        g = Graph()
        w = g.constant("w", np.full([1, channels, 1, 1], -8 / channels, np.float32))
        y = g.node("mean", "AveragePool", ["x"], kernel_shape=[5, 9], pads=[2, 4, 2, 4])
        y = g.node("logit", "Conv", [y, w, g.constant("b", np.full(1, 8 * 1.8, np.float32))], kernel_shape=[1, 1])
        if sigmoid:
            y = g.node("map", "Sigmoid", [y])
        self.write("det.onnx", g.model({"x": ["n", channels, "h", "w"]}, {y: ["n", 1, "h", "w"]}, {"name": "det"}))

    def boxes(self, arguments):
        paper = np.full((400, 600), 255, np.uint8)
        paper[100:120, 100:500:2] = 0
        paper[200:220, 100:300] = 190 # no ink: a line as the network's box stands
        self.write("page.pgm", b"P5\n600 400\n255\n" + paper.tobytes())
        done = subprocess.run([PLATEN, "-q", "-p", "gray | db:" + arguments, "-f", "json", "-o", "-", "page.pgm"],
                              cwd=self.folder.name, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return [line["box"] for block in json.loads(done.stdout)["blocks"] for line in block["lines"]]

    def test_parameters(self):
        """What is told at the import holds for the model, unless a pipeline has others."""
        self.network()
        own = "threshold=0.35:score=0.45:unclip=0:side=480:mean=0.5:std=0.25/0.25/0.26"
        done = self.platen("import", "det.onnx", "--as", "detector:" + own, "-o", "det.platen")
        self.assertRegex(done.stdout, r"^det.platen: sqnr \d+\.\d dB, mask IoU 1\.000 against 'det.onnx'", done.stderr)
        info = self.platen("info", "det.platen").stdout
        for line in "threshold = 0.35", "score = 0.45", "unclip = 0", "side = 480", "mean = 0.5/0.5/0.5", "std = 0.25/0.25/0.26":
            self.assertIn(f"db.{line}\n", info)
        told = self.boxes("model=./det.platen")
        self.assertEqual(told, self.boxes("model=./det.onnx:" + own))
        self.assertNotEqual(told, self.boxes("model=./det.onnx"))
        for other in "threshold=0.7", "score=0.99", "unclip=3", "mean=0.2":
            with self.subTest(other):
                name = other.split("=")[0]
                rest = ":".join(p for p in own.split(":") if not p.startswith(name))
                boxes = self.boxes(f"model=./det.platen:{other}")
                self.assertEqual(boxes, self.boxes(f"model=./det.onnx:{other}:{rest}"))
                self.assertNotEqual(boxes, told)

    def test_defaults(self):
        """Those of PP-OCR; a map of logits becomes one of probabilities; a channel or three."""
        for channels in (1, 3):
            self.network(channels=channels)
            want = self.boxes("model=./det.onnx:threshold=0.3:score=0.6:unclip=1.5:side=960:mean=0.485/0.456/0.406:std=0.229/0.224/0.225")
            self.assertEqual(len(want), 2)
            for sigmoid in (True, False):
                self.network(sigmoid, channels)
                done = self.platen("import", "det.onnx", "--as", "detector", "-o", "det.platen")
                self.assertEqual(done.returncode, 0, done.stderr)
                info = self.platen("info", "det.platen").stdout
                self.assertIn("db.mean = 0.485/0.456/0.406\n", info)
                self.assertEqual(self.boxes("model=./det.platen"), want)

    def test_refused(self):
        def refused(words, option, *more):
            done = self.platen("import", "det.onnx", "--as", option, "-o", "m.platen", *more)
            self.assertIn(words, done.stderr)
            self.assertNotEqual(done.returncode, 0)
            self.assertFalse(os.path.exists(self.path("m.platen")))
        self.network()
        refused("a detector's parameters: ", "detector:threshold=2")
        refused("a detector's parameters: ", "detector:model=x")
        refused("a detector's parameters: ", "detector:dpi=3")
        refused("'unclip=1 | ctc' is more than parameters", "detector:unclip=1 | ctc")
        refused("mean 'a' is not a number or three", "detector:mean=a")
        refused("--as knows reader, detector", "writer")
        refused("'det.onnx' brings no keys: its metadata have no 'character'", "reader")
        refused("--keys and --as detector do not go together", "detector", "--keys", "k.txt")
        self.network(channels=4)
        refused("no detector of text: its input is not a picture", "detector")
        for classes in (40, 4000): # steps and classes, as a reader of lines has them
            g = Graph()
            y = g.node("mean", "AveragePool", ["x"], kernel_shape=[48, 8], strides=[48, 8])
            y = g.node("channels", "Conv", [y, g.constant("w", np.ones([classes, 3, 1, 1], np.float32))])
            y = g.node("row", "Squeeze", [y, g.constant("two", np.array([2], np.int64))])
            y = g.node("steps", "Transpose", [y], perm=[0, 2, 1])
            self.write("det.onnx", g.model({"x": ["n", 3, 48, "w"]}, {y: ["n", "steps", classes]}, {"name": "reader"}))
            refused("no detector of text: its output is not a float32 map of the picture", "detector")


class Vertical(Folder):
    """A network that tells dark characters from grey ones, whichever way they lie, and a page of columns of them."""

    HEIGHT, STEP, SIZE, DOWN, ACROSS, TOP = 32, 2, 36, 44, 76, 160
    DARK, GREY = "\u7532", "\u4e59"
    COLUMNS = [DARK * 2 + GREY * 3 + DARK * 4, GREY + DARK * 3 + GREY * 5, DARK * 5 + GREY * 2]

    def setUp(self):
        super().setUp()
        g = Graph()
        # of each step the mean, from paper (-1) to ink (1), and minus that; then how it differs from those beside it
        w = np.full([2, 3, self.HEIGHT, self.STEP], 1 / (3 * self.HEIGHT * self.STEP), np.float32)
        w[0] *= -1
        y = g.node("ink", "Conv", ["x", g.constant("w", w)], kernel_shape=[self.HEIGHT, self.STEP], strides=[self.HEIGHT, self.STEP])
        near = g.node("near", "MaxPool", [y], kernel_shape=[1, 3], strides=[1, 1], pads=[0, 1, 0, 1])
        both = g.node("both", "Concat", [y, near], axis=1)
        both = g.node("row", "Squeeze", [both, g.constant("two", np.int64([2]))])
        both = g.node("steps", "Transpose", [both], perm=[0, 2, 1])
        # the blank of CTC below -.7, grey characters where the mean stays, dark ones from .3 on
        slopes = np.float32([[0, 40, 120], [0, 0, 0], [0, -60, 0], [0, -60, 0]])
        y = g.node("slope", "MatMul", [both, g.constant("slopes", slopes)])
        y = g.node("scores", "Add", [y, g.constant("offsets", np.float32([0, 28, 4]))])
        y = g.node("softmax", "Softmax", [y], axis=2)
        self.write("rec.onnx", g.model({"x": ["n", 3, self.HEIGHT, "w"]}, {y: ["n", "steps", 3]}, {"name": "rec"}))
        self.write("keys.txt", f"{self.GREY}\n{self.DARK}\n".encode())
        done = self.platen("import", "rec.onnx", "--keys", "keys.txt", "-o", "m.platen")
        self.assertEqual(done.returncode, 0, done.stderr)

    def character(self, c):
        y, x = np.mgrid[:self.SIZE, :self.SIZE]
        if c == self.GREY:
            return ((x // 3 + y // 3) % 2 * 255).astype(np.uint8)
        return np.zeros((self.SIZE, self.SIZE), np.uint8)

    def put(self, paper, text, x, y, right=0, down=0):
        for i, c in enumerate(text):
            paper[y + i * down:, x + i * right:][:self.SIZE, :self.SIZE] = self.character(c)

    def page(self):
        """The columns from the right; its transpose has rows of characters, which run from left to right."""
        paper = np.full((620, 420), 255, np.uint8)
        for k, column in enumerate(self.COLUMNS):
            self.put(paper, column, 300 - k * self.ACROSS, self.TOP, down=self.DOWN)
        return paper

    def read(self, paper, form="txt", pipeline="gray | lines | ctc"):
        self.write("page.pgm", b"P5\n%d %d\n255\n" % paper.shape[::-1] + np.ascontiguousarray(paper).tobytes())
        done = subprocess.run([PLATEN, "-q", "-p", pipeline, "--model", "./m.platen", "-f", form, "-o", "-", "page.pgm"], cwd=self.folder.name, capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        return done.stdout

    def lines(self, paper, **more):
        return [line for line in self.read(paper, **more).decode().splitlines() if line]

    def test_columns(self):
        for pipeline in "gray | lines | ctc", "@document":
            self.assertEqual(self.lines(self.page(), pipeline=pipeline), self.COLUMNS)
        page = json.loads(self.read(self.page(), "json"))
        lines = [line for block in page["blocks"] for line in block["lines"]]
        for k, line in enumerate(lines):
            x0, x1 = 300 - k * self.ACROSS, 300 - k * self.ACROSS + self.SIZE
            self.assertEqual(line["box"][:3], [x0, self.TOP, x1])
            (xa, ya), (xb, yb) = line["baseline"]
            self.assertLess(ya, yb)
            self.assertTrue(abs(xa - x0) < 8 and abs(xb - x0) < 8, line["baseline"])
        self.assertEqual((page["width"], page["height"]), (420, 620))

    def test_rows_stay(self):
        """The same distances the other way: what is read from left to right is no column."""
        self.assertEqual(self.lines(self.page().T), self.COLUMNS[::-1])

    def test_other_script(self):
        """Where the characters turn out to be in no script that is set so, the rows are read."""
        paper = np.full((620, 420), 255, np.uint8)
        for x in 100, 176, 252:
            self.put(paper, self.DARK * 9, x, 60, down=self.DOWN)
        for keys in f"{self.GREY}\na\n", "b\na\n":
            self.write("keys.txt", keys.encode())
            self.platen("import", "rec.onnx", "--keys", "keys.txt", "-o", "m.platen")
            self.assertEqual([line.replace(" ", "") for line in self.lines(paper)[:9]], ["aaa"] * 9)

    def test_head(self):
        """A row above the columns is read first."""
        paper = self.page()
        self.put(paper, self.DARK * 6, 60, 30, right=self.DOWN)
        self.assertEqual(self.lines(paper)[0], self.DARK * 6)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
