#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Writes vectors.tar.xz: a test of each ONNX operator that platen offers, and graphs that each pass changes.

    make_vectors.py [vectors.tar.xz]

A test is a folder as ONNX's own backend tests have it: model.onnx, test_data_set_0/input_N.pb and
output_N.pb. The results are computed here, by NumPy in double precision from the formulas of ONNX's
Operators.md, and by PyTorch where that has the operator; platen has no part in them. Needs NumPy and
PyTorch; tests read the archive alone. The same bytes each time.
"""
import io
import math
import os
import sys
import tarfile

import numpy as np
import torch
import torch.nn.functional as F

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "fuzz"))
from make_onnx_seeds import field

TYPES = {"float32": 1, "uint8": 2, "int8": 3, "int32": 6, "int64": 7, "bool": 9, "float16": 10, "float64": 11}
rng = np.random.RandomState(18)
tests = {}


class Const:
    """An input that the model holds."""

    def __init__(self, values, dtype="int64"):
        self.array = np.array(values, dtype)


def tensor(name, a):
    return (b"".join(field(1, int(d)) for d in a.shape) + field(2, TYPES[a.dtype.name]) + field(8, name)
            + field(9, np.ascontiguousarray(a).tobytes()))


def attribute(name, v):
    if isinstance(v, bytes):  # a graph
        return field(1, name) + field(6, v) + field(20, 5)
    if isinstance(v, np.ndarray):
        return field(1, name) + field(5, tensor("", v)) + field(20, 4)
    if isinstance(v, (list, tuple)):
        if isinstance(v[0], str):
            return field(1, name) + b"".join(field(9, x) for x in v) + field(20, 8)
        floats = isinstance(v[0], float)
        return field(1, name) + b"".join(field(7 if floats else 8, x) for x in v) + field(20, 6 if floats else 7)
    number, kind = {int: (3, 2), float: (2, 1), str: (4, 3)}[type(v)]
    return field(1, name) + field(number, v) + field(20, kind)


CONTRIB = "com.microsoft"


def node(op, inputs, outputs, **attributes):
    domain, op = (CONTRIB, op[len(CONTRIB) + 1:]) if op.startswith(CONTRIB) else ("", op)
    return (b"".join(field(1, i) for i in inputs) + b"".join(field(2, o) for o in outputs)
            + field(3, "node_" + outputs[0]) + field(4, op)
            + b"".join(field(5, attribute(k, v)) for k, v in attributes.items()) + (field(7, domain) if domain else b""))


def info(name, a):
    shape = b"".join(field(1, field(1, int(d))) for d in a.shape)
    return field(1, name) + field(2, field(1, field(1, TYPES[a.dtype.name]) + field(2, shape)))


def graph(name, nodes, inputs, outputs, constants={}, opset=18):
    """A test of some nodes: arrays by name."""
    body = (b"".join(field(1, n) for n in nodes) + b"".join(field(5, tensor(k, a)) for k, a in constants.items())
            + b"".join(field(11, info(k, a)) for k, a in inputs.items())
            + b"".join(field(12, info(k, a)) for k, a in outputs.items()))
    assert name not in tests, name
    files = tests[name] = {"model.onnx": field(1, 8) + field(8, field(2, opset)) + field(7, body)}
    for what, arrays in ("input", inputs), ("output", outputs):
        for i, (k, a) in enumerate(arrays.items()):
            files["test_data_set_0/%s_%d.pb" % (what, i)] = tensor(k, a)


def test(op, inputs, *outputs, opset=18, case="", **attributes):
    """A test of one node. An input is an array, a Const, or None where it is left out."""
    names = ["" if x is None else "x%d" % i for i, x in enumerate(inputs)]
    given = {n: x for n, x in zip(names, inputs) if isinstance(x, (np.ndarray, np.generic))}
    constants = {n: x.array for n, x in zip(names, inputs) if isinstance(x, Const)}
    wanted = {"y%d" % i: np.asarray(y) for i, y in enumerate(outputs)}
    graph(op + ("-" + case if case else ""), [node(op, names, list(wanted), **attributes)],
          {n: np.asarray(x) for n, x in given.items()}, wanted, constants, opset)


def floats(*shape, lo=-2.0, hi=2.0):
    return (np.rint(rng.uniform(lo, hi, shape) * 64) / 64).astype("float32")


def ints(*shape, lo=-20, hi=20, dtype="int32"):
    return rng.randint(lo, hi, shape).astype(dtype)


def f32(a):
    return np.asarray(a, "float32")


def wide(a):
    return np.asarray(a, "float64")


def sigmoid(x):
    return 1 / (1 + np.exp(-wide(x)))


def by_torch(fn, *arrays, **options):
    """fn in double precision."""
    r = fn(*[None if a is None else torch.from_numpy(wide(a)) for a in arrays], **options)
    return f32(r.numpy())


def elementwise():
    x = floats(2, 3, 4)
    erf = np.vectorize(math.erf)

    def unary(op, fn, a=x, opset=18, case="", **attributes):
        test(op, [a], f32(fn(wide(a))), opset=opset, case=case, **attributes)

    unit, above, positive = floats(2, 5, lo=-0.9, hi=0.9), floats(2, 5, lo=1.1, hi=4), floats(2, 5, lo=0.1, hi=5)
    for op, fn in {"Abs": np.abs, "Atan": np.arctan, "Asinh": np.arcsinh, "Ceil": np.ceil, "Cos": np.cos,
                   "Cosh": np.cosh, "Erf": erf, "Exp": np.exp, "Floor": np.floor, "Neg": np.negative,
                   "Sigmoid": sigmoid, "Sign": np.sign, "Sin": np.sin, "Sinh": np.sinh, "Tan": np.tan,
                   "Tanh": np.tanh, "Relu": lambda v: np.maximum(v, 0), "Softplus": lambda v: np.log1p(np.exp(v)),
                   "Softsign": lambda v: v / (1 + np.abs(v)), "Mish": lambda v: v * np.tanh(np.log1p(np.exp(v))),
                   "HardSwish": lambda v: v * np.clip(v / 6 + 0.5, 0, 1)}.items():
        unary(op, fn)
    for op, fn in {"Acos": np.arccos, "Asin": np.arcsin, "Atanh": np.arctanh}.items():
        unary(op, fn, unit)
    unary("Acosh", np.arccosh, above)
    for op, fn in {"Log": np.log, "Sqrt": np.sqrt, "Reciprocal": np.reciprocal}.items():
        unary(op, fn, positive)
    unary("Round", np.rint, f32([-2.5, -1.5, -0.5, -0.2, 0.5, 1.5, 2.5, 2.7]))
    unary("Celu", lambda v: np.maximum(v, 0) + np.minimum(0, 1.5 * np.expm1(v / 1.5)), alpha=1.5)
    unary("Elu", lambda v: np.where(v < 0, 0.7 * np.expm1(v), v), alpha=0.7)
    unary("Gelu", lambda v: 0.5 * v * (1 + erf(v / math.sqrt(2))), opset=20)
    unary("Gelu", lambda v: 0.5 * v * (1 + np.tanh(math.sqrt(2 / math.pi) * (v + 0.044715 * v ** 3))), opset=20,
          case="tanh", approximate="tanh")
    unary("HardSigmoid", lambda v: np.clip(0.3 * v + 0.4, 0, 1), alpha=0.3, beta=0.4)
    unary("LeakyRelu", lambda v: np.where(v < 0, 0.1 * v, v), alpha=0.1)
    unary("Selu", lambda v: 1.2 * np.where(v > 0, v, 1.5 * np.expm1(v)), alpha=1.5, gamma=1.2)
    unary("Shrink", lambda v: np.where(v < -0.5, v + 0.25, np.where(v > 0.5, v - 0.25, 0)), bias=0.25, lambd=0.5)
    unary("Swish", lambda v: v * sigmoid(1.3 * v), opset=24, alpha=1.3)
    unary("ThresholdedRelu", lambda v: np.where(v > 0.4, v, 0), alpha=0.4)
    test("Clip", [x, Const(-0.5, "float32"), Const(0.75, "float32")], np.clip(x, f32(-0.5), f32(0.75)))
    whole = ints(3, 5)
    test("BitwiseNot", [whole], ~whole)
    flags = rng.rand(3, 4) < 0.5
    test("Not", [flags], ~flags)
    odd = f32([0, 1, np.inf, -np.inf, np.nan, -2])
    test("IsInf", [odd], np.array([0, 0, 0, 1, 0, 0], bool), opset=20, detect_positive=0)
    test("IsNaN", [odd], np.isnan(odd))
    test("Cast", [x], x.astype("int32"), to=TYPES["int32"])
    test("Cast", [x], x.astype("float16"), case="half", to=TYPES["float16"])
    test("CastLike", [x, Const([0], "int64")], x.astype("int64"))
    test("Identity", [x], x)
    test("Dropout", [x], x, np.ones(x.shape, bool), opset=13)



def pairs():
    a, b = floats(2, 3, 4), floats(3, 1, lo=0.5)
    for op, fn in {"Add": np.add, "Sub": np.subtract, "Mul": np.multiply, "Div": np.divide}.items():
        test(op, [a, b], fn(a, b))
    i, j = ints(4, 3), ints(3, lo=1, hi=9)
    test("Div", [i, j], np.trunc(i / j).astype("int32"), case="integers")
    test("Mod", [i, j], np.mod(i, j))
    test("Mod", [a, b], np.fmod(a, b), case="floats", fmod=1)
    u, shift = ints(8, lo=0, hi=200, dtype="uint8"), ints(8, lo=0, hi=8, dtype="uint8")
    test("BitShift", [u, shift], u << shift, direction="LEFT")
    test("BitShift", [u, shift], u >> shift, case="right", direction="RIGHT")
    for op, fn in {"BitwiseAnd": np.bitwise_and, "BitwiseOr": np.bitwise_or, "BitwiseXor": np.bitwise_xor}.items():
        test(op, [i, j], fn(i, j))
    p, q = rng.rand(3, 4) < 0.5, rng.rand(4) < 0.5
    for op, fn in {"And": np.logical_and, "Or": np.logical_or, "Xor": np.logical_xor}.items():
        test(op, [p, q], fn(p, q))
    k = ints(3, lo=-3, hi=3)
    k2 = ints(4, 3, lo=-3, hi=3)
    for op, fn in {"Equal": np.equal, "Greater": np.greater, "GreaterOrEqual": np.greater_equal, "Less": np.less,
                   "LessOrEqual": np.less_equal}.items():
        test(op, [k2, k], fn(k2, k))
    slope = floats(3, 1)
    test("PRelu", [a, slope], np.where(a < 0, a * slope, a))
    base, power = floats(3, 4, lo=0.2), floats(4)
    test("Pow", [base, power], f32(wide(base) ** wide(power)))
    c = floats(4)
    test("Max", [a, b, c], np.maximum(np.maximum(a, b), c))
    test("Min", [a, b, c], np.minimum(np.minimum(a, b), c))
    test("Sum", [a, b, c], f32(wide(a) + b + c))
    test("Mean", [a, b, c], f32((wide(a) + b + c) / 3))
    left, right = floats(4), floats(3, 4)
    test("Where", [p, left, right], np.where(p, left, right))


def shapes():
    x = floats(2, 3, 4)
    test("Constant", [], f32([[1.5, -2]]), value=f32([[1.5, -2]]))
    test("Constant", [], np.array([3, 1, 4]), case="integers", value_ints=[3, 1, 4])
    test("ConstantOfShape", [Const([2, 3])], np.full((2, 3), 7, "int32"), value=np.array([7], "int32"))
    test("EyeLike", [floats(3, 4)], np.eye(3, 4, 1, "float32"), k=1)
    test("Range", [Const(2), Const(11), Const(3)], np.arange(2, 11, 3))
    test("Shape", [x], np.array([3, 4]), start=1)
    test("Size", [x], np.int64(24))
    test("Flatten", [x], x.reshape(6, 4), axis=2)
    test("Reshape", [x, Const([0, -1, 2])], x.reshape(2, 6, 2))
    test("Reshape", [x, np.array([4, -1])], x.reshape(4, 6), case="late")
    y = floats(1, 3, 1, 2)
    test("Squeeze", [y, Const([0, -2])], y.reshape(3, 2))
    test("Unsqueeze", [x, Const([0, -1])], x.reshape(1, 2, 3, 4, 1))


def moves():
    x = floats(2, 3, 4)
    keep = np.array([0, 1, 1], bool)
    test("Compress", [x, Const(keep, "bool")], x.compress(keep, 1), axis=1)
    test("Compress", [x, keep], x.compress(keep), case="late")
    other = floats(2, 2, 4)
    test("Concat", [x, other], np.concatenate([x, other], 1), axis=1)
    d = floats(1, 8, 2, 3)
    test("DepthToSpace", [d], d.reshape(1, 2, 2, 2, 2, 3).transpose(0, 3, 4, 1, 5, 2).reshape(1, 2, 4, 6), blocksize=2)
    test("DepthToSpace", [d], d.reshape(1, 2, 2, 2, 2, 3).transpose(0, 1, 4, 2, 5, 3).reshape(1, 2, 4, 6), blocksize=2,
         case="columns", mode="CRD")
    e = floats(1, 2, 4, 6)
    test("SpaceToDepth", [e], e.reshape(1, 2, 2, 2, 3, 2).transpose(0, 3, 5, 1, 2, 4).reshape(1, 8, 2, 3), blocksize=2)
    row = floats(3, 1)
    test("Expand", [row, Const([2, 1, 4])], np.broadcast_to(row, (2, 3, 4)))
    index = np.array([[2, 0], [-1, 1]])
    test("Gather", [x, index], np.take(x, index, 1), axis=1)
    places = np.array([[[1, -1, 0, 2]], [[0, 2, 1, 1]]])
    test("GatherElements", [x, places], np.take_along_axis(x, places, 1), axis=1)
    test("GatherND", [x, np.array([[0, 2], [1, -3]])], np.stack([x[0, 2], x[1, 0]]))
    test("GatherND", [x, np.array([[2], [1]])], np.stack([x[0, 2], x[1, 1]]), case="batch", batch_dims=1)
    holes = ints(2, 5, lo=0, hi=2)
    test("NonZero", [holes], np.array(np.nonzero(holes)))
    labels = np.array([1, 0, -1, 9])
    hot = np.full((4, 3), 2.0, "float32")
    hot[0, 1] = hot[1, 0] = hot[2, 2] = 5
    test("OneHot", [labels, Const(3), Const([2, 5], "float32")], hot)
    pads = [0, 1, 2, 0, 0, 1]
    width = list(zip(pads[:3], pads[3:]))
    test("Pad", [x, Const(pads), Const(1.5, "float32")], np.pad(x, width, constant_values=1.5))
    for mode in "reflect", "edge":
        test("Pad", [x, Const(pads)], np.pad(x, width, mode), case=mode, mode=mode)
    lengths = np.array([3, 1, 2])
    s = floats(4, 3, 2)
    back = s.copy()
    for b, n in enumerate(lengths):
        back[:n, b] = s[:n, b][::-1]
    test("ReverseSequence", [s, lengths], back, time_axis=0, batch_axis=1)
    base, where, new = floats(3, 4), np.array([[1, 0, 2, -1], [0, 2, 1, 0]]), floats(2, 4)
    put, added = base.copy(), base.copy()
    np.put_along_axis(put, where, new, 0)
    for r in range(2):
        for c in range(4):
            added[where[r, c], c] += new[r, c]
    test("Scatter", [base, where % 3, new], put, opset=9, axis=0)
    test("ScatterElements", [base, where, new], put, axis=0)
    test("ScatterElements", [base, where, new], added, case="add", axis=0, reduction="add")
    rows = floats(2, 4)
    replaced, least = base.copy(), base.copy()
    replaced[[2, 0]] = rows
    least[[2, 0]] = np.minimum(base[[2, 0]], rows)
    test("ScatterND", [base, np.array([[2], [0]]), rows], replaced)
    test("ScatterND", [base, np.array([[2], [0]]), rows], least, case="min", reduction="min")
    test("Slice", [x, Const([1, -1]), Const([9, -9]), Const([1, 2]), Const([1, -2])], x[:, 1:, ::-2])
    test("Slice", [x, np.array([0]), np.array([-1]), Const([1])], x[:, :-1], case="late")
    wide_one = floats(2, 7)
    test("Split", [wide_one, Const([2, 1, 4])], *np.split(wide_one, [2, 3], 1), axis=1)
    test("Split", [wide_one], wide_one[:, :4], wide_one[:, 4:], case="even", axis=1, num_outputs=2)
    small = floats(2, 3)
    test("Tile", [small, Const([2, 3])], np.tile(small, (2, 3)))
    test("Transpose", [x], x.transpose(2, 0, 1), perm=[2, 0, 1])
    matrix = floats(3, 4)
    test("Trilu", [matrix, Const(1)], np.triu(matrix, 1))
    test("Trilu", [x], np.tril(x), case="lower", upper=0)


def axes():
    x = floats(3, 4, 5)
    test("ArgMax", [x], x.argmax(1, keepdims=True), axis=1)
    steps = ints(3, 6, lo=0, hi=3)
    test("ArgMin", [steps], 5 - steps[:, ::-1].argmin(1), axis=1, keepdims=0, select_last_index=1)
    test("CumSum", [x, Const(1)], f32(wide(x).cumsum(1)))
    backward = f32(wide(x)[:, :, ::-1].cumsum(2)[:, :, ::-1] - wide(x))
    test("CumSum", [x, Const(-1)], backward, case="exclusive", exclusive=1, reverse=1)
    hard = np.zeros_like(x)
    np.put_along_axis(hard, x.argmax(1, keepdims=True), 1, 1)
    test("Hardmax", [x], hard, axis=1)
    e = np.exp(wide(x))
    for axis in 1, 2:
        test("Softmax", [x], f32(e / e.sum(axis, keepdims=True)), case="axis%d" % axis, axis=axis)
        test("LogSoftmax", [x], f32(x - np.log(e.sum(axis, keepdims=True))), case="axis%d" % axis, axis=axis)
    p = floats(2, 3, 4, lo=0.2)
    for op, fn in {"L1": lambda v, a: np.abs(v).sum(a), "L2": lambda v, a: np.sqrt((v * v).sum(a)),
                   "LogSum": lambda v, a: np.log(v.sum(a)), "LogSumExp": lambda v, a: np.log(np.exp(v).sum(a)),
                   "Max": np.max, "Mean": np.mean, "Min": np.min, "Prod": np.prod, "Sum": np.sum,
                   "SumSquare": lambda v, a: (v * v).sum(a)}.items():
        test("Reduce" + op, [p, Const([0, 2])], f32(fn(wide(p), (0, 2))).reshape(1, 3, 1))
        test("Reduce" + op, [p, Const([-1])], f32(fn(wide(p), 2)), case="flat", keepdims=0)
    values = rng.permutation(24).reshape(4, 6).astype("float32")
    order = np.argsort(-values, 1)[:, :3]
    test("TopK", [values, Const([3])], np.take_along_axis(values, order, 1), order)
    order = np.argsort(values, 0)[:2]
    test("TopK", [values, Const([2])], np.take_along_axis(values, order, 0), order, case="least", axis=0, largest=0)


def norms():
    x = floats(2, 4, 3, 5)
    scale, bias, mean, var = floats(4), floats(4), floats(4), floats(4, lo=0.2)
    test("BatchNormalization", [x, scale, bias, mean, var],
         by_torch(F.batch_norm, x, mean, var, scale, bias, eps=1e-3), epsilon=1e-3)
    test("GroupNormalization", [x, scale, bias],
         by_torch(lambda v, g, b: F.group_norm(v, 2, g, b, 1e-3), x, scale, bias), opset=21, num_groups=2, epsilon=1e-3)
    test("InstanceNormalization", [x, scale, bias],
         by_torch(lambda v, g, b: F.instance_norm(v, None, None, g, b, True, 0, 1e-3), x, scale, bias), epsilon=1e-3)
    squares = wide(x) ** 2
    near = np.stack([squares[:, max(c - 1, 0):c + 2].sum(1) for c in range(4)], 1)
    test("LRN", [x], f32(x / (1.5 + 0.3 / 3 * near) ** 0.6), alpha=0.3, beta=0.6, bias=1.5, size=3)
    g, b = floats(3, 5), floats(3, 5)
    v = wide(x)
    m, d = v.mean((2, 3), keepdims=True), v.var((2, 3), keepdims=True)
    test("LayerNormalization", [x, g, b], f32((v - m) / np.sqrt(d + 1e-5) * g + b), f32(m), f32(1 / np.sqrt(d + 1e-5)),
         axis=2)
    test("RMSNormalization", [x, g], f32(v / np.sqrt((v * v).mean((2, 3), keepdims=True) + 1e-5) * g), opset=23, axis=2)
    test("LpNormalization", [x], f32(v / np.sqrt(squares.sum(1, keepdims=True))), axis=1)
    test("LpNormalization", [x], f32(v / np.abs(v).sum(3, keepdims=True)), case="p1", p=1)
    m, d = v.mean((0, 2, 3), keepdims=True), v.std((0, 2, 3), keepdims=True)
    test("MeanVarianceNormalization", [x], f32((v - m) / (d + 1e-9)))


def products():
    a, b = floats(2, 3, 4), floats(2, 4, 5)
    test("Einsum", [a, b], f32(np.einsum("bij,bjk->bik", wide(a), wide(b))), equation="bij,bjk->bik")
    v = floats(4)
    test("Einsum", [a, v], f32(np.einsum("...j,j->...", wide(a), wide(v))), case="ellipsis", equation="...j,j->...")
    test("MatMul", [a, b[0]], f32(wide(a) @ wide(b[0])), case="rows")
    stack = floats(3, 1, 5, 4)
    test("MatMul", [stack, b], f32(wide(stack) @ wide(b)))
    p, q, c = floats(4, 3), floats(5, 4), floats(5)
    test("Gemm", [p, q, c], f32(0.5 * wide(p).T @ wide(q).T + 2 * wide(c)), alpha=0.5, beta=2.0, transA=1, transB=1)
    x, w, bias = floats(2, 4, 6, 7), floats(6, 2, 3, 2), floats(6)
    test("Conv", [x, w, bias], by_torch(F.conv2d, np.pad(x, [(0, 0), (0, 0), (1, 0), (2, 1)]), w, bias, stride=(2, 1),
                                        dilation=(1, 2), groups=2),
         kernel_shape=[3, 2], pads=[1, 2, 0, 1], strides=[2, 1], dilations=[1, 2], group=2)
    deep = floats(4, 1, 3, 3)
    test("Conv", [x, Const(deep, "float32")], by_torch(F.conv2d, x, deep, padding=1, groups=4), case="depthwise",
         pads=[1, 1, 1, 1], group=4)
    line, taps = floats(1, 3, 9), floats(5, 3, 4)
    test("Conv", [line, taps], by_torch(F.conv1d, np.pad(line, [(0, 0), (0, 0), (1, 2)]), taps), case="line",
         auto_pad="SAME_UPPER")
    t = floats(4, 3, 3, 2)
    test("ConvTranspose", [x, t, Const(bias[:6], "float32")],
         by_torch(F.conv_transpose2d, x, t, bias, stride=2, padding=1, output_padding=(1, 0), groups=2),
         strides=[2, 2], pads=[1, 1, 1, 1], output_padding=[1, 0], group=2)
    double = floats(4, 2, 2, 2)
    test("ConvTranspose", [x, double], by_torch(F.conv_transpose2d, x, double, stride=2), case="double", strides=[2, 2])


def windows():
    x = floats(2, 3, 7, 8)
    pooled = F.max_pool2d(torch.from_numpy(wide(x)), 3, 2, 1, return_indices=True)
    planes = np.arange(6).reshape(2, 3, 1, 1) * 56
    test("MaxPool", [x], f32(pooled[0].numpy()), pooled[1].numpy() + planes, kernel_shape=[3, 3], strides=[2, 2],
         pads=[1, 1, 1, 1])
    test("MaxPool", [x], by_torch(F.max_pool2d, x, kernel_size=2, stride=3, ceil_mode=True), case="ceil",
         kernel_shape=[2, 2], strides=[3, 3], ceil_mode=1)
    for include in 0, 1:
        test("AveragePool", [x], by_torch(F.avg_pool2d, x, kernel_size=3, stride=2, padding=1,
                                          count_include_pad=bool(include)),
             case="padded" if include else "", kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1],
             count_include_pad=include)
    cubes = by_torch(F.avg_pool2d, np.abs(x) ** 3, kernel_size=2, stride=2) * 4
    test("LpPool", [x], f32(np.cbrt(wide(cubes))), kernel_shape=[2, 2], strides=[2, 2], p=3)
    v = wide(x)
    test("GlobalAveragePool", [x], f32(v.mean((2, 3), keepdims=True)))
    test("GlobalMaxPool", [x], x.max((2, 3), keepdims=True))
    test("GlobalLpPool", [x], f32(np.sqrt((v * v).sum((2, 3), keepdims=True))))
    grid = floats(2, 4, 5, 2, lo=-1.2, hi=1.2)
    for mode in "bilinear", "nearest":
        for padding in "zeros", "border", "reflection":
            test("GridSample", [x, grid], by_torch(F.grid_sample, x, grid, mode=mode, padding_mode=padding,
                                                   align_corners=mode == "nearest"),
                 opset=20, case=mode + "-" + padding, mode="linear" if mode == "bilinear" else mode,
                 padding_mode=padding, align_corners=int(mode == "nearest"))
    none, size = Const([], "float32"), Const([2, 3, 14, 12])
    for mode, name in ("bilinear", "linear"), ("bicubic", "cubic"):
        test("Resize", [x, none, none, size], by_torch(F.interpolate, x, size=(14, 12), mode=mode, align_corners=False),
             case=name, mode=name, cubic_coeff_a=-0.75)
        test("Resize", [x, none, none, size], by_torch(F.interpolate, x, size=(14, 12), mode=mode, align_corners=True),
             case=name + "-corners", mode=name, coordinate_transformation_mode="align_corners")
    doubled = x.repeat(2, 2).repeat(2, 3)
    test("Resize", [x, none, Const([1, 1, 2, 2], "float32")], doubled, case="nearest", mode="nearest",
         coordinate_transformation_mode="asymmetric", nearest_mode="floor")
    test("Upsample", [x, Const([1, 1, 2, 2], "float32")], doubled, opset=9, mode="nearest")
    ratios()


def ratios():
    """Sizes that are no multiples: where a product or quotient of rounded numbers is just off a whole one."""
    row = np.arange(14, dtype="float32").reshape(1, 1, 1, 14)
    for n in 5, 14:
        for kind, opset in ("Upsample", 9), ("Resize", 10):
            test(kind, [row[..., :3], Const([1, 1, 1, n / 3], "float32")], row[..., np.arange(n) * 3 // n],
                 opset=opset, case="by-%d-thirds" % n, mode="nearest")
    test("Resize", [row, Const([], "float32"), Const([], "float32"), Const([1, 1, 1, 18])],
         row[..., np.arange(18) * 14 // 18], case="whole-places", mode="nearest",
         coordinate_transformation_mode="asymmetric", nearest_mode="floor")
    test("Resize", [row + 1, Const([], "float32"), Const([], "float32"), Const([1, 1, 1, 1])], f32([[[[1]]]]),
         case="to-one", mode="cubic", coordinate_transformation_mode="pytorch_half_pixel")
    smaller = np.ceil(np.arange(8) / 0.6).astype(int)
    test("Resize", [row, Const([1, 1, 1, 0.6], "float32")], row[..., smaller], opset=10, case="smaller",
         mode="nearest")


def run_layer(op, x, w, r, b, h, c=None, reset_after=False):
    """One direction over x [steps, batch, input]; the gates as ONNX orders them. All states, then the last ones."""
    n = r.shape[1]
    wb, rb = b[:len(b) // 2], b[len(b) // 2:]
    states = []
    for v in x:
        if op == "RNN":
            h = np.tanh(v @ w.T + h @ r.T + wb + rb)
        elif op == "GRU":
            g, u = v @ w.T + wb, h @ r.T + rb
            z, reset = sigmoid(g[:, :n] + u[:, :n]), sigmoid(g[:, n:2 * n] + u[:, n:2 * n])
            inner = reset * u[:, 2 * n:] if reset_after else (reset * h) @ r[2 * n:].T + rb[2 * n:]
            h = (1 - z) * np.tanh(g[:, 2 * n:] + inner) + z * h
        else:
            i, o, f, k = np.split(v @ w.T + h @ r.T + wb + rb, 4, 1)
            c = sigmoid(f) * c + sigmoid(i) * np.tanh(k)
            h = sigmoid(o) * np.tanh(c)
        states.append(h)
    return np.stack(states), h, c


def recurrent():
    steps, batch, inputs, n = 5, 2, 3, 4
    for op, gates in ("RNN", 1), ("GRU", 3), ("LSTM", 4):
        x, h0, c0 = floats(steps, batch, inputs), floats(2, batch, n, lo=-1, hi=1), floats(2, batch, n)
        w, r, b = floats(2, gates * n, inputs), floats(2, gates * n, n), floats(2, 2 * gates * n, lo=-1, hi=1)
        cells = [c0] if op == "LSTM" else []
        weights = [Const(a, "float32") for a in (w, r, b)]
        for case, reset in ("", False), ("reset-after", True):
            if reset and op != "GRU":
                continue
            both = [run_layer(op, wide(x)[::step], wide(w[d]), wide(r[d]), wide(b[d]), wide(h0[d]), wide(c0[d]), reset)
                    for d, step in ((0, 1), (1, -1))]
            y = np.stack([both[0][0], both[1][0][::-1]], 1)
            outputs = [y, np.stack([both[0][1], both[1][1]])] + [np.stack([both[0][2], both[1][2]]) for _ in cells]
            attributes = {"linear_before_reset": 1} if reset else {}
            test(op, [x] + weights + [None, h0] + cells, *map(f32, outputs), case=case, hidden_size=n,
                 direction="bidirectional", **attributes)
        y, h, c = run_layer(op, wide(x), wide(w[0]), wide(r[0]), wide(b[0]), np.zeros((batch, n)), np.zeros((batch, n)))
        test(op, [x] + [Const(a[:1], "float32") for a in (w, r, b)], f32(y)[:, None], case="forward", hidden_size=n)


def integers():
    def quantized(v, zero, dtype):
        limits = np.iinfo(dtype)
        return np.clip(np.rint(v) + zero, limits.min, limits.max).astype(dtype)

    def byte(v):
        return Const(v, "uint8")

    def scale(v):
        return Const(v, "float32")

    x = floats(3, 4, lo=-6, hi=6)
    steps, zeros = f32([0.05, 0.02, 0.1, 0.04]), np.array([128, 100, 7, 255], "uint8")
    q = quantized(x / steps, zeros, "uint8")
    test("QuantizeLinear", [x, scale(steps), byte(zeros)], q, axis=1)
    test("QuantizeLinear", [x, scale(0.05), Const(-3, "int8")], quantized(x / f32(0.05), -3, "int8"), case="one")
    test("DequantizeLinear", [q, scale(steps), byte(zeros)], f32((wide(q) - zeros) * steps), axis=1)
    lo, hi = min(x.min(), 0), max(x.max(), 0)
    step = f32((hi - lo) / f32(255))
    zero = np.uint8(np.clip(np.rint(-lo / step), 0, 255))
    test("DynamicQuantizeLinear", [x], quantized(x / step, int(zero), "uint8"), step, zero)
    a, b = ints(2, 3, 4, lo=0, hi=255, dtype="uint8"), ints(4, 5, lo=-127, hi=127, dtype="int8")
    az, bz = 120, np.array([1, -2, 3, 0, 5], "int8")
    sums = np.matmul(a.astype("int32") - az, b.astype("int32") - bz)
    test("MatMulInteger", [a, b, byte(az), Const(bz, "int8")], sums)
    test("QLinearMatMul", [a, scale(0.02), byte(az), b, scale(0.01), Const(2, "int8"), scale(0.15), byte(90)],
         quantized(np.matmul(a.astype("int32") - az, b.astype("int32") - 2) * (wide(f32(0.02)) * f32(0.01) / f32(0.15)),
                   90, "uint8"))
    p, w = ints(1, 4, 5, 6, lo=0, hi=255, dtype="uint8"), ints(6, 2, 3, 3, lo=-90, hi=90, dtype="int8")
    bias, ws = ints(6, lo=-500, hi=500), f32([0.01, 0.02, 0.03, 0.01, 0.02, 0.05])
    sums = F.conv2d(torch.from_numpy(wide(p) - 99), torch.from_numpy(wide(w)), None, 1, 1, 1, 2).numpy()
    test("ConvInteger", [p, w, byte(99)], sums.astype("int32"), pads=[1, 1, 1, 1], group=2)
    y = (sums + bias.reshape(6, 1, 1)) * (wide(f32(0.03)) * ws.reshape(6, 1, 1) / f32(0.7))
    test("QLinearConv", [p, scale(0.03), byte(99), Const(w, "int8"), scale(ws), Const(0, "int8"), scale(0.7), byte(128),
                         Const(bias, "int32")], quantized(y, 128, "uint8"), pads=[1, 1, 1, 1], group=2)


def graphs():
    """What passes look for. The names tell the passes, which each change some graph here."""
    x, w, b = floats(1, 4, 5, 6), floats(8, 4, 3, 3), floats(8)
    s, o, m, v = floats(8, lo=0.5), floats(8), floats(8), floats(8, lo=0.3)
    y = F.conv2d(torch.from_numpy(np.pad(wide(x), [(0, 0), (0, 0), (1, 1), (1, 1)])), *map(torch.from_numpy, (wide(w), wide(b))))
    y = F.batch_norm(y, *map(torch.from_numpy, (wide(m), wide(v), wide(s), wide(o))), eps=1e-5).numpy()
    more = floats(*y.shape)
    graph("graph-pad-norm-residual-fuse-pack",
          [node("Pad", ["x", "pads"], ["p"]), node("Conv", ["p", "w", "b"], ["c"]),
           node("BatchNormalization", ["c", "s", "o", "m", "v"], ["n"]), node("Add", ["n", "more"], ["a"]),
           node("Relu", ["a"], ["y"])], {"x": x, "more": more}, {"y": f32(np.maximum(y + more, 0))},
          {"pads": np.array([0, 0, 1, 1, 0, 0, 1, 1]), "w": w, "b": b, "s": s, "o": o, "m": m, "v": v})
    a, k, c = floats(3, 4), floats(4, 5), floats(5)
    r = wide(a) @ wide(k) + wide(c)
    erf = np.vectorize(math.erf)
    graph("graph-matmul-activation-cse-identity-fold-dead",
          [node("Identity", ["a"], ["i"]), node("MatMul", ["i", "k"], ["p"]), node("Add", ["p", "c"], ["q"]),
           node("Sqrt", ["two"], ["root"]), node("Div", ["q", "root"], ["d"]), node("Erf", ["d"], ["e"]),
           node("Add", ["e", "one"], ["f"]), node("Mul", ["q", "f"], ["g"]), node("Mul", ["g", "half"], ["y"]),
           node("Exp", ["y"], ["u"]), node("Exp", ["y"], ["t"]), node("Add", ["u", "t"], ["z"]), node("Neg", ["u"], ["none"])],
          {"a": a}, {"z": f32(2 * np.exp(0.5 * r * (1 + erf(r / math.sqrt(2)))))},
          {"k": k, "c": c, "two": f32(2), "one": f32(1), "half": f32(0.5)})
    rest = np.random.default_rng(7)
    h = rest.uniform(-2, 2, (2, 3)).astype(np.float16)
    graph("graph-half", [node("Add", ["h", "c"], ["i"]), node("Relu", ["i"], ["y"])], {"h": h},
          {"y": np.maximum(h + np.float16(.25), 0)}, {"c": np.float16(.25)})
    t = floats(2, 3, 4)
    graph("graph-transpose", [node("Transpose", ["t"], ["u"], perm=[2, 0, 1]), node("Relu", ["u"], ["v"]),
                              node("Transpose", ["v"], ["y"], perm=[1, 2, 0])], {"t": t}, {"y": np.maximum(t, 0)})
    q, key, value, mask = floats(2, 5, 4), floats(2, 6, 4), floats(2, 6, 3), floats(5, 6)
    e = np.exp(wide(q) @ wide(key).transpose(0, 2, 1) * 0.5 + mask)
    graph("graph-attention", [node("Transpose", ["k"], ["t"], perm=[0, 2, 1]), node("MatMul", ["q", "t"], ["s"]), node("Mul", ["s", "scale"], ["m"]),
                              node("Add", ["m", "mask"], ["a"]), node("Softmax", ["a"], ["p"], axis=-1),
                              node("MatMul", ["p", "v"], ["y"])], {"q": q, "k": key, "v": value, "mask": mask}, {"y": f32(e / e.sum(2, keepdims=True) @ wide(value))}, {"scale": f32(0.5)})
    table, index, weights = floats(9, 4), np.array([[1, 8, 0], [3, 3, 5]]), floats(2, 3)
    graph("graph-embedding", [node("Gather", ["table", "index"], ["rows"]), node("Unsqueeze", ["weights", "last"], ["u"]),
                              node("Mul", ["rows", "u"], ["m"]), node("ReduceSum", ["m", "axis"], ["y"], keepdims=0)],
          {"index": index, "weights": weights}, {"y": f32((wide(table)[index] * weights[:, :, None]).sum(1))},
          {"table": table, "axis": np.array([1]), "last": np.array([-1])})
    x, scale, bias = floats(2, 3, 8), floats(8), floats(8)
    d = wide(x) - wide(x).mean(2, keepdims=True)
    graph("graph-layernorm", [node("ReduceMean", ["x"], ["mean"], axes=[-1]), node("Sub", ["x", "mean"], ["d"]), node("Pow", ["d", "two"], ["squares"]),
                              node("ReduceMean", ["squares"], ["variance"], axes=[-1]), node("Add", ["variance", "epsilon"], ["sum"]),
                              node("Sqrt", ["sum"], ["deviation"]), node("Div", ["d", "deviation"], ["normal"]),
                              node("Mul", ["normal", "scale"], ["scaled"]), node("Add", ["scaled", "bias"], ["y"])],
          {"x": x}, {"y": f32(d / np.sqrt((d * d).mean(2, keepdims=True) + 0.01) * scale + bias)},
          {"two": f32(2), "epsilon": f32(0.01), "scale": scale, "bias": bias})
    x, w, b = floats(1, 4, 3, 5), floats(4, 4, 1, 1), floats(4)
    s = 1 / (1 + np.exp(-(wide(w)[:, :, 0, 0] @ wide(x).mean((2, 3))[0] + b)))
    graph("graph-excitation", [node("GlobalAveragePool", ["x"], ["m"]), node("Conv", ["m", "w", "b"], ["c"]), node("Sigmoid", ["c"], ["s"]),
                               node("Mul", ["x", "s"], ["p"]), node("Add", ["x", "p"], ["y"])],
          {"x": x}, {"y": f32(wide(x) * (1 + s[:, None, None]))}, {"w": w, "b": b})


def contrib():
    """Operators of onnxruntime's own domain, as its quantiser writes them."""
    erf = np.vectorize(math.erf)

    def quantized(v, scale, zero, dtype="uint8"):
        limits = np.iinfo(dtype)
        return np.clip(np.rint(wide(v) / wide(f32(scale))) + zero, limits.min, limits.max).astype(dtype)

    def meant(q, scale, zero):
        return (wide(q) - zero) * wide(f32(scale))

    def grid(scale, zero, dtype="uint8"):
        return [Const(scale, "float32"), Const(zero, dtype)]

    def ms(op, *args, **kw):
        test(CONTRIB + "." + op, *args, **kw)

    a, b = ints(1, 3, 4, 5, lo=0, hi=255, dtype="uint8"), ints(1, 3, 1, 5, lo=0, hi=255, dtype="uint8")
    ga, gb = (0.0297, 120), (0.0513, 7)
    x, y = meant(a, *ga), meant(b, *gb)
    two = [a, *grid(*ga), b, *grid(*gb)]
    ms("QLinearAdd", two + grid(0.06, 90), quantized(x + y, 0.06, 90))
    ms("QLinearMul", two + grid(0.1703, 99), quantized(x * y, 0.1703, 99))
    s = ints(2, 6, lo=-127, hi=127, dtype="int8")
    ms("QLinearSigmoid", [s, *grid(0.04, 3, "int8"), *grid(1 / 256, -128, "int8")],
       quantized(sigmoid(meant(s, 0.04, 3)), 1 / 256, -128, "int8"))
    ms("QLinearLeakyRelu", [a, *grid(*ga), *grid(0.0207, 40)], quantized(np.where(x < 0, 0.1 * x, x), 0.0207, 40), alpha=0.1)
    ms("QLinearGlobalAveragePool", [a, *grid(*ga), *grid(0.0103, 130)], quantized(x.mean((2, 3), keepdims=True), 0.0103, 130),
       channels_last=0)
    ms("QLinearAveragePool", [a, *grid(*ga), *grid(0.0219, 100)],
       quantized(x[:, :, :, :4].reshape(1, 3, 2, 2, 2, 2).mean((3, 5)), 0.0219, 100), kernel_shape=[2, 2], strides=[2, 2])
    ms("QLinearConcat", [*grid(0.0709, 60), a, *grid(*ga), np.repeat(b, 4, 2), *grid(*gb)],
       quantized(np.concatenate([x, np.repeat(y, 4, 2)], 1), 0.0709, 60), axis=1)
    p, w, bias = ints(3, 6, lo=0, hi=255, dtype="uint8"), ints(4, 6, lo=-127, hi=127, dtype="int8"), ints(4, lo=-900, hi=900)
    steps = f32([0.01, 0.02, 0.015, 0.03])
    product = (wide(p) - 99) @ wide(w).T * (wide(f32(0.05)) * wide(steps))
    left = [p, *grid(0.05, 99), Const(w, "int8"), Const(steps, "float32"), Const([0, 0, 0, 0], "int8")]
    ms("QGemm", left + [Const(bias, "int32"), *grid(1.3, 128)],
       quantized(product + bias * (wide(f32(0.05)) * wide(steps)), 1.3, 128), transB=1)
    ms("QGemm", [p, *grid(0.05, 99), Const(w.T, "int8"), *grid(0.02, 0, "int8")],
       f32((wide(p) - 99) @ wide(w).T * (wide(f32(0.05)) * wide(f32(0.02)))), case="floats")
    factor = wide(f32(0.05)) * wide(f32(0.02))
    plain = (wide(p) - 99) @ wide(w).T * factor
    offset = floats(4)
    ms("MatMulIntegerToFloat", [p, Const(w.T, "int8"), Const(0.05, "float32"), Const(0.02, "float32"), Const(99, "uint8"),
                                Const(0, "int8"), Const(offset, "float32")], f32(plain + offset))
    v = floats(3, 6, lo=-5, hi=9)
    step = f32((v.max() - v.min()) / f32(255))
    zero = int(np.rint(-v.min() / step))
    late = (wide(quantized(v, step, zero)) - zero) @ wide(w).T * (wide(step) * wide(f32(0.02)))
    ms("DynamicQuantizeMatMul", [v, Const(w.T, "int8"), Const(0.02, "float32"), Const(0, "int8")], f32(late))
    u = floats(3, 6)
    gelu = lambda t: 0.5 * t * (1 + erf(t / math.sqrt(2)))
    ms("Gelu", [u], f32(gelu(wide(u))))
    more = floats(6)
    ms("BiasGelu", [u, more], f32(gelu(wide(u) + more)))
    by_tanh = lambda t: 0.5 * t * (1 + np.tanh(math.sqrt(2 / math.pi) * (t + 0.044715 * t ** 3)))
    ms("FastGelu", [u], f32(by_tanh(wide(u))))
    ms("FastGelu", [u, more], f32(by_tanh(wide(u) + more)), case="bias")
    steps, batch, inputs, n = 4, 2, 3, 4
    t = floats(steps, batch, inputs)
    wq, rq = (ints(2, k, 4 * n, lo=0, hi=255, dtype="uint8") for k in (inputs, n))
    ws, wz = f32(rng.uniform(0.004, 0.01, (2, 4 * n))), ints(2, 4 * n, lo=100, hi=150, dtype="uint8")
    rs, rz = f32([0.006, 0.008]), np.array([120, 130], "uint8")
    bias = floats(2, 8 * n, lo=-1, hi=1)
    wf = ((wide(wq) - wz[:, None]) * ws[:, None]).transpose(0, 2, 1)
    rf = ((wide(rq) - rz[:, None, None]) * rs[:, None, None]).transpose(0, 2, 1)
    both = [run_layer("LSTM", wide(t)[::d], wf[k], rf[k], wide(bias[k]), np.zeros((batch, n)), np.zeros((batch, n)))
            for k, d in ((0, 1), (1, -1))]
    out = [np.stack([both[0][0], both[1][0][::-1]], 1)] + [np.stack([both[0][i], both[1][i]]) for i in (1, 2)]
    ms("DynamicQuantizeLSTM", [t, Const(wq, "uint8"), Const(rq, "uint8"), Const(bias, "float32"), None, None, None, None,
                               Const(ws, "float32"), Const(wz, "uint8"), Const(rs, "float32"), Const(rz, "uint8")],
       *map(f32, out), direction="bidirectional", hidden_size=n)


def branches():
    """If whose branch is known: by a constant, or since one of the two could not go on."""
    def branch(nodes, output):
        return b"".join(field(1, n) for n in nodes) + field(12, info(output, np.zeros((), "float32")))

    squeeze = branch([node("Constant", [], ["axes"], value=np.array([1])), node("Squeeze", ["m", "axes"], ["s"])], "s")
    copy = branch([node("Identity", ["m"], ["c"])], "c")
    x = floats(2, 1, 3)
    graph("If-squeeze", [node("Neg", ["x"], ["m"]), node("Shape", ["m"], ["sizes"]), node("Gather", ["sizes", "first"], ["size"]),
                         node("Equal", ["size", "first"], ["one"]), node("If", ["one"], ["i"], then_branch=squeeze, else_branch=copy),
                         node("Transpose", ["i"], ["y"], perm=[1, 0])],
          {"x": x}, {"y": -x.reshape(2, 3).T}, {"first": np.int64(1)})
    bias = field(5, tensor("b", f32(2.5)))
    more = branch([node("Add", ["x", "b"], ["a"])], "a") + bias
    less = branch([node("Sub", ["x", "x"], ["d"])], "d")
    for case, sign in ("then", True), ("else", False):
        graph("If-constant-" + case, [node("Constant", [], ["sign"], value=np.array(sign)),
                                      node("If", ["sign"], ["i"], then_branch=more, else_branch=less), node("Neg", ["i"], ["y"])],
              {"x": x}, {"y": -(x + f32(2.5)) if sign else 0 * x})


def integers_to_floats():
    """What quantize_dynamic() of onnxruntime makes of a convolution and a product."""
    x = floats(1, 2, 4, 5, lo=-3, hi=5)
    step = f32((x.max() - x.min()) / f32(255))
    zero = int(np.rint(-x.min() / step))
    q = np.clip(np.rint(x / step) + zero, 0, 255) - zero
    w, wz = ints(3, 2, 3, 3, lo=0, hi=255, dtype="uint8"), np.array([120, 128, 131], "uint8")
    sums = F.conv2d(torch.from_numpy(wide(q)), torch.from_numpy(wide(w) - wz.reshape(3, 1, 1, 1)), None, 1, 1).numpy()
    graph("graph-integer-conv", [node("DynamicQuantizeLinear", ["x"], ["q", "s", "z"]),
                                 node("ConvInteger", ["q", "w", "z", "wz"], ["i"], pads=[1, 1, 1, 1]), node("Cast", ["i"], ["f"], to=1),
                                 node("Mul", ["s", "ws"], ["k"]), node("Mul", ["f", "k"], ["y"])],
          {"x": x}, {"y": f32(sums * (wide(step) * wide(f32(0.02))))}, {"w": w, "wz": wz, "ws": f32(0.02)})
    m, mz = ints(5, 3, lo=-127, hi=127, dtype="int8"), np.array([1, -2, 3], "int8")
    graph("graph-integer-product", [node("DynamicQuantizeLinear", ["x"], ["q", "s", "z"]), node("MatMulInteger", ["q", "m", "z", "mz"], ["i"]),
                                    node("Cast", ["i"], ["f"], to=1), node("Mul", ["s", "f"], ["y"])],
          {"x": x}, {"y": f32(wide(q) @ (wide(m) - mz) * wide(step))}, {"m": m, "mz": mz})


def fused():
    """What onnxruntime's optimiser writes: operators that do the work of several."""
    def ms(op, *args, **kw):
        test(CONTRIB + "." + op, *args, **kw)

    x, w, b = floats(1, 3, 4, 5), floats(4, 3, 3, 3), floats(4)
    z = floats(1, 4, 4, 5)
    conv = wide(F.conv2d(*[torch.from_numpy(wide(v)) for v in (x, w, b)], 1, 1).numpy())
    size = dict(kernel_shape=[3, 3], pads=[1, 1, 1, 1])
    ms("FusedConv", [x, Const(w, "float32"), Const(b, "float32")], f32(np.where(conv < 0, conv * 0.25, conv)), **size,
       activation="LeakyRelu", activation_params=[0.25])
    ms("FusedConv", [x, Const(w, "float32"), Const(b, "float32"), z], f32(np.clip(conv + z, -3, 5)), case="sum", **size,
       activation="Clip", activation_params=[-3.0, 5.0])
    ms("FusedConv", [x, Const(w, "float32"), None, z], f32(conv - b[:, None, None] + z), case="plain", **size)
    m, n, c = floats(3, 6), floats(4, 6), floats(4)
    product = wide(m) @ wide(n).T
    ms("FusedGemm", [m, Const(n, "float32"), Const(c, "float32")], f32(np.clip((0.5 * product + c) * 0.25 + 0.75, 0, 1)), transB=1, alpha=0.5,
       activation="HardSigmoid", activation_alpha=0.25, activation_beta=0.75)
    ms("FusedGemm", [m, Const(n.T, "float32")], f32(sigmoid(product)), case="sigmoid", activation="Sigmoid")
    q, k = floats(2, 3, 4, 5), floats(2, 3, 6, 5)
    ms("FusedMatMul", [q, k], f32(0.5 * wide(q) @ wide(k).transpose(0, 1, 3, 2)), transB=1, alpha=0.5)
    ms("FusedMatMul", [q.transpose(0, 1, 3, 2).copy(), k[0]], f32(wide(q) @ wide(k)[0].transpose(0, 2, 1)), case="both", transA=1, transB=1)
    ms("FusedMatMul", [q.transpose(2, 0, 1, 3).copy(), k.transpose(3, 0, 1, 2).copy()], f32(wide(q) @ wide(k).transpose(0, 1, 3, 2)), case="around",
       transBatchA=1, transBatchB=1)
    u = floats(2, 3, 8)
    ms("QuickGelu", [u], f32(wide(u) * sigmoid(1.702 * wide(u))))
    ms("QuickGelu", [u], f32(wide(u) * sigmoid(wide(u))), case="swish", alpha=1.0)
    skip, gamma, beta, bias = floats(1, 3, 8), floats(8), floats(8), floats(8)

    def normal(v, epsilon):
        d = v - v.mean(-1, keepdims=True)
        return d / np.sqrt((d * d).mean(-1, keepdims=True) + epsilon)

    total = wide(u) + skip + bias
    names = ["u", "skip", "gamma", "beta", "bias"]
    graph("com.microsoft.SkipLayerNormalization", [node(CONTRIB + ".SkipLayerNormalization", names, ["y", "", "", "sum"], epsilon=0.01)], {"u": u},
          {"y": f32(normal(total, 0.01) * gamma + beta), "sum": f32(total)}, {"skip": skip, "gamma": gamma, "beta": beta, "bias": bias})
    ms("SkipLayerNormalization", [u, Const(skip, "float32"), Const(gamma, "float32")], f32(normal(wide(u) + skip, 1e-12) * gamma), case="plain")
    test("SimplifiedLayerNormalization", [u, Const(gamma, "float32")], f32(wide(u) / np.sqrt((wide(u) ** 2).mean(-1, keepdims=True) + 0.01) * gamma),
         axis=-1, epsilon=0.01, stash_type=1)
    ms("QuantizeLinear", [u, Const(0.03, "float32"), Const(-3, "int8")],
       np.clip(np.rint(wide(u) / wide(f32(0.03))) - 3, -128, 127).astype("int8"))
    s = ints(2, 3, lo=-127, hi=127, dtype="int8")
    steps = f32([0.5, 0.25, 0.125])
    ms("DequantizeLinear", [s, Const(steps, "float32"), Const([1, -2, 3], "int8")], f32((wide(s) - [1, -2, 3]) * steps), axis=1)


def few_bits():
    """Weights of a few bits, in blocks of 16 of which the last one is not full."""
    def pack(rows, bits):
        per = 8 // bits
        rows = np.pad(rows, ((0, 0), (0, -rows.shape[1] % per)))
        return sum(rows[:, i::per] << (bits * i) for i in range(per)).astype("uint8")

    inputs, outputs, blocks = 40, 5, 3
    x, bias = floats(2, 3, inputs), floats(outputs)
    for bits in 2, 4, 8:
        q = rng.randint(0, 1 << bits, (outputs, blocks * 16))
        zeros = rng.randint(0, 1 << bits, (outputs, blocks))
        scales = f32(rng.uniform(0.01, 0.1, (outputs, blocks)))
        w = Const(pack(q, bits).reshape(outputs, blocks, 2 * bits), "uint8")
        sizes = dict(K=inputs, N=outputs, bits=bits, block_size=16)

        def result(zero):
            return wide(x) @ ((q - np.repeat(zero, 16, 1)) * np.repeat(wide(scales), 16, 1))[:, :inputs].T

        test(CONTRIB + ".MatMulNBits", [x, w, Const(scales, "float32"), Const(pack(zeros, bits), "uint8")], f32(result(zeros)),
             case="%d-zeros" % bits, **sizes)
        test(CONTRIB + ".MatMulNBits", [x, w, Const(scales.ravel(), "float32"), None, None, Const(bias, "float32")],
             f32(result(np.full_like(zeros, 1 << (bits - 1))) + bias), case="%d" % bits, **sizes)


def weights_in_bytes():
    """DequantizeLinear before a convolution and a product, turned on its way; a product written as Einsum."""
    x, w, steps = floats(1, 2, 4, 5), ints(3, 2, 3, 3, lo=-127, hi=127, dtype="int8"), f32([0.01, 0.02, 0.03])
    m = ints(6, 5, lo=0, hi=255, dtype="uint8")
    c = F.conv2d(torch.from_numpy(wide(x)), torch.from_numpy(wide(w) * wide(steps).reshape(3, 1, 1, 1)), None, 1, 1).numpy()
    graph("graph-weights-in-bytes", [node("DequantizeLinear", ["w", "ws"], ["wf"], axis=0), node("Conv", ["x", "wf"], ["c"], pads=[1, 1, 1, 1]),
                                     node("DequantizeLinear", ["m", "ms", "mz"], ["mf"]), node("Transpose", ["mf"], ["mt"], perm=[1, 0]),
                                     node("MatMul", ["c", "mt"], ["y"])],
          {"x": x}, {"y": f32(c @ ((wide(m) - 100) * wide(f32(0.05))).T)},
          {"w": w, "ws": steps, "m": m, "ms": f32(0.05), "mz": np.uint8(100)})
    a, b = floats(2, 4, 3, 5), floats(2, 6, 3, 5)
    for case, equation, left, right in (("heads", "bihk,bjhk->bhij", a, b), ("swapped", "bjhk,bihk->bhij", b, a), ("weights", "...k,jk->...j", a, b[0, :, 0]),
                                        ("dots", "i...k,...jk->...ij", a.transpose(1, 0, 2, 3).copy(), b.transpose(0, 2, 1, 3).copy())):
        y = np.einsum(equation, wide(left), wide(right))
        graph("graph-einsum-" + case, [node("Einsum", ["a", "b"], ["y"], equation=equation)], {"a": left, "b": right}, {"y": f32(y)})


def beside():
    """Weights in another file, behind those of an attribute."""
    def lies(name, a, offset):
        place = {"location": "weights.bin", "offset": str(offset), "length": str(a.nbytes)}
        return (b"".join(field(1, int(d)) for d in a.shape) + field(2, TYPES[a.dtype.name]) + field(8, name)
                + b"".join(field(13, field(1, k) + field(2, v)) for k, v in place.items()) + field(14, 1))

    x, w, b = floats(2, 3), floats(3, 4), floats(4)
    constant = node("Constant", [], ["b"]) + field(5, field(1, "value") + field(5, lies("", b, 3)) + field(20, 4))
    body = (field(1, constant) + field(1, node("MatMul", ["x", "w"], ["p"])) + field(1, node("Add", ["p", "b"], ["y"]))
            + field(5, lies("w", w, 64)))
    graph("graph-beside", [], {"x": x}, {"y": f32(wide(x) @ wide(w) + b)})
    tests["graph-beside"]["model.onnx"] = (field(1, 8) + field(8, field(2, 18)) + field(7, body + field(11, info("x", x)) + field(12, info("y", x))))
    tests["graph-beside"]["weights.bin"] = b"   " + b.tobytes() + bytes(45) + w.tobytes()


def quantized_choices():
    """Softmax and Where as onnxruntime's quantiser writes them."""
    def bytes_of(v, scale, zero):
        return np.clip(np.rint(wide(v) / wide(f32(scale))) + zero, 0, 255).astype("uint8")

    def grid(scale, zero):
        return [Const(scale, "float32"), Const(zero, "uint8")]

    a, b = ints(2, 3, 5, lo=0, hi=255, dtype="uint8"), ints(3, 1, lo=0, hi=255, dtype="uint8")
    x, y = (wide(a) - 120) * wide(f32(0.03)), (wide(b) - 7) * wide(f32(0.05))
    for case, opset, axis in ("", 18, 1), ("joined", 12, 1):
        e = np.exp(x if opset > 12 else x.reshape(2, 15))
        softmax = (e / e.sum(1, keepdims=True)).reshape(x.shape)
        constants = {"s": f32(0.03), "z": np.uint8(120), "t": f32(1 / 256), "u": np.uint8(0)}
        graph("com.microsoft.QLinearSoftmax" + (case and "-" + case),
              [node(CONTRIB + ".QLinearSoftmax", ["x", "s", "z", "t", "u"], ["y"], axis=axis, opset=opset)], {"x": a},
              {"y": bytes_of(softmax, 1 / 256, 0)}, constants, opset=opset)
    choice = ints(2, 3, 5, lo=0, hi=1) > 0
    test(CONTRIB + ".QLinearWhere", [choice, a, *grid(0.03, 120), b, *grid(0.05, 7), *grid(0.06, 90)],
         bytes_of(np.where(choice, x, y), 0.06, 90))


def main():
    for family in (elementwise, pairs, shapes, moves, axes, norms, products, windows, recurrent, integers, graphs, contrib, branches,
                   integers_to_floats, fused, few_bits, weights_in_bytes, beside, quantized_choices):
        family()
    path = sys.argv[1] if len(sys.argv) > 1 else os.path.join(HERE, "vectors.tar.xz")
    with tarfile.open(path, "w:xz", preset=9) as t:
        for name in sorted(tests):
            for file, data in tests[name].items():
                entry = tarfile.TarInfo(name + "/" + file)
                entry.size = len(data)
                t.addfile(entry, io.BytesIO(data))
    print("%d tests, %d bytes" % (len(tests), os.path.getsize(path)))


if __name__ == "__main__":
    main()
